import { Button, Group, Modal, Text } from "@mantine/core";
import { useState } from "react";
import { askSignIn } from "../../api/sign-in.ts";
import { useMe } from "../../app/session.ts";
import { notifyDone } from "../../shared/notify.tsx";
import { sharedTexts } from "../../shared/shared-text.ts";
import { useText } from "../../shared/text.ts";
import { BackupCodes } from "./backup-codes.tsx";
import { Enrolment } from "./enrolment.tsx";
import { PasswordAsked } from "./password-asked.tsx";
import { useReloadMe } from "./profile-api.ts";
import { Section } from "./section.tsx";
import { profileTexts } from "./texts.ts";

type Dialog =
  | { kind: "closed" }
  | { kind: "on" | "off" | "codes" }
  | { kind: "enrol"; uri: string; codes: readonly string[] }
  | { kind: "keep"; codes: readonly string[] };

/** The second factor: a code of an authenticator app, and backup codes for when it is not at hand. */
export function TwoFactorSection() {
  const t = useText(profileTexts);
  const s = useText(sharedTexts);
  const { user } = useMe();
  const reload = useReloadMe();
  const [dialog, setDialog] = useState<Dialog>({ kind: "closed" });
  const close = () => setDialog({ kind: "closed" });
  const begin = async (password: string) => {
    const told = await askSignIn("POST", "/two-factor/enable", { password });
    setDialog({ kind: "enrol", uri: uriOf(told), codes: codesOf(told) });
  };
  const renew = async (password: string) => {
    setDialog({
      kind: "keep",
      codes: codesOf(await askSignIn("POST", "/two-factor/generate-backup-codes", { password })),
    });
  };
  const end = async (password: string) => {
    await askSignIn("POST", "/two-factor/disable", { password });
    await reload();
    close();
    notifyDone(t("twoFactorOff"));
  };
  const titles = {
    closed: "",
    on: t("turnOn"),
    enrol: t("scan"),
    off: t("turnOff"),
    codes: t("newCodes"),
    keep: t("keepCodes"),
  };
  return (
    <Section title={t("twoFactor")} text={t("twoFactorText")}>
      <Group justify="space-between">
        <Text fz="sm">{user.two_factor_enabled ? t("on") : t("off")}</Text>
        {user.two_factor_enabled ? (
          <Group gap="xs">
            <Button variant="default" onClick={() => setDialog({ kind: "codes" })}>
              {t("newCodes")}
            </Button>
            <Button variant="default" onClick={() => setDialog({ kind: "off" })}>
              {t("turnOff")}
            </Button>
          </Group>
        ) : (
          <Button variant="default" onClick={() => setDialog({ kind: "on" })}>
            {t("turnOn")}
          </Button>
        )}
      </Group>
      <Modal
        opened={dialog.kind !== "closed"}
        onClose={close}
        title={titles[dialog.kind]}
        // Codes that are shown once are not lost by a click beside them.
        closeOnClickOutside={dialog.kind !== "keep"}
        closeButtonProps={{ "aria-label": s("close") }}
      >
        {dialog.kind === "on" && <PasswordAsked action={t("continue")} onPassword={begin} />}
        {dialog.kind === "codes" && <PasswordAsked action={t("newCodes")} onPassword={renew} />}
        {dialog.kind === "off" && <PasswordAsked action={t("turnOff")} danger onPassword={end} />}
        {dialog.kind === "enrol" && (
          <Enrolment
            uri={dialog.uri}
            onDone={async () => {
              setDialog({ kind: "keep", codes: dialog.codes });
              await reload();
              notifyDone(t("twoFactorOn"));
            }}
          />
        )}
        {dialog.kind === "keep" && <BackupCodes codes={dialog.codes} onDone={close} />}
      </Modal>
    </Section>
  );
}

function uriOf(told: unknown): string {
  const uri: unknown = typeof told === "object" && told !== null ? Reflect.get(told, "totpURI") : undefined;
  if (typeof uri !== "string") throw new Error("The gateway told no key");
  return uri;
}

function codesOf(told: unknown): string[] {
  const codes: unknown = typeof told === "object" && told !== null ? Reflect.get(told, "backupCodes") : undefined;
  return Array.isArray(codes) ? codes.filter((code) => typeof code === "string") : [];
}
