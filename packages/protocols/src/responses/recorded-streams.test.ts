import fc from "fast-check";
import { expect, test } from "vitest";
import type { CanonicalResponse, JsonObject } from "../canonical/index.ts";
import { accumulate } from "../shared/accumulate.ts";
import { isObject } from "../shared/read.ts";
import { checkEncoderOrder } from "../testing/event-order.ts";
import { describeRecorded, recordings } from "../testing/recordings.ts";
import { decodeStream, encodeStream, gated, utf8 } from "../testing/responses-fixture.ts";
import { checkStream } from "../testing/responses-grammar.ts";
import { comparable } from "../testing/responses-stream-fixture.ts";
import { decodeResponse } from "./response-decoder.ts";
import { encodeUsage } from "./usage.ts";

const streams = recordings("responses").flatMap((recording) =>
  recording.sse ? [{ ...recording, sse: recording.sse }] : [],
);

const good = streams.filter(({ id }) => !id.includes("failed"));

/** Its deltas were shortened by hand: they and the terminal event are two different texts. */
const whole = good.filter(({ id }) => id !== "responses/stream-server-shell-text");

/** The terminal event's response object of a recorded stream. */
function terminalResponse(sse: Uint8Array): JsonObject {
  for (const block of new TextDecoder()
    .decode(sse)
    .split(/\r?\n\r?\n/)
    .reverse()) {
    const data = block.split("\n").find((line) => line.startsWith("data:"));
    const event: unknown = data && !data.includes("[DONE]") ? JSON.parse(data.slice(5)) : undefined;
    if (isObject(event) && isObject(event.response)) return event.response;
  }
  throw new Error("The recording has no terminal event.");
}

/** The vendor encrypts anew for every event, so secrets are only known to be there. */
function withoutSecrets(value: unknown): unknown {
  const text = JSON.stringify(value, (_key, inner) =>
    typeof inner === "string" && inner.startsWith("gAAAA") ? "secret" : inner,
  );
  return JSON.parse(text);
}

function cuts(bytes: Uint8Array, at: readonly number[]): Uint8Array[] {
  const places = [0, ...[...at].map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((place, index) => bytes.slice(places[index], place));
}

describeRecorded("responses stream decoder on recordings", () => {
  test.each(whole.map((recording) => [recording.id, recording.sse] as const))(
    "L8 %s: the stream says what its terminal event says",
    (_id, sse) => {
      const ordered = gated(decodeStream([sse]));
      checkEncoderOrder(ordered);
      const unary = comparable(decodeResponse(terminalResponse(sse)));
      expect(withoutSecrets(comparable(accumulate(ordered)))).toEqual(withoutSecrets(unary));
    },
  );

  test.each(good.map((recording) => [recording.id, recording.sse] as const))(
    "L2 %s: decoded, written and decoded again, it is the same answer",
    (_id, sse) => {
      const ordered = gated(decodeStream([sse]));
      const stream = encodeStream(ordered);
      checkStream(stream);
      const again = accumulate(gated(decodeStream([utf8(stream)])));
      expect(shown(again)).toEqual(shown(accumulate(ordered)));
    },
  );

  test.each(streams.map((recording) => [recording.id, recording.sse] as const))(
    "L9 %s: cut anywhere, the same events",
    (_id, sse) => {
      const expected = decodeStream([sse]);
      fc.assert(
        fc.property(fc.array(fc.nat(), { maxLength: 12 }), (at) => {
          expect(decodeStream(cuts(sse, at))).toEqual(expected);
        }),
        { numRuns: 8 },
      );
    },
  );

  test("L9 cut at every byte, the same events", () => {
    const short = [...good].sort((a, b) => a.sse.length - b.sse.length).slice(0, 3);
    for (const { sse } of short) {
      expect(decodeStream([...sse].map((byte) => new Uint8Array([byte])))).toEqual(decodeStream([sse]));
    }
  });

  test("L10 line ends, comments, a mark at the start and a missing space change nothing", () => {
    for (const { sse } of good.slice(0, 12)) {
      const text = new TextDecoder().decode(sse);
      const expected = decodeStream([sse]);
      for (const other of [
        text.replace(/\r?\n/g, "\r\n"),
        text.replace(/\r?\n/g, "\r"),
        `\ufeff${text}`,
        text.replace(/^data: /gm, "data:"),
        text.replace(/^event: .*\r?\n/gm, ""),
        text.replace(/\n\n/g, "\n\n: beat\n\n"),
        `${text}data: [DONE]\n\n`,
      ]) {
        expect(decodeStream([utf8(other)])).toEqual(expected);
      }
    }
  });

  test("L12 cut before the terminal event, no stream ever ends well", () => {
    for (const { sse } of good) {
      const text = new TextDecoder().decode(sse);
      const last = Math.max(
        text.lastIndexOf('"type":"response.completed"'),
        text.lastIndexOf('"type":"response.incomplete"'),
      );
      const bytes = utf8(text.slice(0, last));
      for (let step = 0; step < 8; step += 1) {
        const at = Math.floor((bytes.length * step) / 8) + 1;
        const cut = decodeStream([bytes.slice(0, at)]);
        expect(cut.some((event) => event.type === "end")).toBe(false);
        expect(cut.at(-1)).toMatchObject({
          type: "error",
          error: { kind: "upstream_incomplete", code: "stream_incomplete" },
        });
      }
    }
  });

  test("S24 the recorded failure is one error of its kind", () => {
    const failed = streams.find(({ id }) => id.includes("failed"));
    const last = failed ? decodeStream([failed.sse]) : [];
    expect(last.filter((event) => event.type === "error")).toMatchObject([{ error: { kind: "billing" } }]);
    expect(last.some((event) => event.type === "end")).toBe(false);
  });
});

/** Text, calls and summaries, whatever item they came in. */
function shown(response: CanonicalResponse): unknown {
  return response.candidates.map(({ parts: list, finish }) => ({
    finish,
    parts: list.map((part) => {
      if (part.type === "reasoning")
        return { text: part.text ?? part.summary?.join("\n\n") ?? "", value: part.proof?.value !== undefined };
      const { extras: _marks, ...bare } = part;
      return bare;
    }),
    usage: response.usage && encodeUsage(response.usage),
  }));
}
