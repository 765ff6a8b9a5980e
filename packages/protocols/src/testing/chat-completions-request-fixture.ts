import { type CanonicalRequest, type JsonObject, type Part, ProtocolError, type Turn } from "../canonical/index.ts";
import { encodeRequest } from "../chat-completions/request-encoder.ts";
import { isObject } from "../shared/read.ts";
import { minimalRequest } from "./chat-completions-fixture.ts";

/** A small request with what is asked for beside it, written for a model. */
export function encode(more: Partial<CanonicalRequest>, model = "gpt-4.1") {
  const wanted = minimalRequest({ stream: false, ...more });
  return encodeRequest(wanted, { model, stream: wanted.stream });
}

/** The body that is written for it. */
export function body(more: Partial<CanonicalRequest>, model?: string): JsonObject {
  return encode(more, model).body;
}

/** What is told about its losses, each by its field and verdict. */
export function fields(more: Partial<CanonicalRequest>, model?: string) {
  return encode(more, model).notices.map((notice) => [notice.field, notice.verdict]);
}

/** The field that its refusal names. */
export function refusedParam(more: Partial<CanonicalRequest>, model?: string): string | undefined {
  try {
    encode(more, model);
  } catch (cause) {
    if (cause instanceof ProtocolError) return cause.error.param;
    throw cause;
  }
  throw new Error("The request was not refused.");
}

/** A turn of the user. */
export const user: Turn = { role: "user", parts: [{ type: "text", text: "Hi" }] };

/** A conversation whose model turn has these parts, with their results behind it. */
export function calling(parts: Part[], results: Part[] = []): Turn[] {
  return [user, { role: "assistant", parts }, { role: "user", parts: results }];
}

/** A call of a function without arguments. */
export function call(callId: string, more: Partial<Extract<Part, { type: "tool-call" }>> = {}): Part {
  return { type: "tool-call", callId, name: "f", toolKind: "function", arguments: "{}", ...more };
}

/** The result of a call. */
export function result(callId: string, content: Part[] = [{ type: "text", text: "4" }], more: JsonObject = {}): Part {
  return { type: "tool-result", callId, toolKind: "function", content, ...more };
}

/** The messages that are written for it. */
export function messages(more: Partial<CanonicalRequest>, model?: string): JsonObject[] {
  const list = body(more, model).messages;
  return Array.isArray(list) ? list.filter(isObject) : [];
}
