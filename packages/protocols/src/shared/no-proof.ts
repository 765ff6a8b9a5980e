import type { Proof } from "../canonical/index.ts";
import type { ProofVault } from "../codec.ts";

/** What is sealed in the place of a proof where the upstream gave none, for clients that throw away reasoning without one. */
export const noProof: Proof = { family: "unsigned", kind: "signature", value: "-" };

/** The proof in a value that a client carried: one of another family out of its envelope, else one of the client's own. */
export function openProof(value: string, own: Proof, vault: ProofVault | undefined): Proof | undefined {
  const opened = vault?.open(value);
  if (!opened) return own;
  return opened.family === noProof.family ? undefined : opened;
}
