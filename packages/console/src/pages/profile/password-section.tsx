import { Alert, Button, Group, PasswordInput, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { askSignIn } from "../../api/sign-in.ts";
import { useMe } from "../../app/session.ts";
import { Loaded } from "../../shared/loaded.tsx";
import { notifyDone } from "../../shared/notify.tsx";
import { useText } from "../../shared/text.ts";
import { useReloadMe, waysQuery } from "./profile-api.ts";
import { profileProblem } from "./profile-problem.ts";
import classes from "./section.module.css";
import { Section } from "./section.tsx";
import { profileTexts } from "./texts.ts";

/** Characters of a password, at least. */
const leastPassword = 12;

export function PasswordSection() {
  const t = useText(profileTexts);
  const ways = useQuery(waysQuery);
  return (
    <Section title={t("password")} text={t("passwordText")}>
      <Loaded query={ways}>
        {({ password, providers }) =>
          password ? <PasswordForm /> : <Text fz="sm">{t("noPassword", { providers: providers.join(", ") })}</Text>
        }
      </Loaded>
    </Section>
  );
}

function PasswordForm() {
  const t = useText(profileTexts);
  const { user } = useMe();
  const reload = useReloadMe();
  const [current, setCurrent] = useState("");
  const [wanted, setWanted] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const missing = leastPassword - [...wanted].length;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await askSignIn("POST", "/change-password", { currentPassword: current, newPassword: wanted });
      setCurrent("");
      setWanted("");
      await reload();
      notifyDone(t("passwordChanged"));
    } catch (error) {
      setProblem(profileProblem(t, error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md" className={classes.narrow}>
        {/* For password managers: whose password it is. */}
        <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
        {problem !== undefined && (
          <Alert color="red" variant="light" role="alert">
            {problem}
          </Alert>
        )}
        <PasswordInput
          label={t("currentPassword")}
          autoComplete="current-password"
          value={current}
          onChange={(event) => setCurrent(event.currentTarget.value)}
        />
        <PasswordInput
          label={t("newPassword")}
          description={wanted !== "" && missing > 0 ? t("left", { count: missing }) : undefined}
          autoComplete="new-password"
          maxLength={128}
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
        />
        <Group>
          <Button type="submit" variant="default" loading={busy} disabled={current === "" || missing > 0}>
            {t("changePassword")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
