import type { Failure } from "../failure.ts";
import { dataFrame, type Frame } from "../frame.ts";
import { errorBody } from "./wording.ts";

export { errorBody, errorStatus } from "./wording.ts";

/** An error inside a running answer: an event, or the last element of the array form (generate-content.md 9). */
export function errorFrames(failure: Failure, jsonArray: boolean): Frame[] {
  if (!jsonArray) return [dataFrame(errorBody(failure), { terminal: true, eol: "\r\n" })];
  return [{ text: `,\r\n${JSON.stringify(errorBody(failure))}]`, terminal: true }];
}
