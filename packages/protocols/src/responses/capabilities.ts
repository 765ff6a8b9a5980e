import type { Effort } from "../canonical/index.ts";
import type { EncodeRequestContext } from "../codec.ts";
import { type CapabilitiesOf, withOverrides, word, wordsOf, yesNo } from "../shared/capabilities.ts";
import { ladder } from "../shared/effort.ts";

/** What one upstream model takes: one entry for each question that the request encoder asks. */
export const capabilityKinds = {
  /** Takes `reasoning` and gives encrypted reasoning. */
  reasoning: yesNo,
  /** Steps of `reasoning.effort`. */
  efforts: wordsOf<Effort>(ladder),
  /** When `temperature` and `top_p` are taken: always, or only with effort `none`. */
  sampling: word("always", "effort-none"),
  /** Takes `text.verbosity` other than medium. */
  verbosity: yesNo,
  /** Takes `prompt_cache_breakpoint` on text parts. */
  cacheBreakpoints: yesNo,
  /** Takes `input_audio` parts, which the vendor's own types do not allow in general. */
  audio: yesNo,
} as const;

export type ResponsesCapabilities = CapabilitiesOf<typeof capabilityKinds>;

const plain: ResponsesCapabilities = {
  reasoning: false,
  efforts: [],
  sampling: "always",
  verbosity: false,
  cacheBreakpoints: false,
  audio: false,
};

const thinking: ResponsesCapabilities = {
  reasoning: true,
  efforts: ["none", "low", "medium", "high", "xhigh"],
  sampling: "effort-none",
  verbosity: true,
  cacheBreakpoints: false,
  audio: false,
};

/** A model of the vendor that came after this table. */
const newest: ResponsesCapabilities = {
  ...thinking,
  efforts: ["none", "low", "medium", "high", "xhigh", "max"],
  cacheBreakpoints: true,
};

/** First match counts. */
const rows: readonly (readonly [RegExp, ResponsesCapabilities])[] = [
  [/^gpt-.*audio/, { ...plain, audio: true }],
  [/^(gpt-3|gpt-4|chatgpt-|gpt-5(\.\d+)?-chat)/, plain],
  [/^o[134]($|-)/, { ...thinking, efforts: ["low", "medium", "high"], verbosity: false }],
  [/^(gpt-5-codex|codex-)/, { ...thinking, efforts: ["low", "medium", "high"] }],
  [/^gpt-5(-(mini|nano|pro))?($|-\d)/, { ...thinking, efforts: ["minimal", "low", "medium", "high"] }],
  [/^gpt-5\.1($|-(mini|codex)?($|-)|-\d)/, { ...thinking, efforts: ["none", "low", "medium", "high"] }],
  [/^gpt-5\.[2-5]/, thinking],
  [/^gpt-(?!oss)/, newest],
];

/** Compatible servers and names of tomorrow: everything goes through, the upstream decides. */
const permissive: ResponsesCapabilities = {
  reasoning: true,
  efforts: ["none", "minimal", "low", "medium", "high", "xhigh", "max"],
  sampling: "always",
  verbosity: true,
  cacheBreakpoints: false,
  audio: false,
};

/** What the upstream takes: by the model's name without its maker's prefix (`openai/`), then by what the operator says. */
export function capabilitiesOf(context: EncodeRequestContext): ResponsesCapabilities {
  const { model } = context;
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  const otherwise = context.dialect === "openai" ? newest : permissive;
  const record = rows.find(([pattern]) => pattern.test(name))?.[1] ?? otherwise;
  return withOverrides(capabilityKinds, record, context.capabilities);
}
