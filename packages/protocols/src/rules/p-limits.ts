import type { JsonObject } from "../canonical/index.ts";
import { absent } from "./pattern.ts";
import { approximated, ask, kept, none, type RequestRow, type Row } from "./rule.ts";

/** The same output limit in every client's words. */
const limit = (tokens: number): RequestRow["asks"] => ({
  C: ask("max_completion_tokens", { max_completion_tokens: tokens }),
  R: ask("max_output_tokens", { max_output_tokens: tokens }),
  M: ask("max_tokens", { max_tokens: tokens }),
  G: ask("generationConfig.maxOutputTokens", { generationConfig: { maxOutputTokens: tokens } }),
});

const unlimited: RequestRow["asks"] = {
  C: ask("max_completion_tokens", { max_completion_tokens: null }),
  R: ask("max_output_tokens", { max_output_tokens: null }),
  M: none("the client's protocol demands a limit"),
  G: ask("generationConfig.maxOutputTokens", { generationConfig: { maxOutputTokens: null } }),
};

const inConfig = (tokens: number): JsonObject => ({ generationConfig: { maxOutputTokens: tokens } });
const named = none("only another protocol has two names for the limit");

/** P1 to P4: how much a model may write. */
export const limitRows: readonly Row[] = [
  {
    id: "P1",
    says: "Without an output limit the upstream gets none; where it demands one, it gets what its model can write.",
    kind: "request",
    asks: unlimited,
    becomes: {
      C: kept({ max_tokens: absent, max_completion_tokens: absent }),
      R: kept({ max_output_tokens: absent }),
      M: kept({ max_tokens: 32_000 }, { model: "claude-sonnet-4-5" }),
      G: kept({ generationConfig: absent }),
    },
  },
  {
    id: "P1",
    says: "Without an output limit, a model of which nobody knows how much it can write gets 8192 tokens.",
    kind: "request",
    asks: unlimited,
    becomes: {
      C: kept({ max_tokens: absent, max_completion_tokens: absent }),
      R: kept({ max_output_tokens: absent }),
      M: approximated({ max_tokens: 8192 }, { model: "some-model" }),
      G: kept({ generationConfig: absent }),
    },
  },
  {
    id: "P2",
    says: "A limit of a few tokens is raised where the upstream takes no fewer than 16.",
    kind: "request",
    asks: { ...limit(5), R: none("the client's protocol takes no limit below 16") },
    becomes: {
      C: kept({ max_tokens: 5 }),
      R: approximated({ max_output_tokens: 16 }),
      M: kept({ max_tokens: 5 }),
      G: kept(inConfig(5)),
    },
  },
  {
    id: "P3",
    says: "A limit above what the model can write is lowered, where that is known.",
    kind: "request",
    asks: limit(900_000),
    becomes: {
      C: kept({ max_tokens: 900_000 }),
      R: kept({ max_output_tokens: 900_000 }),
      M: approximated({ max_tokens: 64_000 }, { model: "claude-sonnet-4-5" }),
      G: kept(inConfig(900_000)),
    },
  },
  {
    id: "P4",
    says: "The limit goes by the name that the model takes: OpenAI's reasoning models know only the new one.",
    kind: "request",
    asks: limit(700),
    becomes: {
      C: kept({ max_completion_tokens: 700, max_tokens: absent }, { model: "gpt-5.2" }),
      R: kept({ max_output_tokens: 700 }),
      M: kept({ max_tokens: 700 }),
      G: kept(inConfig(700)),
    },
  },
  {
    id: "P4",
    says: "Where a client gives both names of the limit, the newer one counts.",
    kind: "request",
    asks: {
      C: ask("max_completion_tokens", { max_completion_tokens: 700, max_tokens: 900 }),
      R: named,
      M: named,
      G: named,
    },
    becomes: {
      R: kept({ max_output_tokens: 700 }),
      M: kept({ max_tokens: 700 }),
      G: kept(inConfig(700)),
    },
  },
];
