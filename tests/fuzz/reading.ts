import { strict as assert } from "node:assert";
import { type CanonicalError, canonicalError, type StreamEvent } from "../../packages/protocols/src/canonical/index.ts";
import type { StreamConversion, StreamStep } from "../../packages/protocols/src/converted-stream.ts";
import { carry } from "../../packages/protocols/src/testing/carrying.ts";
import type { Pair, Side } from "../../packages/protocols/src/testing/protocol-sides.ts";
import { askedOf } from "./target.ts";

/** How a stream is ended: by the upstream, or by the gateway behind so many reads. */
type Ending = number | undefined;

export const cutShort: CanonicalError = canonicalError("timeout", "The upstream went silent.");

/** Reads a stream to its end, with a keep-alive behind each read. Throws what is a defect of ours. */
export function read(stream: StreamConversion, pieces: readonly Uint8Array[], ending: Ending) {
  let text = "";
  let ended: "good" | "error" | "open" = "open";
  const take = (step: StreamStep) => {
    text += step.text;
    if (!step.final) return;
    if (step.final.cause !== undefined) throw step.final.cause;
    text += step.final.text;
    ended = step.final.error ? "error" : "good";
  };
  for (const [index, piece] of pieces.entries()) {
    if (index === ending) break;
    take(stream.push(piece));
    text += stream.ping();
  }
  if (ending !== undefined && ended === "open") {
    text += stream.fail(cutShort);
    ended = "error";
  }
  take(stream.close());
  return { text, ended };
}

export function openStream(each: Pair, upstream: Side = each.upstream): StreamConversion {
  return carry(each.client, upstream, each.client.body(askedOf(each), true), { stream: true }).createStream();
}

/** The client's frames are lawful to their end, which is the one that the gateway records. */
export function checkFrames(each: Pair, { text, ended }: ReturnType<typeof read>): void {
  assert.notEqual(ended, "open");
  assert.equal(each.client.verdict(text, askedOf(each)), ended);
}

/** Events with neighbouring pieces of one text put together: how finely a text comes is nobody's promise. */
export function merged(events: readonly StreamEvent[]): StreamEvent[] {
  const result: StreamEvent[] = [];
  for (const event of events) {
    const last = result.at(-1);
    if (
      event.type === "part-delta" &&
      last?.type === "part-delta" &&
      last.key === event.key &&
      last.candidate === event.candidate &&
      last.delta.type === event.delta.type &&
      "text" in event.delta &&
      "text" in last.delta &&
      !("index" in event.delta)
    ) {
      result[result.length - 1] = { ...last, delta: { ...last.delta, text: last.delta.text + event.delta.text } };
    } else result.push(event);
  }
  return result;
}
