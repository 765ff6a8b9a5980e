import classes from "./change.module.css";
import { type Format, useFormat } from "./format.ts";

/** `+3.1%`, or `×45` from the tenfold on: how a figure has changed; undefined where there was nothing before. */
export function changeText(format: Format, now: number, before: number): string | undefined {
  if (before === 0) return undefined;
  const part = (now - before) / before;
  const sign = Math.abs(part) < 0.0005 ? "±" : part > 0 ? "+" : "−";
  return part >= 9 ? `×${format.countShort(now / before)}` : `${sign}${format.percent(Math.abs(part))}`;
}

/** The same, in bold: money and volume are neither good nor bad. */
export function Change({ now, before }: { now: number; before: number }) {
  const format = useFormat();
  const text = changeText(format, now, before);
  return text === undefined ? null : <span className={classes.change}>{text}</span>;
}
