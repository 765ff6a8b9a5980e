import type { Part, Turn } from "../../canonical/index.ts";
import type { Report } from "../report.ts";

/** System and developer turns at the start belong into the system slot (H1). */
export function splitSystem(turns: readonly Turn[]): { system: Turn[]; turns: Turn[] } {
  const first = turns.findIndex((turn) => !isSystem(turn));
  const end = first === -1 ? turns.length : first;
  return { system: turns.slice(0, end), turns: turns.slice(end) };
}

function isSystem(turn: Turn): boolean {
  return turn.role === "system" || turn.role === "developer";
}

/**
 * Later system turns as user text in a fixed tag (H2). They stay in their place: moved to the top they would rewrite the
 * cached start of the prompt and change the order. `where-lawful` keeps those that stand behind a user turn (or a tool of
 * the provider) and in front of an assistant turn or nothing, which is where the messages protocol takes them.
 */
export function foldMidSystem(turns: Turn[], mode: "user-text" | "where-lawful", report: Report): Turn[] {
  if (!turns.some(isSystem)) return turns;
  return turns.map((turn, at) => {
    if (!isSystem(turn)) return turn;
    if (mode === "where-lawful" && isLawfulPlace(turns, at)) {
      return turn.role === "system" ? turn : { ...turn, role: "system" as const };
    }
    return fold(turn, report);
  });
}

/** Judged for the whole run of system turns, because neighbours are merged. */
function isLawfulPlace(turns: readonly Turn[], at: number): boolean {
  const before = turns.slice(0, at).findLast((turn) => !isSystem(turn));
  const after = turns.slice(at).find((turn) => !isSystem(turn));
  const follows = before?.role === "user" || before?.parts.at(-1)?.type === "server-tool";
  return follows && (after === undefined || after.role === "assistant");
}

function fold(turn: Turn, report: Report): Turn {
  report.approximated(
    turn.at ?? "messages",
    "A system message in mid-conversation was sent as user text in a <system-reminder> tag.",
  );
  const { name: _name, ...kept } = turn;
  return { ...kept, role: "user", parts: turn.parts.filter(hasContent).map(wrap) };
}

function hasContent(part: Part): boolean {
  return part.type !== "text" || part.text !== "";
}

function wrap(part: Part): Part {
  if (part.type !== "text") return part;
  return { ...part, text: `<system-reminder>\n${part.text}\n</system-reminder>` };
}
