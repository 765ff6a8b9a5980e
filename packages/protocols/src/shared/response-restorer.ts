import type { Candidate, CanonicalResponse, Finish, Notice, Part, TextPart, ToolCallPart } from "../canonical/index.ts";
import type { AnswerPlan } from "../codec.ts";
import { isEmptyPlan, restoreCallHead, restoreFinish, unfenceJson } from "./answer-plan.ts";
import { CustomInputReader } from "./custom-input-reader.ts";
import { StopScanner } from "./stop-scanner.ts";

/** What the gateway did to a candidate so far, which decides about its finish. */
export interface RestoredState {
  stopSequence: string | undefined;
  hasSynthetic: boolean;
  hasCall: boolean;
}

type Notify = (notice: Notice) => void;

/** Arguments of a custom tool besides its text. */
export const surplusNotice: Notice = {
  field: "tools",
  verdict: "dropped",
  detail: "The model gave a custom tool more than the one text that it takes; only the text is passed on.",
};

/** What ends a candidate in the client's view. */
export function finishOf(finish: Finish, candidate: RestoredState): Finish {
  return restoreFinish(finish, candidate.stopSequence, candidate.hasSynthetic && !candidate.hasCall);
}

/**
 * What `AnswerRestorer` does, for a whole answer: `restoreResponse(answer) = accumulate(restored events of the answer)`
 * (law L8). `notice`: where losses of the answer are told.
 */
export function restoreResponse(response: CanonicalResponse, plan: AnswerPlan, notice: Notify): CanonicalResponse {
  if (isEmptyPlan(plan)) return response;
  return { ...response, candidates: response.candidates.map((candidate) => restoreCandidate(candidate, plan, notice)) };
}

function restoreCandidate(candidate: Candidate, plan: AnswerPlan, notice: Notify): Candidate {
  const parts: Part[] = [];
  const state: RestoredState = { stopSequence: undefined, hasSynthetic: false, hasCall: false };
  for (const part of candidate.parts) {
    if (state.stopSequence !== undefined) break;
    parts.push(restorePart(part, plan, state, notice));
  }
  return { ...candidate, parts, finish: finishOf(candidate.finish, state) };
}

function restorePart(part: Part, plan: AnswerPlan, state: RestoredState, notice: Notify): Part {
  if (part.type === "text") return restoreText(part, plan, !plan.unfenceJson, state, notice);
  if (part.type !== "tool-call") return part;
  if (part.name !== plan.structuredOutputTool) {
    state.hasCall = true;
    return restoreCall(part, plan, notice);
  }
  state.hasSynthetic = true;
  const { type: _type, callId: _callId, name: _name, toolKind: _kind, arguments: json, ...rest } = part;
  return restoreText({ ...rest, type: "text", text: json === "" ? "{}" : json }, plan, true, state, notice);
}

function restoreText(
  part: TextPart,
  plan: AnswerPlan,
  isJson: boolean,
  state: { stopSequence: string | undefined },
  notice: Notify,
): TextPart {
  let text = part.text;
  if (plan.stopSequences.length > 0) {
    const scanner = new StopScanner(plan.stopSequences);
    const shown = scanner.push(text);
    state.stopSequence = scanner.matched;
    text = shown + scanner.flush();
  }
  if (!isJson) text = unfenceJson(text, notice);
  return text === part.text ? part : { ...part, text };
}

/** The client's name, kind and arguments of a whole call. */
export function restoreCall(part: ToolCallPart, plan: AnswerPlan, notice: Notify): ToolCallPart {
  const restored = restoreCallHead(part, plan);
  if (restored.toolKind !== "custom" || part.toolKind === "custom") return restored;
  const reader = new CustomInputReader();
  const text = reader.push(part.arguments) + reader.end();
  if (reader.hasMore) notice(surplusNotice);
  return { ...restored, arguments: text };
}
