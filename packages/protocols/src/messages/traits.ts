import type { Effort } from "../canonical/index.ts";

/** What one upstream model takes: one entry for each question that the request encoder asks (messages.md 0, 4 to 7). */
export interface ModelTraits {
  /** `budget`: `enabled` with a budget. `adaptive`: the model decides. `both`: takes either form. */
  thinking: "none" | "budget" | "adaptive" | "both";
  /** What an omitted `thinking` means. */
  omittedThinking: "off" | "adaptive";
  /** How thinking is turned off. `low-effort`: it cannot be; the nearest is adaptive thinking at effort `low`. */
  off: "omit" | "disabled" | "between_tools" | "low-effort";
  /** Whether `thinking.display` may be said. */
  display: boolean;
  /** Steps of `output_config.effort`; empty: the field is refused. */
  efforts: readonly Effort[];
  /** `one`: temperature or top_p, not both. `none`: any but the default is refused. */
  sampling: "all" | "one" | "none";
  /** Whether the last turn may be the assistant's. */
  prefill: boolean;
  /** Whether `role: "system"` may stand between turns. */
  midSystem: boolean;
  /** Whether `output_config.format` is known. */
  format: boolean;
  strictTools: boolean;
  /** Whether `any` and `tool` are accepted as a tool choice. */
  forcedTools: boolean;
  /** The model's own limit of output tokens. Absent: not known. */
  maxOutput?: number;
}

const lowToHigh: readonly Effort[] = ["low", "medium", "high"];
const lowToMax: readonly Effort[] = ["low", "medium", "high", "max"];
const allSteps: readonly Effort[] = ["low", "medium", "high", "xhigh", "max"];

const claude3: ModelTraits = {
  thinking: "none",
  omittedThinking: "off",
  off: "omit",
  display: false,
  efforts: [],
  sampling: "all",
  prefill: true,
  midSystem: false,
  format: false,
  strictTools: false,
  forcedTools: true,
  maxOutput: 4096,
};
const claude4: ModelTraits = { ...claude3, thinking: "budget", display: true, maxOutput: 64_000 };
const claude45: ModelTraits = { ...claude4, sampling: "one", format: true, strictTools: true };
const claude46: ModelTraits = { ...claude45, thinking: "both", efforts: lowToMax, prefill: false, maxOutput: 128_000 };
const claude47: ModelTraits = { ...claude46, thinking: "adaptive", efforts: allSteps, sampling: "none" };
const claude48: ModelTraits = { ...claude47, midSystem: true };
const claude5: ModelTraits = { ...claude48, omittedThinking: "adaptive", off: "disabled" };
const claude55: ModelTraits = { ...claude5, off: "low-effort", forcedTools: false };

/** First match counts. The last row stands for Claude models that came after this table: the newest. */
const table: readonly { model: RegExp; traits: ModelTraits }[] = [
  { model: /claude-(?:instant|2|3-(?:opus|sonnet|haiku))/, traits: claude3 },
  { model: /claude-3[-.]5/, traits: { ...claude3, maxOutput: 8192 } },
  { model: /claude-3[-.]7/, traits: claude4 },
  { model: /claude-opus-4[-.]1(?!\d)/, traits: { ...claude45, maxOutput: 32_000 } },
  { model: /claude-(?:sonnet|haiku)-4[-.]5/, traits: claude45 },
  { model: /claude-opus-4[-.]5/, traits: { ...claude45, efforts: lowToHigh } },
  { model: /claude-opus-4[-.]6/, traits: claude46 },
  { model: /claude-sonnet-4[-.]6/, traits: { ...claude46, maxOutput: 64_000 } },
  { model: /claude-\w+-4[-.]7/, traits: claude47 },
  { model: /claude-\w+-4[-.](?:[89]|\d\d)(?!\d)/, traits: claude48 },
  { model: /claude-opus-4/, traits: { ...claude4, maxOutput: 32_000 } },
  { model: /claude-sonnet-4/, traits: claude4 },
  { model: /claude-opus-5[-.]5/, traits: claude55 },
  { model: /claude-sonnet-5[-.]5/, traits: { ...claude55, off: "between_tools" } },
  { model: /claude-haiku-5[-.]5/, traits: claude5 },
  { model: /claude-(?:fable|mythos)-5[-.]\d(?!\d)/, traits: claude55 },
  { model: /claude-(?:fable|mythos)/, traits: { ...claude5, off: "low-effort" } },
  { model: /claude-(?:opus|sonnet|haiku)-5(?![-.]?\d(?!\d))/, traits: claude5 },
  { model: /claude/, traits: { ...claude55, maxOutput: undefined } },
];

/** Servers of other makers that speak this protocol: send what the caller said, as permissively as it can be said. */
const compatible: ModelTraits = {
  thinking: "both",
  omittedThinking: "off",
  off: "disabled",
  display: true,
  efforts: allSteps,
  sampling: "all",
  prefill: true,
  midSystem: false,
  format: true,
  strictTools: true,
  forcedTools: true,
};

/** What the model with this upstream name takes. Vendor prefixes and date suffixes do not matter. */
export function traitsOf(model: string): ModelTraits {
  const name = model.toLowerCase();
  return table.find((row) => row.model.test(name))?.traits ?? compatible;
}
