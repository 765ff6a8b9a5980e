import type { CanonicalError } from "@interlingua/protocols";
import type { AttemptRecord, Lane } from "../calls/call-record.ts";
import type { Candidate } from "../channels/route-plan.ts";

/** An attempt that begins now; `started` in milliseconds since the call's begin. */
export function attemptRecord(
  { channel, protocol, upstreamModel }: Candidate,
  lane: Lane,
  started: number,
): AttemptRecord {
  return {
    channel: channel.name,
    upstreamProtocol: protocol,
    upstreamModel,
    lane,
    started,
    connect: null,
    firstByte: null,
    end: null,
    status: null,
    errorKind: null,
    errorCode: null,
    possiblyBilled: false,
  };
}

/**
 * Ends an attempt that gave no answer. An upstream that took the request and did not refuse it may want to be paid,
 * whatever became of its answer (M7).
 */
export function failAttempt(attempt: AttemptRecord, error: CanonicalError, end: number): void {
  attempt.end = end;
  attempt.errorKind = error.kind;
  attempt.errorCode = error.code ?? null;
  const refused = attempt.status !== null && attempt.status >= 300 && attempt.status < 500;
  attempt.possiblyBilled = attempt.connect !== null && !refused;
}
