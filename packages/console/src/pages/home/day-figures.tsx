import { changeText } from "../../shared/change.tsx";
import { Figure } from "../../shared/figure.tsx";
import { useFormat } from "../../shared/format.ts";
import { useText } from "../../shared/text.ts";
import type { Overview, PeriodFigures } from "./overview-data.ts";
import { homeTexts } from "./texts.ts";

type Day = Pick<Overview, "today" | "compared">;

/** What was spent and done today, each beside yesterday at this hour. */
export function DayFigures({ overview }: { overview: Day }) {
  const t = useText(homeTexts);
  const format = useFormat();
  const { today } = overview;
  return (
    <>
      <Figure
        label={t("spendToday")}
        value={format.moneyShort(today.charge)}
        title={format.money(today.charge)}
        note={
          <Beside overview={overview} of={({ charge }) => Number(charge)} told={({ charge }) => format.money(charge)} />
        }
      />
      <Figure
        label={t("callsToday")}
        value={format.count(today.calls)}
        note={<Beside overview={overview} of={({ calls }) => calls} told={({ calls }) => format.count(calls)} />}
      />
      <Figure
        label={t("errorRate")}
        value={today.error_rate === null ? "–" : format.percent(today.error_rate)}
        title={`${format.count(today.failed)} / ${format.count(today.calls)}`}
        note={<Was overview={overview} of={({ error_rate }) => error_rate} told={format.percent} />}
      />
      <Figure
        label={t("firstToken")}
        value={today.first_token_p95_ms === null ? "–" : format.duration(today.first_token_p95_ms)}
        note={<Was overview={overview} of={({ first_token_p95_ms }) => first_token_p95_ms} told={format.duration} />}
      />
    </>
  );
}

/** By how much more or less than yesterday. */
function Beside({
  overview: { compared },
  of,
  told,
}: {
  overview: Day;
  of: (figures: PeriodFigures) => number;
  told: (figures: PeriodFigures) => string;
}) {
  const t = useText(homeTexts);
  const format = useFormat();
  const title = useComparedTitle(compared, told);
  if (!compared) return t("firstHour");
  const change = changeText(format, of(compared.today), of(compared.yesterday));
  return <span title={title}>{change === undefined ? t("noneYesterday") : t("besideYesterday", { change })}</span>;
}

/** What it was yesterday: of a rate a change in percent says less. */
function Was({
  overview: { compared },
  of,
  told,
}: {
  overview: Day;
  of: (figures: PeriodFigures) => number | null;
  told: (value: number) => string;
}) {
  const t = useText(homeTexts);
  const shown = (figures: PeriodFigures) => {
    const value = of(figures);
    return value === null ? "–" : told(value);
  };
  const title = useComparedTitle(compared, shown);
  if (!compared) return t("firstHour");
  const value = of(compared.yesterday);
  return <span title={title}>{value === null ? t("noneYesterday") : t("wasYesterday", { value: told(value) })}</span>;
}

function useComparedTitle(compared: Day["compared"], told: (figures: PeriodFigures) => string): string | undefined {
  const t = useText(homeTexts);
  const format = useFormat();
  if (!compared) return undefined;
  const value = `${told(compared.today)} / ${told(compared.yesterday)}`;
  return t("comparedTitle", { hour: format.time(compared.today.to), value });
}
