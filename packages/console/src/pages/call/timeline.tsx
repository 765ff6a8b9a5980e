import { useFormat } from "../../shared/format.ts";
import { useText } from "../../shared/text.ts";
import classes from "./call.module.css";
import type { CallDetail } from "./call-data.ts";
import { Quiet, Section } from "./section.tsx";
import { callTexts } from "./texts.ts";

type Phase = "admission" | "connect" | "firstByte" | "firstToken" | "end";

/** From when to when each phase went, of those that the call came to. */
function phasesOf(call: CallDetail): { phase: Phase; from: number; to: number }[] {
  const marks: [Phase, number | null][] = [
    ["admission", call.admission_ms],
    ["connect", call.connect_ms],
    ["firstByte", call.first_byte_ms],
    ["firstToken", call.first_token_ms],
  ];
  // A call that ended early ended in the phase that it did not get through.
  const reached = marks.findLastIndex(([, at]) => at !== null);
  const last: Phase = marks[reached + 1]?.[0] ?? "end";
  const phases: { phase: Phase; from: number; to: number }[] = [];
  let done = 0;
  for (const [phase, at] of [...marks.slice(0, reached + 1), [last, call.end_ms] as const]) {
    if (at === null) continue;
    const to = Math.max(done, at);
    phases.push({ phase, from: done, to });
    done = to;
  }
  return phases;
}

/** When what happened, drawn to scale: the call, and each attempt below it. */
export function Timeline({ call }: { call: CallDetail }) {
  const t = useText(callTexts);
  const format = useFormat();
  const phases = phasesOf(call);
  const whole = Math.max(
    phases.at(-1)?.to ?? 0,
    ...call.attempts.map(({ end_ms, started_ms }) => end_ms ?? started_ms),
  );
  if (phases.length === 0 || whole === 0) {
    return (
      <Section title={t("timeline")}>
        <Quiet>{t("timelineNone")}</Quiet>
      </Section>
    );
  }
  const share = (ms: number) => `${(100 * ms) / whole}%`;
  return (
    <Section title={t("timeline")} text={t("timelineText")}>
      <div className={classes.lanes}>
        <span className={classes.laneName}>{t("laneCall")}</span>
        <div className={classes.track} aria-hidden="true">
          {phases.map(({ phase, from, to }) => (
            <span
              key={phase}
              className={classes.bar}
              data-phase={phase}
              title={`${t(`phase_${phase}`)}: ${format.duration(to - from)}`}
              style={{ left: share(from), width: share(to - from) }}
            />
          ))}
        </div>
        <span>{format.duration(whole)}</span>
        {call.attempts.map((attempt, index) => {
          const end = attempt.end_ms ?? whole;
          const name = t("attemptLane", { number: index + 1, channel: attempt.channel });
          return (
            <AttemptLane
              // biome-ignore lint/suspicious/noArrayIndexKey: the place is what an attempt is
              key={index}
              name={name}
              good={attempt.error_kind === null}
              left={share(attempt.started_ms)}
              width={share(end - attempt.started_ms)}
              took={format.duration(end - attempt.started_ms)}
            />
          );
        })}
      </div>
      <ul className={classes.legend}>
        {phases.map(({ phase, from, to }) => (
          <li key={phase}>
            <span className={classes.swatch} data-phase={phase} aria-hidden="true" />
            {t(`phase_${phase}`)} <b title={`${to - from} ms`}>{format.duration(to - from)}</b>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function AttemptLane(lane: { name: string; good: boolean; left: string; width: string; took: string }) {
  return (
    <>
      <span className={classes.laneName} title={lane.name}>
        {lane.name}
      </span>
      <div className={classes.track} aria-hidden="true">
        <span
          className={classes.bar}
          data-phase={lane.good ? "good" : "bad"}
          style={{ left: lane.left, width: lane.width }}
        />
      </div>
      <span>{lane.took}</span>
    </>
  );
}
