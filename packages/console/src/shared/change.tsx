import classes from "./change.module.css";
import { type Format, useFormat } from "./format.ts";

/** `+3.1%`: by how much a figure has grown or shrunk; undefined where there was nothing before. */
export function changeText(format: Format, now: number, before: number): string | undefined {
  if (before === 0) return undefined;
  const part = (now - before) / before;
  const sign = Math.abs(part) < 0.0005 ? "±" : part > 0 ? "+" : "−";
  // More than a thousandfold says nothing more.
  return Math.abs(part) > 999 ? `${sign} > 99 900%` : `${sign}${format.percent(Math.abs(part))}`;
}

/** The same, in bold: money and volume are neither good nor bad. */
export function Change({ now, before }: { now: number; before: number }) {
  const format = useFormat();
  const text = changeText(format, now, before);
  return text === undefined ? null : <span className={classes.change}>{text}</span>;
}
