import { describe, expect, it } from "vitest";
import type { Part, Turn } from "../canonical/index.ts";
import { call, encode, gemini, result, user } from "../testing/generate-content-request-fixture.ts";

describe("results (H5, T4, T15, T16, T17)", () => {
  it("all of a batch in one content, in the order of the calls, with names, apart from other parts", () => {
    const turns: Turn[] = [
      user,
      { role: "assistant", parts: [call("a", gemini("S")), { ...call("b"), name: "g" }] },
      {
        role: "user",
        parts: [{ type: "text", text: "and?" }, result("b", '{"x":1}'), { ...result("a", "bad"), isError: true }],
      },
    ];
    const { body } = encode({ turns });
    expect(body.contents).toMatchObject([
      {},
      {},
      {
        role: "user",
        parts: [
          { functionResponse: { id: "a", name: "f", response: { error: "bad" } } },
          { functionResponse: { id: "b", name: "g", response: { x: 1 } } },
        ],
      },
      { role: "user", parts: [{ text: "and?" }] },
    ]);
  });
  it("numbers that JSON would change stay text", () => {
    const turns: Turn[] = [
      user,
      { role: "assistant", parts: [call("a")] },
      { role: "user", parts: [result("a", '{"id":12345678901234567890}')] },
    ];
    expect(JSON.stringify(encode({ turns }).body)).toContain('{"output":"{\\"id\\":12345678901234567890}"}');
  });
  it("media stands inside on the newest models, behind the results on older ones", () => {
    const image: Part = { type: "image", source: { type: "base64", mediaType: "image/png", data: "AAAA" } };
    const shown: Part = {
      type: "tool-result",
      callId: "a",
      toolKind: "function",
      content: [{ type: "text", text: "see" }, image],
    };
    const turns: Turn[] = [user, { role: "assistant", parts: [call("a")] }, { role: "user", parts: [shown] }];
    const inlineData = { mimeType: "image/png", data: "AAAA" };
    expect(encode({ turns }).body.contents).toMatchObject([
      {},
      {},
      { parts: [{ functionResponse: { parts: [{ inlineData }] } }] },
    ]);
    const old = encode({ turns }, "gemini-2.5-flash");
    expect(old.body.contents).toMatchObject([
      {},
      {},
      { parts: [{ functionResponse: { name: "f" } }] },
      { parts: [{ text: "Output of tool call a:" }, { inlineData }] },
    ]);
    expect(JSON.stringify(old.body)).not.toContain('"id"');
  });
});
