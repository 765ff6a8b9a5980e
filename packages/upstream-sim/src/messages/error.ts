import type { Failure } from "../failure.ts";
import { type Frame, namedFrame } from "../frame.ts";
import { errorBody } from "./wording.ts";

export { errorBody, errorStatus } from "./wording.ts";

/** An error inside a running stream (messages.md 11). */
export function errorFrames(failure: Failure, requestId: string): Frame[] {
  return [namedFrame("error", errorBody(failure, requestId), true)];
}
