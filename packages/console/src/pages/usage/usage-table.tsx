import { Group, Text, UnstyledButton } from "@mantine/core";
import { useMemo } from "react";
import { Change } from "../../shared/change.tsx";
import { otherColour } from "../../shared/charts/bar-series.ts";
import { type Column, DataTable } from "../../shared/data-table.tsx";
import { useFormat } from "../../shared/format.ts";
import { Money } from "../../shared/money.tsx";
import { useText } from "../../shared/text.ts";
import { usageTexts } from "./texts.ts";
import classes from "./usage.module.css";
import { colourAt } from "./usage-chart.tsx";
import { rateOf } from "./usage-figures.tsx";
import type { UsageReport, UsageSums } from "./usage-search.ts";

interface Row {
  id: string;
  kind: "group" | "other" | "total";
  value: string;
  name: string;
  colour: string | undefined;
  sums: UsageSums;
  before: UsageSums;
}

/** What each value used, its share, and how that compares; the last row is the total. */
export function UsageTable({
  report,
  nameOf,
  onFilter,
}: {
  report: UsageReport;
  nameOf: (group: { value: string; name: string | null }) => string;
  onFilter: (value: string) => void;
}) {
  const t = useText(usageTexts);
  const format = useFormat();
  const { groups, other, total, before, dimension } = report;
  const rows = useMemo(() => {
    const made = groups.map(
      (group, place): Row => ({
        id: `value ${group.value}`,
        kind: "group",
        value: group.value,
        name: nameOf(group),
        colour: colourAt(place),
        sums: group.sums,
        before: group.before,
      }),
    );
    if (other) made.push({ id: "other", kind: "other", value: "", name: t("other"), colour: otherColour, ...other });
    const all = { sums: total, before: before.total };
    made.push({ id: "total", kind: "total", value: "", name: t("total"), colour: undefined, ...all });
    return made;
  }, [groups, other, total, before, nameOf, t]);

  const figure = (id: string, header: string, shown: (sums: UsageSums) => number): Column<Row> => ({
    id,
    header,
    align: "right",
    cell: ({ sums }) => format.count(shown(sums)),
  });
  const shareOf = ({ sums }: Row) => {
    const [part, whole] = [BigInt(sums.charge), BigInt(total.charge)];
    if (whole > 0n) return Number((part * 10_000n) / whole) / 10_000;
    return total.calls === 0 ? 0 : sums.calls / total.calls;
  };
  const columns: Column<Row>[] = [
    {
      id: "name",
      header: t(`dimension_${dimension}`),
      cell: (row) => (
        <Group gap={8} wrap="nowrap">
          <span className={classes.swatch} style={{ background: row.colour ?? "transparent" }} aria-hidden="true" />
          {row.kind === "group" && row.value !== "" ? (
            <UnstyledButton
              className={classes.value}
              title={row.value}
              aria-label={t("filterBy", { name: row.name })}
              onClick={() => onFilter(row.value)}
            >
              {row.name}
            </UnstyledButton>
          ) : (
            <Text span fz="sm" fw={row.kind === "total" ? 600 : 400} c={row.kind === "other" ? "dimmed" : undefined}>
              {row.name}
            </Text>
          )}
        </Group>
      ),
    },
    figure("calls", t("calls"), (sums) => sums.calls),
    {
      id: "failed",
      header: t("failed"),
      align: "right",
      cell: ({ sums }) => <span title={format.count(sums.failed)}>{format.percent(rateOf(sums) ?? 0)}</span>,
    },
    figure("input", t("input"), (sums) => sums.input_uncached + sums.input_cache_read + sums.input_cache_write),
    figure("cached", t("cached"), (sums) => sums.input_cache_read),
    figure("output", t("output"), (sums) => sums.output_total),
    {
      id: "cost",
      header: t("cost"),
      align: "right",
      cell: ({ sums, kind }) => (
        <Text span fz="sm" fw={kind === "total" ? 600 : 400}>
          <Money nano={sums.charge} />
        </Text>
      ),
    },
    {
      id: "share",
      header: t("share"),
      width: 150,
      cell: (row) =>
        row.kind === "total" ? null : (
          <Group gap={8} wrap="nowrap">
            <span className={classes.bar} aria-hidden="true">
              <span style={{ width: `${shareOf(row) * 100}%`, background: row.colour ?? otherColour }} />
            </span>
            <span className={classes.share}>{format.percent(shareOf(row))}</span>
          </Group>
        ),
    },
    {
      id: "change",
      header: t("change"),
      align: "right",
      cell: ({ sums, before: then }) => (
        <span title={t("before", { value: format.money(then.charge) })}>
          {then.calls === 0 ? (
            sums.calls > 0 && <span className={classes.isNew}>{t("isNew")}</span>
          ) : (
            <Change now={Number(sums.charge)} before={Number(then.charge)} />
          )}
        </span>
      ),
    },
  ];
  return (
    <DataTable
      label={t("table", { name: t(`dimension_${dimension}`) })}
      columns={columns}
      rows={rows}
      rowId={({ id }) => id}
      minWidth={820}
      empty={null}
    />
  );
}
