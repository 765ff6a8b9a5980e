import { type Part, refuse, type Turn } from "../../canonical/index.ts";
import type { Report } from "../report.ts";

/** An assistant turn at the end (H14): the start of the answer for some models, a mistake for all others. */
export function applyPrefill(turns: Turn[], prefill: "keep" | "refuse", report: Report): Turn[] {
  const last = turns.at(-1);
  if (last?.role !== "assistant") return turns;
  if (prefill === "refuse") {
    refuse(
      last.at ?? "messages",
      "The conversation ends with an assistant message, and this model cannot continue one. End it with a user message.",
      "prefill_not_supported",
    );
  }
  const parts = trimEnd(last.parts);
  if (parts === last.parts) return turns;
  report.approximated(last.at ?? "messages", "White space at the end of the assistant's started answer was cut.");
  return [...turns.slice(0, -1), { ...last, parts }];
}

/** Without white space at the end; a text that is only white space goes, unless it is all there is. */
function trimEnd(parts: Part[]): Part[] {
  const last = parts.at(-1);
  if (last?.type !== "text" || last.text === last.text.trimEnd()) return parts;
  const text = last.text.trimEnd();
  return text === "" && parts.length > 1 ? trimEnd(parts.slice(0, -1)) : [...parts.slice(0, -1), { ...last, text }];
}
