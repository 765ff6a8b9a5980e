import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CanonicalRequest, Part } from "../canonical/index.ts";
import { documentPart, imagePart, reasoningPart, refusalPart, request } from "../testing/arbitraries.ts";
import { bare, decode } from "../testing/responses-body-fixture.ts";
import { minimalRequest } from "../testing/responses-fixture.ts";
import { encodeRequest } from "./request-encoder.ts";

const encode = (canonical: CanonicalRequest, model = "gpt-5.6") =>
  encodeRequest(canonical, { model, stream: canonical.stream });

describe("L1 decode undoes encode", () => {
  const parts: fc.Arbitrary<Part> = fc.oneof(
    imagePart(["base64", "url", "file"], "openai"),
    documentPart(["url", "file"], "openai"),
  );
  const covered = request({
    conversation: {
      user: parts,
      reasoning: reasoningPart({ family: "openai", content: "summary", proof: "always", kind: "encrypted" }),
      resultMedia: parts,
      resultErrors: true,
      system: ["system", "developer"],
    },
    sampling: ["temperature", "topP", "logprobs"],
    formats: ["json", "schema"],
    reasoning: fc.constantFrom<NonNullable<CanonicalRequest["reasoning"]>>(
      { effort: "low" },
      { effort: "none", show: "summary", summaryStyle: "detailed" },
      { effort: "max", show: "summary", summaryStyle: "auto" },
    ),
    customTools: true,
    toolChoices: ["auto", "none", "required", "tool", "subset"],
    parallelToolCalls: true,
    verbosity: true,
    more: fc.record(
      {
        maxToolCalls: fc.integer({ min: 1, max: 9 }),
        serviceTier: fc.constantFrom("priority", "flex"),
        caller: fc.constant({ userId: "u", metadata: { a: "b" } }),
        cache: fc.constant({ key: "k", retention: "24h" }),
        state: fc.constantFrom<NonNullable<CanonicalRequest["state"]>>({ store: false }, { store: true }),
        includeEncryptedReasoning: fc.constant<true>(true),
        extras: fc.constant({
          responses: { context_management: [{ type: "compaction" }], "reasoning.context": "auto" },
        }),
      },
      { requiredKeys: ["state", "includeEncryptedReasoning"], noNullPrototype: true },
    ),
  });

  test("for every request that this protocol covers", () => {
    fc.assert(
      fc.property(covered, (canonical) => {
        const encoded = encodeRequest(canonical, { model: "any-model", stream: canonical.stream });
        expect(encoded.notices.filter((notice) => notice.verdict !== "emulated")).toEqual([]);
        expect(bare(decode(encoded.body))).toEqual(bare({ ...normal(canonical), model: "any-model" }));
      }),
    );
  });

  test("refusals of the assistant come back as refusals", () => {
    fc.assert(
      fc.property(refusalPart(), (part) => {
        const hi = minimalRequest().turns;
        const canonical = minimalRequest({ turns: [...hi, { role: "assistant", parts: [part] }, ...hi] });
        expect(bare(decode(encode(canonical).body).turns)).toEqual(bare(canonical.turns));
      }),
    );
  });
});

/** Normal form: strictness is always written; a subset or a choice needs tools; JSON mode may add its word. */
function normal(canonical: CanonicalRequest): CanonicalRequest {
  const result: CanonicalRequest = {
    ...canonical,
    tools: canonical.tools.map((tool) => (tool.type === "function" ? { ...tool, strict: tool.strict ?? false } : tool)),
    turns: canonical.turns.flatMap((turn) => splitResults(turn)),
  };
  if (result.tools.length === 0) {
    delete result.toolChoice;
    delete result.parallelToolCalls;
  }
  if (result.format?.type === "schema") result.format = { ...result.format, name: "response", strict: false };
  const said = canonical.turns.some((turn) =>
    turn.parts.some((part) => part.type === "text" && /json/i.test(part.text)),
  );
  if (result.format?.type === "json" && !said) {
    result.turns = [{ role: "developer", parts: [{ type: "text", text: "Answer with JSON." }] }, ...result.turns];
  }
  return result;
}

/** Results and words of a user are different items, so they come back as different turns. */
function splitResults(turn: CanonicalRequest["turns"][number]): CanonicalRequest["turns"] {
  if (turn.role !== "user") return [turn];
  const results = turn.parts.filter((part) => part.type === "tool-result");
  const words = turn.parts.filter((part) => part.type !== "tool-result");
  return [results.map(errorForm), words].filter((parts) => parts.length > 0).map((parts) => ({ ...turn, parts }));
}

/** The protocol tells an error by the first word of its text only, so a text with that word is one. */
function errorForm(part: Part): Part {
  if (part.type !== "tool-result") return part;
  const [first, ...rest] = part.content;
  if (first?.type !== "text" || !first.text.startsWith("Error: ")) return part;
  return { ...part, content: [{ ...first, text: first.text.slice(7) }, ...rest], isError: true };
}
