import { describe, expect, test } from "vitest";
import type { Part } from "../canonical/index.ts";
import { encode, input, refusedField } from "../testing/responses-request-fixture.ts";
import { text, user } from "../testing/turns-fixture.ts";

describe("responses media of a request", () => {
  test("M6 a plain-text document is text, headed by its title", () => {
    const document: Part = {
      type: "document",
      title: "T",
      source: { type: "text", text: "body", mediaType: "text/plain" },
    };
    expect(input(user(document))).toEqual([{ type: "message", role: "user", content: "T\n\nbody" }]);
  });

  test("M7 audio goes to models that take it and is refused by the others", () => {
    const audio: Part = { type: "audio", source: { type: "base64", mediaType: "audio/wav", data: "AAAA" }, at: "x[3]" };
    const turns = [user(text("a"), audio)];
    expect(encode({ turns }, "gpt-4o-audio-preview").body.input).toMatchObject([
      { content: [{}, { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } }] },
    ]);
    expect(refusedField(() => encode({ turns }))).toBe("x[3]");
  });
});
