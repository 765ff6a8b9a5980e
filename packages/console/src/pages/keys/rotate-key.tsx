import { Button, Group, Modal, Radio, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { sharedTexts } from "../../shared/shared-text.ts";
import { useText } from "../../shared/text.ts";
import { type AccessKey, useKeyChanges } from "./key-api.ts";
import { SecretShown } from "./secret-shown.tsx";
import { keysTexts } from "./texts.ts";

const hour = 3_600_000;
const graces = { none: 0, hour, day: 24 * hour, week: 168 * hour, month: 720 * hour } as const;
type Grace = keyof typeof graces;
const names = ["none", "hour", "day", "week", "month"] as const satisfies readonly Grace[];

/** Asks for how long the former secret stays good, and shows the new one. */
export function RotateKey({
  keyShown,
  account,
  onClose,
}: {
  keyShown: AccessKey;
  account: string;
  onClose: () => void;
}) {
  const t = useText(keysTexts);
  const s = useText(sharedTexts);
  const { rotate } = useKeyChanges(account);
  const [grace, setGrace] = useState<Grace>("day");
  const made = rotate.data;
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={made ? t("secretTitle") : t("rotateTitle", { name: keyShown.name })}
      closeButtonProps={{ "aria-label": s("close") }}
      // The secret is not lost by a click beside it.
      closeOnClickOutside={!made}
    >
      {made ? (
        <SecretShown account={account} keyId={keyShown.id} secret={made.secret} onDone={onClose} />
      ) : (
        <Stack gap="md">
          <Text fz="sm">{t("rotateText")}</Text>
          <Radio.Group
            label={t("grace")}
            value={grace}
            onChange={(value) => setGrace(names.find((name) => name === value) ?? "day")}
          >
            <Group gap="md" mt={6}>
              {names.map((name) => (
                <Radio key={name} value={name} label={t(`grace_${name}`)} />
              ))}
            </Group>
          </Radio.Group>
          {grace === "none" && (
            <Text fz="sm" role="note" c="var(--console-warn)">
              {t("graceNone")}
            </Text>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {s("cancel")}
            </Button>
            <Button
              loading={rotate.isPending}
              onClick={() => rotate.mutate({ key: keyShown.id, graceMs: graces[grace] })}
            >
              {t("rotateAction")}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
