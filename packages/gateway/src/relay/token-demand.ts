import { type CanonicalRequest, inputTokens, type Part, type Usage } from "@interlingua/protocols";
import type { Course } from "./course.ts";
import type { IncomingCall } from "./incoming-call.ts";
import { mediaTokens } from "./token-estimate.ts";

/** What an answer is taken for when the request sets no bound: most are shorter. */
const answerTokens = 1024;

/** Text of most languages comes to about this many bytes a token. */
const bytesPerToken = 4;

/**
 * Tokens that a call may use, for its admission: a rough figure that costs next to nothing, put right by the real usage
 * when the call has ended. Media count by the piece, not by the length of their base64.
 */
export function tokenDemand(call: IncomingCall, request: CanonicalRequest): number {
  const media = { pieces: 0, bytes: 0 };
  for (const turn of request.turns) for (const part of turn.parts) addMedia(part, media);
  const text = Math.max(0, call.document.bytes.length - media.bytes);
  const answer = request.maxOutputTokens ?? answerTokens;
  return Math.ceil(text / bytesPerToken) + media.pieces * mediaTokens + answer;
}

function addMedia(part: Part, media: { pieces: number; bytes: number }): void {
  switch (part.type) {
    case "image":
    case "audio":
    case "video":
    case "document":
      if (part.source.type === "text") return;
      media.pieces += 1;
      if (part.source.type === "base64") media.bytes += part.source.data.length;
      return;
    case "tool-result":
      for (const inner of part.content) addMedia(inner, media);
      return;
    default:
      return;
  }
}

/**
 * Tokens that an ended call has used. Where nobody told them, the reserve stands for them if an answer began or the caller
 * left while the upstream worked: else who hangs up before the last event would be free of limits. A call that failed
 * without an answer used none.
 */
export function tokensUsed(course: Pick<Course, "usage" | "timings" | "gone">, reserved: number): number {
  const { usage, timings, gone } = course;
  const told = usage && total(usage);
  if (told !== undefined) return told;
  return timings.firstToken !== null || (gone && timings.connect !== null) ? reserved : 0;
}

function total(usage: Usage): number | undefined {
  const input = inputTokens(usage);
  const output = usage.output.total;
  return input === undefined && output === undefined ? undefined : (input ?? 0) + (output ?? 0);
}
