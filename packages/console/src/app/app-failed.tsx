import { Button, Center, Code, Group, Stack, Text, Title } from "@mantine/core";
import type { ErrorComponentProps } from "@tanstack/react-router";
import { ApiError } from "../api/api-error.ts";
import { useText } from "../shared/text.ts";
import { appTexts } from "./text.ts";

/** Where a page cannot be shown at all. */
export function AppFailed({ error }: ErrorComponentProps) {
  const t = useText(appTexts);
  const message = error instanceof Error ? error.message : String(error);
  const id = error instanceof ApiError ? error.requestId : undefined;
  return (
    <Center mih="60vh" p="lg">
      <Stack maw={480} gap="sm" role="alert">
        <Title order={1}>{t("theFailed")}</Title>
        <Text c="dimmed">{t("failedText")}</Text>
        <Code block>{id === undefined ? message : `${message}\n${id}`}</Code>
        <Group>
          <Button onClick={() => window.location.reload()}>{t("reload")}</Button>
        </Group>
      </Stack>
    </Center>
  );
}

export function AppNotFound() {
  const t = useText(appTexts);
  return (
    <Center mih="60vh" p="lg">
      <Stack maw={420} gap="sm">
        <Title order={1}>{t("notFound")}</Title>
        <Text c="dimmed">{t("notFoundText")}</Text>
        <Group>
          <Button component="a" href="/" variant="default">
            {t("goHome")}
          </Button>
        </Group>
      </Stack>
    </Center>
  );
}
