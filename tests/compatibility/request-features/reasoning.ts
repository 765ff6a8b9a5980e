import { config, type RequestFeature } from "./feature.ts";

/** How much the model thinks and says. */
export const reasoningFeatures: readonly RequestFeature[] = [
  {
    title: "reasoning effort",
    ask: {
      "chat-completions": { reasoning_effort: "high" },
      responses: { reasoning: { effort: "high" } },
      messages: { thinking: { type: "adaptive" }, output_config: { effort: "high" } },
      "generate-content": config({ thinkingConfig: { thinkingLevel: "HIGH" } }),
    },
    seen: {
      "chat-completions": (body) => body.reasoning_effort === "high",
      responses: (body) => body.reasoning?.effort === "high",
      messages: (body) => body.output_config?.effort === "high" || body.thinking?.budget_tokens > 0,
      "generate-content": (body) =>
        /high/i.test(body.generationConfig?.thinkingConfig?.thinkingLevel ?? "") ||
        body.generationConfig?.thinkingConfig?.thinkingBudget > 0,
    },
  },
  {
    title: "reasoning budget",
    ask: {
      messages: { max_tokens: 32_000, thinking: { type: "enabled", budget_tokens: 8192 } },
      "generate-content": config({ thinkingConfig: { thinkingBudget: 8192 } }),
    },
    seen: {
      "chat-completions": (body) => body.reasoning_effort !== undefined,
      responses: (body) => body.reasoning?.effort !== undefined,
      messages: (body) => body.output_config?.effort !== undefined || body.thinking?.budget_tokens > 0,
      "generate-content": (body) => body.generationConfig?.thinkingConfig !== undefined,
    },
  },
  {
    title: "verbosity",
    ask: { "chat-completions": { verbosity: "low" }, responses: { text: { verbosity: "low" } } },
    seen: {
      "chat-completions": (body) => body.verbosity === "low",
      responses: (body) => body.text?.verbosity === "low",
    },
  },
];
