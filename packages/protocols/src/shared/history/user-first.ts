import type { Turn } from "../../canonical/index.ts";
import type { Report } from "../report.ts";

/** For protocols that want a user turn first: one is made of the last system turn (H16), or of a single dot (H15). */
export function startWithUser(system: Turn[], turns: Turn[], report: Report): { system: Turn[]; turns: Turn[] } {
  const first = turns[0];
  if (first === undefined) {
    const last = system.at(-1);
    if (!last) return { system, turns };
    report.approximated(
      last.at ?? "messages",
      "There is no user message, so the last system message was sent as the user's.",
    );
    const { name: _name, ...kept } = last;
    return { system: system.slice(0, -1), turns: [{ ...kept, role: "user" }] };
  }
  if (first.role !== "assistant") return { system, turns };
  report.approximated(
    first.at ?? "messages",
    "The conversation began with the assistant, so a user message with a dot was put first.",
  );
  return { system, turns: [{ role: "user", parts: [{ type: "text", text: "." }] }, ...turns] };
}
