import { absent } from "./pattern.ts";
import { approximated, ask, kept, type RequestRow, type Row } from "./rule.ts";

const off: RequestRow["asks"] = {
  C: ask("reasoning_effort", { reasoning_effort: "none" }),
  R: ask("reasoning.effort", { reasoning: { effort: "none" } }),
  M: ask("thinking.type", { thinking: { type: "disabled" } }),
  G: ask("generationConfig.thinkingConfig.thinkingBudget", {
    generationConfig: { thinkingConfig: { thinkingBudget: 0 } },
  }),
};

/** E8: the wish that the model does not think. */
export const offRows: readonly Row[] = [
  {
    id: "E8",
    says: "A wish for no thinking takes the form that the model has for it; where to say nothing means no thinking, nothing is said.",
    kind: "request",
    asks: off,
    becomes: {
      C: kept({ reasoning_effort: "none" }, { model: "gpt-5.2" }),
      R: kept({ reasoning: { effort: "none" } }, { model: "gpt-5.2" }),
      M: kept({ thinking: absent }, { model: "claude-opus-4-7" }),
      G: kept({ generationConfig: { thinkingConfig: { thinkingBudget: 0 } } }, { model: "gemini-2.5-flash" }),
    },
  },
  {
    id: "E8",
    says: "Where a model thinks unasked, the wish for no thinking is said aloud.",
    kind: "request",
    asks: off,
    becomes: {
      C: kept({ thinking: { type: "disabled" }, reasoning_effort: absent }, { model: "deepseek-chat" }),
      R: kept({ reasoning: { effort: "none" } }, { model: "some-model" }),
      M: kept({ thinking: { type: "disabled" } }, { model: "claude-opus-5" }),
      G: kept({ generationConfig: { thinkingConfig: { thinkingBudget: 0 } } }, { model: "gemini-2.5-flash-lite" }),
    },
  },
  {
    id: "E8",
    says: "Another switch of DeepSeek's kind and another of Claude's: no thinking between tools.",
    kind: "request",
    asks: off,
    becomes: {
      C: kept({ enable_thinking: false, reasoning_effort: absent }, { model: "qwen3-32b" }),
      R: kept({ reasoning: { effort: "none" } }, { model: "gpt-5.1" }),
      M: kept({ thinking: { type: "between_tools" } }, { model: "claude-sonnet-5-5" }),
      G: kept({ generationConfig: { thinkingConfig: { thinkingBudget: 0 } } }, { model: "gemini-2.5-flash" }),
    },
  },
  {
    id: "E8",
    says: "A model that cannot stop thinking thinks as little as it can.",
    kind: "request",
    asks: off,
    becomes: {
      C: approximated({ reasoning_effort: "minimal" }, { model: "gpt-5" }),
      R: approximated({ reasoning: { effort: "minimal" } }, { model: "gpt-5" }),
      M: approximated(
        { thinking: { type: "adaptive" }, output_config: { effort: "low" } },
        { model: "claude-opus-5-5" },
      ),
      G: approximated(
        { generationConfig: { thinkingConfig: { thinkingLevel: "LOW" } } },
        { model: "gemini-3-pro-preview" },
      ),
    },
  },
  {
    id: "E8",
    says: "The same by a budget: the smallest one that the model takes.",
    kind: "request",
    asks: off,
    becomes: {
      C: approximated({ reasoning_effort: "low" }, { model: "o3" }),
      R: approximated({ reasoning: { effort: "low" } }, { model: "o3" }),
      M: approximated(
        { thinking: { type: "adaptive" }, output_config: { effort: "low" } },
        { model: "claude-opus-5-5" },
      ),
      G: approximated({ generationConfig: { thinkingConfig: { thinkingBudget: 128 } } }, { model: "gemini-2.5-pro" }),
    },
  },
  {
    id: "E8",
    says: "To a model that does not reason the wish for no thinking is fulfilled by saying nothing.",
    kind: "request",
    asks: off,
    becomes: {
      C: kept({ reasoning_effort: absent }, { model: "gpt-4.1" }),
      R: kept({ reasoning: absent }, { model: "gpt-4.1" }),
      M: kept({ thinking: absent, output_config: absent }, { model: "claude-3-5-haiku" }),
      G: kept({ generationConfig: { thinkingConfig: absent } }, { model: "gemini-2.0-flash" }),
    },
  },
];
