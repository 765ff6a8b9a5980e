import type { CanonicalRequest, Notice, Proof } from "../canonical/index.ts";
import type { ProofVault } from "../codec.ts";
import { noProof } from "./no-proof.ts";
import type { Report } from "./report.ts";

/** What an envelope opens to that nobody here may read: another account's, damaged, of a key that is gone (L21). */
export const unreadableProof: Proof = { family: "unreadable", kind: "signature", value: "" };

/**
 * Longest proof that is given to a client of another family. Providers make long ones (a recorded signature has 61,608
 * characters), and an envelope of this length is still opened when it comes back.
 */
const longestProof = 524_288;

/** Tells of proofs whose envelopes did not open: their family gets the conversation without them. */
export function reportUnreadable(request: CanonicalRequest, report: Report): void {
  let count = 0;
  for (const turn of request.turns) {
    for (const part of turn.parts) {
      if ("proof" in part && part.proof?.family === unreadableProof.family) count += 1;
    }
  }
  if (count === 0) return;
  const what = count === 1 ? "A reasoning proof" : `Of the reasoning proofs ${count}`;
  report.dropped(
    "reasoning",
    `${what} could not be opened (of another account, damaged, or sealed under a secret that is gone) and was left out.`,
  );
}

/** A vault that seals a stand-in in the place of a proof that is too long, and tells of it. */
export function withLongestProof(vault: ProofVault, notice: (notice: Notice) => void): ProofVault {
  return {
    open: (value) => vault.open(value),
    seal(proof) {
      if (proof.value.length <= longestProof) return vault.seal(proof);
      const detail = `The proof of the reasoning has ${proof.value.length} characters, more than is carried through a client of another protocol.`;
      notice({ field: "reasoning", verdict: "dropped", detail });
      return vault.seal(noProof);
    },
  };
}
