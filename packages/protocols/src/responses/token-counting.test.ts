import { describe, expect, test } from "vitest";
import { ProtocolError } from "../canonical/index.ts";
import { answerContext } from "../testing/responses-fixture.ts";
import { responses } from "./codec.ts";

describe("counting", () => {
  test("a count request is read without a model and written with the counter's own fields", () => {
    const context = { vault: answerContext().vault };
    const counted = responses.tokenCounting.decodeRequest({ input: "Hi", instructions: "S" }, {}, context);
    expect(responses.tokenCounting.encodeAnswer(7)).toEqual({ object: "response.input_tokens", input_tokens: 7 });
    const body = responses.tokenCounting.upstream?.encodeRequest(counted, { model: "m", stream: true });
    expect(body).toEqual({ model: "m", instructions: "S", input: [{ type: "message", role: "user", content: "Hi" }] });
    expect(responses.tokenCounting.upstream?.decodeAnswer({ input_tokens: 9 })).toBe(9);
    expect(() => responses.tokenCounting.upstream?.decodeAnswer({})).toThrow(ProtocolError);
  });
});
