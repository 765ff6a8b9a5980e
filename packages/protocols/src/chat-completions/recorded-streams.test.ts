import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeStream, gated, utf8 } from "../testing/chat-completions-fixture.ts";
import { checkEncoderOrder } from "../testing/event-order.ts";
import { describeRecorded, recordings } from "../testing/recordings.ts";

const streams = recordings("chat-completions").flatMap(({ id, sse }) => (sse ? [{ id, sse }] : []));

describeRecorded("recorded streams", () => {
  const framings: [string, (text: string) => string][] = [
    ["CRLF", (text) => text.replaceAll("\r\n", "\n").replaceAll("\n", "\r\n")],
    ["CR", (text) => text.replaceAll("\r\n", "\n").replaceAll("\n", "\r")],
    ["no space", (text) => text.replaceAll("data: ", "data:")],
    ["comments", (text) => text.replaceAll("data: ", ": beat\n\ndata: ")],
    ["BOM", (text) => `\uFEFF${text}`],
  ];

  it.each(streams)("L9 L10 $id: neither cuts nor framing change the events", ({ sse }) => {
    const whole = gated(decodeStream([sse]));
    checkEncoderOrder(whole);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: sse.length }), { maxLength: 40 }), (cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), sse.length];
        const pieces = places.slice(1).map((end, at) => sse.subarray(places[at], end));
        expect(gated(decodeStream(pieces))).toEqual(whole);
      }),
      { numRuns: 4 },
    );
    const text = new TextDecoder().decode(sse);
    for (const [, framing] of framings) expect(gated(decodeStream([utf8(framing(text))]))).toEqual(whole);
  });

  const short = streams.filter(({ sse }) => sse.length < 12_000).slice(0, 8);

  it.each(short)("L9 $id: one byte at a time", ({ sse }) => {
    const bytes = Array.from(sse, (_byte, at) => sse.subarray(at, at + 1));
    expect(gated(decodeStream(bytes))).toEqual(gated(decodeStream([sse])));
  });

  it.each(short)("L12 $id: a cut before the end mark is never a success, a cut behind it always", ({ sse }) => {
    const text = new TextDecoder().decode(sse);
    const whole = gated(decodeStream([sse]));
    if (whole.at(-1)?.type === "error") return;
    const finish = /"finish_reason":\s*"[^"]+"/.exec(text)?.index ?? Number.POSITIVE_INFINITY;
    const mark = Math.min(finish, text.indexOf("[DONE]"));
    for (let cut = 0; cut < mark; cut += 1) {
      const events = gated(decodeStream([utf8(text.slice(0, cut))]));
      expect(events.at(-1)?.type).toBe("error");
    }
  });
});
