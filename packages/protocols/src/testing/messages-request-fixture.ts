import { type CanonicalRequest, type Part, ProtocolError, type Tool } from "../canonical/index.ts";
import type { EncodedRequest } from "../codec.ts";
import { encodeRequest } from "../messages/request-encoder.ts";
import { text, user } from "./turns-fixture.ts";

/** A model of the newest generation. */
export const newest = "claude-sonnet-5";

/** Reasoning with a signature of the protocol's own family. */
export function signed(value: string, thought?: string): Part {
  return {
    type: "reasoning",
    ...(thought === undefined ? {} : { text: thought }),
    proof: { family: "anthropic", kind: "signature", value },
  };
}

/** A function without arguments. */
export const tool: Extract<Tool, { type: "function" }> = {
  type: "function",
  name: "f",
  parameters: { type: "object", properties: {} },
};

/** A small request with what is asked for beside it, written for a model. */
export function encode(more: Partial<CanonicalRequest> = {}, model = newest): EncodedRequest {
  const base: CanonicalRequest = {
    model: "m",
    stream: false,
    turns: [user(text("Hello"))],
    tools: [],
    sampling: {},
    stopSequences: [],
    maxOutputTokens: 4000,
  };
  return encodeRequest({ ...base, ...more }, { model, stream: more.stream ?? false });
}

/** The error of a request that is refused before any call. */
export function refusal(more: Partial<CanonicalRequest>, model = newest): ProtocolError["error"] {
  try {
    encode(more, model);
  } catch (error) {
    if (error instanceof ProtocolError) return error.error;
    throw error;
  }
  throw new Error("The request was taken.");
}

/** What is told about the losses of a request, each by its verdict and field. */
export function told({ notices }: EncodedRequest): string[] {
  return notices.map((notice) => `${notice.verdict} ${notice.field}`);
}
