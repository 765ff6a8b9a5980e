import { Group, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";

/** The head of a page: its one `h1`, a sentence on what it is for, and what can be done. Names the browser's tab, too. */
export function PageHeader({
  title,
  description,
  actions,
}: {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Interlingua`;
  }, [title]);
  return (
    <Group justify="space-between" align="flex-start" mb="lg" gap="md">
      <Stack gap={2} miw={0} flex="1 1 320px">
        <Title order={1} lts="-0.01em">
          {title}
        </Title>
        {description !== undefined && (
          <Text c="dimmed" fz="sm" maw={720} component="div">
            {description}
          </Text>
        )}
      </Stack>
      {actions !== undefined && <Group gap="xs">{actions}</Group>}
    </Group>
  );
}
