import { Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { askSignIn } from "../../api/sign-in.ts";
import { useText } from "../../shared/text.ts";
import { signInTexts } from "./texts.ts";

/** Address and password. `onDone` is told whether a second factor is asked for. */
export function PasswordStep({
  onDone,
  onProblem,
}: {
  onDone: (secondFactor: boolean) => void;
  onProblem: (error: unknown) => void;
}) {
  const t = useText(signInTexts);
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (email.trim() === "" || password === "") return;
    setBusy(true);
    onProblem(undefined);
    try {
      const answer = await askSignIn("POST", "/sign-in/email", { email: email.trim(), password });
      onDone(typeof answer === "object" && answer !== null && "twoFactorRedirect" in answer);
    } catch (error) {
      setPassword("");
      setTried(false);
      onProblem(error);
    } finally {
      setBusy(false);
    }
  };
  const missing = (value: string) => (tried && value.trim() === "" ? t("needed") : undefined);
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <TextInput
          label={t("email")}
          type="email"
          name="email"
          autoComplete="username"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={missing(email)}
          required
          withAsterisk={false}
          autoFocus
        />
        <PasswordInput
          label={t("password")}
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={missing(password)}
          required
          withAsterisk={false}
        />
        <Button type="submit" loading={busy} fullWidth mt={4}>
          {t("signIn")}
        </Button>
      </Stack>
    </form>
  );
}
