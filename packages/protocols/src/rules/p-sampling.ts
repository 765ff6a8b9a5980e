import type { JsonObject } from "../canonical/index.ts";
import { absent, type Pattern } from "./pattern.ts";
import { approximated, ask, dropped, kept, none, type RequestRow, type Row, unsaid } from "./rule.ts";

/** A wish for `generationConfig`. */
const config = (wish: JsonObject): JsonObject => ({ generationConfig: wish });
const inConfig = (wish: Pattern): Pattern => ({ generationConfig: wish });

const warm = (temperature: number): RequestRow["asks"] => ({
  C: ask("temperature", { temperature }),
  R: ask("temperature", { temperature }),
  M: ask("temperature", { temperature }),
  G: ask("generationConfig.temperature", config({ temperature })),
});

const thinkingWarm: RequestRow["asks"] = {
  C: ask("temperature", { temperature: 0.4, reasoning_effort: "low", max_completion_tokens: 9000 }),
  R: ask("temperature", { temperature: 0.4, reasoning: { effort: "low" }, max_output_tokens: 9000 }),
  M: unsaid,
  G: ask(
    "generationConfig.temperature",
    config({ temperature: 0.4, thinkingConfig: { thinkingBudget: 2048 }, maxOutputTokens: 9000 }),
  ),
};

const onlyMessages = none("only the messages protocol has this rule");

/** P5 to P9: the knobs of sampling. */
export const samplingRows: readonly Row[] = [
  {
    id: "P5",
    says: "A temperature is never rescaled; above 1 it becomes 1 where the upstream's scale ends there.",
    kind: "request",
    asks: { ...warm(1.6), M: none("the client's own scale ends at 1") },
    becomes: {
      C: kept({ temperature: 1.6 }),
      R: kept({ temperature: 1.6 }),
      M: approximated({ temperature: 1 }),
      G: kept(inConfig({ temperature: 1.6 })),
    },
  },
  {
    id: "P5",
    says: "A temperature up to 1 is the same number everywhere.",
    kind: "request",
    asks: warm(0.7),
    becomes: {
      C: kept({ temperature: 0.7 }),
      R: kept({ temperature: 0.7 }),
      M: kept({ temperature: 0.7 }),
      G: kept(inConfig({ temperature: 0.7 })),
    },
  },
  {
    id: "P6",
    says: "A temperature is left out for models that refuse any (OpenAI's reasoning models, Claude from 4.7).",
    kind: "request",
    asks: warm(0.4),
    becomes: {
      C: dropped({ temperature: absent }, { model: "gpt-5.2" }),
      R: dropped({ temperature: absent }, { model: "gpt-5.2" }),
      M: dropped({ temperature: absent }, { model: "claude-opus-4-7" }),
      G: kept(inConfig({ temperature: 0.4 })),
    },
  },
  {
    id: "P6",
    says: "Of temperature and top_p the temperature stays for Claude models that take only one of them.",
    kind: "request",
    asks: {
      C: ask("top_p", { temperature: 0.4, top_p: 0.9 }),
      R: ask("top_p", { temperature: 0.4, top_p: 0.9 }),
      M: ask("top_p", { temperature: 0.4, top_p: 0.9 }),
      G: ask("generationConfig.topP", config({ temperature: 0.4, topP: 0.9 })),
    },
    becomes: {
      C: kept({ temperature: 0.4, top_p: 0.9 }),
      R: kept({ temperature: 0.4, top_p: 0.9 }),
      M: dropped({ temperature: 0.4, top_p: absent }, { model: "claude-sonnet-4-5" }),
      G: kept(inConfig({ temperature: 0.4, topP: 0.9 })),
    },
  },
  {
    id: "P7",
    says: "While an older Claude model thinks it takes no other temperature than 1: the client's is left out.",
    kind: "request",
    asks: thinkingWarm,
    becomes: {
      C: onlyMessages,
      R: onlyMessages,
      M: dropped({ temperature: absent, thinking: { budget_tokens: 2048 } }, { model: "claude-3-7-sonnet" }),
      G: onlyMessages,
    },
  },
  {
    id: "P8",
    says: "top_k is left out where the upstream's protocol has none.",
    kind: "request",
    asks: {
      C: unsaid,
      R: unsaid,
      M: ask("top_k", { top_k: 40 }),
      G: ask("generationConfig.topK", config({ topK: 40 })),
    },
    becomes: {
      C: dropped({ top_k: absent }),
      R: dropped({ top_k: absent }),
      M: kept({ top_k: 40 }),
      G: kept(inConfig({ topK: 40 })),
    },
  },
  knob("A seed", "seed", 7),
  knob("A frequency penalty", "frequency_penalty", 0.5),
  knob("A presence penalty", "presence_penalty", 0.5),
  {
    id: "P9",
    says: "A bias of tokens is left out outside chat completions, because no other protocol has it.",
    kind: "request",
    asks: { C: ask("logit_bias", { logit_bias: { "50256": -100 } }), R: unsaid, M: unsaid, G: unsaid },
    becomes: {
      R: dropped({ logit_bias: absent }),
      M: dropped({ logit_bias: absent }),
      G: dropped(inConfig({ logitBias: absent })),
    },
  },
];

/** P9: a knob that chat completions and generateContent have, and the other two have not. */
function knob(what: string, name: string, value: number): Row {
  const camel = name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return {
    id: "P9",
    says: `${what} is left out where the upstream's protocol has none.`,
    kind: "request",
    asks: {
      C: ask(name, { [name]: value }),
      R: unsaid,
      M: unsaid,
      G: ask(`generationConfig.${camel}`, config({ [camel]: value })),
    },
    becomes: {
      C: kept({ [name]: value }),
      R: dropped({ [name]: absent }),
      M: dropped({ [name]: absent }),
      G: kept(inConfig({ [camel]: value })),
    },
  };
}
