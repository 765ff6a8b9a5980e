import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Candidate, CanonicalResponse, Part, Proof } from "../canonical/index.ts";
import { plainVault } from "../shared/vault.ts";
import { carry, readStream, runStream, utf8, wireAnswer, wireFrames } from "../testing/carrying.ts";
import { callsOf, pairs, type Side } from "../testing/protocol-sides.ts";

const vault = plainVault();

/**
 * The normal form of a client's reading of an answer. Minted ids and unknown fields aside; arguments as JSON values.
 * Reasoning is one text and a list of proofs: a stream shows reasoning and text before it knows their proof, so that a
 * proof may stand behind what a whole answer puts it in front of (that it still finds its part is law L19).
 * A messages stream tells the service tier at its start or never.
 */
function normal({ candidates, usage, serviceTier, model }: CanonicalResponse, client: Side): unknown {
  const tier = client.name === "messages" ? undefined : serviceTier;
  return { candidates: candidates.map(normalCandidate), usage, model, tier };
}

function normalCandidate({ index, parts, finish }: Candidate): unknown {
  return {
    index,
    finish,
    reasoning: reasoning(parts),
    proofs: parts.flatMap(({ proof }) => (proof ? [opened(proof)] : [])),
    parts: parts
      .filter((part) => part.type !== "reasoning")
      .map(({ extras: _extras, at: _at, proof: _proof, ...part }) =>
        part.type === "tool-call" && part.toolKind === "function"
          ? { ...part, arguments: JSON.parse(part.arguments) }
          : part,
      ),
  };
}

/** A responses stream seals a proof of its own that belongs to another item id than the one it has told already. */
function opened(proof: Proof): Proof {
  const { itemId: _itemId, ...rest } = vault.open(proof.value) ?? proof;
  return rest;
}

function visible(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
}

function reasoning(parts: readonly Part[]): string {
  const texts = parts.flatMap((part) => (part.type === "reasoning" ? [part.text ?? part.summary?.join("\n\n")] : []));
  return texts.join("");
}

function calls(parts: readonly Part[]): unknown[] {
  return callsOf(parts).map(({ name, callId, arguments: raw }) => ({ name, callId, input: JSON.parse(raw) }));
}

describe("L8 a streamed answer is the whole answer, and L11 its frames pass the strictest client", () => {
  for (const { name, client, upstream } of pairs()) {
    test(name, () => {
      const asked = client.hasCandidates && upstream.hasCandidates ? 3 : 1;
      fc.assert(
        fc.property(upstream.answers, (answer) => {
          const whole = carry(client, upstream, client.body(asked, false)).convertResponse(
            wireAnswer(upstream, answer),
          );
          const conversion = carry(client, upstream, client.body(asked, true), { stream: true });
          const carried = runStream(conversion.createStream(), wireFrames(upstream, answer).map(utf8));
          expect(carried.ended).toBe("good");
          expect(client.verdict(carried.text, asked)).toBe("good");
          const streamed = readStream(client.codec, carried.text);
          expect(normal(streamed, client)).toEqual(normal(client.codec.decodeResponse(whole.body), client));
        }),
        { numRuns: 60, seed: 8 },
      );
    });
  }
});

describe("an answer's text, reasoning and calls are the upstream's, in every client", () => {
  for (const { name, client, upstream } of pairs("crossing")) {
    test(name, () => {
      fc.assert(
        fc.property(upstream.answers, (answer) => {
          const whole = carry(client, upstream, client.body(1, false)).convertResponse(wireAnswer(upstream, answer));
          const got = client.codec.decodeResponse(whole.body).candidates[0]?.parts ?? [];
          const told = answer.candidates[0]?.parts ?? [];
          expect(visible(got)).toBe(visible(told));
          expect(reasoning(got)).toBe(reasoning(told));
          expect(calls(got)).toEqual(calls(told));
        }),
        { numRuns: 60, seed: 9 },
      );
    });
  }
});
