import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { ApiError } from "../api/api-error.ts";
import { sharedTexts } from "./shared-text.ts";
import { say } from "./text.ts";

function closeLabel() {
  return { "aria-label": say(sharedTexts)("close") };
}

/** Tells shortly that something was done. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: "teal", autoClose: 3500, withBorder: true, closeButtonProps: closeLabel() });
}

/** The same, with a way back for ten seconds. */
export function notifyUndo(message: string, undo: () => void): void {
  const id = notifications.show({
    color: "teal",
    autoClose: 10_000,
    withBorder: true,
    closeButtonProps: closeLabel(),
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text fz="sm">{message}</Text>
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => {
            notifications.hide(id);
            undo();
          }}
        >
          {say(sharedTexts)("undo")}
        </Button>
      </Group>
    ),
  });
}

/** Says what did not work and why; with the request's id, so that it can be looked up. */
export function notifyFailed(error: unknown): void {
  const t = say(sharedTexts);
  const message = error instanceof Error ? error.message : String(error);
  const id = error instanceof ApiError && error.requestId !== undefined ? ` (${error.requestId})` : "";
  notifications.show({
    title: t("failed"),
    message: `${message}${id}`,
    color: "red",
    autoClose: 10_000,
    withBorder: true,
    closeButtonProps: closeLabel(),
  });
}
