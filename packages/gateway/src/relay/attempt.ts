import type { CanonicalError, CanonicalRequest, UpstreamFailure } from "@interlingua/protocols";
import { type AnswerDecoding, codingOf, createAnswerDecoding } from "../channels/answer-decoding.ts";
import type { Candidate } from "../channels/route-plan.ts";
import type { UpstreamExchange, UpstreamFault } from "../channels/upstream-client.ts";
import { errorFields } from "../telemetry/error-fields.ts";
import { createAnswerMeter } from "./answer-meter.ts";
import type { AnswerStream } from "./answer-stream.ts";
import type { AnswerLane, AttemptEnd } from "./attempt-end.ts";
import { failAttempt } from "./attempt-record.ts";
import type { RelayContext } from "./context.ts";
import type { Course } from "./course.ts";
import { createDirectArrayStream } from "./direct-array-stream.ts";
import { createDirectStream } from "./direct-stream.ts";
import { badAnswer, internalError } from "./own-errors.ts";
import type { PreparedRequest } from "./prepared-request.ts";
import { elapsed, type Settlement } from "./settlement.ts";
import { createStreamLane } from "./stream-lane.ts";
import { faultError, refusalEnd } from "./upstream-trouble.ts";
import { answerJson, createWholeLane } from "./whole-lane.ts";

/** An error answer is read this far; what is longer is no error message. */
const errorBodyBytes = 1_048_576;

export interface AttemptOptions {
  context: RelayContext;
  course: Course;
  settlement: Settlement;
  candidate: Candidate;
  prepared: PreparedRequest;
  request: CanonicalRequest;
}

/** Tries one channel once. Resolves when the caller has the answer, or when it is clear that this channel gives none. */
export function runAttempt(options: AttemptOptions): Promise<AttemptEnd> {
  return new Promise((resolve) => new Attempt(options, resolve).start());
}

class Attempt {
  readonly #options: AttemptOptions;
  readonly #resolve: (end: AttemptEnd) => void;
  #exchange: UpstreamExchange | undefined;
  #lane: AnswerLane | undefined;
  #decoding: AnswerDecoding | undefined;
  #ended = false;

  constructor(options: AttemptOptions, resolve: (end: AttemptEnd) => void) {
    this.#options = options;
    this.#resolve = resolve;
  }

  start(): void {
    const { context, course, candidate, prepared, request } = this.#options;
    const { upstream } = context.settings;
    candidate.channel.health.begin(context.platform.monotonic());
    course.onGone = () => this.#gone();
    course.onCut = (error) => this.#cut(error);
    candidate.channel.client.send(
      {
        method: "POST",
        path: prepared.path,
        headers: prepared.headers,
        body: prepared.body,
        headersTimeoutMs: request.stream ? upstream.firstByteStreamMs : upstream.firstByteOtherMs,
        bodyTimeoutMs: upstream.idleMs,
      },
      {
        connected: (exchange) => {
          this.#exchange = exchange;
          course.timings.connect ??= elapsed(context, course);
          const attempt = course.attempts.at(-1);
          if (attempt) attempt.connect ??= elapsed(context, course);
          if (this.#ended) exchange.abort();
        },
        start: (status, headers) => this.#guard(() => this.#start(status, headers)),
        data: (chunk) => this.#guard(() => (this.#decoding ?? this.#lane)?.data(chunk)),
        end: () => this.#guard(() => (this.#decoding ?? this.#lane)?.end()),
        error: (fault) => this.#guard(() => this.#fault(fault)),
      },
    );
  }

  /** A defect of ours ends this call and no other (O7). */
  #guard(work: () => void): void {
    try {
      work();
    } catch (cause) {
      const { context, course } = this.#options;
      context.log.error("a call failed inside the gateway", { call_id: course.head.id, ...errorFields(cause) });
      this.#end({ kind: "failed", error: internalError(), retry: "no" });
      this.#exchange?.abort();
    }
  }

  #start(status: number, headers: Record<string, string | undefined>): void {
    const { context, course } = this.#options;
    course.timings.firstByte ??= elapsed(context, course);
    const attempt = course.attempts.at(-1);
    if (attempt) {
      attempt.firstByte = elapsed(context, course);
      attempt.status = status;
    }
    if (this.#ended || !this.#exchange) return;
    const coding = codingOf(headers["content-encoding"]);
    if (coding === "unknown" || (status >= 300 && status < 400)) {
      this.#bad();
      return;
    }
    this.#lane =
      status >= 200 && status < 300 ? this.#answer(headers, this.#exchange) : this.#errorAnswer(status, headers);
    if (!this.#lane || coding === "identity") return;
    const lane = this.#lane;
    this.#decoding = createAnswerDecoding(coding, context.settings.limits.responseBytes, {
      data: (chunk) => this.#guard(() => lane.data(chunk)),
      end: () => this.#guard(() => lane.end()),
      fail: () => lane.fail(badAnswer(), "upstream_incomplete"),
    });
  }

  #answer(headers: Record<string, string | undefined>, exchange: UpstreamExchange): AnswerLane | undefined {
    const { context, course, settlement, prepared, request } = this.#options;
    const type = (headers["content-type"] ?? "").toLowerCase();
    if (type.startsWith("text/html")) {
      this.#bad();
      return undefined;
    }
    const done = (end: AttemptEnd) => this.#end(end);
    const common = { context, course, settlement, exchange, done };
    course.meter = createAnswerMeter(prepared.upstream.name);
    if (request.stream) {
      const { stream, notices } = this.#stream(type);
      return createStreamLane({ ...common, stream, notices });
    }
    // Hosts that stream whatever they are asked are read to the end.
    const streams = type.startsWith("text/event-stream");
    if (prepared.lane === "direct" && !streams) {
      return createWholeLane({
        ...common,
        convert: (bytes) => ({ body: bytes, usage: prepared.upstream.decodeResponse(answerJson(bytes)).usage }),
        notices: () => prepared.notices,
      });
    }
    const conversion = prepared.conversion();
    return createWholeLane({
      ...common,
      convert: (bytes) => {
        const converted = streams ? conversion.convertStreamed(bytes) : conversion.convertResponse(answerJson(bytes));
        return { body: JSON.stringify(converted.body), usage: converted.usage };
      },
      notices: () => conversion.notices,
    });
  }

  #stream(type: string): { stream: AnswerStream; notices: () => Course["notices"] } {
    const { context, course, prepared, request } = this.#options;
    const { framing, id } = course.head;
    if (prepared.lane === "direct" && framing === "sse" && type.startsWith("text/event-stream")) {
      const eventBytes = context.settings.limits.sseEventBytes;
      const { upstream: codec, hideUsage } = prepared;
      return {
        stream: createDirectStream({ codec, callId: id, eventBytes, hideUsage, answers: request.candidates ?? 1 }),
        notices: () => prepared.notices,
      };
    }
    if (prepared.lane === "direct" && framing === "json-array" && type.startsWith("application/json")) {
      return { stream: createDirectArrayStream(prepared.upstream), notices: () => prepared.notices };
    }
    // Hosts that answer a stream request otherwise than asked are read by the decoder, which takes every form.
    const conversion = prepared.conversion();
    return { stream: conversion.createStream(), notices: () => conversion.notices };
  }

  #errorAnswer(status: number, headers: Record<string, string | undefined>): AnswerLane {
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = () => {
      const bytes = Buffer.concat(chunks, length);
      this.#options.course.capture?.push("upstream_answer", bytes);
      const failure: UpstreamFailure = { status, headers, body: jsonOrText(bytes) };
      this.#end(refusalEnd(this.#options, failure, bytes));
    };
    return {
      data: (chunk) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length <= errorBodyBytes || this.#ended) return;
        finish();
        this.#exchange?.abort();
      },
      end: finish,
      fail: (error, outcome) => {
        if (outcome === "drained") this.#end({ kind: "cut", error });
        else finish();
      },
      gone: () => this.#end({ kind: "gone" }),
    };
  }

  #fault(fault: UpstreamFault): void {
    if (this.#ended) return;
    const { context, course, candidate } = this.#options;
    context.log.warn("an upstream exchange failed", {
      call_id: course.head.id,
      channel: candidate.channel.name,
      reason: fault.kind,
      detail: fault.detail,
    });
    this.#decoding?.destroy();
    const error = faultError(fault, this.#lane !== undefined);
    if (this.#lane) {
      this.#lane.fail(error, "upstream_incomplete");
      return;
    }
    const retry = fault.kind === "reset" ? "reset" : "next-channel";
    this.#end({ kind: "failed", error, failure: { kind: "fault" }, retry });
  }

  #bad(): void {
    this.#end({ kind: "failed", error: badAnswer(), failure: { kind: "fault" }, retry: "next-channel" });
    this.#exchange?.abort();
  }

  #gone(): void {
    if (this.#ended) return;
    this.#options.candidate.channel.health.undecided();
    this.#decoding?.destroy();
    if (this.#lane) {
      this.#lane.gone();
      return;
    }
    this.#end({ kind: "gone" });
    this.#exchange?.abort();
  }

  #cut(error: CanonicalError): void {
    if (this.#ended) return;
    if (this.#lane) {
      this.#lane.fail(error, "drained");
      return;
    }
    this.#end({ kind: "cut", error });
    this.#exchange?.abort();
  }

  #end(end: AttemptEnd): void {
    if (this.#ended) return;
    this.#ended = true;
    const { context, course, candidate } = this.#options;
    course.onGone = undefined;
    course.onCut = undefined;
    const { health } = candidate.channel;
    const attempt = course.attempts.at(-1);
    if (attempt && end.kind === "failed") failAttempt(attempt, end.error, elapsed(context, course));
    if (end.kind === "failed" && end.failure) {
      health.failed(context.platform.monotonic(), end.failure);
    } else if (end.kind !== "done") {
      health.undecided();
    }
    this.#resolve(end);
  }
}

function jsonOrText(bytes: Buffer): UpstreamFailure["body"] {
  const text = bytes.toString("utf8");
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // An error page is a body too: the codec decides what may be told of it.
    return text;
  }
}

/** Ends an attempt that could not even be prepared. */
export function unprepared(error: CanonicalError): AttemptEnd {
  return { kind: "failed", error, retry: "next-channel" };
}
