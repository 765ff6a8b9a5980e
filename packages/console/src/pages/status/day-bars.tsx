import { Tooltip } from "@mantine/core";
import { type PointerEvent, useMemo, useState } from "react";
import { useFormat } from "../../shared/format.ts";
import { sharedTexts } from "../../shared/shared-text.ts";
import { useText } from "../../shared/text.ts";
import classes from "./day-bars.module.css";
import { type BarDay, barDays, countDays, shownDays } from "./days.ts";
import type { Day } from "./status-query.ts";
import { statusTexts } from "./texts.ts";

const step = 4;
const height = 30;

/** Lower bars for worse days, so that colour is not all that tells them apart. */
const sizes = { operational: 30, degraded: 22, down: 14, none: 4 } as const;

/** 90 days as bars. The day under the pointer is told in words; so is the whole to those who do not see it. */
export function DayBars({ name, firstDay, days }: { name: string; firstDay: string; days: readonly Day[] }) {
  const t = useText(statusTexts);
  const tell = useTellDay();
  const [pointed, setPointed] = useState<number | undefined>(undefined);
  const bars = useMemo(() => barDays(firstDay, days), [firstDay, days]);
  const onPointer = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const at = Math.floor(((event.clientX - box.left) / box.width) * shownDays);
    setPointed(Math.max(0, Math.min(shownDays - 1, at)));
  };
  const day = pointed === undefined ? undefined : bars[pointed];
  return (
    <Tooltip.Floating label={day ? tell(day) : ""} disabled={!day} position="top">
      <svg
        className={classes.bars}
        viewBox={`0 0 ${shownDays * step} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t("bars", { name, ...countDays(days) })}
        onPointerMove={onPointer}
        onPointerLeave={() => setPointed(undefined)}
      >
        {bars.map((bar, at) => {
          const state = bar.told?.state ?? "none";
          const size = sizes[state];
          return (
            <rect
              key={bar.day}
              x={at * step}
              y={height - size}
              width={step - 1}
              height={size}
              data-state={state}
              data-pointed={at === pointed}
            />
          );
        })}
      </svg>
    </Tooltip.Floating>
  );
}

/** A day in words. */
export function useTellDay(): (day: BarDay) => string {
  const t = useText(statusTexts);
  const shared = useText(sharedTexts);
  const format = useFormat();
  return ({ day, told }) => {
    // Noon, so that the reader's zone does not make another day of it.
    const date = format.date(Date.parse(`${day}T12:00:00Z`));
    if (!told) return t("dayNone", { day: date });
    const state = shared(`state_${told.state}`);
    if (told.availability === null) return t("dayFew", { day: date, state });
    return t("dayTold", { day: date, state, percent: format.percent(told.availability / 100) });
  };
}
