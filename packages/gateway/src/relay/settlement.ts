import type { CanonicalError } from "@interlingua/protocols";
import type { CallRecord, Outcome } from "../calls/call-record.ts";
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
      promise ??= withDeadline(context, context.recorder.record(recordOf(context, course, ending)));
      return promise;
    },
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

function recordOf(context: RelayContext, course: Course, ending: Ending): CallRecord {
  const { head, candidate } = course;
  course.timings.end ??= elapsed(context, course);
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
    usage: course.usage ?? null,
    notices: course.notices,
    timings: course.timings,
  };
}

/** Milliseconds since the request's head was read. */
export function elapsed(context: RelayContext, course: Course): number {
  return context.platform.monotonic() - course.head.started;
}
