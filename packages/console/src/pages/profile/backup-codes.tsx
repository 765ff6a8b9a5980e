import { Button, Group, Stack, Text } from "@mantine/core";
import { CopyBlock } from "../../shared/copy.tsx";
import { useText } from "../../shared/text.ts";
import { profileTexts } from "./texts.ts";

/** Codes that are shown this once. */
export function BackupCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const t = useText(profileTexts);
  return (
    <Stack gap="md">
      <Text fz="sm">{t("keepCodesText")}</Text>
      <CopyBlock code={codes.join("\n")} />
      <Group justify="flex-end">
        <Button onClick={onDone}>{t("codesKept")}</Button>
      </Group>
    </Stack>
  );
}
