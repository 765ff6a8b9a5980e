import type { Failure } from "../failure.ts";
import { type Frame, namedFrame } from "../frame.ts";
import type { JsonObject } from "../json.ts";
import { objectOf } from "../json.ts";
import { openaiErrorBody } from "../openai-wording.ts";

export { openaiErrorBody as errorBody, openaiStatus as errorStatus } from "../openai-wording.ts";

/** An error inside a running stream: the flat `error` event (responses.md 8.2); `sequence` continues the count. */
export function errorFrames(failure: Failure, sequence: number): Frame[] {
  const { code, message, param }: JsonObject = objectOf(openaiErrorBody(failure).error);
  return [namedFrame("error", { type: "error", code, message, param, sequence_number: sequence }, true)];
}
