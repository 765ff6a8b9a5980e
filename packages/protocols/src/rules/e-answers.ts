import type { JsonObject } from "../canonical/index.ts";
import { plainVault } from "../shared/vault.ts";
import { both, holding, without } from "./pattern.ts";
import { type AnswerRow, kept, none, type Row } from "./rule.ts";

/** Answers that were thought over. `proofs`: with what each family proves its thought, where it proves any. */
const reasoned = (proofs: { R?: string; M?: string; G?: string } = {}): AnswerRow["answers"] => ({
  C: {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: "x",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: "said", reasoning_content: "thought" },
        finish_reason: "stop",
      },
    ],
  },
  R: {
    id: "resp_1",
    object: "response",
    created_at: 1,
    model: "x",
    status: "completed",
    output: [
      {
        type: "reasoning",
        id: "rs_1",
        summary: [{ type: "summary_text", text: "thought" }],
        ...(proofs.R ? { encrypted_content: proofs.R } : {}),
      },
      {
        type: "message",
        id: "msg_1",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: "said", annotations: [] }],
      },
    ],
  },
  M: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "x",
    content: [
      { type: "thinking", thinking: "thought", signature: proofs.M ?? "c2ln" },
      { type: "text", text: "said" },
    ],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  },
  G: {
    responseId: "1",
    modelVersion: "x",
    candidates: [
      {
        index: 0,
        content: {
          role: "model",
          parts: [
            { text: "thought", thought: true },
            { text: "said", ...(proofs.G ? { thoughtSignature: proofs.G } : {}) },
          ],
        },
        finishReason: "STOP",
      },
    ],
  },
});

const withProofs = reasoned({ R: "of-openai", M: "of-anthropic", G: "b2YtZ2VtaW5p" });
const proofs = ["of-openai", "of-anthropic", "b2YtZ2VtaW5p"];

/** A proof of another family, sealed. The stream of a simulated upstream may hold it sealed twice. */
function sealed(value: unknown): boolean {
  const opened = typeof value === "string" ? plainVault().open(value) : undefined;
  return opened !== undefined && (proofs.includes(opened.value) || sealed(opened.value));
}

const shown: Record<"G", JsonObject> = { G: { generationConfig: { thinkingConfig: { includeThoughts: true } } } };
const onlyResponses = none("only the responses protocol has encrypted reasoning");

/** E2, E3 and E7: what a client sees of the model's reasoning. */
export const reasoningAnswerRows: readonly Row[] = [
  {
    id: "E2",
    says: "Reasoning stands in the client's own place for it, never within the answer's text.",
    kind: "answer",
    asks: shown,
    answers: reasoned(),
    becomes: {
      C: kept({ choices: [{ message: { content: "said", reasoning_content: "thought" } }] }),
      R: kept({ output: [{ type: "reasoning", summary: [{ text: "thought" }] }, { content: [{ text: "said" }] }] }),
      M: kept({
        content: [
          { type: "thinking", thinking: "thought" },
          { type: "text", text: "said" },
        ],
      }),
      G: kept({ candidates: [{ content: { parts: [{ text: "thought", thought: true }, { text: "said" }] } }] }),
    },
  },
  {
    id: "E2",
    says: "A client of generateContent that did not ask to see thoughts is not shown any.",
    kind: "answer",
    answers: reasoned(),
    becomes: {
      C: none("the client's protocol has no such wish"),
      R: none("the client's protocol has no such wish"),
      M: none("the client's protocol has no such wish"),
      G: kept({ candidates: [{ content: { parts: both(holding("said"), without('"thought"')) } }] }),
    },
  },
  {
    id: "E3",
    says: "The proof of a thought goes to the client sealed, in its own place for one, so that it can bring it back.",
    kind: "answer",
    asks: shown,
    answers: { ...withProofs, C: none("the upstream proves nothing") },
    becomes: {
      C: kept({ choices: [{ message: { content: "said", reasoning_details: hasSealed } }] }),
      R: kept({ output: both(holding("thought", "said"), hasSealed) }),
      M: kept({ content: both(holding("thought", "said"), hasSealed) }),
      G: kept({
        candidates: [{ content: { parts: [{ thought: true }, { text: "said", thoughtSignature: sealed }] } }],
      }),
    },
  },
  {
    id: "E7",
    says: "A client that asks for encrypted reasoning gets some with every thought, though the upstream encrypts none.",
    kind: "answer",
    asks: { R: { include: ["reasoning.encrypted_content"] } },
    answers: { ...reasoned(), R: none("the upstream is the client's own protocol") },
    becomes: {
      C: onlyResponses,
      R: kept({ output: [{ type: "reasoning", encrypted_content: /./ }, { type: "message" }] }),
      M: onlyResponses,
      G: onlyResponses,
    },
  },
];

function hasSealed(details: unknown): boolean {
  const entries: unknown[] = Array.isArray(details) ? details : [];
  return entries.some((entry) => Object.values(entry ?? {}).some(sealed));
}
