import { Group, Paper, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { Appearance } from "./appearance.tsx";
import { Brand } from "./brand.tsx";
import classes from "./entry-layout.module.css";

/** Around the pages by which one comes in: a narrow form under the product's name. */
export function EntryLayout({
  title,
  description,
  children,
}: {
  title: string;
  description?: ReactNode;
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Interlingua`;
  }, [title]);
  return (
    <div className={classes.ground}>
      <Group component="header" justify="space-between" className={classes.head}>
        <Brand />
        <Appearance />
      </Group>
      <main className={classes.main}>
        <Paper className={classes.card} p="xl" radius="lg">
          <Stack gap={4} mb="lg">
            <Title order={1}>{title}</Title>
            {description !== undefined && (
              <Text c="dimmed" fz="sm" component="div">
                {description}
              </Text>
            )}
          </Stack>
          {children}
        </Paper>
      </main>
    </div>
  );
}
