import type { ServerResponse } from "node:http";
import { type CanonicalError, type CanonicalRequest, codecs, ProtocolError } from "@interlingua/protocols";
import type { Candidate } from "../channels/route-plan.ts";
import { StorageError } from "../storage/database.ts";
import { errorFields } from "../telemetry/error-fields.ts";
import { runAttempt, unprepared } from "./attempt.ts";
import type { AttemptEnd } from "./attempt-end.ts";
import { attemptRecord } from "./attempt-record.ts";
import { reserveBudget } from "./budget.ts";
import { callHeaders, sendBody, sendError } from "./client-answer.ts";
import { contextOfCalls, type RelayContext } from "./context.ts";
import { type Course, createCourse } from "./course.ts";
import { byBestProtocol, findCandidates, routeQuery } from "./find-candidates.ts";
import { type CallHead, goesDirect, type IncomingCall, writtenIn } from "./incoming-call.ts";
import { checkModel } from "./key-permission.ts";
import { createMending, type Mending } from "./mending.ts";
import { drained, internalError, keyEnded, limitReached, noChannel, storageUnavailable } from "./own-errors.ts";
import { placeMedia } from "./place-media.ts";
import { prepareRequest } from "./prepared-request.ts";
import { rateHeaders } from "./rate-headers.ts";
import { createSettlement, elapsed, type Settlement } from "./settlement.ts";
import { places, withStoredState } from "./stored-state.ts";
import { tokenDemand } from "./token-demand.ts";

/** Runs calls: from a checked body to the last byte of the answer and its record. */
export interface Relay {
  /** Resolves when the call has been answered and recorded. Never rejects. */
  generate(call: IncomingCall, response: ServerResponse): Promise<void>;
  /** Answers and records a call that failed before it had a readable body. */
  refuse(head: CallHead, error: CanonicalError, response: ServerResponse): Promise<void>;
  /** Calls that have not ended. */
  readonly active: number;
  /** Resolves when no call runs any more. */
  idle(): Promise<void>;
  /** Ends every running call by its protocol's error. */
  cut(): void;
  /** Ends the running calls of these access keys by their protocol's error (A3). */
  terminate(keyIds: ReadonlySet<string>): void;
}

const maximumAttempts = 3;

export function createRelay(context: RelayContext): Relay {
  const running = new Set<Course>();
  const waiting: (() => void)[] = [];
  const contextOfCall = contextOfCalls(context);

  const run = async (head: CallHead, response: ServerResponse, body: (course: Course) => Promise<void>) => {
    const course = createCourse(head, response);
    running.add(course);
    response.on("close", () => {
      if (response.writableFinished) return;
      course.gone = true;
      course.onGone?.();
    });
    try {
      await body(course);
    } finally {
      running.delete(course);
      course.media?.close();
      // Settled long ago, unless a defect kept the call from its settlement: its place must not be lost.
      course.permit?.settle(0);
      if (running.size === 0) for (const resolve of waiting.splice(0)) resolve();
    }
  };

  return {
    generate: (call, response) => run(call, response, (course) => serve(contextOfCall(), call, course)),
    refuse: (head, error, response) =>
      run(head, response, (course) => answerError(context, course, createSettlement(context, course), error)),
    get active() {
      return running.size;
    },
    idle: () =>
      new Promise((resolve) => {
        if (running.size === 0) resolve();
        else waiting.push(resolve);
      }),
    cut() {
      for (const course of running) course.onCut?.(drained());
    },
    terminate(keyIds) {
      for (const course of running) {
        if (!keyIds.has(course.head.key.id)) continue;
        course.abortReason ??= "key_ended";
        course.onCut?.(keyEnded());
      }
    },
  };
}

async function serve(context: RelayContext, incoming: IncomingCall, course: Course): Promise<void> {
  const settlement = createSettlement(context, course);
  const held = context.channels.hold();
  try {
    course.capture = context.content.captureFor(incoming.key);
    course.capture?.push("client_request", incoming.document.bytes);
    const known = withStoredState(context, incoming);
    const call = known instanceof Promise ? await known : known;
    course.keeper = call.keeper;
    const request = decode(context, call, course);
    const query = routeQuery(call, request.model);
    checkModel(held.routes, call.key, query);
    await admit(context, call, course, request);
    const found = findCandidates(held.routes, query, context.platform.monotonic());
    const candidates = byBestProtocol(found, request);
    course.budget = await reserveBudget({ ...context.budgets, settings: context.settings }, call, request, candidates);
    course.timings.admission = elapsed(context, course);
    const end = await tryCandidates(context, call, course, settlement, request, candidates);
    await conclude(context, course, settlement, end);
  } catch (cause) {
    if (cause instanceof ProtocolError) {
      await answerError(context, course, settlement, cause.error);
      return;
    }
    if (cause instanceof StorageError && cause.kind !== "statement") {
      // Without a reservation, or without what the call goes on from, nothing is sent (D1).
      context.log.error("the storage did not take a call", { call_id: incoming.id, ...errorFields(cause) });
      await answerError(context, course, settlement, storageUnavailable(cause));
      return;
    }
    // A defect of ours ends this call and no other (O7).
    context.log.error("a call failed inside the gateway", { call_id: incoming.id, ...errorFields(cause) });
    course.abortReason ??= "gateway_fault";
    await answerError(context, course, settlement, internalError());
  } finally {
    held.release();
  }
}

function decode(context: RelayContext, call: IncomingCall, course: Course): CanonicalRequest {
  const { value } = call.document;
  if (typeof value.model === "string" && course.model === null) course.model = value.model.slice(0, 256);
  if (value.stream === true) course.stream = true;
  const vault = context.vaults.of(call.key.accountId);
  const request = codecs[writtenIn(call)].decodeRequest(value, call.envelope, { vault, ...places(call) });
  course.model = request.model;
  course.stream = request.stream;
  course.request = request;
  return request;
}

/** Lets the call in under the limits of its key, or throws what tells which one is reached (C13). */
async function admit(
  context: RelayContext,
  call: IncomingCall,
  course: Course,
  request: CanonicalRequest,
): Promise<void> {
  const { id: keyId, limits, account } = call.key;
  const asked = context.counters.admitCall({ keyId, limits, account, tokens: tokenDemand(call, request) });
  const admission = asked instanceof Promise ? await asked : asked;
  course.rateHeaders = rateHeaders(call.client, admission.state, context.platform.now());
  if (!admission.ok) throw new ProtocolError(limitReached(admission.refused));
  course.permit = admission.permit;
}

async function tryCandidates(
  context: RelayContext,
  call: IncomingCall,
  course: Course,
  settlement: Settlement,
  request: CanonicalRequest,
  candidates: readonly Candidate[],
): Promise<AttemptEnd> {
  const failures: Extract<AttemptEnd, { kind: "failed" }>[] = [];
  const queue = [...candidates];
  let attempts = 0;
  let retriedReset = false;
  const mending = createMending(context, call);
  for (let candidate = queue.shift(); candidate; candidate = queue.shift()) {
    // What an earlier attempt was told is no answer that a caller who leaves would have to pay.
    course.timings.firstByte = null;
    if (course.gone) return { kind: "gone" };
    const end = await tryOne(context, call, course, settlement, request, candidate, mending);
    if (end.kind !== "failed") return end;
    failures.push(end);
    if (end.retry === "no") return end;
    // A request that this candidate can not be sent costs no attempt: nothing went out.
    if (end.failure) attempts++;
    if (attempts >= maximumAttempts) break;
    if (end.retry === "reset" && queue.length === 0 && !retriedReset) {
      // A kept connection that the upstream closed in the same moment looks like this: once more over a fresh one.
      retriedReset = true;
      queue.push(candidate);
    }
  }
  return worstOf(failures);
}

async function tryOne(
  context: RelayContext,
  call: IncomingCall,
  course: Course,
  settlement: Settlement,
  request: CanonicalRequest,
  candidate: Candidate,
  mending: Mending,
): Promise<AttemptEnd> {
  course.candidate = candidate;
  try {
    const placed =
      context.media && !goesDirect(call, candidate)
        ? await placeMedia(context.media, course, request, candidate)
        : ({ kind: "placed", request, notices: [] } as const);
    if (placed.kind !== "placed") return placed;
    const cap = course.budget?.loweredCap;
    const whole = prepareRequest(context, call, placed.request, candidate, { cap, notices: placed.notices });
    let prepared = mending.foreseen(whole, candidate);
    for (;;) {
      course.lane = prepared.lane;
      for (const part of ["upstream_request", "upstream_answer"] as const) course.capture?.restart(part);
      course.capture?.push("upstream_request", prepared.body);
      course.attempts.push(attemptRecord(candidate, prepared.lane, elapsed(context, course)));
      const end = await runAttempt({ context, course, settlement, candidate, prepared, request });
      if (end.kind === "done") mending.answered(candidate);
      if (end.kind !== "failed" || !end.refusal) return end;
      // Outside the count of attempts: the channel is well, and what it would not take is known.
      const mended = mending.afterRefusal(prepared, candidate, end.refusal);
      if (!mended) return end;
      course.timings.firstByte = null;
      if (course.gone) return { kind: "gone" };
      prepared = mended;
    }
  } catch (cause) {
    if (cause instanceof ProtocolError) return unprepared(cause.error);
    throw cause;
  }
}

/** What the caller is told when every channel failed: a limit with its smallest wait where all are limited (R11). */
function worstOf(failures: readonly Extract<AttemptEnd, { kind: "failed" }>[]): AttemptEnd {
  const limits = failures.filter((end) => end.error.kind === "rate_limit");
  if (limits.length === failures.length && limits.length > 1) {
    const wait = (end: { error: CanonicalError }) => end.error.retryAfterSeconds ?? Number.POSITIVE_INFINITY;
    return limits.reduce((least, end) => (wait(end) < wait(least) ? end : least));
  }
  const sent = failures.filter((end) => end.failure);
  return sent.at(-1) ?? failures[0] ?? { kind: "failed", error: noChannel(), retry: "no" };
}

async function conclude(context: RelayContext, course: Course, settlement: Settlement, end: AttemptEnd): Promise<void> {
  switch (end.kind) {
    case "done":
      return;
    case "gone":
      await settled(context, course, settlement.settle({ status: 499, outcome: "client_closed" }));
      return;
    case "cut":
      await answerError(context, course, settlement, end.error, "drained");
      return;
    case "failed":
      if (end.passThrough) await passThrough(context, course, settlement, end.error, end.passThrough);
      else await answerError(context, course, settlement, end.error);
      return;
  }
}

async function passThrough(
  context: RelayContext,
  course: Course,
  settlement: Settlement,
  error: CanonicalError,
  own: { status: number; bytes: Buffer },
): Promise<void> {
  const { response } = course;
  course.capture?.push("client_answer", own.bytes);
  await settled(context, course, settlement.settle({ status: own.status, outcome: "failed", error }));
  const headers = { ...callHeaders(course), "x-should-retry": "false" };
  sendBody(response, own.status, headers, own.bytes);
}

async function answerError(
  context: RelayContext,
  course: Course,
  settlement: Settlement,
  error: CanonicalError,
  outcome?: "drained",
): Promise<void> {
  const { head, response } = course;
  const { status, body } = codecs[head.client].encodeError(error, head.id);
  if (!response.headersSent) course.capture?.push("client_answer", JSON.stringify(body));
  const refused = course.timings.connect === null && status < 500;
  const ending = { status, error, outcome: outcome ?? (refused ? "refused" : "failed") } as const;
  await settled(context, course, settlement.settle(ending));
  if (course.gone) return;
  if (response.headersSent) response.destroy();
  else sendError(response, head.client, error, head.id, course.rateHeaders);
}

/** An error answer is given even when its record could not be written; the operator is told. */
async function settled(context: RelayContext, course: Course, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (cause) {
    context.log.error("a call record could not be written", { call_id: course.head.id, ...errorFields(cause) });
  }
}
