import "@mantine/charts/styles.css";
import { BarChart } from "@mantine/charts";
import { Group, Paper, Text } from "@mantine/core";
import { useMemo } from "react";
import type { StackedBarsProps } from "./bar-series.ts";
import classes from "./stacked-bars.module.css";

/** The chart itself, in a chunk of its own. */
export default function StackedBarsChart(props: StackedBarsProps & { height: number }) {
  const { label, times, series, tick, scale, height, onPick } = props;
  const data = useMemo(
    () =>
      times.map((time, place) => ({
        place,
        time,
        ...Object.fromEntries(series.map(({ values }, index) => [`s${index}`, values[place] ?? 0])),
      })),
    [times, series],
  );
  // Of two calls there is no half.
  const whole = series.every(({ values }) => values.every(Number.isInteger));
  return (
    <div role="img" aria-label={label} className={classes.chart} data-pick={onPick !== undefined || undefined}>
      <BarChart
        h={height}
        data={data}
        dataKey="time"
        type="stacked"
        series={series.map(({ name, colour }, index) => ({ name: `s${index}`, label: name, color: colour }))}
        gridAxis="x"
        tickLine="none"
        strokeDasharray="2 4"
        maxBarWidth={times.length <= 10 ? 72 : 36}
        xAxisProps={{ tickFormatter: tick, minTickGap: 28, interval: "preserveStartEnd", fontSize: 11 }}
        yAxisProps={{ tickFormatter: scale, width: 56, fontSize: 11, tickCount: 4, allowDecimals: !whole }}
        barProps={{ isAnimationActive: false }}
        barChartProps={{
          accessibilityLayer: false,
          margin: { top: 8, right: 4, bottom: 0, left: 0 },
          ...(onPick && {
            onClick: ({ activeTooltipIndex }) => {
              const place = Number(activeTooltipIndex);
              if (Number.isInteger(place)) onPick(place);
            },
          }),
        }}
        tooltipAnimationDuration={0}
        tooltipProps={{
          content: ({ payload }) => {
            const first: unknown = payload?.[0]?.payload;
            const place = typeof first === "object" && first !== null && "place" in first ? Number(first.place) : -1;
            return times[place] === undefined ? null : <Told {...props} place={place} />;
          },
        }}
      />
    </div>
  );
}

/** All that a time holds, the highest bar first as it stands. */
function Told({ times, series, full, totals, totalName, place }: StackedBarsProps & { place: number }) {
  const rows = series
    .map(({ name, colour, values, shown }) => ({ name, colour, value: values[place] ?? 0, text: shown[place] ?? "" }))
    .filter(({ value }) => value > 0 || series.length <= 2)
    .toReversed();
  return (
    <Paper p="xs" shadow="md" className={classes.told}>
      <Text fz="xs" fw={600} mb={4}>
        {full(times[place] ?? 0)}
      </Text>
      {rows.map(({ name, colour, text }) => (
        <Group key={name} gap="md" justify="space-between" wrap="nowrap">
          <Group gap={6} wrap="nowrap" miw={0}>
            <span className={classes.swatch} style={{ background: colour }} />
            <Text fz="xs" truncate>
              {name}
            </Text>
          </Group>
          <Text fz="xs" className="figures">
            {text}
          </Text>
        </Group>
      ))}
      {totals && (
        <Group gap="md" justify="space-between" wrap="nowrap" mt={4} className={classes.sum}>
          <Text fz="xs" fw={600}>
            {totalName}
          </Text>
          <Text fz="xs" fw={600} className="figures">
            {totals[place] ?? ""}
          </Text>
        </Group>
      )}
    </Paper>
  );
}
