import type { JsonObject, Proof, StreamEvent } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";
import { vault } from "./generate-content-fixture.ts";
import { checkStream } from "./generate-content-grammar.ts";

/** How an answer begins. */
export const start: StreamEvent = { type: "start", model: "up" };

/** The end of a stream. */
export const end: StreamEvent = { type: "end" };

/** How a candidate ends. */
export const finish = (
  reason: "stop" | "tool" | "filter" | "refusal" | "paused" = "stop",
  candidate = 0,
): StreamEvent => ({
  type: "finish",
  candidate,
  finish: { reason },
});

/** The start of a part. */
export const open = (
  key: string,
  part: Extract<StreamEvent, { type: "part-start" }>["part"],
  candidate = 0,
): StreamEvent => ({
  type: "part-start",
  candidate,
  key,
  part,
});

/** A piece of a part. */
export const delta = (
  key: string,
  change: Extract<StreamEvent, { type: "part-delta" }>["delta"],
  candidate = 0,
): StreamEvent => ({ type: "part-delta", candidate, key, delta: change });

/** The end of a part. */
export const close = (key: string, candidate = 0): StreamEvent => ({ type: "part-stop", candidate, key });

/** A text that comes in pieces. */
export const text = (key: string, ...texts: string[]): StreamEvent[] => [
  open(key, { type: "text" }),
  ...texts.map((one) => delta(key, { type: "text", text: one })),
  close(key),
];

/** A call whose arguments come at once. */
export const call = (key: string, args = "{}", proof?: Proof): StreamEvent[] => [
  open(key, { type: "tool-call", callId: `call_${key}`, name: "f", toolKind: "function", ...(proof ? { proof } : {}) }),
  delta(key, { type: "arguments", text: args }),
  close(key),
];

/** A thought, signed where a proof is given. */
export const thought = (key: string, words: string, proof?: Proof): StreamEvent[] => [
  open(key, { type: "reasoning" }),
  delta(key, { type: "reasoning", text: words }),
  ...(proof ? [delta(key, { type: "proof", proof })] : []),
  close(key),
];

/** A proof of another family. */
export const foreign = (value: string): Proof => ({ family: "anthropic", kind: "signature", value });

/** The envelope in which a proof of another family travels. */
export const sealed = (value: string) => vault.seal(foreign(value));

/** The contents of the candidates that stand in an answer or a chunk. */
export function contentsOf(body: JsonObject | undefined): { parts: JsonObject[] }[] {
  const candidates = Array.isArray(body?.candidates) ? body.candidates : [];
  return candidates.map((candidate) => {
    const content = isObject(candidate) ? candidate.content : undefined;
    if (!isObject(content) || !Array.isArray(content.parts)) throw new Error("no content");
    return { ...content, parts: content.parts.filter(isObject) };
  });
}

/** The parts of each candidate of a stream's whole answer. */
export const partsOf = (stream: string) => contentsOf(checkStream(stream).response).map(({ parts }) => parts);
