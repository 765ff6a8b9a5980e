import type { Part, Turn } from "../../canonical/index.ts";
import type { Report } from "../report.ts";

/**
 * Participants' names for protocols without them (H17): where several people speak, each user text is headed by the
 * speaker; a single name says nothing and goes.
 */
export function applyNames(turns: Turn[], report: Report): Turn[] {
  if (!turns.some((turn) => turn.name !== undefined)) return turns;
  const names = new Set<string>();
  for (const turn of turns) if (turn.role === "user" && turn.name !== undefined) names.add(turn.name);
  return turns.map((turn) => {
    const { name, ...nameless } = turn;
    if (name === undefined) return turn;
    const field = turn.at === undefined ? "name" : `${turn.at}.name`;
    if (turn.role !== "user" || names.size < 2) {
      report.dropped(field, "The target protocol has no names of participants.");
      return nameless;
    }
    report.approximated(field, "The participant's name was put in front of the message's text.");
    return { ...nameless, parts: prefix(turn.parts, `${name}: `) };
  });
}

function prefix(parts: Part[], text: string): Part[] {
  const at = parts.findIndex((part) => part.type === "text");
  if (at === -1) return [...parts, { type: "text", text: text.trimEnd() }];
  return parts.map((part, index) =>
    index === at && part.type === "text" ? { ...part, text: text + part.text } : part,
  );
}
