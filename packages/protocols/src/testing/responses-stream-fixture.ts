import type { CanonicalResponse, JsonObject, Part, StreamEvent } from "../canonical/index.ts";
import { accumulate } from "../shared/accumulate.ts";
import { checkEncoderOrder } from "./event-order.ts";
import { decodeStream, gated, responseBody, responsesStream, utf8 } from "./responses-fixture.ts";

/** How the vendor begins a stream. */
export const created = { type: "response.created", response: responseBody({ status: "in_progress" }) };

/** A piece of the arguments of the first call. */
export const delta = (text: string, more: JsonObject = {}): JsonObject => ({
  type: "response.function_call_arguments.delta",
  item_id: "fc_1",
  output_index: 0,
  delta: text,
  ...more,
});

/** How the vendor ends a stream. */
export const completed = (more: JsonObject = {}): JsonObject => ({
  type: "response.completed",
  response: responseBody(more),
});

/** Raw events of these events of the vendor's. */
export function events(...wire: JsonObject[]): StreamEvent[] {
  return decodeStream([utf8(responsesStream(...wire))]);
}

/** The answer that these events make, read in lawful order. */
export function answer(...wire: JsonObject[]): CanonicalResponse {
  const ordered = gated(events(...wire));
  checkEncoderOrder(ordered);
  return accumulate(ordered);
}

/** The parts of the answer that these events make. */
export function parts(...wire: JsonObject[]): Part[] {
  return answer(...wire).candidates[0]?.parts ?? [];
}

/** What of an answer a stream can carry: marks for the way back are left out. */
export function comparable(response: CanonicalResponse): unknown {
  const { extras: _extras, createdAt: _at, serviceTier: _tier, ...rest } = response;
  return {
    ...rest,
    candidates: rest.candidates.map((candidate) => ({
      ...candidate,
      parts: candidate.parts.map((part) => {
        const { extras: _marks, ...bare } = part;
        return bare;
      }),
    })),
  };
}
