import type { Part, TextPart, Turn } from "../../canonical/index.ts";
import type { Report } from "../report.ts";

/** System and developer turns at the start belong into the system slot (H1). */
export function splitSystem(turns: readonly Turn[]): { system: Turn[]; turns: Turn[] } {
  const first = turns.findIndex((turn) => !isSystem(turn));
  const end = first === -1 ? turns.length : first;
  return { system: turns.slice(0, end), turns: turns.slice(end) };
}

export function isSystem(turn: Turn): boolean {
  return turn.role === "system" || turn.role === "developer";
}

/**
 * A later system turn becomes user text in a fixed tag (H2). It stays in its place: moved to the top it would rewrite the
 * cached start of the prompt and change the order.
 */
export function foldMidSystem(turns: Turn[], report: Report): Turn[] {
  if (!turns.some(isSystem)) return turns;
  return turns.map((turn) => {
    if (!isSystem(turn)) return turn;
    report.approximated(
      turn.at ?? "messages",
      "A system message in mid-conversation was sent as user text in a <system-reminder> tag.",
    );
    const { name: _name, ...kept } = turn;
    return { ...kept, role: "user" as const, parts: turn.parts.filter(hasContent).map(wrap) };
  });
}

function hasContent(part: Part): boolean {
  return part.type !== "text" || part.text !== "";
}

function wrap(part: Part): Part {
  if (part.type !== "text") return part;
  const wrapped: TextPart = { ...part, text: `<system-reminder>\n${part.text}\n</system-reminder>` };
  return wrapped;
}
