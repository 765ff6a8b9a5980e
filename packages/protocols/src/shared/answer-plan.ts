import type { Finish, Notice, ToolCallPart } from "../canonical/index.ts";
import type { AnswerPlan } from "../codec.ts";
import { stripFence } from "./custom-tools.ts";

/** The small steps that undo an `AnswerPlan`, the same for a whole answer and for a stream (law L8). */

/** A plan that has nothing to undo. */
export function isEmptyPlan(plan: AnswerPlan): boolean {
  return (
    plan.toolNames.size === 0 &&
    plan.customTools.size === 0 &&
    plan.structuredOutputTool === undefined &&
    plan.stopSequences.length === 0 &&
    !plan.unfenceJson
  );
}

/** The client's name and kind of a call that came by its wire name (T1, T5). */
export function restoreCallHead<Head extends Pick<ToolCallPart, "name" | "toolKind">>(
  head: Head,
  plan: AnswerPlan,
): Head {
  const name = plan.toolNames.get(head.name) ?? head.name;
  const toolKind = plan.customTools.has(name) ? "custom" : head.toolKind;
  return name === head.name && toolKind === head.toolKind ? head : { ...head, name, toolKind };
}

/**
 * What ends a candidate in the client's view: a stop sequence that the gateway enforced (P10), and no `tool` where the
 * only call was the structured output (J2).
 */
export function restoreFinish(finish: Finish, stopSequence: string | undefined, hasOnlySynthetic: boolean): Finish {
  if (stopSequence !== undefined) return { reason: "stop_sequence", stopSequence };
  return hasOnlySynthetic && finish.reason === "tool" ? { reason: "stop" } : finish;
}

/**
 * JSON out of a text that was asked for in words (J1): as it is if it parses, else without one Markdown fence, else from
 * the first to the last brace; the untouched text, and a notice, where none of these is JSON.
 */
export function unfenceJson(text: string, notice: (notice: Notice) => void): string {
  if (isJson(text)) return text;
  const bare = stripFence(text);
  if (isJson(bare)) return bare;
  const object = text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1);
  if (isJson(object)) return object;
  const detail = "The model was asked in words for JSON and answered with a text that is none.";
  notice({ field: "response_format", verdict: "approximated", detail });
  return text;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // The question was whether it parses.
    return false;
  }
}
