import {
  clientField,
  type JsonObject,
  type Notice,
  type RefusedField,
  type UpstreamFailure,
} from "@interlingua/protocols";
import type { Candidate } from "../channels/route-plan.ts";
import type { RelayContext } from "./context.ts";
import { type IncomingCall, writtenIn } from "./incoming-call.ts";
import { type PreparedRequest, withNotices } from "./prepared-request.ts";

/**
 * Takes out of a request what its upstream refuses and the answer does not depend on: a reasoning proof (conversion.md
 * 2.5), a field that only tunes (7). Once in each way for a call, always with a notice, and never for a caller who wants no
 * loss: that one is told of the refusal as it came.
 */
export interface Mending {
  /** The request without the fields that this upstream refused to the same account within the last hour. */
  foreseen(prepared: PreparedRequest, candidate: Candidate): PreparedRequest;
  /** The request to send once more after a refusal; undefined where it can not be mended. */
  afterRefusal(prepared: PreparedRequest, candidate: Candidate, failure: UpstreamFailure): PreparedRequest | undefined;
  /** To be called when the upstream has answered: what it was spared is remembered. */
  answered(candidate: Candidate): void;
}

const asItIs: Mending = { foreseen: (prepared) => prepared, afterRefusal: () => undefined, answered: () => undefined };

/** The mending of one call. */
export function createMending({ refusedFields, log }: RelayContext, call: IncomingCall): Mending {
  if (call.lossy === "refuse") return asItIs;
  let proofsTaken = false;
  let fieldsTaken: readonly RefusedField[] = [];

  const withoutProofs = (prepared: PreparedRequest, failure: UpstreamFailure) => {
    if (proofsTaken) return undefined;
    const mended = prepared.upstream.repair.withoutProofs(bodyOf(prepared), failure);
    if (!mended) return undefined;
    proofsTaken = true;
    return withBody(prepared, mended.body, mended.notices);
  };
  const withoutRefused = (prepared: PreparedRequest, failure: UpstreamFailure) => {
    if (fieldsTaken.length > 0) return undefined;
    const fields = prepared.upstream.repair.refusedFields(bodyOf(prepared), failure);
    if (fields.length === 0) return undefined;
    fieldsTaken = fields;
    return withoutFields(call, prepared, fields, "The upstream refused it; the call was sent again without it.");
  };
  return {
    foreseen(prepared, candidate) {
      const fields = refusedFields.of(call.key.accountId, candidate).filter((field) => mayHold(prepared, field));
      if (fields.length === 0) return prepared;
      return withoutFields(call, prepared, fields, "Left out, because the upstream refused it within the last hour.");
    },
    afterRefusal(prepared, candidate, failure) {
      const mended = withoutProofs(prepared, failure) ?? withoutRefused(prepared, failure);
      if (!mended) return undefined;
      const channel = candidate.channel.name;
      log.info("a call is sent again without what the upstream refused", { call_id: call.id, channel });
      return mended;
    },
    answered(candidate) {
      if (fieldsTaken.length > 0) refusedFields.remember(call.key.accountId, candidate, fieldsTaken);
      fieldsTaken = [];
    },
  };
}

/** The same request where none of the fields stands in it. */
function withoutFields(
  call: IncomingCall,
  prepared: PreparedRequest,
  fields: readonly RefusedField[],
  detail: string,
): PreparedRequest {
  const notices: Notice[] = [];
  let body = bodyOf(prepared);
  for (const field of fields) {
    const mended = prepared.upstream.repair.withoutField(body, field);
    if (!mended) continue;
    body = mended;
    notices.push({ field: callersField(call, prepared, field.path), verdict: "dropped", detail });
  }
  return notices.length === 0 ? prepared : withBody(prepared, body, notices);
}

/** A field of the upstream's body as the caller spells it. */
function callersField(call: IncomingCall, { upstream }: PreparedRequest, path: string): string {
  const written = writtenIn(call);
  return written === upstream.name ? path : clientField(written, call.document.value, upstream.name, path);
}

function withBody(prepared: PreparedRequest, value: JsonObject, notices: readonly Notice[]): PreparedRequest {
  return { ...withNotices(prepared, notices), body: JSON.stringify(value) };
}

/** Whether the field's name stands anywhere in the body, which costs much less than reading it. */
function mayHold({ body }: PreparedRequest, { path }: RefusedField): boolean {
  return body.includes(`"${path.split(".").at(-1)}"`);
}

function bodyOf({ body }: PreparedRequest): JsonObject {
  // A body is an object that this gateway has read or written.
  return JSON.parse(body.toString());
}
