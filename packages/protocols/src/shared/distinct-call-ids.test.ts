import { expect, test } from "vitest";
import type { StreamEvent } from "../canonical/index.ts";
import { accumulate } from "./accumulate.ts";
import { DistinctCallIds, withDistinctCallIds } from "./distinct-call-ids.ts";
import { EventGate } from "./event-gate.ts";

function gated(events: readonly StreamEvent[]): StreamEvent[] {
  const gate = new EventGate();
  const out: StreamEvent[] = [];
  for (const event of events) gate.push(event, (passed) => out.push(passed));
  return out;
}

test("ids that are distinct stay as they are, also beside ones that had to change", () => {
  const ids = new DistinctCallIds();
  expect(["a", "b", "a", "a_2", "a", "c"].map((id) => ids.of(id))).toEqual(["a", "b", "a_2", "a_2_2", "a_3", "c"]);
});

test("L8 a stream and a whole answer give the same ids", () => {
  const calls = ["x", "x", "y"].flatMap((callId, at): StreamEvent[] => [
    {
      type: "part-start",
      candidate: 0,
      key: String(at),
      part: { type: "tool-call", callId, name: "f", toolKind: "function" },
    },
    { type: "part-stop", candidate: 0, key: String(at) },
  ]);
  const events: StreamEvent[] = [
    { type: "start" },
    ...calls,
    { type: "finish", candidate: 0, finish: { reason: "tool" } },
    { type: "end" },
  ];
  const streamed = accumulate(gated(events));
  expect(streamed).toEqual(withDistinctCallIds(accumulate(events)));
  expect(streamed.candidates[0]?.parts).toMatchObject([{ callId: "x" }, { callId: "x_2" }, { callId: "y" }]);
});

test("an answer that never came among several is an error, not an empty answer", () => {
  const events = gated([
    { type: "start" },
    { type: "finish", candidate: 1, finish: { reason: "stop" } },
    { type: "end" },
  ]);
  expect(events.at(-1)).toMatchObject({ type: "error", error: { kind: "upstream_bad" } });
});
