import { Group, Paper, SegmentedControl, Title } from "@mantine/core";
import { useMemo } from "react";
import { type BarSeries, failedColour, seriesColours } from "../../shared/charts/bar-series.ts";
import { StackedBars } from "../../shared/charts/stacked-bars.tsx";
import { useFormat } from "../../shared/format.ts";
import { useLanguage, useText } from "../../shared/text.ts";
import { urlOneOf, useUrlState } from "../../shared/url-state.ts";
import type { PeriodFigures } from "./overview-data.ts";
import { homeTexts } from "./texts.ts";

const fields = { chart: urlOneOf("calls", "spend") } as const;

/** The last 24 hours, by hour: calls and how they ended, or what they cost. */
export function DayChart({ hours }: { hours: readonly PeriodFigures[] }) {
  const t = useText(homeTexts);
  const format = useFormat();
  const language = useLanguage();
  const [{ chart = "calls" }, setUrl] = useUrlState(fields);
  const times = useMemo(() => hours.map(({ from }) => from), [hours]);
  const series = useMemo((): BarSeries[] => {
    const main = seriesColours[0];
    if (chart === "spend") {
      return [
        {
          name: t("spend"),
          colour: main,
          values: hours.map(({ charge }) => Number(charge) / 1e9),
          shown: hours.map(({ charge }) => format.money(charge)),
        },
      ];
    }
    const counted = (name: string, colour: string, values: number[]) => ({
      name,
      colour,
      values,
      shown: values.map(format.count),
    });
    return [
      counted(
        t("succeeded"),
        main,
        hours.map(({ calls, failed }) => calls - failed),
      ),
      counted(
        t("failed"),
        failedColour,
        hours.map(({ failed }) => failed),
      ),
    ];
  }, [hours, chart, t, format]);
  const clock = useMemo(
    () => new Intl.DateTimeFormat(language === "zh" ? "zh-CN" : "en-GB", { hour: "2-digit", minute: "2-digit" }),
    [language],
  );
  const sum = (of: (figures: PeriodFigures) => number) => hours.reduce((total, figures) => total + of(figures), 0);
  const label =
    chart === "spend"
      ? t("chartSpend", { amount: format.money(String(hours.reduce((all, { charge }) => all + BigInt(charge), 0n))) })
      : t("chartCalls", {
          calls: format.count(sum(({ calls }) => calls)),
          failed: format.count(sum(({ failed }) => failed)),
        });
  return (
    <Paper p="md" mb="lg">
      <Group justify="space-between" mb="sm">
        <Title order={2}>{t("lastDay")}</Title>
        <SegmentedControl
          size="xs"
          aria-label={t("measure")}
          data={(["calls", "spend"] as const).map((name) => ({ value: name, label: t(name) }))}
          value={chart}
          onChange={(value) => setUrl({ chart: value === "spend" ? "spend" : undefined })}
        />
      </Group>
      <StackedBars
        label={label}
        times={times}
        series={series}
        {...(chart === "calls" && {
          totals: hours.map(({ calls }) => format.count(calls)),
          totalName: t("total"),
        })}
        tick={(time) => clock.format(time)}
        full={format.time}
        scale={(value) =>
          chart === "spend" ? format.moneyShort(String(Math.round(value * 1e9))) : format.countShort(value)
        }
        height={210}
      />
    </Paper>
  );
}
