import type { JsonObject, ProtocolName } from "@interlingua/protocols";
import type { Caller } from "../recordings/read-back.ts";
import { wholeAnswer } from "../recordings/whole.ts";

/** An answer as it lies on the wire, put together where it streamed. */
export interface RawAnswer {
  status: number;
  headers: Headers;
  /** The whole answer or the error body; undefined where a stream failed or was cut. */
  answer: JsonObject | undefined;
  text: string;
}

/** The least that each protocol asks of a request. */
const least: Record<ProtocolName, JsonObject> = {
  "chat-completions": { messages: [{ role: "user", content: "Hello" }] },
  responses: { input: [{ role: "user", content: "Hello" }] },
  messages: { max_tokens: 4096, messages: [{ role: "user", content: "Hello" }] },
  "generate-content": { contents: [{ role: "user", parts: [{ text: "Hello" }] }] },
};

const paths: Record<Exclude<ProtocolName, "generate-content">, string> = {
  "chat-completions": "/v1/chat/completions",
  responses: "/v1/responses",
  messages: "/v1/messages",
};

/** Sends one request by hand: `fields` on top of the least that the protocol asks for. */
export async function askRaw(
  caller: Caller,
  protocol: ProtocolName,
  model: string,
  stream: boolean,
  fields: JsonObject,
  headers: Record<string, string> = {},
): Promise<RawAnswer> {
  const gemini = protocol === "generate-content";
  const path = gemini
    ? `/v1beta/models/${model}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`
    : paths[protocol];
  const usage = protocol === "chat-completions" && stream ? { stream_options: { include_usage: true } } : {};
  const body = {
    ...(gemini ? {} : { model, ...(stream ? { stream: true } : {}) }),
    ...usage,
    ...least[protocol],
    ...fields,
  };
  const answer = await fetch(caller.url + path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(gemini ? { "x-goog-api-key": caller.key } : { authorization: `Bearer ${caller.key}` }),
      ...(protocol === "messages" ? { "anthropic-version": "2023-06-01" } : {}),
      ...headers,
    },
    body: JSON.stringify(body),
  });
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const text = new TextDecoder().decode(bytes);
  const streamed = answer.headers.get("content-type")?.includes("text/event-stream");
  return {
    status: answer.status,
    headers: answer.headers,
    answer: streamed ? wholeStream(protocol, bytes) : (JSON.parse(text) as JsonObject),
    text,
  };
}

/** `wholeAnswer` and the deltas it leaves out: what these tests look for beyond the recordings' facts. */
function wholeStream(protocol: ProtocolName, bytes: Uint8Array): JsonObject | undefined {
  const whole = wholeAnswer(protocol, bytes);
  if (!whole) return undefined;
  // biome-ignore lint/suspicious/noExplicitAny: wire JSON is read as it lies
  const events: any[] = new TextDecoder()
    .decode(bytes)
    .split("\n")
    .filter((line) => line.startsWith("data: {"))
    .map((line) => JSON.parse(line.slice(6)));
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const answer: any = whole;
  if (protocol === "chat-completions") {
    const deltas = events.map((event) => event.choices?.[0]?.delta ?? {});
    const message = answer.choices[0].message;
    const reasoning = deltas.map((delta) => delta.reasoning_content ?? "").join("");
    if (reasoning) message.reasoning_content = reasoning;
    const annotations = deltas.flatMap((delta) => delta.annotations ?? []);
    if (annotations.length > 0) message.annotations = annotations;
    const details = deltas.flatMap((delta) => delta.reasoning_details ?? []);
    if (details.length > 0) message.reasoning_details = details;
    for (const entry of deltas.flatMap((delta) => delta.tool_calls ?? [])) {
      const call = message.tool_calls[entry.index];
      call.id ??= entry.id;
      call.type ??= entry.type;
      if (entry.extra_content) call.extra_content = entry.extra_content;
    }
  }
  if (protocol === "messages") {
    for (const event of events.filter((candidate) => candidate.type === "content_block_delta")) {
      const block = answer.content[event.index];
      if (event.delta.type === "thinking_delta") block.thinking += event.delta.thinking;
      if (event.delta.type === "signature_delta") block.signature = event.delta.signature;
      if (event.delta.type === "citations_delta") block.citations = [...(block.citations ?? []), event.delta.citation];
    }
  }
  if (protocol === "generate-content") {
    const candidate = answer.candidates?.[0];
    for (const event of events)
      Object.assign(candidate ?? {}, pick(event.candidates?.[0], ["groundingMetadata", "citationMetadata"]));
  }
  return answer;
}

const pick = (source: JsonObject | undefined, keys: string[]): JsonObject =>
  Object.fromEntries(keys.filter((key) => source?.[key] !== undefined).map((key) => [key, source?.[key]]));
