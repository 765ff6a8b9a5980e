import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { CopyBlock } from "../../shared/copy.tsx";
import { useFormat } from "../../shared/format.ts";
import { useText } from "../../shared/text.ts";
import { accountSettingsTexts } from "./texts.ts";

/** The link by which a new member sets a password, shown once. */
export function MemberLink(props: { link: string; until: number; email: string; onDone: () => void }) {
  const { link, until, email, onDone } = props;
  const t = useText(accountSettingsTexts);
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
