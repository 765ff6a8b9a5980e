import fc from "fast-check";
import {
  type CanonicalResponse,
  type JsonObject,
  type Part,
  type Proof,
  type ProtocolName,
  protocolNames,
  type ToolCallPart,
} from "../canonical/index.ts";
import type { ProtocolCodec, RequestEnvelope } from "../codec.ts";
import { codecs } from "../codecs.ts";
import { proof, type ResponseOptions, reasoningPart, response, textPart, usage } from "./arbitraries.ts";
import { checkStream as checkChatCompletions } from "./chat-completions-grammar.ts";
import { checkStream as checkGenerateContent } from "./generate-content-grammar.ts";
import { checkStream as checkMessages } from "./messages-grammar.ts";
import { checkStream as checkResponses } from "./responses-grammar.ts";

/** One protocol as the laws over pairs see it, as a client and as an upstream. */
export interface Side {
  name: ProtocolName;
  codec: ProtocolCodec;
  /** An upstream model that takes the most. */
  model: string;
  /** Upstream models whose rules differ from each other. */
  models: readonly string[];
  /** A client's body that asks to see everything an answer may hold, and for `candidates` answers. */
  body(candidates: number, stream: boolean): JsonObject;
  envelope: RequestEnvelope;
  /** Whether a request may ask for several answers. */
  hasCandidates: boolean;
  /** Answers that an upstream of this protocol can give. */
  answers: fc.Arbitrary<CanonicalResponse>;
  /** The answer's whole body, put together from a whole stream as a client does it. */
  whole(text: string, candidates: number): JsonObject;
  /** Reads a whole stream as the strictest client does; throws on any departure from the grammar (L11). */
  verdict(text: string, candidates: number): "good" | "error";
}

/** What Gemini signs of a candidate: its first call, or its last text where it calls nothing. */
function signed(
  { candidates, ...answer }: CanonicalResponse,
  proofs: readonly (Proof | undefined)[],
): CanonicalResponse {
  return {
    ...answer,
    candidates: candidates.map((candidate, index) => {
      const value = proofs[index];
      const call = candidate.parts.findIndex((part) => part.type === "tool-call");
      const at = call === -1 ? candidate.parts.findLastIndex((part) => part.type === "text") : call;
      if (!value) return candidate;
      return { ...candidate, parts: candidate.parts.map((part, i) => (i === at ? { ...part, proof: value } : part)) };
    }),
  };
}

function answersSigned(options: ResponseOptions): fc.Arbitrary<CanonicalResponse> {
  const proofs = fc.array(fc.option(proof("gemini"), { nil: undefined }), { minLength: 3, maxLength: 3 });
  return fc.tuple(response(options), proofs).map(([answer, drawn]) => signed(answer, drawn));
}

/** An entry of `reasoning_details` with a proof of the server that wrote it. */
const detail = fc.tuple(textPart(), proof("openai")).map(
  ([{ text }, { value }]): Part => ({
    type: "reasoning",
    text,
    proof: {
      family: "chat-completions",
      kind: "signature",
      value: JSON.stringify({ type: "reasoning.text", signature: value, format: "x-v1", index: 0 }),
    },
  }),
);

const chatCompletions: Side = {
  name: "chat-completions",
  codec: codecs["chat-completions"],
  model: "some-model",
  models: ["some-model", "gpt-4.1", "gpt-5.6", "deepseek-chat", "mistral-large"],
  body: (candidates, stream) => ({
    model: "m",
    messages: [{ role: "user", content: "Hi" }],
    ...(candidates > 1 ? { n: candidates } : {}),
    ...(stream ? { stream, stream_options: { include_usage: true } } : {}),
  }),
  envelope: {},
  hasCandidates: true,
  answers: response({
    reasoning: fc.oneof(reasoningPart({ family: "openai", content: "text", proof: "never" }), detail),
    candidates: true,
    finishes: ["stop", "length", "filter"],
    usage: usage({ cacheRead: true, cacheWrite: true, reasoning: true }),
    serviceTier: true,
  }),
  verdict(text, candidates) {
    // Usage was asked for; where the upstream never told it there is no usage chunk.
    const told = /^data: .*"choices":\[\],"usage":\{/m.test(text);
    const { ended } = checkChatCompletions(text, { candidates, ...(told ? { usage: true } : {}) });
    if (ended === "open") throw new Error("The stream just stops.");
    return ended === "done" ? "good" : "error";
  },
  whole(text, candidates) {
    const { choices } = checkChatCompletions(text, { candidates });
    return {
      choices: choices.map(({ index, content, refusal, reasoning, reasoningDetails, logprobs, toolCalls, finish }) => ({
        index,
        finish_reason: finish ?? null,
        ...(logprobs.length > 0 ? { logprobs: { content: logprobs } } : {}),
        message: {
          role: "assistant",
          content: content === "" ? null : content,
          ...(refusal === "" ? {} : { refusal }),
          ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
          ...(reasoningDetails.length > 0 ? { reasoning_details: reasoningDetails } : {}),
          ...(toolCalls.length > 0
            ? {
                tool_calls: toolCalls.map((call) => ({
                  id: call.id,
                  type: call.type,
                  ...(call.type === "custom"
                    ? { custom: { name: call.name, input: call.arguments } }
                    : { function: { name: call.name, arguments: call.arguments } }),
                  ...(call.extra === undefined ? {} : { extra_content: call.extra }),
                })),
              }
            : {}),
        },
      })),
    };
  },
};

const responses: Side = {
  name: "responses",
  codec: codecs.responses,
  model: "some-model",
  models: ["some-model", "gpt-4.1", "gpt-5.6", "o3"],
  body: (_candidates, stream) => ({
    model: "m",
    input: "Hi",
    store: false,
    include: ["reasoning.encrypted_content"],
    reasoning: { summary: "auto" },
    ...(stream ? { stream } : {}),
  }),
  envelope: {},
  hasCandidates: false,
  answers: response({
    reasoning: reasoningPart({ family: "openai", content: "summary", proof: "sometimes", kind: "encrypted" }),
    finishes: ["stop", "length", "filter"],
    usage: usage({ cacheRead: true, cacheWrite: true, reasoning: true }),
    serviceTier: true,
  }),
  verdict(text) {
    const { end } = checkResponses(text);
    return end === "completed" || end === "incomplete" ? "good" : "error";
  },
  whole: (text) => checkResponses(text).terminal,
};

const messages: Side = {
  name: "messages",
  codec: codecs.messages,
  model: "some-model",
  models: ["some-model", "claude-sonnet-4-5", "claude-opus-4-8", "claude-3-5-haiku", "claude-opus-5-5"],
  body: (_candidates, stream) => ({
    model: "m",
    max_tokens: 4000,
    messages: [{ role: "user", content: "Hi" }],
    thinking: { type: "adaptive", display: "summarized" },
    ...(stream ? { stream } : {}),
  }),
  envelope: {},
  hasCandidates: false,
  answers: response({
    reasoning: fc.oneof(
      reasoningPart({ family: "anthropic", content: "text", proof: "always" }),
      proof("anthropic", "redacted").map((value): Part => ({ type: "reasoning", proof: value })),
    ),
    finishes: ["stop", "length", "stop_sequence", "context", "refusal", "paused"],
    usage: usage({ cacheRead: true, cacheLifetimes: true }),
  }),
  verdict: (text) => (checkMessages(text).error ? "error" : "good"),
  whole: (text) => checkMessages(text).message ?? {},
};

const generateContent: Side = {
  name: "generate-content",
  codec: codecs["generate-content"],
  model: "gemini-3-flash",
  models: ["gemini-3-flash", "gemini-2.5-pro", "gemini-2.0-flash"],
  body: (candidates) => ({
    contents: [{ role: "user", parts: [{ text: "Hi" }] }],
    generationConfig: {
      thinkingConfig: { includeThoughts: true },
      ...(candidates > 1 ? { candidateCount: candidates } : {}),
    },
  }),
  envelope: { model: "m" },
  hasCandidates: true,
  answers: answersSigned({
    reasoning: textPart().map(({ text }): Part => ({ type: "reasoning", summary: [text] })),
    candidates: true,
    finishes: ["stop", "length", "filter", "recitation", "other"],
    usage: usage({ cacheRead: true, toolPrompt: true, reasoning: true }),
  }),
  verdict: (text) => (checkGenerateContent(text).error ? "error" : "good"),
  whole: (text) => checkGenerateContent(text).response ?? {},
};

export const sides: Readonly<Record<ProtocolName, Side>> = {
  "chat-completions": chatCompletions,
  responses,
  messages,
  "generate-content": generateContent,
};

/** An ordered pair of a client's protocol and an upstream's. */
export interface Pair {
  /** `messages -> responses`: names the test. */
  name: string;
  client: Side;
  upstream: Side;
}

/** All sixteen pairs, or the twelve that cross. */
export function pairs(which: "all" | "crossing" = "all"): Pair[] {
  return protocolNames.flatMap((client) =>
    protocolNames
      .filter((upstream) => which === "all" || upstream !== client)
      .map((upstream) => ({ name: `${client} -> ${upstream}`, client: sides[client], upstream: sides[upstream] })),
  );
}

/** The calls of a list of parts. */
export function callsOf(parts: readonly Part[]): ToolCallPart[] {
  return parts.filter((part) => part.type === "tool-call");
}
