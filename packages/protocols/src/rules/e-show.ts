import { absent, both } from "./pattern.ts";
import { ask, dropped, kept, none, type RequestRow, type Row, unsaid } from "./rule.ts";

const room = 40_000;
const shown = "generationConfig.thinkingConfig.includeThoughts";

/** A wish to see what is thought, beside a high effort. */
const show: RequestRow["asks"] = {
  C: unsaid,
  R: ask("reasoning.summary", { reasoning: { effort: "high", summary: "auto" }, max_output_tokens: room }),
  M: ask("thinking.display", {
    thinking: { type: "adaptive", display: "summarized" },
    output_config: { effort: "high" },
    max_tokens: room,
  }),
  G: ask(shown, {
    generationConfig: { maxOutputTokens: room, thinkingConfig: { thinkingLevel: "HIGH", includeThoughts: true } },
  }),
};

/** E1: whether a client is shown what the model thinks. */
export const showRows: readonly Row[] = [
  {
    id: "E1",
    says: "A wish to see what the model thinks goes by the upstream's own word for it; servers that always show it need none.",
    kind: "request",
    asks: show,
    becomes: {
      C: kept({ reasoning_effort: "high", reasoning: absent }, { model: "deepseek-chat" }),
      R: kept({ reasoning: { effort: "high", summary: "auto" } }, { model: "gpt-5.2" }),
      M: kept({ thinking: { type: "adaptive", display: "summarized" } }, { model: "claude-opus-4-7" }),
      G: kept({ generationConfig: { thinkingConfig: { includeThoughts: true } } }),
    },
  },
  {
    id: "E1",
    says: "A wish to see what the model thinks is left out at OpenAI's chat completions, which never show it.",
    kind: "request",
    asks: show,
    becomes: {
      C: dropped({ reasoning_effort: "high", reasoning: absent }, { model: "gpt-5.2" }),
      R: kept({ reasoning: { effort: "high", summary: "auto" } }, { model: "o3" }),
      M: kept({ thinking: { type: "enabled", display: "summarized" } }, { model: "claude-sonnet-4-5" }),
      G: kept({ generationConfig: { thinkingConfig: { includeThoughts: true } } }, { model: "gemini-2.5-flash" }),
    },
  },
  {
    id: "E1",
    says: "A wish to see what the model thinks never makes it think: it is left out where the model does not think unasked.",
    kind: "request",
    asks: {
      C: unsaid,
      R: ask("reasoning.summary", { reasoning: { summary: "auto" } }),
      M: none("the client's protocol says it only together with thinking"),
      G: ask(shown, { generationConfig: { thinkingConfig: { includeThoughts: true } } }),
    },
    becomes: {
      C: kept({ reasoning_effort: absent }, { model: "deepseek-chat" }),
      R: kept({ reasoning: { summary: "auto", effort: absent } }, { model: "gpt-5.2" }),
      M: dropped({ thinking: absent, output_config: absent }, { model: "claude-opus-4-7" }),
      G: kept({ generationConfig: { thinkingConfig: { includeThoughts: true } } }),
    },
  },
  {
    id: "E1",
    says: "A wish not to be shown what the model thinks is fulfilled by asking for nothing.",
    kind: "request",
    asks: {
      C: unsaid,
      R: none("the client's protocol shows nothing unasked"),
      M: ask("thinking.display", { thinking: { type: "adaptive", display: "omitted" } }),
      G: none("the client's protocol shows nothing unasked"),
    },
    becomes: {
      C: kept({ reasoning_effort: absent }, { model: "gpt-5.2" }),
      R: kept({ reasoning: absent }, { model: "gpt-5.2" }),
      G: kept({ generationConfig: both({ maxOutputTokens: 1000 }, { thinkingConfig: absent }) }),
    },
  },
];
