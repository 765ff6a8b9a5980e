import { protocolNames } from "@interlingua/protocols";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";

let test: TestGateway;
beforeAll(async () => {
  test = await startTestGateway();
});
afterAll(() => test[Symbol.asyncDispose]());

const parameters = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const written = {
  input: [{ role: "user", content: [{ type: "input_text", text: "Read it." }] }],
  tools: [
    { type: "function", name: "read_file", parameters },
    { type: "custom", name: "apply_patch", description: "Takes a patch." },
  ],
  tool_choice: { type: "function", name: "read_file" },
  max_output_tokens: 500,
};
const call = { kind: "tool-call", name: "read_file", arguments: { path: "a.txt" } } as const;

describe("a body of the responses protocol at the address of chat completions is answered as chat (5.6)", () => {
  it.each(protocolNames)("from %s, whole", async (upstream) => {
    test.sim.setScript({ steps: [call] });
    const response = await test.post("/v1/chat/completions", { model: `to-${upstream}`, ...written });
    const body = await response.text();
    expect(response.status, body).toBe(200);
    const { object, choices, usage } = JSON.parse(body);
    expect(object).toBe("chat.completion");
    expect(choices[0].finish_reason).toBe("tool_calls");
    expect(choices[0].message.tool_calls[0].function).toEqual({ name: "read_file", arguments: '{"path":"a.txt"}' });
    expect(usage.total_tokens).toBeGreaterThan(0);
    expect(test.sim.requests.at(-1)?.route).toMatchObject({ kind: "generate", protocol: upstream });
  });

  it.each(protocolNames)("from %s, in a stream", async (upstream) => {
    test.sim.setScript({ steps: [call] });
    const response = await test.post("/v1/chat/completions", { model: `to-${upstream}`, ...written, stream: true });
    const body = await response.text();
    expect(response.status, body).toBe(200);
    expect(body).toContain('"object":"chat.completion.chunk"');
    expect(body).toContain('"finish_reason":"tool_calls"');
    expect(body.trimEnd().endsWith("data: [DONE]")).toBe(true);
    expect(body).not.toContain("response.created");
  });

  it("its mistakes are told in its own words, in the shape of chat", async () => {
    const response = await test.post("/v1/chat/completions", {
      model: "to-messages",
      ...written,
      max_output_tokens: "many",
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param: "max_output_tokens" } });
  });

  it("what is lost of it is told by its own fields", async () => {
    test.sim.setScript({ steps: [call] });
    const body = { model: "to-messages", ...written, tool_choice: "auto", text: { verbosity: "low" } };
    const response = await test.post("/v1/chat/completions", body);
    expect(response.status).toBe(200);
    const notices = JSON.parse(response.headers.get("x-interlingua-notices") ?? "[]");
    expect(notices).toContainEqual(expect.objectContaining({ field: "text.verbosity", verdict: "dropped" }));
  });

  it("a body with neither is a chat request without messages", async () => {
    const response = await test.post("/v1/chat/completions", { model: "to-messages" });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param: "messages" } });
  });
});
