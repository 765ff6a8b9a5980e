import { SimpleGrid } from "@mantine/core";
import { Change } from "../../shared/change.tsx";
import { Figure } from "../../shared/figure.tsx";
import { useFormat } from "../../shared/format.ts";
import { useText } from "../../shared/text.ts";
import { usageTexts } from "./texts.ts";
import type { UsageReport, UsageSums } from "./usage-search.ts";

/** The totals of the time, and how they compare with the time before. */
export function UsageFigures({ report }: { report: UsageReport }) {
  const t = useText(usageTexts);
  const format = useFormat();
  const { total, before } = report;
  const title = t("comparedTitle", { from: format.time(before.from), to: format.time(before.to) });
  const note = (now: number, then: number, text: string) => (
    <span title={title}>
      <Change now={now} before={then} /> {then === 0 ? t("noneBefore") : t("before", { value: text })}
    </span>
  );
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm" mb="md">
      <Figure
        label={t("charge")}
        value={format.moneyShort(total.charge)}
        title={format.money(total.charge)}
        note={note(Number(total.charge), Number(before.total.charge), format.moneyShort(before.total.charge))}
      />
      <Figure
        label={t("calls")}
        value={format.count(total.calls)}
        note={note(total.calls, before.total.calls, format.count(before.total.calls))}
      />
      <Figure
        label={t("tokens")}
        value={format.countShort(total.tokens)}
        title={format.count(total.tokens)}
        note={note(total.tokens, before.total.tokens, format.countShort(before.total.tokens))}
      />
      <Figure
        label={t("errorRate")}
        value={rateOf(total) === undefined ? "–" : format.percent(rateOf(total) ?? 0)}
        title={`${format.count(total.failed)} / ${format.count(total.calls)}`}
        note={
          rateOf(before.total) === undefined
            ? t("noneBefore")
            : t("before", { value: format.percent(rateOf(before.total) ?? 0) })
        }
      />
    </SimpleGrid>
  );
}

/** The failed part of calls; undefined without a call. */
export function rateOf({ calls, failed }: Pick<UsageSums, "calls" | "failed">): number | undefined {
  return calls === 0 ? undefined : failed / calls;
}
