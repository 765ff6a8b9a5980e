import { type Part, refuse, type ToolCallPart, type ToolResultPart, type Turn } from "../../canonical/index.ts";
import type { Report } from "../report.ts";
import { type Assignment, assignResults } from "./assignment.ts";

/**
 * Puts every tool result where all protocols take it: first in the user turn right behind the turn of its calls, in the
 * order of the calls (H5, H9, H10, H11). A result without a call becomes text (H6), a call without a result gets an error
 * result (H7), unless nothing follows it, which is refused (H8).
 */
export function pairResults(turns: Turn[], report: Report): Turn[] {
  if (isPaired(turns)) return turns;
  const assignment = assignResults(turns, report);
  const result: Turn[] = [];
  const inserted = new Set<Turn>();
  turns.forEach((turn, index) => {
    if (turn.role === "user") {
      const kept = withoutAssigned(turn, assignment, report);
      const last = result.at(-1);
      if (last && inserted.has(last)) result[result.length - 1] = { ...kept, parts: [...last.parts, ...kept.parts] };
      else if (kept.parts.length > 0 || turn.parts.length === 0) result.push(kept);
      return;
    }
    const calls = turn.parts.filter(isCall);
    if (turn.role !== "assistant" || calls.length === 0) {
      result.push(turn);
      return;
    }
    if (index === turns.length - 1) refuseUnanswered(calls, assignment, turn);
    result.push(renameCalls(turn, assignment));
    const results: Turn = { role: "user", parts: calls.map((call) => resultOf(call, assignment, report)) };
    inserted.add(results);
    result.push(results);
  });
  return result;
}

function isCall(part: Part): part is ToolCallPart {
  return part.type === "tool-call";
}

/** One pass over a history that needs nothing: the usual case. */
function isPaired(turns: readonly Turn[]): boolean {
  const ids = new Set<string>();
  let waiting: ToolCallPart[] = [];
  for (const turn of turns) {
    if (waiting.length > 0 && turn.role !== "user") return false;
    let place = 0;
    for (const part of turn.parts) {
      if (part.type === "tool-result") {
        if (turn.role !== "user" || waiting[place]?.callId !== part.callId) return false;
        place += 1;
      } else if (place < waiting.length && turn.role === "user") {
        return false;
      }
    }
    if (place !== waiting.length) return false;
    waiting = [];
    if (turn.role !== "assistant") continue;
    for (const part of turn.parts) {
      if (part.type !== "tool-call") continue;
      if (part.callId === "" || ids.has(part.callId)) return false;
      ids.add(part.callId);
      waiting.push(part);
    }
  }
  return waiting.length === 0;
}

function refuseUnanswered(calls: ToolCallPart[], assignment: Assignment, turn: Turn): void {
  const open = calls.find((call) => !assignment.results.has(call));
  if (!open) return;
  refuse(
    open.at ?? turn.at ?? "messages",
    `The conversation ends with the tool call '${open.callId}', which has no result. Send the result of every call.`,
    "missing_tool_result",
  );
}

/** H10: calls whose id was used before. */
function renameCalls(turn: Turn, assignment: Assignment): Turn {
  if (!turn.parts.some((part) => isCall(part) && assignment.ids.has(part))) return turn;
  return {
    ...turn,
    parts: turn.parts.map((part) => {
      const callId = isCall(part) ? assignment.ids.get(part) : undefined;
      return isCall(part) && callId !== undefined ? { ...part, callId } : part;
    }),
  };
}

function resultOf(call: ToolCallPart, assignment: Assignment, report: Report): ToolResultPart {
  const callId = assignment.ids.get(call) ?? call.callId;
  const result = assignment.results.get(call);
  if (result) return result.callId === callId ? result : { ...result, callId };
  report.approximated(
    call.at ?? "messages",
    `The tool call '${call.callId}' has no result; an error result was added for it.`,
  );
  return {
    type: "tool-result",
    callId,
    name: call.name,
    toolKind: call.toolKind,
    content: [{ type: "text", text: "no result was returned" }],
    isError: true,
  };
}

/** A user turn without the results that went to their calls. */
function withoutAssigned(turn: Turn, assignment: Assignment, report: Report): Turn {
  if (!turn.parts.some((part) => part.type === "tool-result")) return turn;
  const parts: Part[] = [];
  for (const part of turn.parts) {
    if (part.type !== "tool-result") parts.push(part);
    else if (!assignment.assigned.has(part)) parts.push(...orphanAsText(part, turn, report));
  }
  return { ...turn, parts };
}

/** H6: what a tool once said, as words of the user, with its media. */
function orphanAsText(part: ToolResultPart, turn: Turn, report: Report): Part[] {
  const label = part.name ?? part.callId;
  report.approximated(
    part.at ?? turn.at ?? "messages",
    `The tool result '${label}' answers no call of the conversation; it was sent as text.`,
  );
  const head = label === "" ? "[tool result]" : `[tool result ${label}]`;
  const [first, ...rest] = part.content;
  if (first?.type === "text") return [{ type: "text", text: `${head} ${first.text}`.trimEnd() }, ...rest];
  return [{ type: "text", text: head }, ...part.content];
}
