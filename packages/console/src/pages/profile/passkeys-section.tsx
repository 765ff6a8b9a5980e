import { Alert, Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { addPasskey, canUsePasskeys } from "../../api/passkey.ts";
import { askSignIn } from "../../api/sign-in.ts";
import { Confirm } from "../../shared/confirm.tsx";
import { useFormat } from "../../shared/format.ts";
import { Loaded } from "../../shared/loaded.tsx";
import { notifyDone, notifyFailed } from "../../shared/notify.tsx";
import { sharedTexts } from "../../shared/shared-text.ts";
import { useText } from "../../shared/text.ts";
import { type Passkey, useReloadMe, waysQuery } from "./profile-api.ts";
import { profileProblem } from "./profile-problem.ts";
import classes from "./section.module.css";
import { Section } from "./section.tsx";
import { profileTexts } from "./texts.ts";

export function PasskeysSection() {
  const t = useText(profileTexts);
  const s = useText(sharedTexts);
  const format = useFormat();
  const ways = useQuery(waysQuery);
  const reload = useReloadMe();
  const [adding, setAdding] = useState(false);
  const [leaving, setLeaving] = useState<Passkey>();
  const usable = canUsePasskeys();
  const nameOf = ({ name }: Passkey) => name ?? t("unnamed");
  const remove = async ({ id }: Passkey) => {
    try {
      await askSignIn("POST", "/passkey/delete-passkey", { id });
      await reload();
      notifyDone(t("passkeyRemoved"));
    } catch (error) {
      notifyFailed(error);
      throw error;
    }
  };
  return (
    <Section
      title={t("passkeys")}
      text={usable ? t("passkeysText") : `${t("passkeysText")} ${t("passkeysNotHere")}`}
      actions={
        usable && (
          <Button variant="default" onClick={() => setAdding(true)}>
            {t("addPasskey")}
          </Button>
        )
      }
    >
      <Loaded query={ways}>
        {({ passkeys }) =>
          passkeys.length === 0 ? (
            <Text fz="sm" c="dimmed">
              {t("noPasskeys")}
            </Text>
          ) : (
            passkeys.map((passkey) => (
              <div key={passkey.id} className={classes.item}>
                <Stack gap={0} miw={0}>
                  <Text fz="sm" fw={500} truncate>
                    {nameOf(passkey)}
                  </Text>
                  <Text fz="xs" c="dimmed">
                    {[
                      passkey.created_at === null ? "" : t("added", { when: format.date(passkey.created_at) }),
                      passkey.synced ? t("synced") : "",
                    ]
                      .filter(Boolean)
                      .join(" · ")}
                  </Text>
                </Stack>
                <Button
                  variant="subtle"
                  color="red"
                  size="xs"
                  aria-label={t("removePasskey", { name: nameOf(passkey) })}
                  onClick={() => setLeaving(passkey)}
                >
                  {t("remove")}
                </Button>
              </div>
            ))
          )
        }
      </Loaded>
      <Modal
        opened={adding}
        onClose={() => setAdding(false)}
        title={t("addPasskey")}
        closeButtonProps={{ "aria-label": s("close") }}
      >
        <AddPasskey
          onDone={async () => {
            setAdding(false);
            await reload();
            notifyDone(t("passkeyAdded"));
          }}
        />
      </Modal>
      {leaving && (
        <Confirm
          opened
          title={t("removePasskey", { name: nameOf(leaving) })}
          text={t("removePasskeyText")}
          action={t("remove")}
          onConfirm={() => remove(leaving)}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </Section>
  );
}

function AddPasskey({ onDone }: { onDone: () => Promise<void> }) {
  const t = useText(profileTexts);
  const [name, setName] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await addPasskey(name.trim());
      await onDone();
    } catch (error) {
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
        <TextInput
          label={t("passkeyName")}
          placeholder={t("passkeyNameHint")}
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <Group justify="flex-end">
          <Button type="submit" loading={busy} disabled={name.trim() === ""}>
            {t("continue")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
