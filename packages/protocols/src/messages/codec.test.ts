import { describe, expect, test } from "vitest";
import { plainVault } from "../shared/vault.ts";
import { messages } from "./codec.ts";

describe("endpoint", () => {
  test("path and headers towards an upstream go with the sampling settings that a converted request may hold (P6)", () => {
    expect(messages.path("claude-sonnet-5", true)).toBe("/v1/messages");
    expect(messages.headers("sk-1")).toEqual({ "x-api-key": "sk-1", "anthropic-version": "2023-06-01" });
  });
});

describe("model list", () => {
  const card = { id: "claude-sonnet-5", createdAt: 1_760_000_000, ownedBy: "anthropic" };

  test("an entry has every key that the vendor writes, because its SDKs' models demand them", () => {
    expect(messages.encodeModel(card)).toEqual({
      id: "claude-sonnet-5",
      type: "model",
      display_name: "claude-sonnet-5",
      created_at: "2025-10-09T08:53:20Z",
      lifecycle: "active",
      deprecated_at: null,
      retires_at: null,
      line: null,
      capabilities: null,
      max_input_tokens: null,
      max_tokens: null,
    });
    expect(
      messages.encodeModel({ ...card, displayName: "Sonnet", maxInputTokens: 9, maxOutputTokens: 8 }),
    ).toMatchObject({
      display_name: "Sonnet",
      max_input_tokens: 9,
      max_tokens: 8,
    });
  });

  test("a page names its ends, and an empty one has none", () => {
    expect(messages.encodeModelList([card, { ...card, id: "b" }])).toMatchObject({
      has_more: false,
      first_id: "claude-sonnet-5",
      last_id: "b",
    });
    expect(messages.encodeModelList([])).toEqual({ data: [], has_more: false, first_id: null, last_id: null });
  });
});

describe("token counting", () => {
  const { tokenCounting } = messages;
  const body = { model: "m", messages: [{ role: "user", content: "x" }], system: "s" };

  test("a count needs no output limit, and keeps the other rules", () => {
    const request = tokenCounting.decodeRequest(body, {}, { vault: plainVault() });
    expect(request.turns).toHaveLength(2);
    expect(() => tokenCounting.decodeRequest({ model: "m" }, {}, { vault: plainVault() })).toThrow("messages");
  });

  test("33 the vendor's counter gets no field that it refuses", () => {
    const request = tokenCounting.decodeRequest(
      { ...body, temperature: 0.5, stream: true, metadata: { user_id: "u" } },
      {},
      { vault: plainVault() },
    );
    const encoded = tokenCounting.upstream?.encodeRequest(request, { model: "claude-sonnet-4-5", stream: false });
    expect(Object.keys(encoded ?? {})).toEqual(["model", "messages", "system"]);
    expect(tokenCounting.upstream?.path("m")).toBe("/v1/messages/count_tokens");
  });

  test("answers", () => {
    expect(tokenCounting.encodeAnswer(7)).toEqual({ input_tokens: 7 });
    expect(tokenCounting.upstream?.decodeAnswer({ input_tokens: 7 })).toBe(7);
    expect(() => tokenCounting.upstream?.decodeAnswer({})).toThrow("input_tokens");
  });
});
