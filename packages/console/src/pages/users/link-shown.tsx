import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { CopyBlock } from "../../shared/copy.tsx";
import { useFormat } from "../../shared/format.ts";
import { useText } from "../../shared/text.ts";
import { usersTexts } from "./texts.ts";

/** A link to set a password, shown once. */
export function LinkShown({
  link,
  until,
  email,
  onDone,
}: {
  link: string;
  until: number;
  email: string;
  onDone: () => void;
}) {
  const t = useText(usersTexts);
  const format = useFormat();
  return (
    <Stack gap="md">
      <Alert color="yellow" variant="light">
        <Text fz="sm" fw={600}>
          {t("linkTitle")}
        </Text>
        {t("linkText", { email, until: format.time(until) })}
      </Alert>
      <CopyBlock label={t("link")} code={link} />
      <Group justify="flex-end">
        <Button onClick={onDone}>{t("done")}</Button>
      </Group>
    </Stack>
  );
}
