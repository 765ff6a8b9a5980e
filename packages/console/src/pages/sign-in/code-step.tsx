import { Button, Checkbox, Group, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { askSignIn } from "../../api/sign-in.ts";
import { useText } from "../../shared/text.ts";
import { signInTexts } from "./texts.ts";

/** The second factor: a code of the authenticator app, or a backup code. */
export function CodeStep({
  onDone,
  onProblem,
  onStartOver,
}: {
  onDone: () => void;
  onProblem: (error: unknown) => void;
  onStartOver: () => void;
}) {
  const t = useText(signInTexts);
  const [backup, setBackup] = useState(false);
  const [code, setCode] = useState("");
  const [trust, setTrust] = useState(false);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() === "") return;
    setBusy(true);
    onProblem(undefined);
    try {
      const path = backup ? "/two-factor/verify-backup-code" : "/two-factor/verify-totp";
      await askSignIn("POST", path, { code: code.replaceAll(" ", ""), ...(trust && { trustDevice: true }) });
      onDone();
    } catch (error) {
      setCode("");
      onProblem(error);
    } finally {
      setBusy(false);
    }
  };
  const change = () => {
    setBackup(!backup);
    setCode("");
    onProblem(undefined);
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <Text fz="sm">{backup ? t("backupText") : t("codeText")}</Text>
        <TextInput
          // A field of its own for each, so that the browser fills in the right thing.
          key={String(backup)}
          label={backup ? t("backupCode") : t("code")}
          autoComplete={backup ? "off" : "one-time-code"}
          inputMode={backup ? "text" : "numeric"}
          maxLength={64}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          autoFocus
        />
        <Checkbox label={t("trust")} checked={trust} onChange={(event) => setTrust(event.currentTarget.checked)} />
        <Button type="submit" loading={busy} disabled={code.trim() === ""} fullWidth>
          {t("verify")}
        </Button>
        <Group justify="space-between" gap="xs">
          <Button variant="subtle" size="compact-sm" onClick={change}>
            {backup ? t("useApp") : t("useBackup")}
          </Button>
          <Button variant="subtle" size="compact-sm" color="gray" onClick={onStartOver}>
            {t("startOver")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
