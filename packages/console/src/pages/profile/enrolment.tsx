import { Alert, Anchor, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { askSignIn } from "../../api/sign-in.ts";
import { CopyIcon } from "../../shared/copy.tsx";
import { useText } from "../../shared/text.ts";
import { profileProblem } from "./profile-problem.ts";
import { QrCode } from "./qr-code.tsx";
import classes from "./section.module.css";
import { profileTexts } from "./texts.ts";

/** Gives the key to an authenticator app and has it show that it took it. */
export function Enrolment({ uri, onDone }: { uri: string; onDone: () => Promise<void> }) {
  const t = useText(profileTexts);
  const [code, setCode] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const secret = new URL(uri).searchParams.get("secret") ?? "";
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await askSignIn("POST", "/two-factor/verify-totp", { code: code.replaceAll(" ", "") });
      await onDone();
    } catch (error) {
      setCode("");
      setProblem(profileProblem(t, error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <div className={classes.code}>
          <QrCode text={uri} label={t("qrLabel")} size={188} />
        </div>
        <Text fz="sm" c="dimmed">
          {t("scanText")}
        </Text>
        <Group gap="xs" justify="space-between" wrap="nowrap">
          <Text fz="sm" ff="monospace" style={{ overflowWrap: "anywhere" }}>
            {secret.replace(/(.{4})(?=.)/g, "$1 ")}
          </Text>
          <CopyIcon value={secret} label={t("key")} />
        </Group>
        <Anchor href={uri} fz="sm" hiddenFrom="sm">
          {t("openApp")}
        </Anchor>
        {problem !== undefined && (
          <Alert color="red" variant="light" role="alert">
            {problem}
          </Alert>
        )}
        <TextInput
          label={t("code")}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={10}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          data-autofocus
        />
        <Group justify="flex-end">
          <Button type="submit" loading={busy} disabled={code.trim().length < 6}>
            {t("turnOn")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
