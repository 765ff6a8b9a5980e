import type { JsonObject, ProtocolName } from "@interlingua/protocols";
import type { Script } from "@interlingua/upstream-sim";
import type { Wire } from "./request-features/feature.ts";

type PerProtocol<T> = Partial<Record<ProtocolName, T>>;

/**
 * Something a model can answer. `script` makes the simulated provider answer it; `seen` tells whether a client's whole
 * answer holds it. `cannot`: upstream protocols that have no words for it. `limits`: client protocols that have none,
 * with what becomes of it; the test proves that too, by `seen` being false.
 */
export interface AnswerFeature {
  title: string;
  script: Script;
  /** What the client asks for, where an answer shows it only on demand. */
  ask?: PerProtocol<JsonObject>;
  seen: PerProtocol<(answer: Wire) => boolean>;
  cannot?: PerProtocol<string>;
  limits?: PerProtocol<{ verdict: "approximated" | "dropped"; reason: string }>;
}

const messageOf = (answer: Wire) => answer.choices[0].message;
const items = (answer: Wire, type: string) => answer.output.filter((item: Wire) => item.type === type);
const blocks = (answer: Wire, type: string) => answer.content.filter((block: Wire) => block.type === type);
const parts = (answer: Wire) => answer.candidates?.[0]?.content?.parts ?? [];
const holds =
  (needle: string) =>
  (answer: Wire): boolean =>
    JSON.stringify(answer).includes(needle);

const oslo = { kind: "tool-call", name: "get_weather", arguments: { city: "Oslo" } } as const;
const rome = { kind: "tool-call", name: "get_weather", arguments: { city: "Rome" } } as const;

export const answerFeatures: readonly AnswerFeature[] = [
  {
    title: "text",
    script: { steps: [{ kind: "text", text: "Snow 雪 and 🌨 in Oslo." }] },
    seen: {
      "chat-completions": (answer) =>
        messageOf(answer).content === "Snow 雪 and 🌨 in Oslo." && answer.choices[0].finish_reason === "stop",
      responses: (answer) =>
        items(answer, "message")[0].content[0].text === "Snow 雪 and 🌨 in Oslo." && answer.status === "completed",
      messages: (answer) =>
        blocks(answer, "text")[0].text === "Snow 雪 and 🌨 in Oslo." && answer.stop_reason === "end_turn",
      "generate-content": (answer) =>
        parts(answer)
          .map((part: Wire) => part.text)
          .join("") === "Snow 雪 and 🌨 in Oslo." && answer.candidates[0].finishReason === "STOP",
    },
  },
  {
    title: "one tool call",
    script: { steps: [{ kind: "text", text: "Looking." }, oslo] },
    seen: {
      "chat-completions": (answer) =>
        JSON.parse(messageOf(answer).tool_calls[0].function.arguments).city === "Oslo" &&
        answer.choices[0].finish_reason === "tool_calls",
      responses: (answer) => JSON.parse(items(answer, "function_call")[0].arguments).city === "Oslo",
      messages: (answer) => blocks(answer, "tool_use")[0].input.city === "Oslo" && answer.stop_reason === "tool_use",
      "generate-content": (answer) => parts(answer).some((part: Wire) => part.functionCall?.args?.city === "Oslo"),
    },
  },
  {
    title: "parallel tool calls",
    script: { steps: [oslo, rome] },
    seen: {
      "chat-completions": (answer) =>
        messageOf(answer).tool_calls.length === 2 &&
        new Set(messageOf(answer).tool_calls.map((call: Wire) => call.id)).size === 2,
      responses: (answer) => items(answer, "function_call").length === 2,
      messages: (answer) => blocks(answer, "tool_use").length === 2,
      "generate-content": (answer) => parts(answer).filter((part: Wire) => part.functionCall).length === 2,
    },
  },
  {
    title: "reasoning text",
    ask: {
      "chat-completions": { reasoning_effort: "high" },
      responses: { reasoning: { effort: "high", summary: "auto" } },
      messages: { thinking: { type: "adaptive", display: "summarized" } },
      "generate-content": { generationConfig: { thinkingConfig: { includeThoughts: true } } },
    },
    script: {
      steps: [
        { kind: "reasoning", text: "Thinking of snow." },
        { kind: "text", text: "Snow." },
      ],
      chatReasoning: "reasoning_content",
    },
    seen: {
      "chat-completions": (answer) =>
        messageOf(answer).reasoning_content === "Thinking of snow." && messageOf(answer).content === "Snow.",
      responses: (answer) => holds("Thinking of snow.")(items(answer, "reasoning")),
      messages: (answer) =>
        blocks(answer, "thinking")[0].thinking === "Thinking of snow." &&
        blocks(answer, "thinking")[0].signature !== undefined,
      "generate-content": (answer) =>
        parts(answer)
          .filter((part: Wire) => part.thought === true)
          .map((part: Wire) => part.text)
          .join("")
          .includes("Thinking of snow."),
    },
  },
  {
    title: "refusal",
    script: { steps: [{ kind: "refusal", text: "I will not." }], finish: "refusal" },
    seen: {
      "chat-completions": (answer) =>
        messageOf(answer).refusal === "I will not." || answer.choices[0].finish_reason === "content_filter",
      responses: (answer) =>
        holds('"refusal"')(answer.output) || answer.incomplete_details?.reason === "content_filter",
      messages: (answer) => answer.stop_reason === "refusal",
      "generate-content": (answer) => answer.candidates?.[0]?.finishReason === "SAFETY" || holds("I will not.")(answer),
    },
  },
  {
    title: "finish: output limit",
    script: { steps: [{ kind: "text", text: "Snow and" }], finish: "length" },
    seen: {
      "chat-completions": (answer) => answer.choices[0].finish_reason === "length",
      responses: (answer) => answer.status === "incomplete" && answer.incomplete_details.reason === "max_output_tokens",
      messages: (answer) => answer.stop_reason === "max_tokens",
      "generate-content": (answer) => answer.candidates[0].finishReason === "MAX_TOKENS",
    },
  },
  {
    title: "finish: content filter",
    script: { steps: [{ kind: "text", text: "Snow" }], finish: "filter" },
    seen: {
      "chat-completions": (answer) => answer.choices[0].finish_reason === "content_filter",
      // Messages has one word for a filter and a refusal; from there it comes as a refusal part.
      responses: (answer) =>
        (answer.status === "incomplete" && answer.incomplete_details.reason === "content_filter") ||
        holds('"type":"refusal"')(answer.output),
      messages: (answer) => answer.stop_reason === "refusal",
      "generate-content": (answer) => answer.candidates[0].finishReason === "SAFETY",
    },
  },
  {
    title: "usage",
    script: {
      steps: [{ kind: "text", text: "Snow." }],
      usage: { input: 120, cacheRead: 0, cacheWrite: 0, output: 30, reasoning: 0 },
    },
    seen: {
      "chat-completions": (answer) =>
        answer.usage.prompt_tokens === 120 &&
        answer.usage.completion_tokens === 30 &&
        answer.usage.total_tokens === 150,
      responses: (answer) =>
        answer.usage.input_tokens === 120 && answer.usage.output_tokens === 30 && answer.usage.total_tokens === 150,
      messages: (answer) => answer.usage.input_tokens === 120 && answer.usage.output_tokens === 30,
      "generate-content": (answer) =>
        answer.usageMetadata.promptTokenCount === 120 &&
        answer.usageMetadata.candidatesTokenCount === 30 &&
        answer.usageMetadata.totalTokenCount === 150,
    },
  },
  {
    title: "usage: cache read",
    script: {
      steps: [{ kind: "text", text: "Snow." }],
      usage: { input: 120, cacheRead: 100, cacheWrite: 0, output: 30, reasoning: 0 },
    },
    seen: {
      "chat-completions": (answer) =>
        answer.usage.prompt_tokens === 120 && answer.usage.prompt_tokens_details.cached_tokens === 100,
      responses: (answer) =>
        answer.usage.input_tokens === 120 && answer.usage.input_tokens_details.cached_tokens === 100,
      messages: (answer) => answer.usage.input_tokens === 20 && answer.usage.cache_read_input_tokens === 100,
      "generate-content": (answer) =>
        answer.usageMetadata.promptTokenCount === 120 && answer.usageMetadata.cachedContentTokenCount === 100,
    },
  },
  {
    title: "usage: cache write",
    script: {
      steps: [{ kind: "text", text: "Snow." }],
      usage: { input: 120, cacheRead: 0, cacheWrite: 100, output: 30, reasoning: 0 },
    },
    seen: {
      "chat-completions": (answer) =>
        answer.usage.prompt_tokens === 120 && answer.usage.prompt_tokens_details.cache_write_tokens === 100,
      responses: (answer) =>
        answer.usage.input_tokens === 120 && answer.usage.input_tokens_details.cache_write_tokens === 100,
      messages: (answer) => answer.usage.input_tokens === 20 && answer.usage.cache_creation_input_tokens === 100,
    },
    cannot: { "generate-content": "Gemini reports no cache writes" },
    limits: {
      "generate-content": {
        verdict: "approximated",
        reason: "Gemini has no such counter: the tokens stand in promptTokenCount",
      },
    },
  },
  {
    title: "usage: reasoning tokens",
    script: {
      steps: [
        { kind: "reasoning", text: "Hm." },
        { kind: "text", text: "Snow." },
      ],
      usage: { input: 120, cacheRead: 0, cacheWrite: 0, output: 30, reasoning: 20 },
    },
    seen: {
      "chat-completions": (answer) =>
        answer.usage.completion_tokens === 30 && answer.usage.completion_tokens_details.reasoning_tokens === 20,
      responses: (answer) =>
        answer.usage.output_tokens === 30 && answer.usage.output_tokens_details.reasoning_tokens === 20,
      messages: (answer) =>
        answer.usage.output_tokens === 30 && answer.usage.output_tokens_details?.thinking_tokens === 20,
      "generate-content": (answer) =>
        answer.usageMetadata.candidatesTokenCount === 10 && answer.usageMetadata.thoughtsTokenCount === 20,
    },
  },
  {
    title: "citations (web)",
    script: {
      steps: [
        {
          kind: "text",
          text: "Snow in Oslo.",
          citations: [{ url: "https://example.com/snow", title: "Snow", start: 0, end: 4 }],
        },
      ],
    },
    seen: {
      "chat-completions": (answer) =>
        messageOf(answer).annotations?.[0]?.url_citation?.url === "https://example.com/snow",
      responses: (answer) => items(answer, "message")[0].content[0].annotations[0]?.url === "https://example.com/snow",
      messages: (answer) =>
        blocks(answer, "text").some((block: Wire) => holds("https://example.com/snow")(block.citations ?? [])),
      "generate-content": (answer) =>
        holds("https://example.com/snow")(
          answer.candidates[0].groundingMetadata ?? answer.candidates[0].citationMetadata ?? {},
        ),
    },
  },
];
