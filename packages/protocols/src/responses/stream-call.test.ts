import { describe, expect, test } from "vitest";
import type { AnswerContext } from "../codec.ts";
import { call, end, start } from "../testing/responses-events-fixture.ts";
import { answerContext, encodeStream, minimalRequest } from "../testing/responses-fixture.ts";
import { checkStream } from "../testing/responses-grammar.ts";

describe("calls in a responses stream", () => {
  test("S13 a custom call is a custom_tool_call from its first frame", () => {
    const { events } = checkStream(
      encodeStream([start, ...call("c", "apply_patch", ["*** ", "End"], "custom"), ...end]),
    );
    const added = events.find((event) => event.type === "response.output_item.added");
    expect(added?.item).toMatchObject({ type: "custom_tool_call", name: "apply_patch", input: "" });
    expect(JSON.stringify(events)).not.toContain("function_call");
  });

  test("T6, T8 namespaced and typed tools are called in the client's own spelling", () => {
    const request = minimalRequest({
      tools: [
        {
          type: "function",
          name: "crm__find",
          extras: { responses: { $namespace: { name: "crm", local: "find" } } },
        },
        { type: "function", name: "local_shell", extras: { responses: { $typed: { type: "local_shell" } } } },
        {
          type: "function",
          name: "apply_patch",
          extras: { responses: { $typed: { type: "apply_patch" } } },
        },
      ],
    });
    const context: AnswerContext = answerContext({ request });
    const { items } = checkStream(
      encodeStream(
        [
          start,
          ...call("a", "crm__find", ['{"q":1}']),
          ...call("b", "local_shell", ['{"command":', '["ls"]}']),
          ...call("c", "apply_patch", ['{"type":"delete_file","path":"x"}']),
          ...end,
        ],
        context,
      ),
    );
    expect(items).toMatchObject([
      { type: "function_call", namespace: "crm", name: "find", arguments: '{"q":1}' },
      { type: "local_shell_call", call_id: "call_b", action: { type: "exec", command: ["ls"], env: {} } },
      { type: "apply_patch_call", call_id: "call_c", operation: { type: "delete_file", path: "x" } },
    ]);
  });
});
