import type { Effort } from "../canonical/index.ts";
import type { EncodeRequestContext } from "../codec.ts";
import { type CapabilitiesOf, count, withOverrides, word, wordsOf, yesNo } from "../shared/capabilities.ts";
import { ladder } from "../shared/effort.ts";

/** What one upstream model takes: one entry for each question that the request encoder asks (conversion.md 7). */
export const capabilityKinds = {
  /** How reasoning is steered: by level (3), by a budget in tokens (2.5), or not at all. */
  thinking: word("level", "budget", "none"),
  /** Levels of `thinkingLevel`, where reasoning is steered by level. */
  efforts: wordsOf<Effort>(ladder),
  /** Least `thinkingBudget` other than 0, where reasoning is steered by budget. */
  minBudget: count,
  /** Greatest `thinkingBudget`. */
  maxBudget: count,
  /** Whether a `thinkingBudget` of 0 turns reasoning off. */
  thinkingOff: yesNo,
  /** The first call of a step must be signed, or bear the documented stand-in. */
  signedCalls: yesNo,
  /** Takes the documented stand-in for a signature; else calls without one are told in words. */
  signatureStandIn: yesNo,
  /** Takes ids on calls and results that it did not make itself. */
  callIds: yesNo,
  /** Takes media inside a function response. */
  resultMedia: yesNo,
  /** Takes `parametersJsonSchema` and `responseJsonSchema`. */
  jsonSchema: yesNo,
  /** Takes a response schema together with function tools. */
  formatWithTools: yesNo,
  /** Takes the calling mode VALIDATED. */
  validated: yesNo,
  /** Longest tool name. */
  nameLength: count,
} as const;

export type GenerateContentCapabilities = CapabilitiesOf<typeof capabilityKinds>;

const three: GenerateContentCapabilities = {
  thinking: "level",
  efforts: ["minimal", "low", "medium", "high"],
  minBudget: 0,
  maxBudget: 0,
  thinkingOff: false,
  signedCalls: true,
  signatureStandIn: true,
  callIds: true,
  resultMedia: true,
  jsonSchema: true,
  formatWithTools: true,
  validated: true,
  nameLength: 128,
};

const twoFive: GenerateContentCapabilities = {
  thinking: "budget",
  efforts: [],
  minBudget: 1,
  maxBudget: 24_576,
  thinkingOff: true,
  signedCalls: false,
  signatureStandIn: true,
  callIds: false,
  resultMedia: false,
  jsonSchema: true,
  formatWithTools: false,
  validated: true,
  nameLength: 64,
};

const older: GenerateContentCapabilities = { ...twoFive, thinking: "none", jsonSchema: false, validated: false };

/** First match counts. A model of an unknown name is taken for the newest. */
const rows: readonly (readonly [RegExp, GenerateContentCapabilities])[] = [
  [/gemini-3-pro/, { ...three, efforts: ["low", "high"] }],
  [/gemini-3\.\d+-pro/, { ...three, efforts: ["low", "medium", "high"] }],
  [/gemini-2\.5-flash-(image|preview-tts)|gemini-2\.5-pro-preview-tts/, { ...twoFive, thinking: "none" }],
  [/gemini-2\.5-pro/, { ...twoFive, minBudget: 128, maxBudget: 32_768, thinkingOff: false }],
  [/gemini-2\.5-flash-lite/, { ...twoFive, minBudget: 512 }],
  [/gemini-2\.5/, twoFive],
  [/gemini-(1|2)\b|gemma/, older],
];

/** What the upstream takes: by the model's name, then by what the operator says. */
export function capabilitiesOf(context: EncodeRequestContext): GenerateContentCapabilities {
  const record = rows.find(([pattern]) => pattern.test(context.model))?.[1] ?? three;
  return withOverrides(capabilityKinds, record, context.capabilities);
}
