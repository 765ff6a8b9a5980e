import type { Effort } from "../canonical/index.ts";

/** What an upstream model takes, as far as the request encoder asks (conversion.md 7). */
export interface ModelTraits {
  /** How reasoning is steered: by level (3), by a budget in tokens (2.5), or not at all. */
  thinking:
    | { by: "level"; levels: readonly Effort[] }
    | { by: "budget"; min: number; max: number; off: boolean }
    | { by: "none" };
  /** The first call of a step must be signed, or bear the documented stand-in. */
  signedCalls: boolean;
  /** Takes ids on calls and results that it did not make itself. */
  callIds: boolean;
  /** Takes media inside a function response. */
  resultMedia: boolean;
  /** Takes `parametersJsonSchema` and `responseJsonSchema`. */
  jsonSchema: boolean;
  /** Takes a response schema together with function tools. */
  formatWithTools: boolean;
  /** Takes the calling mode VALIDATED. */
  validated: boolean;
  /** Longest tool name. */
  nameLength: number;
}

const three: ModelTraits = {
  thinking: { by: "level", levels: ["minimal", "low", "medium", "high"] },
  signedCalls: true,
  callIds: true,
  resultMedia: true,
  jsonSchema: true,
  formatWithTools: true,
  validated: true,
  nameLength: 128,
};

const twoFive: ModelTraits = {
  thinking: { by: "budget", min: 1, max: 24576, off: true },
  signedCalls: false,
  callIds: false,
  resultMedia: false,
  jsonSchema: true,
  formatWithTools: false,
  validated: true,
  nameLength: 64,
};

const older: ModelTraits = { ...twoFive, thinking: { by: "none" }, jsonSchema: false, validated: false };

/** First match counts. A model of an unknown name is taken for the newest. */
const families: readonly { name: RegExp; traits: ModelTraits }[] = [
  { name: /gemini-3-pro/, traits: { ...three, thinking: { by: "level", levels: ["low", "high"] } } },
  { name: /gemini-3\.\d+-pro/, traits: { ...three, thinking: { by: "level", levels: ["low", "medium", "high"] } } },
  { name: /gemini-2\.5-pro/, traits: { ...twoFive, thinking: { by: "budget", min: 128, max: 32768, off: false } } },
  {
    name: /gemini-2\.5-flash-lite/,
    traits: { ...twoFive, thinking: { by: "budget", min: 512, max: 24576, off: true } },
  },
  {
    name: /gemini-2\.5-flash-(image|preview-tts)|gemini-2\.5-pro-preview-tts/,
    traits: { ...twoFive, thinking: { by: "none" } },
  },
  { name: /gemini-2\.5/, traits: twoFive },
  { name: /gemini-(1|2)\b|gemma/, traits: older },
];

/** The traits of an upstream model by its name. */
export function traitsOf(model: string): ModelTraits {
  return families.find((family) => family.name.test(model))?.traits ?? three;
}
