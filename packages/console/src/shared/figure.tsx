import { Paper, Text } from "@mantine/core";
import type { ReactNode } from "react";

/** One figure of a dashboard: what it is, how much, and how that compares. */
export function Figure({
  label,
  value,
  title,
  note,
}: {
  label: string;
  value: ReactNode;
  /** The exact value. */
  title?: string;
  note?: ReactNode;
}) {
  return (
    <Paper p="md">
      <Text fz="xs" c="dimmed" fw={550}>
        {label}
      </Text>
      <Text fz={24} fw={600} lh={1.3} lts="-0.02em" className="figures" component="div" {...(title && { title })}>
        {value}
      </Text>
      {note !== undefined && (
        <Text fz="xs" c="dimmed" component="div" className="figures">
          {note}
        </Text>
      )}
    </Paper>
  );
}
