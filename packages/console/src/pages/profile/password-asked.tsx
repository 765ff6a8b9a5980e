import { Alert, Button, Group, PasswordInput, Stack } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useText } from "../../shared/text.ts";
import { profileProblem } from "./profile-problem.ts";
import { profileTexts } from "./texts.ts";

/** Asks for the password before something that a stolen session must not do. */
export function PasswordAsked({
  action,
  danger = false,
  onPassword,
}: {
  /** What the button says. */
  action: string;
  danger?: boolean;
  /** What is done with the password; what it throws is told here. */
  onPassword: (password: string) => Promise<void>;
}) {
  const t = useText(profileTexts);
  const [password, setPassword] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await onPassword(password);
    } catch (error) {
      setPassword("");
      setProblem(profileProblem(t, error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        {problem !== undefined && (
          <Alert color="red" variant="light" role="alert">
            {problem}
          </Alert>
        )}
        <PasswordInput
          label={t("confirmPassword")}
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          data-autofocus
        />
        <Group justify="flex-end">
          <Button type="submit" loading={busy} disabled={password === ""} {...(danger && { color: "red" })}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
