import { Button, Group, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import { useMe } from "../../app/session.ts";
import { notifyDone } from "../../shared/notify.tsx";
import { sharedTexts } from "../../shared/shared-text.ts";
import { useText } from "../../shared/text.ts";
import { useReloadMe } from "./profile-api.ts";
import { profileProblem } from "./profile-problem.ts";
import classes from "./section.module.css";
import { Section } from "./section.tsx";
import { profileTexts } from "./texts.ts";

export function YouSection() {
  const t = useText(profileTexts);
  const s = useText(sharedTexts);
  const { user } = useMe();
  const reload = useReloadMe();
  const [name, setName] = useState(user.name);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === "") return setProblem(t("needed"));
    setBusy(true);
    setProblem(undefined);
    try {
      await unwrap(api.PATCH("/api/v1/me", { body: { name: name.trim() } }));
      await reload();
      notifyDone(t("saved"));
    } catch (error) {
      setProblem(profileProblem(t, error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Section title={t("you")} text={t("youText")}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md" className={classes.narrow}>
          <TextInput
            label={t("name")}
            autoComplete="name"
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={problem}
          />
          <TextInput label={t("email")} description={t("emailText")} value={user.email} readOnly />
          <Group>
            <Button type="submit" variant="default" loading={busy} disabled={name.trim() === user.name}>
              {s("save")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
