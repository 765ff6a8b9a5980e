import type { Proof } from "../canonical/part.ts";
import type { ProofVault } from "../codec.ts";
import { decodeBase64, encodeBase64 } from "./base64.ts";
import { isObject } from "./read.ts";

/**
 * Marks an unsealed envelope. Four characters of the base64 alphabet instead of a dot, because some clients keep a proof
 * as bytes (Gemini's `thoughtSignature`): they decode it as base64 and encode it again, and it must come back the same.
 * For the same reason the rest is standard base64 with padding.
 */
const mark = "gw0E";

const decoder = new TextDecoder("utf-8");
const encoder = new TextEncoder();
const kinds: readonly Proof["kind"][] = ["signature", "encrypted", "redacted"];

/**
 * A vault without a key, for places that can hold none (a browser): the envelope tells whose proof it is, so that it
 * finds its way back, but anyone can read it. Proofs are opaque to everyone but their maker, so nothing is given away.
 */
export function plainVault(): ProofVault {
  return { seal, open };
}

function seal(proof: Proof): string {
  const payload = JSON.stringify({ f: proof.family, k: proof.kind, v: proof.value, m: proof.model, i: proof.itemId });
  return mark + encodeBase64(encoder.encode(payload));
}

/** Never throws: whatever is not an envelope of ours is undefined. */
function open(value: string): Proof | undefined {
  if (!value.startsWith(mark)) return undefined;
  const bytes = decodeBase64(value.slice(mark.length));
  if (!bytes) return undefined;
  const payload = parse(decoder.decode(bytes));
  if (!isObject(payload)) return undefined;
  const { f: family, k, v, m: model, i: itemId } = payload;
  const kind = kinds.find((known) => known === k);
  if (typeof family !== "string" || kind === undefined || typeof v !== "string") return undefined;
  return {
    family,
    kind,
    value: v,
    ...(typeof model === "string" ? { model } : {}),
    ...(typeof itemId === "string" ? { itemId } : {}),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not an envelope: the caller treats the value as a proof of the client's own family.
    return undefined;
  }
}
