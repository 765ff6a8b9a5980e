import { protocolNames } from "@interlingua/protocols";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clientCall } from "./testing/client-call.ts";
import { startTestGateway, type TestGateway } from "./testing/test-gateway.ts";

const script = { steps: [{ kind: "text", text: "One two three." }], usage: { input: 11, output: 7 } } as const;

const pairs = protocolNames.flatMap((client) => protocolNames.map((upstream) => [client, upstream] as const));

/** What ends a good stream of a family. */
const endOf = {
  "chat-completions": /data: \[DONE\]\n\n$/,
  responses: /event: response\.completed\ndata: .*\n\n$/,
  messages: /event: message_stop\ndata: .*\n\n$/,
  "generate-content": /"finishReason": ?"STOP".*\r?\n\r?\n$/s,
} as const;

describe("any protocol in, any model out", () => {
  let test: TestGateway;
  beforeAll(async () => {
    test = await startTestGateway({ script: { steps: [...script.steps], usage: script.usage } });
  });
  afterAll(() => test[Symbol.asyncDispose]());

  it.each(pairs)("%s to %s, whole", async (client, upstream) => {
    const { path, body } = clientCall(client, `to-${upstream}`, false);
    const response = await test.post(path, body);
    const text = await response.text();
    expect({ status: response.status, text }).toMatchObject({
      status: 200,
      text: expect.stringContaining("One two three."),
    });
    const id = response.headers.get("x-request-id");
    const call = (await test.calls()).find((each) => each.id === id);
    expect(call).toMatchObject({
      clientProtocol: client,
      upstreamProtocol: upstream,
      lane: client === upstream ? "direct" : "converted",
      channel: `sim-${upstream}`,
      model: `to-${upstream}`,
      upstreamModel: "sandbox",
      stream: false,
      status: 200,
      outcome: "succeeded",
      usage: { input: { uncached: 11 }, output: { total: 7 } },
    });
  });

  it.each(pairs)("%s to %s, streaming", async (client, upstream) => {
    const { path, body } = clientCall(client, `to-${upstream}`, true);
    if (client === "chat-completions") body.stream_options = { include_usage: true };
    const response = await test.post(path, body);
    const text = await response.text();
    expect({ status: response.status, type: response.headers.get("content-type"), text }).toMatchObject({
      status: 200,
      type: expect.stringContaining("text/event-stream"),
      text: expect.stringMatching(endOf[client]),
    });
    const id = response.headers.get("x-request-id");
    const call = (await test.calls()).find((each) => each.id === id);
    expect(call).toMatchObject({ stream: true, outcome: "succeeded", status: 200, usage: { output: { total: 7 } } });
  });

  it.each(protocolNames)("generateContent without alt=sse streams one JSON array, from %s", async (upstream) => {
    const { body } = clientCall("generate-content", "x", true);
    const response = await test.post(`/v1beta/models/to-${upstream}:streamGenerateContent`, body);
    const chunks: { candidates: { content: { parts: { text: string }[] } }[] }[] = JSON.parse(await response.text());
    const text = chunks.map((chunk) => chunk.candidates[0]?.content?.parts?.[0]?.text ?? "").join("");
    expect(text).toBe("One two three.");
  });
});

describe("the sandbox, without any configuration", () => {
  it("answers every family through every protocol", async () => {
    await using test = await startTestGateway({
      channels: () => [],
      config: (base) => ({
        ...base,
        channels: [
          {
            name: "sandbox",
            sandbox: true,
            protocols: protocolNames,
            status: "operational",
            models: [
              { id: "sandbox" },
              ...protocolNames.map((protocol) => ({ id: `sandbox-${protocol}`, protocols: [protocol] })),
            ],
          },
        ],
      }),
    });
    for (const client of protocolNames) {
      for (const model of ["sandbox", ...protocolNames.map((protocol) => `sandbox-${protocol}`)]) {
        const { path, body } = clientCall(client, model, true);
        const response = await test.post(path, body);
        expect({ status: response.status, text: await response.text() }).toMatchObject({
          status: 200,
          text: expect.stringContaining("imulated"),
        });
      }
    }
  });
});
