import { strict as assert } from "node:assert";
import fc from "fast-check";
import type { StreamEvent } from "../../packages/protocols/src/canonical/index.ts";
import { anyEvents } from "../../packages/protocols/src/testing/arbitrary-events.ts";
import { utf8 } from "../../packages/protocols/src/testing/carrying.ts";
import { checkFrames, cutShort, merged, openStream, read } from "./reading.ts";
import { cuts, inPieces, streams } from "./streams.ts";
import { crossing, heavyBytes, pairName, pairOf, pairWith, type Target } from "./target.ts";

const streamBytes: Target = {
  name: "streams of any bytes",
  property: (watch) =>
    fc.property(
      pairWith(({ name }) => streams[name], crossing),
      cuts,
      fc.option(fc.nat({ max: 8 }), { nil: undefined }),
      ([name, bytes], shares, ending) => {
        const each = pairOf(name);
        watch(bytes.length, () => {
          const pieces = inPieces(bytes, shares);
          checkFrames(each, read(openStream(each), pieces, ending));
          const whole = read(openStream(each), [bytes], undefined);
          checkFrames(each, whole);
          // Keep-alives stand elsewhere where the cuts do.
          const decoded = (parts: readonly Uint8Array[]) => {
            const decoder = each.upstream.codec.createStreamDecoder();
            return merged([...parts.flatMap((part) => decoder.push(part)), ...decoder.close()]);
          };
          assert.deepEqual(decoded(pieces), decoded([bytes]), "the cuts decide what is read");
        });
      },
    ),
};

const eventOrders: Target = {
  name: "events in any order",
  property: (watch) =>
    fc.property(pairName, anyEvents, (name, events) => {
      const each = pairOf(name);
      watch(events.length * 100, () => {
        const closing: StreamEvent[] = [{ type: "error", error: cutShort }];
        const codec = {
          ...each.upstream.codec,
          createStreamDecoder: () => ({ push: () => [...events], close: () => closing }),
        };
        checkFrames(each, read(openStream(each, { ...each.upstream, codec }), [utf8("x")], undefined));
      });
    }),
};

const heavyStreams: Target = {
  name: "long streams of one piece",
  property: (watch) =>
    fc.property(
      pairWith(({ name }) => streams[name]),
      fc.nat(),
      fc.integer({ min: 1, max: 3000 }),
      fc.constantFrom(64, 1000, 100_000),
      ([name, bytes], from, length, size) => {
        const each = pairOf(name);
        const start = bytes.length === 0 ? 0 : from % bytes.length;
        const piece = Buffer.from(bytes.subarray(start, start + length));
        const unit = piece.length === 0 ? Buffer.from("\n") : piece;
        const whole = Buffer.concat([bytes.subarray(0, start), Buffer.alloc(heavyBytes, unit)]);
        const reads = Array.from({ length: Math.ceil(whole.length / size) }, (_, index) =>
          whole.subarray(index * size, (index + 1) * size),
        );
        watch(whole.length, () => {
          const { text, ended } = read(openStream(each), reads, undefined);
          assert.notEqual(ended, "open");
          assert.ok(text.length < 100 * whole.length, "the client is sent a hundred times what came");
        });
      },
    ),
};

export const streamTargets: readonly Target[] = [streamBytes, eventOrders, heavyStreams];
