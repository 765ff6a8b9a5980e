import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalError, type FinishReason, type PartHead, type StreamEvent } from "../canonical/index.ts";
import { anyEvents } from "../testing/arbitrary-events.ts";
import { checkEncoderOrder, isOver } from "../testing/event-order.ts";
import { accumulate } from "./accumulate.ts";
import { EventGate } from "./event-gate.ts";

function gate(events: readonly StreamEvent[]): StreamEvent[] {
  const out: StreamEvent[] = [];
  const through = new EventGate();
  for (const event of events) through.push(event, (passed) => out.push(passed));
  return out;
}

const call = (name: string): PartHead => ({ type: "tool-call", callId: name, name, toolKind: "function" });
const open = (key: string, part: PartHead): StreamEvent => ({ type: "part-start", candidate: 0, key, part });
const text = (key: string, value: string): StreamEvent => ({
  type: "part-delta",
  candidate: 0,
  key,
  delta: { type: "text", text: value },
});
const args = (key: string, value: string): StreamEvent => ({
  type: "part-delta",
  candidate: 0,
  key,
  delta: { type: "arguments", text: value },
});
const stop = (key: string): StreamEvent => ({ type: "part-stop", candidate: 0, key });
const finish = (reason: FinishReason, candidate = 0): StreamEvent => ({
  type: "finish",
  candidate,
  finish: { reason },
});
const end: StreamEvent = { type: "end" };
const failure: StreamEvent = { type: "error", error: canonicalError("overloaded", "later") };

test("S2 interleaved parallel calls: the first streams, the second waits, both come whole", () => {
  const input = [
    open("0", call("a")),
    args("0", '{"a"'),
    open("1", call("b")),
    args("1", '{"b"'),
    args("0", ":1}"),
    args("1", ":2}"),
    finish("tool"),
    end,
  ];
  const out = gate(input);
  checkEncoderOrder(out);
  expect(out.slice(1, 8)).toEqual([
    open("0", call("a")),
    args("0", '{"a"'),
    args("0", ":1}"),
    stop("0"),
    open("1", call("b")),
    args("1", '{"b"'),
    args("1", ":2}"),
  ]);
});

test("S2 what waits goes out as soon as the part before it stops, and then streams on", () => {
  const out: StreamEvent[] = [];
  const through = new EventGate();
  const emit = (event: StreamEvent) => out.push(event);
  for (const event of [open("0", call("a")), open("1", { type: "text" }), text("1", "x")]) through.push(event, emit);
  expect(out).toHaveLength(2);
  through.push(stop("0"), emit);
  expect(out.slice(2)).toEqual([stop("0"), open("1", { type: "text" }), text("1", "x")]);
  through.push(text("1", "y"), emit);
  expect(out.at(-1)).toEqual(text("1", "y"));
});

test("a whole part inside an open one waits behind it", () => {
  const image: StreamEvent = {
    type: "part",
    candidate: 0,
    part: { type: "image", source: { type: "base64", mediaType: "image/png", data: "AAAA" } },
  };
  const out = gate([open("t", { type: "text" }), image, text("t", "x"), stop("t"), end]);
  expect(out.map((event) => event.type)).toEqual([
    "start",
    "part-start",
    "part-delta",
    "part-stop",
    "part",
    "finish",
    "end",
  ]);
});

describe("S10 usage", () => {
  test("is told once, behind the parts and before the finish, wherever the upstream told it", () => {
    const early: StreamEvent = { type: "usage", usage: { input: { uncached: 5 }, output: { total: 1 } } };
    const late: StreamEvent = { type: "usage", usage: { input: {}, output: { total: 9 } }, serviceTier: "priority" };
    const out = gate([early, open("t", { type: "text" }), early, stop("t"), finish("stop"), late, end]);
    expect(out.slice(-3)).toEqual([
      { type: "usage", usage: { input: { uncached: 5 }, output: { total: 9 } }, serviceTier: "priority" },
      finish("stop"),
      end,
    ]);
    expect(out.filter((event) => event.type === "usage")).toHaveLength(1);
  });

  test("of the start counts, and the meter sees it at once", () => {
    const through = new EventGate();
    through.push({ type: "start", usage: { input: { uncached: 7 }, output: {} } }, () => {});
    expect(through.usage).toEqual({ input: { uncached: 7 }, output: {} });
  });

  test("that never came is not made up", () => {
    expect(gate([open("t", { type: "text" }), stop("t"), finish("stop"), end]).some((e) => e.type === "usage")).toBe(
      false,
    );
  });
});

describe("S12 finish", () => {
  test("is held until the end: content behind it still counts", () => {
    const out = gate([open("t", { type: "text" }), finish("stop"), text("t", "late"), end]);
    checkEncoderOrder(out);
    expect(accumulate(out).candidates[0]?.parts).toEqual([{ type: "text", text: "late" }]);
  });

  test.each([
    ["stop", "tool", "tool"],
    ["tool", "length", "length"],
    ["filter", "stop", "filter"],
    ["error", "filter", "error"],
  ] as const)("of %s and %s with a call the stronger counts: %s", (first, second, expected) => {
    const out = gate([open("0", call("a")), stop("0"), finish(first), finish(second), end]);
    expect(out.at(-2)).toEqual(finish(expected));
  });

  test("a call makes it tool; without one tool is stop", () => {
    expect(gate([open("0", call("a")), finish("stop"), end]).at(-2)).toEqual(finish("tool"));
    expect(gate([open("t", { type: "text" }), finish("tool"), end]).at(-2)).toEqual(finish("stop"));
  });

  test("S32 each candidate has its own", () => {
    const second: StreamEvent = { type: "part-start", candidate: 1, key: "t", part: { type: "text" } };
    const out = gate([open("t", { type: "text" }), second, finish("length", 1), finish("stop", 0), end]);
    checkEncoderOrder(out);
    expect(out.slice(-3)).toEqual([finish("stop", 0), finish("length", 1), end]);
  });
});

test("S22 after the end nothing counts", () => {
  expect(gate([end, open("t", { type: "text" }), failure, end]).map((event) => event.type)).toEqual([
    "start",
    "finish",
    "end",
  ]);
});

test("S24 after an error nothing counts, and an end cannot turn it into success", () => {
  const out = gate([open("t", { type: "text" }), failure, stop("t"), finish("stop"), end]);
  expect(out.map((event) => event.type)).toEqual(["start", "part-start", "error"]);
});

test("S24 an error before anything comes alone", () => {
  expect(gate([failure])).toEqual([failure]);
});

test("S25 an error does not close what is open: half a call must not look complete", () => {
  const out = gate([open("0", call("a")), args("0", '{"a'), open("1", call("b")), failure]);
  expect(out.some((event) => event.type === "part-stop")).toBe(false);
  expect(out.some((event) => event.type === "part-start" && event.key === "1")).toBe(false);
});

test("a flood of interleaved content is an error, not a full memory", () => {
  const through = new EventGate();
  const out: StreamEvent[] = [];
  const emit = (event: StreamEvent) => out.push(event);
  through.push(open("0", { type: "text" }), emit);
  through.push(open("1", { type: "text" }), emit);
  const megabyte = "x".repeat(1024 * 1024);
  for (let i = 0; i < 17; i += 1) through.push(text("1", megabyte), emit);
  expect(out.at(-1)).toMatchObject({ type: "error", error: { code: "upstream_response_too_large" } });
  expect(through.ended).toBe(true);
});

test("any sequence of events, also nonsense, comes out in a legal order", () => {
  fc.assert(
    fc.property(anyEvents, (events) => {
      const out = gate(events);
      checkEncoderOrder(out);
      expect(isOver(out)).toBe(events.some(({ type }) => type === "end" || type === "error"));
    }),
    { numRuns: 500 },
  );
});
