import type { Effort } from "../canonical/index.ts";

/** What an upstream model takes. Data, not code: the first entry whose pattern matches the model's name counts. */
export interface ResponsesTraits {
  /** Takes `reasoning` and gives encrypted reasoning. */
  reasoning: boolean;
  /** Steps of `reasoning.effort`. */
  efforts: readonly Effort[];
  /** When `temperature` and `top_p` are taken: always, or only with effort `none`. */
  sampling: "always" | "effort-none";
  /** Takes `text.verbosity` other than medium. */
  verbosity: boolean;
  /** Takes `prompt_cache_breakpoint` on text parts. */
  cacheBreakpoints: boolean;
  /** Takes `input_audio` parts, which the vendor's own types do not allow in general. */
  audio: boolean;
}

const plain: ResponsesTraits = {
  reasoning: false,
  efforts: [],
  sampling: "always",
  verbosity: false,
  cacheBreakpoints: false,
  audio: false,
};

const thinking: ResponsesTraits = {
  reasoning: true,
  efforts: ["none", "low", "medium", "high", "xhigh"],
  sampling: "effort-none",
  verbosity: true,
  cacheBreakpoints: false,
  audio: false,
};

const table: readonly { model: RegExp; traits: ResponsesTraits }[] = [
  { model: /^gpt-.*audio/, traits: { ...plain, audio: true } },
  { model: /^(gpt-3|gpt-4|chatgpt-|gpt-5(\.\d+)?-chat)/, traits: plain },
  { model: /^o[134]($|-)/, traits: { ...thinking, efforts: ["low", "medium", "high"], verbosity: false } },
  { model: /^(gpt-5-codex|codex-)/, traits: { ...thinking, efforts: ["low", "medium", "high"] } },
  { model: /^gpt-5(-(mini|nano|pro))?($|-\d)/, traits: { ...thinking, efforts: ["minimal", "low", "medium", "high"] } },
  {
    model: /^gpt-5\.1($|-(mini|codex)?($|-)|-\d)/,
    traits: { ...thinking, efforts: ["none", "low", "medium", "high"] },
  },
  { model: /^gpt-5\.[2-5]/, traits: thinking },
  {
    model: /^gpt-/,
    traits: { ...thinking, efforts: ["none", "low", "medium", "high", "xhigh", "max"], cacheBreakpoints: true },
  },
];

/** Compatible servers and names of tomorrow: everything goes through, the upstream decides. */
const permissive: ResponsesTraits = {
  reasoning: true,
  efforts: ["none", "minimal", "low", "medium", "high", "xhigh", "max"],
  sampling: "always",
  verbosity: true,
  cacheBreakpoints: false,
  audio: false,
};

/** The traits of an upstream model by its name; a maker's prefix (`openai/`) does not count. */
export function traitsOf(model: string): ResponsesTraits {
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  // Open-weight models carry the maker's prefix too, but run on compatible servers.
  if (name.startsWith("gpt-oss")) return permissive;
  return table.find((entry) => entry.model.test(name))?.traits ?? permissive;
}
