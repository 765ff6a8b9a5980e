import { describe, expect, test } from "vitest";
import { responseBody } from "../testing/responses-fixture.ts";
import { answer, comparable, completed, created, delta, events, parts } from "../testing/responses-stream-fixture.ts";
import { decodeResponse } from "./response-decoder.ts";

const item = { id: "fc_1", type: "function_call", call_id: "call_1", name: "f", arguments: "" };

describe("items of a responses stream", () => {
  test("S14 items that the end repeats are not emitted twice", () => {
    const done = { ...item, arguments: '{"a":1}' };
    const got = parts(
      created,
      { type: "response.output_item.added", output_index: 0, item },
      delta('{"a":'),
      delta("1}"),
      { type: "response.function_call_arguments.done", item_id: "fc_1", output_index: 0, arguments: '{"a":1}' },
      { type: "response.output_item.done", output_index: 0, item: done },
      completed({ output: [done] }),
    );
    expect(got).toEqual([
      { type: "tool-call", callId: "call_1", name: "f", toolKind: "function", arguments: '{"a":1}' },
    ]);
  });

  test("S14 a host that tells everything at the end only is heard too", () => {
    const output = [
      { id: "rs_1", type: "reasoning", summary: [{ type: "summary_text", text: "Hm." }], encrypted_content: "enc" },
      {
        id: "msg_1",
        type: "message",
        role: "assistant",
        content: [{ type: "output_text", text: "Hi", annotations: [] }],
      },
      { ...item, arguments: "" },
    ];
    const got = answer(created, completed({ output }));
    expect(comparable(got)).toEqual(comparable(decodeResponse(responseBody({ output }))));
    expect(got.candidates[0]?.finish.reason).toBe("tool");
  });

  test("S14 ids that change in every event still name one item, by its place", () => {
    const got = parts(
      created,
      {
        type: "response.output_item.added",
        output_index: 0,
        item: { id: "m1", type: "message", role: "assistant", content: [] },
      },
      { type: "response.output_text.delta", item_id: "m2", output_index: 0, content_index: 0, delta: "Hi" },
      {
        type: "response.output_item.done",
        output_index: 0,
        item: { id: "m3", type: "message", role: "assistant", content: [{ type: "output_text", text: "Hi" }] },
      },
      completed({ output: [{ id: "m4", type: "message", content: [{ type: "output_text", text: "Hi" }] }] }),
    );
    expect(got).toEqual([{ type: "text", text: "Hi" }]);
  });

  test("S15 deltas before their item, and parallel calls interleaved, find their call", () => {
    const second = { ...item, id: "fc_2", call_id: "call_2", name: "g" };
    const got = parts(
      created,
      delta('{"a"'),
      { type: "response.output_item.added", output_index: 0, item },
      { type: "response.output_item.added", output_index: 1, item: second },
      delta("[1", { item_id: "fc_2", output_index: 1 }),
      delta(":1}"),
      delta("]", { item_id: "fc_2", output_index: 1 }),
      { type: "response.output_item.done", output_index: 1, item: { ...second, arguments: "[1]" } },
      { type: "response.output_item.done", output_index: 0, item: { ...item, arguments: '{"a":1}' } },
      completed(),
    );
    expect(got).toMatchObject([
      { callId: "call_1", name: "f", arguments: '{"a":1}' },
      { callId: "call_2", name: "g", arguments: "[1]" },
    ]);
  });

  test("S15 a call without call_id takes the item's id; one without a name is an error", () => {
    const { call_id: _id, ...bare } = item;
    expect(parts(created, completed({ output: [bare] }))).toMatchObject([{ callId: "fc_1", arguments: "{}" }]);
    const nameless = events(created, delta("{}"), completed());
    expect(nameless.at(-1)).toMatchObject({ type: "error", error: { kind: "upstream_bad" } });
  });

  test("S1 a whole call in its done event keeps its arguments; S35 no arguments are {}", () => {
    const done = { type: "response.output_item.done", output_index: 0, item: { ...item, arguments: '{"x":1}' } };
    expect(parts(created, done, completed())).toMatchObject([{ arguments: '{"x":1}' }]);
    const added = { type: "response.output_item.added", output_index: 0, item };
    expect(parts(created, added, { ...done, item }, completed())).toMatchObject([{ arguments: "{}" }]);
  });
});
