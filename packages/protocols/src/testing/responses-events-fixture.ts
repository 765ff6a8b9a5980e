import fc from "fast-check";
import type { StreamEvent } from "../canonical/index.ts";
import { citation, logprobs, proof, reasoningPart, response, textPart, usage } from "./arbitraries.ts";

/** How an answer begins. */
export const start: StreamEvent = { type: "start", id: "up", model: "claude", createdAt: 1_700_000_001 };

/** How a good answer ends. */
export const end: StreamEvent[] = [{ type: "finish", candidate: 0, finish: { reason: "stop" } }, { type: "end" }];

/** A text that comes in pieces. */
export function text(key: string, ...pieces: string[]): StreamEvent[] {
  return [
    { type: "part-start", candidate: 0, key, part: { type: "text" } },
    ...pieces.map(
      (piece): StreamEvent => ({ type: "part-delta", candidate: 0, key, delta: { type: "text", text: piece } }),
    ),
    { type: "part-stop", candidate: 0, key },
  ];
}

/** A call whose arguments come in pieces. */
export function call(
  key: string,
  name: string,
  args: string[],
  toolKind: "function" | "custom" = "function",
): StreamEvent[] {
  return [
    { type: "part-start", candidate: 0, key, part: { type: "tool-call", callId: `call_${key}`, name, toolKind } },
    ...args.map(
      (piece): StreamEvent => ({ type: "part-delta", candidate: 0, key, delta: { type: "arguments", text: piece } }),
    ),
    { type: "part-stop", candidate: 0, key },
  ];
}

/** A thought that comes in pieces, sealed by another family where a secret is given. */
export function thought(key: string, pieces: string[], secret?: string): StreamEvent[] {
  return [
    { type: "part-start", candidate: 0, key, part: { type: "reasoning" } },
    ...pieces.map(
      (piece): StreamEvent => ({ type: "part-delta", candidate: 0, key, delta: { type: "reasoning", text: piece } }),
    ),
    ...(secret === undefined
      ? []
      : [
          {
            type: "part-delta",
            candidate: 0,
            key,
            delta: { type: "proof", proof: { family: "anthropic", kind: "signature", value: secret } },
          } satisfies StreamEvent,
        ]),
    { type: "part-stop", candidate: 0, key },
  ];
}

/** Answers with everything that this protocol's answers can hold. */
export const anyAnswer = response({
  reasoning: fc.oneof(
    reasoningPart({ family: "openai", content: "summary", proof: "sometimes", kind: "encrypted" }),
    reasoningPart({ family: "anthropic", content: "text", proof: "always" }),
  ),
  content: fc
    .tuple(textPart(), fc.array(citation(), { maxLength: 2 }), logprobs(), fc.option(proof("gemini")))
    .map(([part, citations, tokens, signature]) => ({
      ...part,
      citations,
      logprobs: tokens,
      ...(signature ? { proof: signature } : {}),
    })),
  customTools: true,
  finishes: [
    "stop",
    "length",
    "context",
    "filter",
    "refusal",
    "paused",
    "recitation",
    "malformed_tool",
    "error",
    "other",
  ],
  usage: usage({ cacheRead: true, cacheWrite: true, reasoning: true }),
  serviceTier: true,
});
