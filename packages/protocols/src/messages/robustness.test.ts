import fc from "fast-check";
import { expect, test } from "vitest";
import { type JsonObject, type JsonValue, ProtocolError, type StreamEvent } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";
import { plainVault } from "../shared/vault.ts";
import { describeRecorded, recordings } from "../testing/recordings.ts";
import { messages } from "./codec.ts";

const vault = plainVault();
const recorded = recordings("messages").flatMap(({ request }) => (request ? [request] : []));
const answers = recordings("messages").flatMap(({ response }) => (isObject(response) ? [response] : []));

/** Replaces the value at one place of a document, found by walking it with the draws of `path`. */
function replaced(value: JsonValue, path: readonly number[], by: JsonValue): JsonValue {
  const [step = 0, ...rest] = path;
  if (Array.isArray(value) && value.length > 0) {
    const at = step % value.length;
    return value.map((item, index) => (index === at ? replaced(item, rest, by) : item));
  }
  if (isObject(value)) {
    const keys = Object.keys(value);
    const key = keys[step % Math.max(1, keys.length)];
    if (key !== undefined && path.length > 0) return { ...value, [key]: replaced(value[key] ?? null, rest, by) };
  }
  return by;
}

const path = fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 7 });
const strange: fc.Arbitrary<JsonValue> = fc
  .jsonValue()
  .map((value): JsonValue => JSON.parse(JSON.stringify(value) ?? "null"));

/** Runs it; only the package's own error may come out. */
function survives(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    expect(error.error.status).toBeGreaterThanOrEqual(400);
  }
}

describeRecorded("6.1.6 nothing throws but the package's own error", () => {
  test("a request with any value at any place: decoded and encoded, or refused with a 400", () => {
    fc.assert(
      fc.property(fc.constantFrom(...recorded), path, strange, (body, at, by) => {
        const broken = replaced(body, at, by);
        if (!isObject(broken)) return;
        survives(() => {
          const request = messages.decodeRequest(broken, {}, { vault });
          messages.encodeRequest(request, { model: request.model, stream: request.stream });
        });
      }),
      { numRuns: 1000 },
    );
  });

  test("an answer with any value at any place", () => {
    fc.assert(
      fc.property(fc.constantFrom(...answers), path, strange, (body, at, by) => {
        survives(() => void messages.decodeResponse(replaced(body, at, by)));
      }),
      { numRuns: 700 },
    );
  });

  test("a stream with any value at any place ends by end or error, never by an exception", () => {
    const frames = recordings("messages")
      .flatMap(({ sse }) => (sse ? [new TextDecoder().decode(sse)] : []))
      .filter((text) => text.length < 20_000)
      .map((text) => [...text.matchAll(/^data: (\{.*\})$/gm)].map(([, json = "{}"]): JsonObject => JSON.parse(json)));
    fc.assert(
      fc.property(fc.constantFrom(...frames), fc.nat(), path, strange, (stream, place, at, by) => {
        const broken = stream.map((frame, index) =>
          index === place % stream.length ? replaced(frame, at, by) : frame,
        );
        const text = broken.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join("");
        const decoder = messages.createStreamDecoder();
        const events: StreamEvent[] = [...decoder.push(new TextEncoder().encode(text)), ...decoder.close()];
        expect(["end", "error"]).toContain(events.at(-1)?.type);
      }),
      { numRuns: 500 },
    );
  });
});
