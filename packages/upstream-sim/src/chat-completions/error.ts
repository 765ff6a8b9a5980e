import type { Failure } from "../failure.ts";
import { dataFrame, type Frame } from "../frame.ts";
import { openaiErrorBody } from "../openai-wording.ts";

export { openaiErrorBody as errorBody, openaiStatus as errorStatus } from "../openai-wording.ts";

/** An error inside a running stream (chat-completions.md 9.4). */
export function errorFrames(failure: Failure): Frame[] {
  return [dataFrame(openaiErrorBody(failure), { terminal: true })];
}
