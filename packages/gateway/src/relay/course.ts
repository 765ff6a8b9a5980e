import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { CanonicalError, CanonicalRequest, Notice, Usage } from "@interlingua/protocols";
import type { AbortReason, AttemptRecord, CallTimings, Lane } from "../calls/call-record.ts";
import type { ContentCapture } from "../calls/content-capture.ts";
import type { Candidate } from "../channels/route-plan.ts";
import type { CallPermit } from "../coordination/rate-counters.ts";
import type { CallMedia } from "../media/media-fetcher.ts";
import type { AnswerKeeper } from "../stored-responses/stored-responses.ts";
import type { AnswerMeter } from "./answer-meter.ts";
import type { Budget } from "./budget.ts";
import type { CallHead } from "./incoming-call.ts";

/** The state of one running call: what its record will tell, and how it can be ended from outside. One owner, the relay. */
export interface Course {
  readonly head: CallHead;
  readonly response: ServerResponse;
  model: string | null;
  stream: boolean;
  candidate: Candidate | undefined;
  lane: Lane | null;
  notices: readonly Notice[];
  usage: Usage | undefined;
  /** Once the body has been read and checked. */
  request: CanonicalRequest | undefined;
  /** The money that is set aside; undefined for a call that was refused before. */
  budget: Budget | undefined;
  /** What the upstream has produced so far. */
  meter: AnswerMeter | undefined;
  /** What is fetched from addresses in the request; undefined where nothing is. */
  media: CallMedia | undefined;
  /** Gathers what goes over the wire; null where it is not to be kept. */
  capture: ContentCapture | null;
  /** Keeps the answer for later turns; undefined where it is not to be kept. */
  keeper: AnswerKeeper | undefined;
  /** In the order in which they were made; the last one may be running. */
  attempts: AttemptRecord[];
  /** Why the answer was given up, where it was. */
  abortReason: AbortReason | null;
  /** The call's place under the limits of its key, from its admission to its end. */
  permit: CallPermit | undefined;
  /** How these limits stood, for the answer's head. */
  rateHeaders: OutgoingHttpHeaders;
  timings: CallTimings;
  /** The caller has closed the connection. */
  gone: boolean;
  /** What the running attempt does when the caller leaves. */
  onGone: (() => void) | undefined;
  /** What the running attempt does when the gateway must end the call (shutdown). */
  onCut: ((error: CanonicalError) => void) | undefined;
}

export function createCourse(head: CallHead, response: ServerResponse): Course {
  return {
    head,
    response,
    model: head.envelope.model ?? null,
    stream: head.envelope.stream ?? false,
    candidate: undefined,
    lane: null,
    notices: [],
    usage: undefined,
    request: undefined,
    budget: undefined,
    meter: undefined,
    media: undefined,
    capture: null,
    keeper: undefined,
    attempts: [],
    abortReason: null,
    permit: undefined,
    rateHeaders: {},
    timings: { admission: null, connect: null, firstByte: null, firstToken: null, end: null },
    gone: false,
    onGone: undefined,
    onCut: undefined,
  };
}
