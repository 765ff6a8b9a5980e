import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import type { JsonObject, ProtocolName } from "@interlingua/protocols";
import OpenAI from "openai";
import { wholeGeneration } from "./whole.ts";

/** Where and as whom a client calls. */
export interface Caller {
  /** The gateway's address, without a path. */
  url: string;
  key: string;
}

/** Asks one small thing with the vendor's own SDK and gives the whole answer as the SDK read it. */
export type ReadBack = (caller: Caller, model: string, stream: boolean) => Promise<JsonObject>;

/** The SDK's own object, seen as the JSON that it stands for. */
const plain = (answer: unknown): JsonObject => JSON.parse(JSON.stringify(answer)) as JsonObject;

const user = [{ role: "user" as const, content: "Go on." }];

export const readBack: Record<ProtocolName, ReadBack> = {
  async "chat-completions"(caller, model, stream) {
    const client = new OpenAI({ apiKey: caller.key, baseURL: `${caller.url}/v1`, maxRetries: 0 });
    if (!stream) return plain(await client.chat.completions.create({ model, messages: user }));
    const answer = client.chat.completions.stream({ model, messages: user, stream_options: { include_usage: true } });
    return plain(await answer.finalChatCompletion());
  },
  async responses(caller, model, stream) {
    const client = new OpenAI({ apiKey: caller.key, baseURL: `${caller.url}/v1`, maxRetries: 0 });
    const answer = stream
      ? await client.responses.stream({ model, input: user }).finalResponse()
      : await client.responses.create({ model, input: user });
    if (answer.status === "failed") throw new Error(answer.error?.message ?? "failed");
    return plain(answer);
  },
  async messages(caller, model, stream) {
    const client = new Anthropic({ apiKey: caller.key, baseURL: caller.url, maxRetries: 0 });
    const request = { model, max_tokens: 1024, messages: user };
    return plain(stream ? await client.messages.stream(request).finalMessage() : await client.messages.create(request));
  },
  async "generate-content"(caller, model, stream) {
    const client = new GoogleGenAI({ apiKey: caller.key, httpOptions: { baseUrl: caller.url } });
    const request = { model, contents: "Go on." };
    if (!stream) return plain(await client.models.generateContent(request));
    const chunks: JsonObject[] = [];
    for await (const chunk of await client.models.generateContentStream(request)) chunks.push(plain(chunk));
    const answer = wholeGeneration(chunks);
    if (!answer) throw new Error("the stream has no finish reason");
    return answer;
  },
};
