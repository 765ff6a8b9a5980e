import type { Effort } from "../canonical/index.ts";
import type { EncodeRequestContext } from "../codec.ts";
import { type CapabilitiesOf, count, withOverrides, word, wordsOf, yesNo } from "../shared/capabilities.ts";
import { ladder } from "../shared/effort.ts";

/** What one upstream model takes: one entry for each question that the request encoder asks (messages.md 0, 4 to 7). */
export const capabilityKinds = {
  /** `budget`: `enabled` with a budget. `adaptive`: the model decides. `both`: takes either form. */
  thinking: word("none", "budget", "adaptive", "both"),
  /** What an omitted `thinking` means. */
  omittedThinking: word("off", "adaptive"),
  /** How thinking is turned off. `low-effort`: it cannot be; the nearest is adaptive thinking at effort `low`. */
  thinkingOff: word("omit", "disabled", "between_tools", "low-effort"),
  /** Whether `thinking.display` may be said. */
  display: yesNo,
  /** Steps of `output_config.effort`; none: the field is refused. */
  efforts: wordsOf<Effort>(ladder),
  /** `one`: temperature or top_p, not both. `none`: any but the default is refused. */
  sampling: word("all", "one", "none"),
  /** Whether the last turn may be the assistant's. */
  prefill: yesNo,
  /** Whether `role: "system"` may stand between turns. */
  midSystem: yesNo,
  /** Whether `output_config.format` is known. */
  format: yesNo,
  /** Whether a tool may be `strict`. */
  strictTools: yesNo,
  /** Whether `any` and `tool` are accepted as a tool choice. */
  forcedTools: yesNo,
  /** The model's own limit of output tokens. 0: not known. */
  maxOutput: count,
} as const;

export type MessagesCapabilities = CapabilitiesOf<typeof capabilityKinds>;

const lowToHigh: readonly Effort[] = ["low", "medium", "high"];
const lowToMax: readonly Effort[] = ["low", "medium", "high", "max"];
const allSteps: readonly Effort[] = ["low", "medium", "high", "xhigh", "max"];

const claude3: MessagesCapabilities = {
  thinking: "none",
  omittedThinking: "off",
  thinkingOff: "omit",
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
const claude4: MessagesCapabilities = { ...claude3, thinking: "budget", display: true, maxOutput: 64_000 };
const claude45: MessagesCapabilities = { ...claude4, sampling: "one", format: true, strictTools: true };
const claude46: MessagesCapabilities = {
  ...claude45,
  thinking: "both",
  efforts: lowToMax,
  prefill: false,
  maxOutput: 128_000,
};
const claude47: MessagesCapabilities = { ...claude46, thinking: "adaptive", efforts: allSteps, sampling: "none" };
const claude48: MessagesCapabilities = { ...claude47, midSystem: true };
const claude5: MessagesCapabilities = { ...claude48, omittedThinking: "adaptive", thinkingOff: "disabled" };
const claude55: MessagesCapabilities = { ...claude5, thinkingOff: "low-effort", forcedTools: false };

/** A model that came after this table: the newest, of which nobody knows how much it writes. */
const newest: MessagesCapabilities = { ...claude55, maxOutput: 0 };

/** First match counts. */
const rows: readonly (readonly [RegExp, MessagesCapabilities])[] = [
  [/claude-(?:instant|2|3-(?:opus|sonnet|haiku))/, claude3],
  [/claude-3[-.]5/, { ...claude3, maxOutput: 8192 }],
  [/claude-3[-.]7/, claude4],
  [/claude-opus-4[-.]1(?!\d)/, { ...claude45, maxOutput: 32_000 }],
  [/claude-(?:sonnet|haiku)-4[-.]5/, claude45],
  [/claude-opus-4[-.]5/, { ...claude45, efforts: lowToHigh }],
  [/claude-opus-4[-.]6/, claude46],
  [/claude-sonnet-4[-.]6/, { ...claude46, maxOutput: 64_000 }],
  [/claude-\w+-4[-.]7/, claude47],
  [/claude-\w+-4[-.](?:[89]|\d\d)(?!\d)/, claude48],
  [/claude-opus-4/, { ...claude4, maxOutput: 32_000 }],
  [/claude-sonnet-4/, claude4],
  [/claude-opus-5[-.]5/, claude55],
  [/claude-sonnet-5[-.]5/, { ...claude55, thinkingOff: "between_tools" }],
  [/claude-haiku-5[-.]5/, claude5],
  [/claude-(?:fable|mythos)-5[-.]\d(?!\d)/, claude55],
  [/claude-(?:fable|mythos)/, { ...claude5, thinkingOff: "low-effort" }],
  [/claude-(?:opus|sonnet|haiku)-5(?![-.]?\d(?!\d))/, claude5],
  [/claude/, newest],
];

/** Servers of other makers that speak this protocol: send what the caller said, as permissively as it can be said. */
const compatible: MessagesCapabilities = {
  thinking: "both",
  omittedThinking: "off",
  thinkingOff: "disabled",
  display: true,
  efforts: allSteps,
  sampling: "all",
  prefill: true,
  midSystem: false,
  format: true,
  strictTools: true,
  forcedTools: true,
  maxOutput: 0,
};

/** What the upstream takes: by the model's name, whatever prefix or date it bears, then by what the operator says. */
export function capabilitiesOf(context: EncodeRequestContext): MessagesCapabilities {
  const name = context.model.toLowerCase();
  const otherwise = context.dialect === "anthropic" ? newest : compatible;
  const record = rows.find(([pattern]) => pattern.test(name))?.[1] ?? otherwise;
  return withOverrides(capabilityKinds, record, context.capabilities);
}
