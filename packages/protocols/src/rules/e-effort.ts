import type { JsonObject } from "../canonical/index.ts";
import { absent, both, type Pattern } from "./pattern.ts";
import { approximated, ask, dropped, kept, none, type RequestRow, type Row, unsaid } from "./rule.ts";

const room = 40_000;
const level = "generationConfig.thinkingConfig.thinkingLevel";
const budgetField = "generationConfig.thinkingConfig.thinkingBudget";
const thinkingConfig = (wish: JsonObject, limit = room): JsonObject => ({
  generationConfig: { maxOutputTokens: limit, thinkingConfig: wish },
});

const effort = (step: string, limit = room): RequestRow["asks"] => ({
  C: ask("reasoning_effort", { reasoning_effort: step, max_completion_tokens: limit }),
  R: ask("reasoning.effort", { reasoning: { effort: step }, max_output_tokens: limit }),
  M: ask("output_config.effort", {
    thinking: { type: "adaptive" },
    output_config: { effort: step },
    max_tokens: limit,
  }),
  G: ask(level, thinkingConfig({ thinkingLevel: step.toUpperCase() }, limit)),
});

const noBudget = none("the client's protocol has no budget of tokens for reasoning");
const budget = (tokens: number, limit = room): RequestRow["asks"] => ({
  C: noBudget,
  R: noBudget,
  M: ask("thinking.budget_tokens", {
    thinking: { type: "enabled", budget_tokens: tokens },
    max_tokens: limit,
  }),
  G: ask(budgetField, thinkingConfig({ thinkingBudget: tokens }, limit)),
});

/** What the four upstreams are sent for an effort by name. */
const chat = (step: string): Pattern => ({ reasoning_effort: step });
const responses = (step: string): Pattern => ({ reasoning: { effort: step } });
const adaptive = (step: string): Pattern => ({ thinking: { type: "adaptive" }, output_config: { effort: step } });
const fixed = (tokens: number): Pattern => ({ thinking: { type: "enabled", budget_tokens: tokens } });
const gemini = (thinkingConfig: Pattern): Pattern => ({ generationConfig: { thinkingConfig } });

const belowLow = none("the client's steps begin at low");
const aboveHigh = none("the client's steps end at high");
const gpt = { model: "gpt-5.2" };

/** E1: how hard a model thinks. */
export const effortRows: readonly Row[] = [
  {
    id: "E1",
    says: "An effort goes by the same name where the model has that step.",
    kind: "request",
    asks: effort("high"),
    becomes: {
      C: kept(chat("high"), gpt),
      R: kept(responses("high"), gpt),
      M: kept(adaptive("high"), { model: "claude-opus-4-7" }),
      G: kept(gemini({ thinkingLevel: "HIGH" }), { model: "gemini-3-pro-preview" }),
    },
  },
  {
    id: "E1",
    says: "An effort that the model has not becomes its nearest step.",
    kind: "request",
    asks: { ...effort("minimal"), M: belowLow },
    becomes: {
      C: approximated(chat("low"), gpt),
      R: approximated(responses("low"), gpt),
      M: approximated(adaptive("low"), { model: "claude-opus-4-7" }),
      G: approximated(gemini({ thinkingLevel: "LOW" }), { model: "gemini-3-pro-preview" }),
    },
  },
  {
    id: "E1",
    says: "Between two steps that are equally near the higher one is taken.",
    kind: "request",
    asks: { ...effort("xhigh"), G: aboveHigh },
    becomes: {
      C: approximated(chat("high"), { model: "gpt-5.1" }),
      R: approximated(responses("high"), { model: "gpt-5.1" }),
      M: approximated(adaptive("max"), { model: "claude-opus-4-6" }),
      G: approximated(gemini({ thinkingLevel: "HIGH" }), { model: "gemini-3-flash" }),
    },
  },
  {
    id: "E1",
    says: "An effort becomes a budget of tokens for older models that are steered by one.",
    kind: "request",
    asks: effort("low"),
    becomes: {
      C: kept(chat("low"), gpt),
      R: kept(responses("low"), gpt),
      M: kept(fixed(2048), { model: "claude-3-7-sonnet" }),
      G: kept(gemini({ thinkingBudget: 1024 }), { model: "gemini-2.5-flash" }),
    },
  },
  {
    id: "E1",
    says: "A budget of tokens becomes the nearest effort for models that take none.",
    kind: "request",
    asks: budget(8192),
    becomes: {
      C: approximated(chat("medium"), gpt),
      R: approximated(responses("medium"), gpt),
      M: approximated(adaptive("medium"), { model: "claude-opus-4-7" }),
      G: approximated(gemini({ thinkingLevel: "MEDIUM" }), { model: "gemini-3-flash" }),
    },
  },
  {
    id: "E1",
    says: "A budget of tokens stays what it is between models that take one.",
    kind: "request",
    asks: budget(5000),
    becomes: {
      C: none("no model of the protocol takes a budget"),
      R: none("no model of the protocol takes a budget"),
      M: kept(fixed(5000), { model: "claude-3-7-sonnet" }),
      G: kept(gemini({ thinkingBudget: 5000 }), { model: "gemini-2.5-flash" }),
    },
  },
  {
    id: "E1",
    says: "Thinking as the model sees fit is no effort at all where the upstream decides by itself.",
    kind: "request",
    asks: {
      C: unsaid,
      R: unsaid,
      M: ask("thinking.type", { thinking: { type: "adaptive" } }),
      G: ask(budgetField, thinkingConfig({ thinkingBudget: -1 })),
    },
    becomes: {
      C: kept({ reasoning_effort: absent }, gpt),
      R: kept({ reasoning: { effort: absent } }, gpt),
      M: kept({ thinking: { type: "adaptive" }, output_config: absent }, { model: "claude-opus-4-7" }),
      G: kept(gemini({ thinkingBudget: -1 }), { model: "gemini-2.5-flash" }),
    },
  },
  {
    id: "E1",
    says: "Thinking never takes more than the output limit less 1024 tokens, and never raises the limit.",
    kind: "request",
    asks: effort("high", 4000),
    becomes: {
      C: kept(both(chat("high"), { max_completion_tokens: 4000 }), gpt),
      R: kept(both(responses("high"), { max_output_tokens: 4000 }), gpt),
      M: approximated(both(fixed(2976), { max_tokens: 4000 }), { model: "claude-3-7-sonnet" }),
      G: kept(gemini({ thinkingLevel: "HIGH" })),
    },
  },
  {
    id: "E1",
    says: "Where the output limit leaves no room to think, thinking is left out.",
    kind: "request",
    asks: effort("low", 1500),
    becomes: {
      C: kept(chat("low"), gpt),
      R: kept(responses("low"), gpt),
      M: dropped({ max_tokens: 1500, thinking: absent }, { model: "claude-3-7-sonnet" }),
      G: kept(gemini({ thinkingLevel: "LOW" })),
    },
  },
  {
    id: "E1",
    says: "Of an effort and a budget the effort counts for models that are steered by effort.",
    kind: "request",
    asks: twoWishes(),
    becomes: {
      C: kept(chat("high"), gpt),
      R: kept(responses("high"), gpt),
      M: kept(adaptive("high"), { model: "claude-opus-4-7" }),
      G: kept(gemini({ thinkingLevel: "HIGH", thinkingBudget: absent })),
    },
  },
  {
    id: "E1",
    says: "Of an effort and a budget the budget counts for models that are steered by a budget.",
    kind: "request",
    asks: twoWishes(),
    becomes: {
      C: none("no model of the protocol takes a budget"),
      R: none("no model of the protocol takes a budget"),
      M: kept(fixed(2000), { model: "claude-3-7-sonnet" }),
      G: kept(gemini({ thinkingBudget: 2000, thinkingLevel: absent }), { model: "gemini-2.5-flash" }),
    },
  },
  {
    id: "E1",
    says: "An effort is left out for models that do not reason.",
    kind: "request",
    asks: effort("low", 4000),
    becomes: {
      C: dropped({ reasoning_effort: absent }, { model: "gpt-4.1" }),
      R: dropped({ reasoning: absent }, { model: "gpt-4.1" }),
      M: dropped({ thinking: absent, output_config: absent }, { model: "claude-3-opus" }),
      G: dropped({ generationConfig: { thinkingConfig: absent } }, { model: "gemini-2.0-flash" }),
    },
  },
];

/** An effort and a budget that say different things. */
function twoWishes(): RequestRow["asks"] {
  return {
    C: noBudget,
    R: noBudget,
    M: ask("thinking.budget_tokens", {
      thinking: { type: "enabled", budget_tokens: 2000 },
      output_config: { effort: "high" },
      max_tokens: room,
    }),
    G: ask(budgetField, thinkingConfig({ thinkingBudget: 2000, thinkingLevel: "HIGH" })),
  };
}
