import classes from "./change.module.css";
import { useFormat } from "./format.ts";

/**
 * By how much a figure has grown or shrunk. `good` says which way is the better one, and colours it; money and volume are
 * neither.
 */
export function Change({ now, before, good = "none" }: { now: number; before: number; good?: "up" | "down" | "none" }) {
  const format = useFormat();
  if (before === 0) return null;
  const part = (now - before) / before;
  const way = Math.abs(part) < 0.0005 ? "same" : part > 0 ? "up" : "down";
  const tone = good === "none" || way === "same" ? undefined : way === good ? "good" : "bad";
  const sign = way === "up" ? "+" : way === "down" ? "−" : "±";
  // More than a thousandfold says nothing more.
  const size = Math.abs(part) > 999 ? "> 99 900 %" : format.percent(Math.abs(part));
  return (
    <span className={classes.change} data-tone={tone}>
      {sign}
      {size}
    </span>
  );
}
