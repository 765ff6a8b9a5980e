import { Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

/** There is nothing yet, and what to do about it. */
export function Empty({
  icon,
  title,
  text,
  action,
}: {
  icon?: ReactNode;
  title: string;
  text?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <Stack align="center" gap="xs" py={56} px="md" ta="center">
      {icon !== undefined && (
        <Text c="dimmed" component="div" aria-hidden="true">
          {icon}
        </Text>
      )}
      <Title order={2}>{title}</Title>
      {text !== undefined && (
        <Text c="dimmed" fz="sm" maw={440} component="div">
          {text}
        </Text>
      )}
      {action !== undefined && <div>{action}</div>}
    </Stack>
  );
}
