import OpenAI from "openai";
import OpenAI6 from "openai6";
import { describe, expect, it } from "vitest";
import type { CanonicalResponse } from "../canonical/index.ts";
import { canonicalError } from "../canonical/index.ts";
import { responseToEvents } from "../shared/accumulate.ts";
import { answerContext, encodeStream, minimalRequest } from "../testing/chat-completions-fixture.ts";
import { encodeErrorBody } from "./error.ts";
import { encodeResponse } from "./response-encoder.ts";

const answer: CanonicalResponse = {
  model: "m",
  candidates: [
    {
      index: 0,
      parts: [
        { type: "reasoning", text: "think", proof: { family: "anthropic", kind: "signature", value: "c2ln" } },
        { type: "text", text: "Both: ", citations: [{ kind: "url", url: "https://a.example" }] },
        { type: "tool-call", callId: "c1", name: "f", toolKind: "function", arguments: '{"city":"Oslo"}' },
        {
          type: "tool-call",
          callId: "c2",
          name: "f",
          toolKind: "function",
          arguments: "{}",
          proof: { family: "gemini", kind: "signature", value: "Z2Vt" },
        },
      ],
      finish: { reason: "tool" },
    },
  ],
  usage: { input: { uncached: 3 }, output: { total: 2 } },
};

const tools = [{ type: "function" as const, function: { name: "f", parameters: {} } }];
const request = { model: "m", messages: [{ role: "user" as const, content: "Hi" }], tools };

/** The client of two major versions, whose every call gets this body. Nothing goes over a network. */
function clients(body: string, contentType: string) {
  const options = {
    apiKey: "key",
    maxRetries: 0,
    fetch: async () => new Response(body, { headers: { "content-type": contentType } }),
  };
  const asked = { ...request, stream_options: { include_usage: true } };
  const seven = new OpenAI(options);
  const six = new OpenAI6(options);
  return [
    {
      version: "7",
      create: () => seven.chat.completions.create(request),
      gather: async () => {
        const done: string[] = [];
        const stream = seven.chat.completions.stream(asked);
        stream.on("tool_calls.function.arguments.done", (event) => done.push(event.arguments));
        return { done, final: await stream.finalChatCompletion() };
      },
    },
    {
      version: "6",
      create: () => six.chat.completions.create(request),
      gather: async () => {
        const done: string[] = [];
        const stream = six.chat.completions.stream(asked);
        stream.on("tool_calls.function.arguments.done", (event) => done.push(event.arguments));
        return { done, final: await stream.finalChatCompletion() };
      },
    },
  ];
}

const streamed = encodeStream(
  responseToEvents(answer),
  answerContext({ request: minimalRequest({ includeUsage: true }) }),
);
const broken = encodeStream([
  ...responseToEvents(answer).slice(0, 4),
  { type: "error", error: canonicalError("overloaded", "Busy.") },
]);

describe("the vendor's own client", () => {
  it.each(clients(streamed, "text/event-stream"))("version $version gathers a stream", async ({ gather }) => {
    const { done, final } = await gather();
    const [choice] = final.choices;
    expect(choice?.message.content).toBe("Both: ");
    expect(choice?.message.tool_calls).toMatchObject([
      { id: "c1", function: { name: "f", arguments: '{"city":"Oslo"}' } },
      { id: "c2", function: { name: "f", arguments: "{}" } },
    ]);
    expect(choice?.finish_reason).toBe("tool_calls");
    expect(done).toEqual(['{"city":"Oslo"}', "{}"]);
    expect(final.usage?.total_tokens).toBe(5);
  });

  it.each(clients(broken, "text/event-stream"))(
    "version $version throws on an error in a stream",
    async ({ gather }) => {
      await expect(gather()).rejects.toThrow("Busy.");
    },
  );

  it.each(clients(JSON.stringify(encodeResponse(answer, answerContext())), "application/json"))(
    "version $version reads a whole answer",
    async ({ create }) => {
      const got = await create();
      expect(got.choices[0]?.message.tool_calls).toHaveLength(2);
      expect(got.usage?.total_tokens).toBe(5);
    },
  );

  it("reads the four keys of an error", async () => {
    const body = JSON.stringify(
      encodeErrorBody(canonicalError("bad_request", "Bad.", { param: "n", code: "invalid_value" })),
    );
    const client = new OpenAI({ apiKey: "k", maxRetries: 0, fetch: async () => new Response(body, { status: 400 }) });
    await expect(client.chat.completions.create(request)).rejects.toMatchObject({
      status: 400,
      param: "n",
      code: "invalid_value",
      type: "invalid_request_error",
    });
  });
});
