import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { simChannel, startTestGateway, type TestGateway, testKey } from "../testing/test-gateway.ts";

let test: TestGateway;
beforeAll(async () => {
  test = await startTestGateway({
    channels: (url) => [
      simChannel(url, "messages", { name: "one", models: [{ id: "m", upstreamId: "sandbox" }, { id: "claude-*" }] }),
      simChannel(url, "chat-completions", { name: "two", models: [{ id: "c", upstreamId: "sandbox" }, { id: "m" }] }),
      simChannel(url, "messages", { name: "off", status: "disabled", models: [{ id: "hidden" }] }),
    ],
  });
});
afterAll(() => test[Symbol.asyncDispose]());

const get = async (path: string, headers: Record<string, string> = { authorization: `Bearer ${testKey}` }) => {
  const response = await fetch(test.address + path, { headers });
  return { status: response.status, body: await response.json() };
};

describe("the model list in the caller's own shape", () => {
  it("OpenAI", async () => {
    const { body } = await get("/v1/models");
    expect(body).toMatchObject({
      object: "list",
      data: [
        { id: "m", object: "model", owned_by: "one" },
        { id: "c", object: "model", owned_by: "two" },
      ],
    });
    expect(await get("/models")).toMatchObject({ status: 200 });
  });

  it("Anthropic, by the version header", async () => {
    const { body } = await get("/v1/models?limit=1000", { "x-api-key": testKey, "anthropic-version": "2023-06-01" });
    expect(body).toMatchObject({ data: [{ type: "model", id: "m" }, { id: "c" }], has_more: false });
  });

  it.each([
    ["/v1beta/models", { "x-goog-api-key": testKey }],
    ["/v1/models", { "x-goog-api-key": testKey }],
    [`/v1/models?key=${testKey}`, {}],
    ["/v1/models", { authorization: `Bearer ${testKey}`, "x-goog-api-client": "sdk" }],
  ])("Gemini at %s", async (path, headers) => {
    const { body } = await get(path, headers);
    expect(body).toMatchObject({ models: [{ name: "models/m" }, { name: "models/c" }] });
  });

  it("wants a key", async () => {
    expect((await get("/v1/models", {})).status).toBe(401);
  });
});

describe("one model", () => {
  it("in each shape, listed or behind a pattern", async () => {
    expect((await get("/v1/models/m")).body).toMatchObject({ id: "m", object: "model" });
    expect((await get("/v1/models/claude-x")).body).toMatchObject({ id: "claude-x" });
    expect((await get("/v1beta/models/m", { "x-goog-api-key": testKey })).body).toMatchObject({ name: "models/m" });
  });

  it("that does not exist or is switched off is a 404", async () => {
    for (const id of ["nothing", "hidden"]) expect((await get(`/v1/models/${id}`)).status).toBe(404);
  });
});

describe("token counts", () => {
  const messages = [{ role: "user", content: "Hello, how many tokens is this?" }];
  const answer = async (response: Response) => ({
    status: response.status,
    estimated: response.headers.get("x-interlingua-estimated"),
    body: await response.json(),
  });

  it("by the upstream's own counter", async () => {
    const counted = await answer(await test.post("/v1/messages/count_tokens", { model: "m", messages }));
    expect(counted).toEqual({ status: 200, estimated: null, body: { input_tokens: expect.any(Number) } });
    const gemini = await answer(
      await test.post("/v1beta/models/m:countTokens", { contents: [{ role: "user", parts: [{ text: "Hello" }] }] }),
    );
    expect(gemini).toMatchObject({ status: 200, estimated: null, body: { totalTokens: expect.any(Number) } });
  });

  it("by a marked estimate where there is none", async () => {
    const counted = await answer(await test.post("/v1/messages/count_tokens", { model: "c", messages }));
    expect(counted).toMatchObject({ status: 200, estimated: "true", body: { input_tokens: expect.any(Number) } });
    const openai = await answer(await test.post("/v1/responses/input_tokens", { model: "c", input: "Hello" }));
    expect(openai).toMatchObject({ status: 200, estimated: "true", body: { input_tokens: expect.any(Number) } });
  });

  it("says what is wrong", async () => {
    const missing = await answer(await test.post("/v1/messages/count_tokens", { model: "nothing", messages }));
    expect(missing.status).toBe(404);
    const broken = await answer(await test.post("/v1/messages/count_tokens", { model: "m" }));
    expect(broken).toMatchObject({ status: 400, body: { type: "error" } });
  });
});
