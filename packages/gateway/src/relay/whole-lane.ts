import {
  type CanonicalError,
  canonicalError,
  type JsonValue,
  type Notice,
  ProtocolError,
  type Usage,
} from "@interlingua/protocols";
import type { UpstreamExchange } from "../channels/upstream-client.ts";
import { errorFields } from "../telemetry/error-fields.ts";
import type { Deadline } from "../timer-wheel.ts";
import type { AnswerLane, AttemptEnd } from "./attempt-end.ts";
import { callHeaders, sendBody, sendError } from "./client-answer.ts";
import type { RelayContext } from "./context.ts";
import type { Course } from "./course.ts";
import { noticesHeader } from "./notices-header.ts";
import { badAnswer, storageUnavailable } from "./own-errors.ts";
import { elapsed, type Settlement } from "./settlement.ts";

/** What a whole answer of an upstream becomes. */
interface WholeAnswer {
  body: string | Buffer;
  usage: Usage | undefined;
}

export interface WholeLaneOptions {
  context: RelayContext;
  course: Course;
  settlement: Settlement;
  exchange: UpstreamExchange;
  /** Throws `ProtocolError` for what is no answer of the upstream's protocol. */
  convert: (bytes: Buffer) => WholeAnswer;
  notices: () => readonly Notice[];
  done: (end: AttemptEnd) => void;
}

/** Carries an answer that comes as one JSON body: checked, recorded, then sent. */
export function createWholeLane(options: WholeLaneOptions): AnswerLane {
  const { context, exchange } = options;
  const chunks: Buffer[] = [];
  let length = 0;
  let over = false;
  const total: Deadline = context.timers.after(context.settings.upstream.totalOtherMs, () => {
    options.course.abortReason ??= "time_limit";
    fail(canonicalError("timeout", "The answer took too long.", { code: "upstream_timeout" }), "upstream_incomplete");
  });

  const stop = () => {
    over = true;
    total.cancel();
  };
  const fail = (error: CanonicalError, outcome: "upstream_incomplete" | "drained") => {
    if (over) return;
    stop();
    exchange.abort();
    if (outcome === "drained") options.done({ kind: "cut", error });
    else options.done({ kind: "failed", error, failure: { kind: "fault" }, retry: "next-channel" });
  };

  return {
    data(chunk) {
      if (over) return;
      length += chunk.length;
      if (length > context.settings.limits.responseBytes) {
        const message = "The upstream's answer is too large.";
        fail(canonicalError("upstream_bad", message, { code: "upstream_response_too_large" }), "upstream_incomplete");
        return;
      }
      chunks.push(chunk);
    },
    end() {
      if (over) return;
      stop();
      const [only] = chunks;
      const bytes = chunks.length === 1 && only ? only : Buffer.concat(chunks, length);
      options.course.capture?.push("upstream_answer", bytes);
      const answer = read(bytes, options.convert);
      if (answer instanceof ProtocolError) {
        const { error } = answer;
        options.done({ kind: "failed", error, failure: { kind: "fault" }, retry: "next-channel" });
        return;
      }
      options.course.meter?.push(bytes);
      deliver(options, answer);
    },
    fail,
    gone() {
      const policy = options.course.candidate?.channel.onDisconnect ?? context.settings.billing.onDisconnect;
      // Read to its end: the bill is by what the upstream tells there (M11).
      if (over || policy === "drain") return;
      for (const chunk of chunks) options.course.meter?.push(chunk);
      stop();
      exchange.abort();
      options.done({ kind: "gone" });
    },
  };
}

function read(bytes: Buffer, convert: WholeLaneOptions["convert"]): WholeAnswer | ProtocolError {
  try {
    return convert(bytes);
  } catch (cause) {
    if (cause instanceof ProtocolError) return cause;
    throw cause;
  }
}

/** The JSON of a whole answer. Whatever else it was (HTML, nothing, half a document), the caller is told one thing (R7). */
export function answerJson(bytes: Buffer): JsonValue {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    // The upstream's bytes stay inside.
    throw new ProtocolError(badAnswer());
  }
}

function deliver(options: WholeLaneOptions, answer: WholeAnswer): void {
  const { context, course, settlement } = options;
  const { head, response } = course;
  course.candidate?.channel.health.succeeded();
  course.usage = answer.usage;
  course.notices = options.notices();
  course.timings.firstToken ??= course.timings.firstByte;
  course.timings.end = elapsed(context, course);
  const headers = callHeaders(course);
  const told = noticesHeader(course.notices);
  if (told !== undefined) headers["x-interlingua-notices"] = told;
  course.capture?.push("client_answer", answer.body);
  settlement.settle({ status: 200, outcome: course.gone ? "client_closed" : "succeeded" }).then(
    () => {
      sendBody(response, 200, headers, answer.body);
      options.done({ kind: "done" });
    },
    (cause: unknown) => {
      context.log.error("a call record could not be written", { call_id: head.id, ...errorFields(cause) });
      sendError(response, head.client, storageUnavailable(cause), head.id, course.rateHeaders);
      options.done({ kind: "done" });
    },
  );
}
