import { describe, expect, it } from "vitest";
import type { JsonObject, Proof } from "../canonical/index.ts";
import type { ProofVault } from "../codec.ts";
import { codecs } from "../codecs.ts";
import { createConversion } from "../conversion.ts";
import { unreadableProof } from "./lost-proofs.ts";
import { noProof } from "./no-proof.ts";
import { plainVault } from "./vault.ts";

const thought = { type: "thinking", thinking: "Hm.", signature: "ENVELOPE" };
const clientBody: JsonObject = {
  model: "m",
  max_tokens: 100,
  messages: [
    { role: "user", content: "Hi" },
    { role: "assistant", content: [thought, { type: "text", text: "Yes." }] },
    { role: "user", content: "And?" },
  ],
};

function converted(vault: ProofVault, lossy: "allow" | "refuse" = "allow") {
  const request = codecs.messages.decodeRequest(clientBody, {}, { vault });
  const ends = { client: codecs.messages, upstream: codecs.responses, upstreamModel: "gpt-5.2" };
  return createConversion({ ...ends, request, clientBody, lossy, ids: (prefix) => `${prefix}1`, now: () => 0, vault });
}

/** As a vault that has no key for what it is shown. */
const locked: ProofVault = { seal: () => "", open: () => unreadableProof };

describe("L21 a proof that does not open", () => {
  it("is absent upstream, and told", () => {
    const { upstreamBody, notices } = converted(locked);
    expect(JSON.stringify(upstreamBody)).not.toMatch(/ENVELOPE|encrypted_content":/);
    expect(notices).toContainEqual(
      expect.objectContaining({ verdict: "dropped", detail: expect.stringMatching(/could not be opened/) }),
    );
  });

  it("is a refusal for a caller who wants no loss", () => {
    expect(() => converted(locked, "refuse")).toThrow(/without loss/);
  });
});

describe("a proof that is too long to be carried (2.5)", () => {
  const answerWith = (proof: string): JsonObject => ({
    ...{ id: "resp_1", object: "response", created_at: 1, model: "gpt-5.2", status: "completed" },
    output: [
      { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "Hm." }], encrypted_content: proof },
      {
        type: "message",
        id: "msg_1",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: "Yes.", annotations: [] }],
      },
    ],
  });
  /** The proof in the client's thinking block, and the notices. */
  function carried(length: number): { proof: Proof | undefined; fields: string[] } {
    const conversion = converted(plainVault());
    const { body } = conversion.convertResponse(answerWith("x".repeat(length)));
    const text = /"signature":"([^"]+)"/.exec(JSON.stringify(body))?.[1] ?? "";
    return { proof: plainVault().open(text), fields: conversion.notices.slice(1).map(({ field }) => field) };
  }

  it("one longer than any that was recorded is carried whole", () => {
    const { proof, fields } = carried(200_000);
    expect(proof).toMatchObject({ family: "openai", value: "x".repeat(200_000) });
    expect(fields).toEqual([]);
  });

  it("has the stand-in in its place, and is told", () => {
    expect(carried(600_000)).toEqual({ proof: noProof, fields: ["reasoning"] });
  });
});
