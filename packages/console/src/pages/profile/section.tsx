import { Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./section.module.css";

/** A part of the page: what it is about at the left, what can be done at the right. */
export function Section({
  title,
  text,
  actions,
  children,
}: {
  title: string;
  text: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className={classes.section}>
      <Stack gap={4} className={classes.about}>
        <Title order={2}>{title}</Title>
        <Text c="dimmed" fz="sm" component="div">
          {text}
        </Text>
        {actions && <div className={classes.actions}>{actions}</div>}
      </Stack>
      <div className={classes.content}>{children}</div>
    </section>
  );
}
