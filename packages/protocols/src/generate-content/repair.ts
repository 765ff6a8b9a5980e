import type { JsonObject, JsonValue } from "../canonical/index.ts";
import type { Mended, RequestRepair, UpstreamFailure } from "../codec.ts";
import { absentSignature, isAbsentSignature } from "../shared/absent-signature.ts";
import { isObject } from "../shared/read.ts";
import {
  allowedFields,
  namesIn,
  type RefusedName,
  refusalText,
  type Wording,
  withoutField,
} from "../shared/refused-field.ts";
import { isRefusedProof } from "../shared/refused-proof.ts";

const signatureKeys = ["thoughtSignature", "thought_signature"];
const callKeys = ["functionCall", "function_call"];

/**
 * Puts the documented stand-in in the place of refused signatures: on the first call of a content, where the models look
 * for one; elsewhere they may be missing. Where a signature is missed, only first calls without one get it.
 */
function withoutProofs(body: JsonObject, failure: UpstreamFailure): Mended | undefined {
  if (!isRefusedProof(failure) || !Array.isArray(body.contents)) return undefined;
  const missed = /missing[^.\n]{0,20}thought_?signature/i.test(refusalText(failure));
  let changed = 0;
  const contents = body.contents.flatMap((content): JsonValue[] => {
    if (!isObject(content) || !Array.isArray(content.parts)) return [content];
    const parts = missed ? withMissing(content.parts) : withoutSignatures(content.parts);
    if (!parts) return [content];
    changed += 1;
    return parts.length > 0 ? [{ ...content, parts }] : [];
  });
  if (changed === 0) return undefined;
  const detail = missed
    ? `The upstream missed thought signatures; the call was sent again with the stand-in for them (contents: ${changed}).`
    : `The upstream refused thought signatures of earlier turns; the call was sent again without them (contents: ${changed}).`;
  return { body: { ...body, contents }, notices: [{ field: "reasoning", verdict: "dropped", detail }] };
}

/** Parts whose first call has the stand-in; undefined where it has a signature already. */
function withMissing(parts: readonly JsonValue[]): JsonValue[] | undefined {
  const first = parts.findIndex((part) => hasKey(part, callKeys));
  const call = parts[first];
  if (!isObject(call) || hasKey(call, signatureKeys)) return undefined;
  return parts.with(first, { ...call, thoughtSignature: absentSignature });
}

/** Parts without their signatures; undefined where there was none. Parts that held nothing else are left out. */
function withoutSignatures(parts: readonly JsonValue[]): JsonValue[] | undefined {
  if (!parts.some(isSigned)) return undefined;
  const bare = parts.flatMap((part) => {
    if (!isObject(part) || !isSigned(part)) return [part];
    const { thoughtSignature: _camel, thought_signature: _snake, ...rest } = part;
    const isEmpty = Object.entries(rest).every(([key, value]) => key === "thought" || (key === "text" && value === ""));
    return isEmpty ? [] : [rest];
  });
  return withMissing(bare) ?? bare;
}

function isSigned(part: JsonValue): boolean {
  if (!isObject(part)) return false;
  return signatureKeys.some((key) => {
    const value = part[key];
    return typeof value === "string" && !isAbsentSignature(value);
  });
}

function hasKey(part: JsonValue, keys: readonly string[]): boolean {
  return isObject(part) && keys.some((key) => part[key] !== undefined);
}

const thinking = "generation_config.thinking_config";
const wordings: readonly Wording[] = [
  { pattern: /Remove '(thinking_config\.\w+)' from your request/g, what: "value" },
  { pattern: /GenerateContentRequest\.([\w.]+): [^\n]{0,80}not (?:supported|enabled|allowed)/g, what: "field" },
  {
    pattern: /Penalty is not enabled/gi,
    what: "field",
    names: ["generation_config.presence_penalty", "generation_config.frequency_penalty"],
  },
  { pattern: /Thinking level is not supported/gi, what: "field", names: [`${thinking}.thinking_level`] },
  { pattern: /Thinking budget is not supported/gi, what: "field", names: [`${thinking}.thinking_budget`] },
  {
    pattern: /thinking[_ ]budget \(-?\d+\) is invalid|setting thinking_budget to|Budget -?\d+ is invalid/gi,
    what: "value",
    names: [`${thinking}.thinking_budget`],
  },
  { pattern: /only one of thinking budget and thinking level/gi, what: "now", names: [`${thinking}.thinking_budget`] },
  { pattern: /include_thoughts is only enabled/gi, what: "now", names: [`${thinking}.include_thoughts`] },
  { pattern: /thinking is not (?:supported|enabled) (?:by|for) this model/gi, what: "field", names: [thinking] },
];

const allowed = [
  ...["temperature", "top_p", "top_k", "presence_penalty", "frequency_penalty", "seed"].map(inConfig),
  ...["thinking_config", "thinking_config.*"].map(inConfig),
  ...["labels", "labels.*", "service_tier"],
];

function inConfig(name: string): string {
  return `generation_config.${name}`;
}

/** `Unknown name "topK" at 'generation_config': Cannot find field.`, for each of them. */
function unknownNames(text: string): RefusedName[] {
  const found = text.matchAll(/Unknown name \\?"(\w+)\\?"(?: at '([\w.]+)')?: Cannot find field/g);
  return [...found].map(([, name = "", at]) => ({ name: at === undefined ? name : `${at}.${name}`, what: "field" }));
}

/** How generateContent requests are mended. */
export const repair: RequestRepair = {
  withoutProofs,
  refusedFields(body, failure) {
    if (failure.status !== 400) return [];
    const text = refusalText(failure);
    const named = namesIn(text, wordings).map((each) =>
      each.name.startsWith("thinking_config.") ? { ...each, name: inConfig(each.name) } : each,
    );
    return allowedFields(body, [...unknownNames(text), ...named], allowed);
  },
  withoutField,
};
