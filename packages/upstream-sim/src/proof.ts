import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/**
 * The opaque proofs that providers put on reasoning (Messages `signature`, Responses `encrypted_content`,
 * Gemini `thoughtSignature`). Ours verify themselves, so any instance knows any other's, also after a restart.
 * The key guards nothing: it only makes sure that a proof was issued here and not made up on the way.
 */
const KEY = "interlingua upstream-sim reasoning proof v1";

/** What a proof is for; a proof of one kind is refused as another. */
export type ProofKind = "thinking" | "redacted" | "encrypted" | "thought-text" | "thought-call";

/** Makes a proof for a text. Standard base64, as all families use. */
export function issueProof(kind: ProofKind, text: string): string {
  const claim = `sim1.${kind}.${digest(text)}`;
  return Buffer.from(`${claim}.${seal(claim)}`, "utf8").toString("base64");
}

/**
 * Judges a proof. `issued`: the proof comes from this provider and is of the kind;
 * `matches`: it was made for exactly this text.
 */
export function checkProof(kind: ProofKind, proof: string, text: string): { issued: boolean; matches: boolean } {
  const [version, itsKind, itsDigest, itsSeal, ...rest] = Buffer.from(proof, "base64").toString("utf8").split(".");
  if (version !== "sim1" || itsKind !== kind || itsDigest === undefined || itsSeal === undefined || rest.length > 0) {
    return { issued: false, matches: false };
  }
  const expected = Buffer.from(seal(`${version}.${itsKind}.${itsDigest}`), "utf8");
  const given = Buffer.from(itsSeal, "utf8");
  const issued = expected.length === given.length && timingSafeEqual(expected, given);
  return { issued, matches: issued && itsDigest === digest(text) };
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}

function seal(claim: string): string {
  return createHmac("sha256", KEY).update(claim).digest("base64url");
}
