import type { CanonicalError } from "@interlingua/protocols";
import type { AbortReason, CallRecord, Outcome } from "../calls/call-record.ts";
import { type Bill, billOf, type EndedCall } from "./bill.ts";
import type { RelayContext } from "./context.ts";
import type { Course } from "./course.ts";
import { tokensUsed } from "./token-demand.ts";

/** How a call ended, for its record. */
interface Ending {
  /** The status the caller got. */
  status: number;
  outcome: Outcome;
  error?: CanonicalError;
}

/** Ends a call's accounting exactly once, whatever path it leaves by. */
export interface Settlement {
  /** Whether an ending has been decided. */
  readonly settled: boolean;
  /**
   * Resolves when the record is durable. Rejects when it is not within `record.commit_timeout`. A second ending changes
   * nothing and gets the first one's promise.
   */
  settle(ending: Ending): Promise<void>;
}

export function createSettlement(context: RelayContext, course: Course): Settlement {
  let promise: Promise<void> | undefined;
  return {
    get settled() {
      return promise !== undefined;
    },
    settle(ending) {
      // The place is free before the record is durable: a caller that has its answer may send the next call at once.
      course.permit?.settle(tokensUsed(course, course.permit.reserved));
      promise ??= withDeadline(context, close(context, course, ending));
      return promise;
    },
  };
}

/** Reckons what the call costs and writes it down, with the record, in one unit. */
async function close(context: RelayContext, course: Course, ending: Ending): Promise<void> {
  course.timings.end ??= elapsed(context, course);
  course.abortReason ??= reasonOf(ending);
  const attempt = course.attempts.at(-1);
  if (attempt) attempt.end ??= course.timings.end;
  const bill = await billOf(endedCall(context, course, ending.outcome));
  if (bill.disputed) {
    const channel = course.candidate?.channel.name ?? "";
    context.log.warn("an upstream told a usage that cannot be true", { call_id: course.head.id, channel });
  }
  const content = course.capture ? await context.content.statements(course.head.id, course.capture) : [];
  const answer = course.keeper ? await course.keeper.statements() : [];
  await context.books.close(recordOf(course, ending, bill), course.budget?.reservation, [...content, ...answer]);
}

function reasonOf({ outcome }: Ending): AbortReason | null {
  switch (outcome) {
    case "client_closed":
      return "client_closed";
    case "drained":
      return "shutdown";
    case "upstream_incomplete":
      return "upstream_broke_off";
    case "interrupted":
      return "process_died";
    case "failed":
    case "refused":
    case "succeeded":
      return null;
  }
}

/** A call as its bill sees it, ended or still running. */
export function endedCall(context: RelayContext, course: Course, outcome: Outcome): EndedCall {
  const { candidate, budget } = course;
  return {
    outcome,
    abortReason: course.abortReason,
    budget,
    request: course.request,
    price: candidate && budget?.prices.get(candidate),
    told: course.usage,
    meter: course.meter,
    answered: course.timings.firstByte !== null,
    onDisconnect: candidate?.channel.onDisconnect ?? context.settings.billing.onDisconnect,
  };
}

function withDeadline(context: RelayContext, work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const { commitTimeoutMs } = context.settings.record;
    const deadline = context.timers.after(commitTimeoutMs, () => {
      reject(new Error(`The call record was not durable within ${commitTimeoutMs} ms.`));
    });
    work.then(
      () => {
        deadline.cancel();
        resolve();
      },
      (cause: unknown) => {
        deadline.cancel();
        reject(cause);
      },
    );
  });
}

function recordOf(course: Course, ending: Ending, bill: Bill): CallRecord {
  const { head, candidate } = course;
  return {
    id: head.id,
    requestId: head.id,
    startedAt: head.startedAt,
    accessKeyId: head.key.id,
    clientProtocol: head.client,
    upstreamProtocol: candidate?.protocol ?? null,
    lane: course.lane,
    channel: candidate?.channel.name ?? null,
    model: course.model,
    upstreamModel: candidate?.upstreamModel ?? null,
    stream: course.stream,
    status: ending.status,
    outcome: ending.outcome,
    errorKind: ending.error?.kind ?? null,
    usage: bill.usage,
    notices: course.notices,
    timings: course.timings,
    accountId: head.key.accountId,
    reserved: course.budget?.reservation.amount ?? 0n,
    charge: bill.charge,
    overrun: bill.overrun,
    priceVersion: bill.priceVersion,
    priceLines: bill.lines,
    usageDisputed: bill.disputed,
    abortReason: course.abortReason,
    attempts: course.attempts,
  };
}

/** Milliseconds since the request's head was read. */
export function elapsed(context: RelayContext, course: Course): number {
  return context.platform.monotonic() - course.head.started;
}
