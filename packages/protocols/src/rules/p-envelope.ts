import type { JsonObject } from "../canonical/index.ts";
import { absent, type Pattern } from "./pattern.ts";
import {
  approximated,
  ask,
  dropped,
  emulated,
  kept,
  none,
  type RequestRow,
  type Row,
  refused,
  unsaid,
} from "./rule.ts";

const inConfig = (wish: Pattern): Pattern => ({ generationConfig: wish });
const config = (wish: JsonObject): JsonObject => ({ generationConfig: wish });

const tier = (name: string): RequestRow["asks"] => ({
  C: ask("service_tier", { service_tier: name }),
  R: ask("service_tier", { service_tier: name }),
  M: none("the client's protocol has other tiers"),
  G: ask("serviceTier", { serviceTier: name }),
});

/** P13, P15 to P17: what else a client can ask of an answer. */
export const envelopeRows: readonly Row[] = [
  {
    id: "P13",
    says: "Several answers to one call are refused where the upstream gives only one: never one in the place of many.",
    kind: "request",
    asks: {
      C: ask("n", { n: 2 }),
      R: unsaid,
      M: unsaid,
      G: ask("generationConfig.candidateCount", config({ candidateCount: 2 })),
    },
    becomes: {
      C: kept({ n: 2 }),
      R: refused(),
      M: refused(),
      G: kept(inConfig({ candidateCount: 2 })),
    },
  },
  {
    id: "P13",
    says: "One answer is what everybody gives: `n: 1` is no wish.",
    kind: "request",
    asks: {
      C: ask("n", { n: 1 }),
      R: unsaid,
      M: unsaid,
      G: ask("generationConfig.candidateCount", config({ candidateCount: 1 })),
    },
    becomes: {
      C: kept({ n: absent }),
      R: kept({ n: absent }),
      M: kept({ n: absent }),
      G: kept(inConfig({ candidateCount: absent })),
    },
  },
  {
    id: "P15",
    says: "A service tier goes by the name that the upstream has for it, and is left out where it has none.",
    kind: "request",
    asks: tier("flex"),
    becomes: {
      C: kept({ service_tier: "flex" }),
      R: kept({ service_tier: "flex" }),
      M: dropped({ service_tier: absent }),
      G: kept({ serviceTier: "flex" }),
    },
  },
  {
    id: "P15",
    says: "The wish for no better tier than the standard one has a name in each protocol.",
    kind: "request",
    asks: {
      C: ask("service_tier", { service_tier: "default" }),
      R: ask("service_tier", { service_tier: "default" }),
      M: ask("service_tier", { service_tier: "standard_only" }),
      G: none("the client's protocol takes it for the default"),
    },
    becomes: {
      C: kept({ service_tier: "default" }),
      R: kept({ service_tier: "default" }),
      M: kept({ service_tier: "standard_only" }),
      G: kept({ serviceTier: absent }),
    },
  },
  {
    id: "P15",
    says: "A service tier that nobody knows is left out.",
    kind: "request",
    asks: tier("overnight"),
    becomes: {
      C: dropped({ service_tier: absent }),
      R: dropped({ service_tier: absent }),
      M: dropped({ service_tier: absent }),
      G: dropped({ serviceTier: absent }),
    },
  },
  {
    id: "P16",
    says: "Verbosity is left out where the model has no such setting.",
    kind: "request",
    asks: {
      C: ask("verbosity", { verbosity: "low" }),
      R: ask("text.verbosity", { text: { verbosity: "low" } }),
      M: unsaid,
      G: unsaid,
    },
    becomes: {
      C: kept({ verbosity: "low" }, { model: "gpt-5.2" }),
      R: kept({ text: { verbosity: "low" } }, { model: "gpt-5.2" }),
      M: dropped({ verbosity: absent }),
      G: dropped({ verbosity: absent }),
    },
  },
  {
    id: "P17",
    says: "A prediction of the answer, which only makes it faster, is left out.",
    kind: "request",
    asks: {
      C: ask("prediction", { prediction: { type: "content", content: "as before" } }),
      R: unsaid,
      M: unsaid,
      G: unsaid,
    },
    becomes: {
      R: dropped({ prediction: absent }),
      M: dropped({ prediction: absent }),
      G: dropped({ prediction: absent }),
    },
  },
  {
    id: "P17",
    says: "A web search by the provider is run by the upstream's own provider.",
    kind: "request",
    asks: { C: ask("web_search_options", { web_search_options: {} }), R: unsaid, M: unsaid, G: unsaid },
    becomes: {
      R: emulated({ tools: [{ type: "web_search" }] }),
      M: emulated({ tools: [{ type: /^web_search_/ }] }),
      G: approximated({ tools: [{ googleSearch: {} }] }),
    },
  },
  {
    id: "P17",
    says: "Sound as the answer is refused where the upstream cannot give it in the form that was asked for.",
    kind: "request",
    asks: {
      C: ask("modalities", { modalities: ["text", "audio"], audio: { voice: "alloy", format: "wav" } }),
      R: unsaid,
      M: unsaid,
      G: ask("generationConfig.responseModalities", config({ responseModalities: ["AUDIO"] })),
    },
    becomes: {
      C: refused(),
      R: refused(),
      M: refused(),
      G: refused({ field: "audio" }),
    },
  },
  {
    id: "P17",
    says: "An image as the answer is refused where no model of the protocol draws.",
    kind: "request",
    asks: {
      C: ask("modalities", { modalities: ["text", "image"] }),
      R: unsaid,
      M: unsaid,
      G: ask("generationConfig.responseModalities", config({ responseModalities: ["TEXT", "IMAGE"] })),
    },
    becomes: {
      C: kept({ modalities: ["text", "image"] }),
      R: refused(),
      M: refused(),
      G: kept(inConfig({ responseModalities: ["TEXT", "IMAGE"] })),
    },
  },
];
