import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CanonicalResponse, canonicalError, type Part, type StreamEvent } from "../canonical/index.ts";
import type { AnswerPlan } from "../codec.ts";
import * as arbitrary from "../testing/arbitraries.ts";
import { checkEncoderOrder } from "../testing/event-order.ts";
import { accumulate, responseToEvents } from "./accumulate.ts";
import { AnswerRestorer } from "./answer-restorer.ts";
import { wrapCustomInput } from "./custom-tools.ts";
import { restoreResponse } from "./response-restorer.ts";

const nothing: AnswerPlan = { toolNames: new Map(), customTools: new Set(), stopSequences: [] };

function restore(events: readonly StreamEvent[], plan: AnswerPlan): { events: StreamEvent[]; stopped: boolean } {
  const restorer = new AnswerRestorer(plan, () => undefined);
  const out: StreamEvent[] = [];
  for (const event of events) restorer.push(event, (restored) => out.push(restored));
  return { events: out, stopped: restorer.stopped };
}

/** Every delta in pieces of `size` UTF-16 units. */
function cut(events: readonly StreamEvent[], size: number): StreamEvent[] {
  return events.flatMap((event) => {
    if (event.type !== "part-delta" || !("text" in event.delta)) return [event];
    const pieces: StreamEvent[] = [];
    for (let at = 0; at < event.delta.text.length; at += size) {
      pieces.push({ ...event, delta: { ...event.delta, text: event.delta.text.slice(at, at + size) } });
    }
    return pieces;
  });
}

function answer(parts: Part[], reason: "stop" | "tool" | "length" = "stop"): CanonicalResponse {
  return { id: "x", candidates: [{ index: 0, parts, finish: { reason } }] };
}

const text = (value: string): Part => ({ type: "text", text: value });
const call = (name: string, json: string, toolKind: "function" | "custom" = "function"): Part => ({
  type: "tool-call",
  callId: "c1",
  name,
  toolKind,
  arguments: json,
});

/** The stream's result, and the proof that the whole answer gives the same. */
function both(response: CanonicalResponse, plan: AnswerPlan): CanonicalResponse {
  const whole = restoreResponse(response, plan, () => undefined);
  for (const size of [1, 3, 1000]) {
    const { events } = restore(cut(responseToEvents(response), size), plan);
    checkEncoderOrder(events);
    expect(accumulate(events)).toEqual(whole);
  }
  return whole;
}

test("an answer that needs nothing passes as the same object", () => {
  const response = answer([text("Hi")]);
  expect(restoreResponse(response, nothing, () => undefined)).toBe(response);
  const events = responseToEvents(response);
  expect(restore(events, nothing).events.every((event, at) => event === events[at])).toBe(true);
});

test("L17 tool names come back, in whole answers and in streams", () => {
  const plan = { ...nothing, toolNames: new Map([["files_read_1234", "files.read"]]) };
  expect(both(answer([call("files_read_1234", '{"a":1}')], "tool"), plan).candidates[0]?.parts).toEqual([
    call("files.read", '{"a":1}'),
  ]);
});

describe("S13 custom tools that ran as functions", () => {
  const plan = {
    ...nothing,
    toolNames: new Map([["apply_patch_1", "apply.patch"]]),
    customTools: new Set(["apply.patch"]),
  };

  test("open as custom calls at once and give their raw text, escapes and surrogates whole", () => {
    const raw = '*** Begin "🙂"\n+\\u00e4';
    const response = answer([call("apply_patch_1", wrapCustomInput(raw))], "tool");
    expect(both(response, plan).candidates[0]?.parts).toEqual([call("apply.patch", raw, "custom")]);
    const { events } = restore(cut(responseToEvents(response), 1), plan);
    expect(events[1]).toMatchObject({ type: "part-start", part: { toolKind: "custom", name: "apply.patch" } });
    const deltas = events.flatMap((event) =>
      event.type === "part-delta" && "text" in event.delta ? [event.delta.text] : [],
    );
    expect(deltas.length).toBeGreaterThan(5);
    expect(deltas.every((delta) => delta.isWellFormed())).toBe(true);
  });

  test("without arguments have no text", () => {
    expect(both(answer([call("apply_patch_1", "{}")], "tool"), plan).candidates[0]?.parts).toEqual([
      call("apply.patch", "", "custom"),
    ]);
  });

  test("that really are custom pass as they are", () => {
    const response = answer([call("apply.patch", '{"input":"x"}', "custom")], "tool");
    expect(both(response, plan).candidates[0]?.parts).toEqual([call("apply.patch", '{"input":"x"}', "custom")]);
  });
});

describe("J2 structured output by a synthetic tool", () => {
  const plan = { ...nothing, structuredOutputTool: "structured_output" };

  test("is text for the client, streams as text, and the answer stops", () => {
    const response = answer([call("structured_output", '{"a":1}')], "tool");
    expect(both(response, plan).candidates).toEqual([
      { index: 0, parts: [text('{"a":1}')], finish: { reason: "stop" } },
    ]);
    const deltas = restore(cut(responseToEvents(response), 3), plan).events.filter((e) => e.type === "part-delta");
    expect(deltas).toHaveLength(3);
  });

  test("without arguments is {}", () => {
    expect(both(answer([call("structured_output", "{}")], "tool"), plan).candidates[0]?.parts).toEqual([text("{}")]);
  });

  test("beside a real call leaves the finish at tool", () => {
    const { candidates } = both(answer([call("structured_output", "{}"), call("read", "{}")], "tool"), plan);
    expect(candidates[0]?.finish).toEqual({ reason: "tool" });
  });

  test("that was cut keeps its finish", () => {
    expect(both(answer([call("structured_output", '{"a')], "length"), plan).candidates[0]?.finish.reason).toBe(
      "length",
    );
  });
});

describe("P10 stop sequences", () => {
  const plan = { ...nothing, stopSequences: ["END", "\n\n"] };

  test("cut the text, swallow the rest of the candidate and give the finish", () => {
    const response = answer([text("one EN"), text("two END three"), call("read", "{}")], "tool");
    expect(both(response, plan).candidates).toEqual([
      { index: 0, parts: [text("one EN"), text("two ")], finish: { reason: "stop_sequence", stopSequence: "END" } },
    ]);
  });

  test("tell the relay that the upstream may be left, once every candidate has stopped", () => {
    const events = responseToEvents({
      candidates: [
        { index: 0, parts: [text("END")], finish: { reason: "stop" } },
        { index: 1, parts: [text("go on")], finish: { reason: "stop" } },
      ],
    });
    expect(restore(events.slice(0, 3), plan).stopped).toBe(true);
    expect(restore(events, plan).stopped).toBe(false);
    expect(restore(events, plan).events.at(-2)).toMatchObject({ candidate: 1, finish: { reason: "stop" } });
  });

  test("do not look into reasoning, refusals or arguments", () => {
    const parts: Part[] = [{ type: "reasoning", text: "END" }, { type: "refusal", text: "END" }, call("read", '"END"')];
    expect(both(answer(parts, "tool"), plan).candidates[0]?.parts).toEqual(parts);
  });

  test("S25 what was held back for a stop is shown when the answer breaks off, but no half call is", () => {
    const broken: StreamEvent[] = [
      { type: "start" },
      { type: "part-start", candidate: 0, key: "t", part: { type: "text" } },
      { type: "part-delta", candidate: 0, key: "t", delta: { type: "text", text: "so E" } },
      { type: "error", error: canonicalError("upstream_incomplete", "cut") },
    ];
    const { events } = restore(broken, plan);
    const shown = events.flatMap((e) => (e.type === "part-delta" && e.delta.type === "text" ? [e.delta.text] : []));
    expect(shown.join("")).toBe("so E");
    expect(events.at(-1)?.type).toBe("error");
    expect(events.some((event) => event.type === "part-stop")).toBe(false);
  });
});

describe("J1 JSON that was asked for in words", () => {
  const plan = { ...nothing, unfenceJson: true };

  test.each([
    ["a fence", '```json\n{"a":1}\n```', '{"a":1}'],
    ["words around it", 'Here: {"a":{"b":1}} - done.', '{"a":{"b":1}}'],
    ["nothing to strip", '{"a":"```"}', '{"a":"```"}'],
    ["no JSON at all", "I cannot {do} that.", "I cannot {do} that."],
  ])("%s", (_what, raw, expected) => {
    expect(both(answer([text(raw)]), plan).candidates[0]?.parts).toEqual([text(expected)]);
  });
});

test("L8 any plan: the restored stream accumulates to the restored answer", () => {
  const names = fc.constantFrom("a", "b", "so", "structured");
  const part: fc.Arbitrary<Part> = fc.oneof(
    fc.string({ unit: fc.constantFrom("a", "b", "E", "N", "D", "{", "}", "`", "\n", "🙂") }).map(text),
    fc.tuple(names, arbitrary.jsonObject()).map(([name, value]) => call(name, JSON.stringify(value))),
    fc.tuple(names, arbitrary.visibleText()).map(([name, value]) => call(name, wrapCustomInput(value))),
    arbitrary.reasoningPart({ family: "anthropic", content: "text", proof: "sometimes" }),
  );
  const plans: fc.Arbitrary<AnswerPlan> = fc.record(
    {
      toolNames: fc.constantFrom(new Map<string, string>(), new Map([["a", "client.a"]])),
      customTools: fc.constantFrom(new Set<string>(), new Set(["b", "client.a"])),
      stopSequences: fc.constantFrom<string[]>([], ["END"], ["a", "ND"], ["\n", "``"]),
      structuredOutputTool: fc.constant("structured"),
      unfenceJson: fc.constant(true),
    },
    { requiredKeys: ["toolNames", "customTools", "stopSequences"], noNullPrototype: true },
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 5 }), plans, (parts, plan) => {
      both(answer(parts, parts.some((one) => one.type === "tool-call") ? "tool" : "stop"), plan);
    }),
    { numRuns: 500 },
  );
});
