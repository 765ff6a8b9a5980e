import { type CanonicalError, canonicalError, type UpstreamFailure } from "@interlingua/protocols";
import type { ChannelFailure } from "../channels/channel-health.ts";
import type { Candidate } from "../channels/route-plan.ts";
import type { UpstreamFault } from "../channels/upstream-client.ts";
import type { AttemptEnd } from "./attempt-end.ts";
import type { RelayContext } from "./context.ts";
import type { Course } from "./course.ts";
import { badAnswer, noChannel } from "./own-errors.ts";
import type { PreparedRequest } from "./prepared-request.ts";

/** What the caller is told when the exchange itself broke. Hosts and causes stay in the operator's log. */
export function faultError(fault: UpstreamFault, answering: boolean): CanonicalError {
  switch (fault.kind) {
    case "headers_timeout":
    case "body_timeout":
      return canonicalError("timeout", "The upstream did not answer in time.", { code: "upstream_timeout" });
    case "tls":
      return unavailable("upstream_tls");
    case "protocol":
      return badAnswer();
    case "connect":
    case "connect_timeout":
      return unavailable("upstream_unavailable");
    case "reset":
    case "aborted":
      if (!answering) return unavailable("upstream_unavailable");
      return canonicalError("upstream_incomplete", "The upstream broke off its answer.", { code: "stream_incomplete" });
  }
}

function unavailable(code: string): CanonicalError {
  return canonicalError("upstream_bad", "The upstream could not be reached.", { code });
}

interface Refused {
  context: RelayContext;
  course: Course;
  candidate: Candidate;
  prepared: PreparedRequest;
}

/** What an upstream's error answer means for the call and for the channel (conversion.md 1.5.8; R11, R12, R16). */
export function refusalEnd(options: Refused, failure: UpstreamFailure, bytes: Buffer): AttemptEnd {
  const { context, course, candidate, prepared } = options;
  const error = prepared.upstream.decodeError(failure);
  const { status } = failure;
  context.log.warn("an upstream refused a call", {
    call_id: course.head.id,
    channel: candidate.channel.name,
    status,
    error_kind: error.kind,
    ...(error.code === undefined ? {} : { error_code: error.code }),
  });
  // Gemini tells of a bad key by 400, others of an empty account by 429: the kind says more than the status.
  const own = error.kind === "billing" || error.kind === "unauthenticated";
  if (own || status === 401 || status === 402 || status === 403) {
    return { kind: "failed", error: noChannel(), failure: { kind: "credential" }, retry: "next-channel" };
  }
  const channelFailure = failureOf(status, error);
  if (channelFailure) return { kind: "failed", error, failure: channelFailure, retry: "next-channel" };
  const passes = prepared.lane === "direct" && typeof failure.body === "object" && failure.body !== null;
  return {
    kind: "failed",
    error,
    retry: "no",
    refusal: failure,
    ...(passes ? { passThrough: { status, bytes } } : {}),
  };
}

function failureOf(status: number, error: CanonicalError): ChannelFailure | undefined {
  if (status === 429 || status === 503 || status === 529) {
    const { retryAfterSeconds } = error;
    return { kind: "busy", ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
  }
  return status >= 500 ? { kind: "fault" } : undefined;
}
