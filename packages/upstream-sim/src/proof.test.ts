import { expect, it } from "vitest";
import { checkProof, issueProof } from "./proof.ts";

it("a proof is good for its own kind and text only", () => {
  const proof = issueProof("thinking", "a thought");
  expect(checkProof("thinking", proof, "a thought")).toEqual({ issued: true, matches: true });
  expect(checkProof("thinking", proof, "another")).toEqual({ issued: true, matches: false });
  expect(checkProof("encrypted", proof, "a thought")).toEqual({ issued: false, matches: false });
});

it("no changed character of a proof goes unnoticed", () => {
  const proof = issueProof("thought-call", "f");
  for (let at = 0; at < proof.length - 2; at++) {
    const changed = proof.slice(0, at) + (proof[at] === "A" ? "B" : "A") + proof.slice(at + 1);
    expect(checkProof("thought-call", changed, "f").matches, `changed at ${at}`).toBe(false);
  }
});
