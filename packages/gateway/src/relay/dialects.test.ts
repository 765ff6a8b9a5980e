import type { Dialect } from "@interlingua/protocols";
import { describe, expect, test } from "vitest";
import type { CapabilityEntry } from "../config/capability-entry.ts";
import { simChannel, startTestGateway } from "../testing/test-gateway.ts";

const chat = "/v1/chat/completions";
const asked = { model: "to-chat-completions", messages: [{ role: "user", content: "Hi" }] };

/** A gateway whose one channel speaks chat completions to a server of this make, and takes anything. */
const start = (dialect: Dialect | undefined, more: { lossy?: "refuse"; capabilities?: CapabilityEntry[] } = {}) =>
  startTestGateway({
    strict: false,
    ...(more.lossy ? { lossy: more.lossy } : {}),
    channels: (url) => [simChannel(url, "chat-completions", dialect === undefined ? {} : { dialect })],
    config: (base) => ({ ...base, capabilities: more.capabilities ?? [] }),
  });
type Started = Awaited<ReturnType<typeof start>>;
const sent = (test: Started) => Buffer.from(test.sim.requests.at(-1)?.body ?? []).toString();
const toldBy = (response: Response) => response.headers.get("x-interlingua-notices") ?? "";

describe("a chat client at a compatible server", () => {
  test("mistral: the body is edited in place, and the loss is told", async () => {
    await using gateway = await start("mistral");
    const response = await gateway.post(chat, { zeta: 1, ...asked, user: "u", max_completion_tokens: 9 });
    expect(response.status).toBe(200);
    expect(sent(gateway)).toBe(JSON.stringify({ zeta: 1, model: "sandbox", messages: asked.messages, max_tokens: 9 }));
    expect(toldBy(response)).toContain('"user"');
  });

  test("who wants no loss gets a 400 that names the field, and nothing is sent", async () => {
    await using gateway = await start("mistral", { lossy: "refuse" });
    const response = await gateway.post(chat, { ...asked, user: "u" });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param: "user", code: "lossy_conversion_refused" } });
    expect(gateway.sim.requests).toHaveLength(0);
  });

  test("groq: a field that the answer depends on is refused", async () => {
    await using gateway = await start("groq");
    const response = await gateway.post(chat, { ...asked, n: 2 });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param: "n" } });
  });

  test.each([undefined, "openai", "vllm"] as const)("%s: the bytes stay as they are", async (dialect) => {
    await using gateway = await start(dialect);
    const body = `{"model":"to-chat-completions", "user":"u","max_completion_tokens" : 9,"messages":[{"role":"user","content":"Hi"}]}`;
    const response = await gateway.post(chat, body);
    expect(response.status).toBe(200);
    expect(sent(gateway)).toBe(body.replace("to-chat-completions", "sandbox"));
    expect(toldBy(response)).toBe("");
  });

  test("mistral: a stream is not asked for the usage that it tells anyway", async () => {
    await using gateway = await start("mistral");
    await (await gateway.post(chat, { ...asked, stream: true })).text();
    expect(sent(gateway)).not.toContain("stream_options");
    await using other = await start("groq");
    await (await other.post(chat, { ...asked, stream: true })).text();
    expect(sent(other)).toContain('"stream_options":{"include_usage":true}');
  });
});

describe("a chat client of a model that thinks in its text", () => {
  const capabilities: CapabilityEntry[] = [
    { model: "sand*", protocol: "chat-completions", set: { thoughtsInText: "tagged" } },
  ];
  const content = "<think>Hm.</think>\n\nYes";
  const common = { id: "c", created: 1, model: "m" };
  const usage = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 };

  test("has the thoughts as reasoning, and a request that keeps what only its server knows", async () => {
    await using gateway = await start("vllm", { capabilities });
    const message = { role: "assistant", content };
    const body = JSON.stringify({ ...common, choices: [{ index: 0, message, finish_reason: "stop" }], usage });
    gateway.sim.setScript({ fault: { kind: "replay", contentType: "application/json", body } });
    const response = await gateway.post(chat, { ...asked, min_p: 0.1 });
    const answer = { content: "Yes", reasoning_content: "Hm." };
    expect(await response.json()).toMatchObject({ choices: [{ message: answer }], usage });
    expect(JSON.parse(sent(gateway))).toMatchObject({ model: "sandbox", min_p: 0.1 });
    expect(await gateway.calls()).toMatchObject([{ outcome: "succeeded", lane: "converted" }]);
  });

  test("has them in a stream, too", async () => {
    await using gateway = await start("vllm", { capabilities });
    const chunks = [...content].map((letter) => ({ delta: { content: letter }, finish_reason: null }));
    const frames = [...chunks, { delta: {}, finish_reason: "stop" }].map((choice) =>
      JSON.stringify({ ...common, object: "chat.completion.chunk", choices: [{ index: 0, ...choice }] }),
    );
    const body = [...frames, "[DONE]"].map((frame) => `data: ${frame}\n\n`).join("");
    gateway.sim.setScript({ fault: { kind: "replay", contentType: "text/event-stream", body } });
    const text = await (await gateway.post(chat, { ...asked, stream: true })).text();
    const all = (field: string) =>
      [...text.matchAll(new RegExp(`"${field}":"(.*?)"`, "g"))].map(([, piece]) => piece).join("");
    expect([all("reasoning_content"), all("content")]).toEqual(["Hm.", "Yes"]);
    expect(text).toMatch(/data: \[DONE\]\n\n$/);
  });

  test("passes through where the channel's model is another one", async () => {
    const other = capabilities.map((entry) => ({ ...entry, model: "other" }));
    await using gateway = await start("vllm", { capabilities: other });
    await gateway.post(chat, asked);
    expect(await gateway.calls()).toMatchObject([{ lane: "direct" }]);
  });
});

describe("a client of another protocol", () => {
  const message = { model: "to-chat-completions", max_tokens: 50, messages: [{ role: "user", content: "Hi" }] };

  test("the dialect says how its request is written", async () => {
    await using gateway = await start("vllm");
    await gateway.post("/v1/messages", { ...message, top_k: 7 });
    expect(JSON.parse(sent(gateway))).toMatchObject({ top_k: 7 });
    await using other = await start("groq");
    expect(toldBy(await other.post("/v1/messages", { ...message, top_k: 7 }))).toContain('"top_k"');
    expect(sent(other)).not.toContain("top_k");
  });

  test("an operator's word counts over both", async () => {
    const capabilities: CapabilityEntry[] = [
      { model: "sand*", protocol: "chat-completions", set: { topK: true, limitField: "max_completion_tokens" } },
      { model: "*", protocol: "messages", set: { maxOutput: 1 } },
    ];
    await using gateway = await start("groq", { capabilities });
    await gateway.post("/v1/messages", { ...message, top_k: 7 });
    expect(JSON.parse(sent(gateway))).toMatchObject({ top_k: 7, max_completion_tokens: 50 });
  });
});
