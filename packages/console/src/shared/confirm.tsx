import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { sharedTexts } from "./shared-text.ts";
import { useText } from "./text.ts";

/** Asks before something that cannot be undone; with `name`, only after it was typed. */
export function Confirm({
  opened,
  title,
  text,
  name,
  action,
  onConfirm,
  onClose,
}: {
  opened: boolean;
  title: string;
  text: ReactNode;
  name?: string;
  /** What the button says. */
  action: string;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}) {
  const t = useText(sharedTexts);
  const [typed, setTyped] = useState("");
  const [busy, setBusy] = useState(false);
  const close = () => {
    setTyped("");
    onClose();
  };
  const run = async () => {
    setBusy(true);
    try {
      await onConfirm();
      close();
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal opened={opened} onClose={close} title={title} closeButtonProps={{ "aria-label": t("close") }}>
      <Stack gap="md">
        <Text fz="sm" component="div">
          {text}
        </Text>
        {name !== undefined && (
          <TextInput
            label={t("typeToConfirm", { name })}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {t("cancel")}
          </Button>
          <Button
            color="red"
            loading={busy}
            disabled={name !== undefined && typed !== name}
            // A failure is told by whoever does it; the question stays open.
            onClick={() => void run().catch(() => undefined)}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
