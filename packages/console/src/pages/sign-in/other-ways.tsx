import { Button, Divider, Stack, Text } from "@mantine/core";
import { IconFingerprint, IconLogin2 } from "@tabler/icons-react";
import { useState } from "react";
import { canUsePasskeys, signInByPasskey } from "../../api/passkey.ts";
import { askSignIn, textField } from "../../api/sign-in.ts";
import { useText } from "../../shared/text.ts";
import { signInTexts } from "./texts.ts";

/** A passkey, and the providers that the configuration names. */
export function OtherWays({
  providers,
  next,
  onDone,
  onProblem,
}: {
  providers: readonly { id: string; name: string }[];
  /** Where to go then, a path of ours. */
  next: string;
  onDone: () => void;
  onProblem: (error: unknown) => void;
}) {
  const t = useText(signInTexts);
  const [busy, setBusy] = useState<string>();
  const passkeys = canUsePasskeys();
  if (!passkeys && providers.length === 0) return null;
  const run = async (what: string, work: () => Promise<void>) => {
    setBusy(what);
    onProblem(undefined);
    try {
      await work();
    } catch (error) {
      onProblem(error);
    } finally {
      setBusy(undefined);
    }
  };
  const leaveFor = async (provider: string) => {
    const answer = await askSignIn("POST", "/sign-in/social", { provider, callbackURL: next });
    const url = textField(answer, "url");
    if (url !== undefined) window.location.assign(url);
  };
  return (
    <>
      <Divider my="lg" label={<Text fz="xs">{t("or")}</Text>} />
      <Stack gap="xs">
        {passkeys && (
          <Button
            variant="default"
            leftSection={<IconFingerprint size={17} stroke={1.7} aria-hidden="true" />}
            loading={busy === "passkey"}
            onClick={() => void run("passkey", () => signInByPasskey().then(onDone))}
          >
            {t("byPasskey")}
          </Button>
        )}
        {providers.map(({ id, name }) => (
          <Button
            key={id}
            variant="default"
            leftSection={<IconLogin2 size={17} stroke={1.7} aria-hidden="true" />}
            loading={busy === id}
            onClick={() => void run(id, () => leaveFor(id))}
          >
            {t("byProvider", { name })}
          </Button>
        ))}
      </Stack>
    </>
  );
}
