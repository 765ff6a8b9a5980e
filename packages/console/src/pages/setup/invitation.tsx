import { Alert, Button, PasswordInput, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ApiError, api, unwrap } from "../../api/client.ts";
import { askSignIn } from "../../api/sign-in.ts";
import { EntryLayout } from "../../app/entry-layout.tsx";
import { Loaded } from "../../shared/loaded.tsx";
import { useText } from "../../shared/text.ts";
import { leastPassword } from "./least-password.ts";
import { setupTexts } from "./texts.ts";

/** Where an invitation leads: its user chooses a password, and is signed in. */
export function Invitation({ token }: { token: string }) {
  const t = useText(setupTexts);
  const [gone, setGone] = useState(false);
  const invitation = useQuery({
    queryKey: ["invitation", token],
    queryFn: () => unwrap(api.POST("/api/v1/invitations/look", { body: { token } })),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const bad = gone || (invitation.error instanceof ApiError && invitation.error.status === 403);
  if (bad) {
    return (
      <EntryLayout title={t("badInvite")} description={t("badInviteText")}>
        <Button component="a" href="/sign-in" variant="default">
          {t("signIn")}
        </Button>
      </EntryLayout>
    );
  }
  const { data } = invitation;
  const title = data?.purpose === "welcome" ? t("inviteWelcome", { name: data.name }) : t("inviteReset");
  return (
    <EntryLayout title={title} description={data && t("inviteText", { email: data.email })}>
      <Loaded query={invitation}>
        {({ email }) => <PasswordForm token={token} email={email} onGone={() => setGone(true)} />}
      </Loaded>
    </EntryLayout>
  );
}

function PasswordForm({ token, email, onGone }: { token: string; email: string; onGone: () => void }) {
  const t = useText(setupTexts);
  const [password, setPassword] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const missing = leastPassword - [...password].length;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (missing > 0) return setProblem(t("left", { count: missing }));
    setBusy(true);
    setProblem(undefined);
    try {
      await unwrap(api.POST("/api/v1/invitations/redeem", { body: { token, password } }));
    } catch (error) {
      setBusy(false);
      if (!(error instanceof ApiError)) return setProblem(String(error));
      if (error.code === "bad_invitation") return onGone();
      return setProblem(
        error.field === "password"
          ? t("badPassword")
          : error.code === "too_many_tries"
            ? t("tooMany")
            : error.code === "network"
              ? t("network")
              : error.message,
      );
    }
    // Whoever has a second factor is asked for it there.
    const told = await askSignIn("POST", "/sign-in/email", { email, password }).catch(() => undefined);
    const inside = typeof told === "object" && told !== null && !("twoFactorRedirect" in told);
    window.location.assign(inside ? "/" : "/sign-in");
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        {problem !== undefined && (
          <Alert color="red" variant="light" role="alert">
            {problem}
          </Alert>
        )}
        <PasswordInput
          label={t("password")}
          description={password !== "" && missing > 0 ? t("left", { count: missing }) : t("passwordText")}
          autoComplete="new-password"
          maxLength={128}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          autoFocus
        />
        <Button type="submit" loading={busy} disabled={password === ""} fullWidth>
          {t("setPassword")}
        </Button>
      </Stack>
    </form>
  );
}
