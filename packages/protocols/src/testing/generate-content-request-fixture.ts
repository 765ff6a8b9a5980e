import {
  type CanonicalRequest,
  type Proof,
  ProtocolError,
  type ToolCallPart,
  type ToolResultPart,
  type Turn,
} from "../canonical/index.ts";
import { generateContent } from "../generate-content/codec.ts";
import { showing } from "./generate-content-fixture.ts";

/** A turn of the user. */
export const user: Turn = { role: "user", parts: [{ type: "text", text: "Hi" }] };

const { reasoning: _, ...plain } = showing;

/** A small request with what is asked for beside it, written for a model. */
export function encode(more: Partial<CanonicalRequest>, model = "gemini-3-flash") {
  const { body, notices, plan } = generateContent.encodeRequest({ ...plain, ...more }, { model, stream: false });
  return { body, plan, notices: notices.map(({ field, verdict }) => `${field} ${verdict}`) };
}

/** The field that its refusal names. */
export function refused(more: Partial<CanonicalRequest>): string | undefined {
  try {
    encode(more);
  } catch (cause) {
    if (cause instanceof ProtocolError && cause.error.status === 400) return cause.error.param;
    throw cause;
  }
  throw new Error("The request was taken.");
}

/** A signature of the protocol's own family. */
export const gemini = (value: string): Proof => ({ family: "gemini", kind: "signature", value });

/** A call of a function without arguments. */
export const call = (callId: string, proof?: Proof): ToolCallPart => ({
  type: "tool-call",
  callId,
  name: "f",
  toolKind: "function",
  arguments: "{}",
  ...(proof ? { proof } : {}),
});

/** The result of a call. */
export const result = (callId: string, text = "ok"): ToolResultPart => ({
  type: "tool-result",
  callId,
  toolKind: "function",
  content: [{ type: "text", text }],
});
