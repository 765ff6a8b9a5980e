import type { CanonicalRequest, JsonObject, Notice, StreamEvent } from "../canonical/index.ts";
import type { AnswerContext } from "../codec.ts";
import { generateContent } from "../generate-content/codec.ts";
import { EventGate } from "../shared/event-gate.ts";
import { plainVault } from "../shared/vault.ts";

export const vault = plainVault();

/** A request that asks to see thoughts, so that answers show all they have. */
export const showing: CanonicalRequest = {
  model: "gemini-test",
  stream: true,
  turns: [{ role: "user", parts: [{ type: "text", text: "Hi" }] }],
  tools: [],
  sampling: {},
  stopSequences: [],
  reasoning: { show: "summary" },
};

/** A context whose ids count from 1 and whose clock stands still. */
export function answerContext(more: Partial<AnswerContext> & { notices?: Notice[] } = {}): AnswerContext {
  let count = 0;
  return {
    request: showing,
    clientBody: {},
    ids: (prefix) => `${prefix}id${++count}`,
    now: () => 1_700_000_000_000,
    vault,
    notice: (notice) => more.notices?.push(notice),
    framing: "sse",
    ...more,
  };
}

/** A client's body, decoded. */
export function decode(body: JsonObject, model = "gemini-test"): CanonicalRequest {
  return generateContent.decodeRequest(body, { model }, { vault });
}

/** Gate-ordered events of an upstream's bytes, cut into chunks of the given lengths (the rest as one). */
export function readStream(bytes: Uint8Array, lengths: readonly number[] = []): StreamEvent[] {
  const decoder = generateContent.createStreamDecoder();
  const gate = new EventGate();
  const events: StreamEvent[] = [];
  const push = (more: StreamEvent[]) => {
    for (const event of more) gate.push(event, (passed) => events.push(passed));
  };
  let at = 0;
  for (const length of lengths) {
    push(decoder.push(bytes.subarray(at, at + length)));
    at += length;
  }
  if (at < bytes.length) push(decoder.push(bytes.subarray(at)));
  push(decoder.close());
  return events;
}

/** The stream that a client gets for gate-ordered events. */
export function writeStream(events: readonly StreamEvent[], context: AnswerContext = answerContext()): string {
  const encoder = generateContent.createStreamEncoder(context);
  return events.map((event) => encoder.write(event)).join("");
}
