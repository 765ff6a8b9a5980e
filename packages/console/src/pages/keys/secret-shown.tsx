import { Alert, Button, Group, Stack } from "@mantine/core";
import { IconEye } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { CopyBlock } from "../../shared/copy.tsx";
import { useText } from "../../shared/text.ts";
import { keysTexts } from "./texts.ts";

/** A new secret: this once, with a call to try it by. */
export function SecretShown({
  account,
  keyId,
  secret,
  onDone,
}: {
  account: string;
  keyId: string;
  secret: string;
  onDone: () => void;
}) {
  const t = useText(keysTexts);
  return (
    <Stack gap="md">
      <Alert color="yellow" variant="default" icon={<IconEye size={18} aria-hidden="true" />}>
        {t("secretOnce")}
      </Alert>
      <CopyBlock label={t("secretLabel")} code={secret} />
      <CopyBlock
        label={t("tryLabel")}
        code={`curl ${window.location.origin}/v1/models \\\n  -H "Authorization: Bearer ${secret}"`}
      />
      <Group justify="space-between">
        <Button
          variant="default"
          component={Link}
          to={`/a/${encodeURIComponent(account)}/connect`}
          search={{ key: keyId } as never}
        >
          {t("connect")}
        </Button>
        <Button onClick={onDone}>{t("done")}</Button>
      </Group>
    </Stack>
  );
}
