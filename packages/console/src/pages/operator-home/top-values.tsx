import { Anchor, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useFormat } from "../../shared/format.ts";
import { Money } from "../../shared/money.tsx";
import { useText } from "../../shared/text.ts";
import type { TopValue } from "./installation-data.ts";
import classes from "./operator-home.module.css";
import { operatorHomeTexts } from "./texts.ts";

/** Who or what cost most today, as bars; each leads to its usage. */
export function TopValues({
  title,
  dimension,
  values,
  total,
}: {
  title: string;
  dimension: "account" | "model";
  values: readonly TopValue[];
  /** Nano-dollars of all. */
  total: string;
}) {
  const t = useText(operatorHomeTexts);
  const format = useFormat();
  const share = (charge: string) => (total === "0" ? 0 : Number((BigInt(charge) * 10_000n) / BigInt(total)) / 100);
  return (
    <Paper p="md" component="section">
      <Group justify="space-between" mb="sm">
        <Title order={2}>{title}</Title>
        <Anchor
          fz="sm"
          aria-label={`${t("all")}: ${title}`}
          renderRoot={(props) => (
            <Link {...props} to="/operator/usage" search={{ dimension, range: "today" } as never} />
          )}
        >
          {t("all")}
        </Anchor>
      </Group>
      {values.length === 0 && (
        <Text fz="sm" c="dimmed">
          {t("noneToday")}
        </Text>
      )}
      <Stack gap="sm">
        {values.map(({ value, name, sums }) => (
          <div key={value}>
            <Group justify="space-between" wrap="nowrap" gap="sm">
              {value === "" ? (
                <Text fz="sm" truncate>
                  {t("noModel")}
                </Text>
              ) : (
                <Anchor
                  fz="sm"
                  c="inherit"
                  truncate
                  title={value}
                  renderRoot={(props) => (
                    <Link
                      {...props}
                      to="/operator/usage"
                      search={
                        {
                          [dimension]: value,
                          range: "today",
                          dimension: dimension === "account" ? "model" : "account",
                        } as never
                      }
                    />
                  )}
                >
                  {name ?? value}
                </Anchor>
              )}
              <Group gap="md" wrap="nowrap">
                <Text fz="xs" c="dimmed" className="figures" style={{ whiteSpace: "nowrap" }}>
                  {t("callCount", { count: sums.calls }).replace(String(sums.calls), format.count(sums.calls))}
                </Text>
                <Text fz="sm" fw={500}>
                  <Money nano={sums.charge} short />
                </Text>
              </Group>
            </Group>
            <div className={classes.bar} aria-hidden="true">
              <span style={{ width: `${share(sums.charge)}%` }} />
            </div>
          </div>
        ))}
      </Stack>
    </Paper>
  );
}
