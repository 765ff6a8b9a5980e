import { type CanonicalRequest, type JsonObject, ProtocolError, type Turn } from "../canonical/index.ts";
import { encodeRequest } from "../responses/request-encoder.ts";
import { minimalRequest } from "./responses-fixture.ts";

/** A small request with what is asked for beside it, written for a model. */
export function encode(more: Partial<CanonicalRequest> = {}, model = "gpt-5.6") {
  return encodeRequest(minimalRequest(more), { model, stream: false });
}

/** The items that turns are written as. */
export function input(...turns: Turn[]): JsonObject["input"] {
  return encode({ turns }).body.input;
}

/** The field that a refusal names. */
export function refusedField(run: () => unknown): string | undefined {
  try {
    run();
  } catch (cause) {
    if (cause instanceof ProtocolError && cause.error.status === 400) return cause.error.param;
    throw cause;
  }
  throw new Error("Nothing was refused.");
}
