import { useMemo } from "react";
import { type BarSeries, otherColour, seriesColours } from "../../shared/charts/bar-series.ts";
import { StackedBars } from "../../shared/charts/stacked-bars.tsx";
import { type Format, useFormat } from "../../shared/format.ts";
import { useLanguage, useText } from "../../shared/text.ts";
import { usageTexts } from "./texts.ts";
import type { Measure, UsageReport } from "./usage-search.ts";

type Step = UsageReport["series"][number]["total"];

/** What a step holds of a measure: its height, and as it is told. */
function measured(step: Step, measure: Measure, format: Format): { value: number; shown: string } {
  switch (measure) {
    case "charge":
      // For the height of a bar a number is exact enough; what is told is the exact amount.
      return { value: Number(step.charge) / 1e9, shown: format.money(step.charge) };
    case "calls":
      return { value: step.calls, shown: format.count(step.calls) };
    case "tokens":
      return { value: step.tokens, shown: format.count(step.tokens) };
  }
}

/** Bars by hour or day, in the colours of the table. */
export function UsageChart({
  report,
  measure,
  nameOf,
  onPick,
}: {
  report: UsageReport;
  measure: Measure;
  nameOf: (group: { value: string; name: string | null }) => string;
  /** Looks into the time of a bar. */
  onPick?: (from: number) => void;
}) {
  const t = useText(usageTexts);
  const format = useFormat();
  const language = useLanguage();
  const { series: points, groups, other, by } = report;
  const series = useMemo(() => {
    const made = groups.map((group, place): BarSeries => {
      const steps = points.map((point) => {
        const step = point.values[place];
        return step ? measured(step, measure, format) : { value: 0, shown: "" };
      });
      return {
        name: nameOf(group),
        colour: colourAt(place),
        values: steps.map(({ value }) => value),
        shown: steps.map(({ shown }) => shown),
      };
    });
    if (!other) return made;
    const rest = points.map((point) =>
      point.other ? measured(point.other, measure, format) : { value: 0, shown: "" },
    );
    return [
      ...made,
      {
        name: t("other"),
        colour: otherColour,
        values: rest.map(({ value }) => value),
        shown: rest.map(({ shown }) => shown),
      },
    ];
  }, [points, groups, other, measure, format, nameOf, t]);
  const times = useMemo(() => points.map(({ time }) => time), [points]);
  const totals = useMemo(
    () => points.map(({ total }) => measured(total, measure, format).shown),
    [points, measure, format],
  );
  const locale = language === "zh" ? "zh-CN" : "en-GB";
  const ticks = useMemo(
    () => ({
      hour: new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" }),
      day: new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" }),
      weekday: new Intl.DateTimeFormat(locale, { weekday: "short", day: "numeric", month: "long" }),
    }),
    [locale],
  );
  const sum = measured(report.total, measure, format).shown;
  return (
    <StackedBars
      label={t("chart", {
        measure: t(measure),
        name: t(`dimension_${report.dimension}`),
        from: format.date(report.from),
        to: format.date(report.to - 1),
        total: sum,
      })}
      times={times}
      series={series}
      totals={totals}
      totalName={t("total")}
      height={280}
      tick={(time) => ticks[by].format(time)}
      full={(time) => (by === "hour" ? format.time(time) : ticks.weekday.format(time))}
      scale={(value) =>
        measure === "charge" ? format.moneyShort(String(Math.round(value * 1e9))) : format.countShort(value)
      }
      {...(onPick && {
        onPick: (place: number) => {
          const time = times[place];
          if (time !== undefined) onPick(time);
        },
      })}
    />
  );
}

/** The colour of the group at this place. */
export function colourAt(place: number): string {
  return seriesColours[place % seriesColours.length] ?? otherColour;
}
