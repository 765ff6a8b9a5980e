import { config, type RequestFeature } from "./feature.ts";

const number = (
  title: string,
  names: [chat?: string, responses?: string, messages?: string, gemini?: string],
  value: number,
): RequestFeature => {
  const [chat, responses, messages, gemini] = names;
  return {
    title,
    ask: {
      ...(chat ? { "chat-completions": { [chat]: value } } : {}),
      ...(responses ? { responses: { [responses]: value } } : {}),
      ...(messages ? { messages: { [messages]: value } } : {}),
      ...(gemini ? { "generate-content": config({ [gemini]: value }) } : {}),
    },
    seen: {
      ...(chat
        ? {
            "chat-completions": (body) =>
              body[chat] === value || (chat === "max_completion_tokens" && body.max_tokens === value),
          }
        : {}),
      ...(responses ? { responses: (body) => body[responses] === value } : {}),
      ...(messages ? { messages: (body) => body[messages] === value } : {}),
      ...(gemini ? { "generate-content": (body) => body.generationConfig?.[gemini] === value } : {}),
    },
  };
};

/** How tokens are drawn and when an answer ends. */
export const samplingFeatures: readonly RequestFeature[] = [
  number("temperature", ["temperature", "temperature", "temperature", "temperature"], 0.5),
  number("top_p", ["top_p", "top_p", "top_p", "topP"], 0.5),
  number("top_k", [undefined, undefined, "top_k", "topK"], 40),
  number("seed", ["seed", undefined, undefined, "seed"], 7),
  number("frequency penalty", ["frequency_penalty", undefined, undefined, "frequencyPenalty"], 0.5),
  number("presence penalty", ["presence_penalty", undefined, undefined, "presencePenalty"], 0.5),
  {
    title: "logit bias",
    ask: { "chat-completions": { logit_bias: { "50256": -100 } } },
    seen: { "chat-completions": (body) => body.logit_bias?.["50256"] === -100 },
  },
  {
    title: "log probabilities",
    ask: {
      "chat-completions": { logprobs: true, top_logprobs: 2 },
      responses: { top_logprobs: 2, include: ["message.output_text.logprobs"] },
      "generate-content": config({ responseLogprobs: true, logprobs: 2 }),
    },
    seen: {
      "chat-completions": (body) => body.logprobs === true && body.top_logprobs === 2,
      responses: (body) => body.top_logprobs === 2 && body.include.includes("message.output_text.logprobs"),
      "generate-content": (body) =>
        body.generationConfig?.responseLogprobs === true && body.generationConfig.logprobs === 2,
    },
  },
  number("output limit", ["max_completion_tokens", "max_output_tokens", "max_tokens", "maxOutputTokens"], 100),
  {
    title: "stop sequences",
    ask: {
      "chat-completions": { stop: ["END"] },
      messages: { stop_sequences: ["END"] },
      "generate-content": config({ stopSequences: ["END"] }),
    },
    seen: {
      "chat-completions": (body) => [body.stop].flat().includes("END"),
      messages: (body) => body.stop_sequences?.includes("END"),
      "generate-content": (body) => body.generationConfig?.stopSequences?.includes("END"),
    },
  },
  {
    title: "several candidates",
    ask: { "chat-completions": { n: 2 }, "generate-content": config({ candidateCount: 2 }) },
    seen: {
      "chat-completions": (body) => body.n === 2,
      "generate-content": (body) => body.generationConfig?.candidateCount === 2,
    },
  },
];
