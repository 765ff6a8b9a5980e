import type { Part, Turn } from "../canonical/index.ts";
import type { Report } from "../shared/report.ts";

/**
 * System turns between other turns where the model takes them (H2): only after a user turn (or an assistant turn that
 * ends in a server tool), only before an assistant turn or the end, never two in a row. One that stands elsewhere becomes
 * tagged user text in place; it never moves to the top, which would change the cached prefix.
 */
export function placeSystemTurns(turns: readonly Turn[], report: Report): Turn[] {
  if (!turns.some(isSystem)) return [...turns];
  const merged = mergeSystemTurns(turns);
  const placed: Turn[] = [];
  merged.forEach((turn, index) => {
    if (!isSystem(turn)) {
      pushTurn(placed, turn);
      return;
    }
    const next = merged[index + 1];
    if (mayPrecede(placed.at(-1)) && (next === undefined || next.role === "assistant")) {
      placed.push(turn);
      return;
    }
    report.approximated(
      turn.at ?? "messages",
      "A system message in a place where the model takes none became tagged user text.",
    );
    pushTurn(placed, { ...turn, role: "user", parts: turn.parts.map(asReminder) });
  });
  return placed;
}

function isSystem(turn: Turn): boolean {
  return turn.role === "system" || turn.role === "developer";
}

function mayPrecede(turn: Turn | undefined): boolean {
  if (turn?.role === "user") return true;
  return turn?.role === "assistant" && turn.parts.at(-1)?.type === "server-tool";
}

function mergeSystemTurns(turns: readonly Turn[]): Turn[] {
  const merged: Turn[] = [];
  for (const turn of turns) {
    const last = merged.at(-1);
    if (last && isSystem(last) && isSystem(turn))
      merged[merged.length - 1] = { ...last, parts: [...last.parts, ...turn.parts] };
    else merged.push(turn);
  }
  return merged;
}

/** Adds a turn; user turns that meet become one, with the results of calls in front. */
function pushTurn(turns: Turn[], turn: Turn): void {
  const last = turns.at(-1);
  if (last?.role !== "user" || turn.role !== "user") {
    turns.push(turn);
    return;
  }
  const parts = [...last.parts, ...turn.parts];
  const isResult = (part: Part): boolean => part.type === "tool-result";
  turns[turns.length - 1] = { ...last, parts: [...parts.filter(isResult), ...parts.filter((part) => !isResult(part))] };
}

function asReminder(part: Part): Part {
  return part.type === "text" ? { ...part, text: `<system-reminder>\n${part.text}\n</system-reminder>` } : part;
}
