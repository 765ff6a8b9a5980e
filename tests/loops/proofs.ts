import type { JsonObject, ProtocolName } from "@interlingua/protocols";
import type { Refusal } from "../../packages/gateway/src/testing/picky-upstream.ts";

/** The words in which each family refuses a proof. */
export const refusals: Record<ProtocolName, Refusal> = {
  messages: refusal({
    type: "error",
    error: { type: "invalid_request_error", message: "messages.1.content.0: Invalid `signature` in `thinking` block" },
  }),
  responses: refusal({
    error: { message: "The encrypted content could not be verified.", type: "invalid_request_error", param: null },
  }),
  "generate-content": refusal({
    error: { code: 400, message: "Corrupted thought signature.", status: "INVALID_ARGUMENT" },
  }),
  "chat-completions": refusal({ error: { message: "Reasoning was not issued to this caller." } }),
};

function refusal(body: JsonObject): Refusal {
  return { status: 400, body };
}

const slots = /"(?:signature|encrypted_content|thoughtSignature)":\s*"([A-Za-z0-9+/=_-]{20,})"/g;

/** The proofs in what a provider answered, whole or as a stream, each once. */
export function proofsIn(answer: string): string[] {
  return [...new Set([...answer.matchAll(slots)].map(([, proof = ""]) => proof))];
}

/** Whether a text holds a value, in the clear or as base64 at any of its three alignments. */
export function holds(text: string, value: string): boolean {
  if (text.includes(value)) return true;
  return [0, 1, 2].some((shift) => {
    const code = Buffer.from("x".repeat(shift) + value).toString("base64");
    return text.includes(code.slice(shift === 0 ? 0 : 4, -4));
  });
}
