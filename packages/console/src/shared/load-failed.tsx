import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { ApiError } from "../api/api-error.ts";
import { CopyId } from "./copy.tsx";
import { sharedTexts } from "./shared-text.ts";
import { useText } from "./text.ts";

/** Something could not be loaded: never to be mistaken for "there is nothing". */
export function LoadFailed({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const t = useText(sharedTexts);
  const known = error instanceof ApiError ? error : undefined;
  const reason = known?.status === 0 ? t("networkFailed") : error instanceof Error ? error.message : String(error);
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} aria-hidden="true" />} role="alert">
      <Stack gap="xs">
        <Text fw={600} fz="sm">
          {t("loadFailed")}
        </Text>
        <Text fz="sm">{reason}</Text>
        <Group gap="md">
          {onRetry && (
            <Button size="xs" variant="default" onClick={onRetry}>
              {t("retry")}
            </Button>
          )}
          {known?.requestId !== undefined && (
            <Group gap={6}>
              <Text fz="xs">{t("requestId")}</Text>
              <CopyId value={known.requestId} />
            </Group>
          )}
        </Group>
      </Stack>
    </Alert>
  );
}
