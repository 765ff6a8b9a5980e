import { describe, expect, test } from "vitest";
import type { CanonicalResponse, JsonObject } from "../canonical/index.ts";
import { answered, at, list, streamed } from "../peer-bugs/scene.ts";
import { responseFrames, responseMessage, responseObject } from "../peer-bugs/wire-frames.ts";
import { responseToEvents } from "../shared/accumulate.ts";
import { call, end, start, text } from "../testing/responses-events-fixture.ts";
import { encodeStream } from "../testing/responses-fixture.ts";
import { checkStream } from "../testing/responses-grammar.ts";

describe("messages in a responses stream", () => {
  test("neighbouring texts are parts of one message, and a message ends where something else begins", () => {
    const { items } = checkStream(
      encodeStream([start, ...text("a", "1"), ...text("b", "2"), ...call("c", "f", ["{}"]), ...text("d", "3"), ...end]),
    );
    expect(items.map((item) => item.type)).toEqual(["message", "function_call", "message"]);
    expect(items[0]).toMatchObject({ content: [{ text: "1" }, { text: "2" }] });
  });

  test("S36 annotations come after the text they count in, with byte offsets turned into UTF-16", () => {
    const source = { kind: "url", url: "https://a.test", title: "A" } as const;
    const { items } = checkStream(
      encodeStream([
        start,
        { type: "part-start", candidate: 0, key: "t", part: { type: "text" } },
        { type: "part-delta", candidate: 0, key: "t", delta: { type: "citation", citation: { ...source } } },
        {
          type: "part-delta",
          candidate: 0,
          key: "t",
          delta: { type: "citation", citation: { ...source, start: 2, end: 6, unit: "byte" } },
        },
        { type: "part-delta", candidate: 0, key: "t", delta: { type: "text", text: "é😀!" } },
        { type: "part-stop", candidate: 0, key: "t" },
        ...end,
      ]),
    );
    expect(items).toMatchObject([
      {
        content: [
          {
            annotations: [
              { start_index: 0, end_index: 4 },
              { start_index: 1, end_index: 3 },
            ],
          },
        ],
      },
    ]);
  });

  test("lone surrogates and line separators survive", () => {
    const answer: CanonicalResponse = {
      candidates: [
        { index: 0, parts: [{ type: "text", text: "\ud800 \u2028 \n\n data: x" }], finish: { reason: "stop" } },
      ],
    };
    const { items } = checkStream(encodeStream(responseToEvents(answer)));
    expect(items).toMatchObject([{ content: [{ text: "\ud800 \u2028 \n\n data: x" }] }]);
  });

  test("H18 the phase of a message streams on, an unknown one too, and messages of two phases stay two", () => {
    const items = ["commentary", "final_answer", "brand_new", "brand_new"].map((phase, index) => ({
      ...responseMessage(`msg_${index}`, `Said ${index}.`),
      phase,
    }));
    const phases = (body: JsonObject) =>
      list(body, "output").map(({ phase, content }) => [phase, list(content).length]);
    const { whole, frames } = streamed("R->R", responseFrames(items));
    // Neighbours of one phase are one message in a stream.
    expect(phases(whole)).toEqual([
      ["commentary", 1],
      ["final_answer", 1],
      ["brand_new", 2],
    ]);
    const added = frames.filter(({ type }) => type === "response.output_item.added");
    expect(added.map((frame) => at(frame, "item", "phase"))).toEqual(["commentary", "final_answer", "brand_new"]);
    expect(phases(answered("R->R", responseObject(items))).map(([phase]) => phase)).toEqual(
      items.map(({ phase }) => phase),
    );
    expect(streamed("R->R", responseFrames([responseMessage("msg_1", "Hi")])).text).not.toContain('"phase"');
    // A host that answers a wish for a stream with a whole body.
    const terminalOnly = [{ type: "response.completed", response: responseObject(items.slice(0, 2)) }];
    expect(phases(streamed("R->R", terminalOnly).whole)).toEqual([
      ["commentary", 1],
      ["final_answer", 1],
    ]);
  });
});
