import { Group, Table, Text, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import classes from "./call.module.css";

/** A part of the page under a heading of its own. */
export function Section({
  title,
  text,
  actions,
  children,
}: {
  title: string;
  text?: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id}>
      <Group justify="space-between" align="flex-end" mb="xs" gap="xs">
        <div>
          <Title order={2} id={id}>
            {title}
          </Title>
          {text !== undefined && (
            <Text fz="xs" c="dimmed">
              {text}
            </Text>
          )}
        </div>
        {actions}
      </Group>
      {children}
    </section>
  );
}

/** A table of a few rows that scrolls in its own box where it is too wide. */
export function SmallTable({
  label,
  head,
  foot,
  minWidth = 420,
  children,
}: {
  label: string;
  head: readonly { text: string; right?: boolean }[];
  foot?: ReactNode;
  minWidth?: number;
  children: ReactNode;
}) {
  return (
    <Table.ScrollContainer
      minWidth={minWidth}
      type="native"
      className={classes.box}
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <Table verticalSpacing={6} horizontalSpacing="sm" fz="sm">
        <Table.Thead>
          <Table.Tr>
            {head.map(({ text, right }) => (
              <Table.Th key={text} scope="col" ta={right ? "right" : "left"}>
                {text}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
        {foot !== undefined && <Table.Tfoot>{foot}</Table.Tfoot>}
      </Table>
    </Table.ScrollContainer>
  );
}

/** One sentence in the place of a table. */
export function Quiet({ children }: { children: ReactNode }) {
  return (
    <Text fz="sm" c="dimmed">
      {children}
    </Text>
  );
}
