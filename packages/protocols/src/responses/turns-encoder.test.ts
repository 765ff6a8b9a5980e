import { describe, expect, test } from "vitest";
import type { Part } from "../canonical/index.ts";
import { encode, input } from "../testing/responses-request-fixture.ts";
import { assistant, call, result, text, user } from "../testing/turns-fixture.ts";

describe("responses turns of a request", () => {
  test("pair 1 system turns of other protocols stay items in their place", () => {
    expect(
      input(
        { role: "system", parts: [text("S")] },
        user(text("a")),
        { role: "developer", parts: [text("D")] },
        user(text("b")),
      ),
    ).toEqual([
      { type: "message", role: "system", content: "S" },
      { type: "message", role: "user", content: "a" },
      { type: "message", role: "developer", content: "D" },
      { type: "message", role: "user", content: "b" },
    ]);
  });

  test("T2 a call id that is too long is cut alike in call and result", () => {
    const long = `call_${"x".repeat(116)}`;
    const items = input(user(text("a")), assistant(call(long)), user(result(long, text("r"))));
    const ids = Array.isArray(items)
      ? items.slice(1).map((item) => (item && typeof item === "object" && "call_id" in item ? item.call_id : ""))
      : [];
    expect(ids[0]).toBe(ids[1]);
    expect(String(ids[0]).length).toBeLessThanOrEqual(64);
  });

  test("T15 a result keeps its images, T16 an error begins with its word", () => {
    const image: Part = { type: "image", source: { type: "base64", mediaType: "image/png", data: "AAAA" } };
    const error: Part = {
      type: "tool-result",
      callId: "2",
      toolKind: "function",
      content: [text("no")],
      isError: true,
    };
    expect(
      input(user(text("a")), assistant(call("1"), call("2")), user(result("1", text("see"), image), error)),
    ).toMatchObject([
      {},
      {},
      {},
      {
        type: "function_call_output",
        output: [
          { type: "input_text", text: "see" },
          { type: "input_image", image_url: "data:image/png;base64,AAAA", detail: "auto" },
        ],
      },
      { type: "function_call_output", output: "Error: no" },
    ]);
  });

  test("an assistant's message in parts has the vendor's full form, with an id that its place gives", () => {
    const items = input(user(text("a")), assistant(text("b"), text("c")), user(text("d")));
    expect(items).toMatchObject([
      {},
      {
        id: "msg_1",
        status: "completed",
        role: "assistant",
        content: [{ type: "output_text", text: "b", annotations: [] }, { text: "c" }],
      },
      {},
    ]);
  });

  describe("reasoning that the vendor would refuse in a damaged history", () => {
    const thought: Part = {
      type: "reasoning",
      summary: ["S"],
      proof: { family: "openai", kind: "encrypted", value: "E", itemId: "rs_1" },
    };
    const types = (items: unknown) => (Array.isArray(items) ? items.map(({ type }) => type) : []);

    test("what has nothing of the model's behind it, over several turns, is left out", () => {
      expect(types(input(user(text("a")), assistant(thought), assistant(thought), user(text("b"))))).toEqual([
        "message",
        "message",
      ]);
      expect(types(input(user(text("a")), assistant(thought), assistant(text("b")), user(text("c"))))).toEqual([
        "message",
        "reasoning",
        "message",
        "message",
      ]);
    });

    test("what stands twice is sent once, and told", () => {
      const doubled = assistant(thought, text("b"));
      const { body, notices } = encode({ turns: [user(text("a")), doubled, doubled, user(text("c"))] });
      expect(types(body.input)).toEqual(["message", "reasoning", "message", "message", "message"]);
      expect(notices).toMatchObject([{ field: "input", verdict: "dropped" }]);
    });
  });
});
