import type { OutgoingHttpHeaders } from "node:http";
import { type CanonicalError, canonicalError, type Notice } from "@interlingua/protocols";
import type { Outcome } from "../calls/call-record.ts";
import type { UpstreamExchange } from "../channels/upstream-client.ts";
import { errorFields } from "../telemetry/error-fields.ts";
import type { Deadline } from "../timer-wheel.ts";
import type { AnswerStep, AnswerStream } from "./answer-stream.ts";
import type { AnswerLane, AttemptEnd } from "./attempt-end.ts";
import { type Checkpoints, createCheckpoints } from "./checkpoint.ts";
import { callHeaders } from "./client-answer.ts";
import type { RelayContext } from "./context.ts";
import type { Course } from "./course.ts";
import { errorFrames } from "./error-frames.ts";
import { noticesHeader } from "./notices-header.ts";
import { cannotPay, internalError } from "./own-errors.ts";
import { elapsed, type Settlement } from "./settlement.ts";

/** A slow reader that takes nothing for this long is cut (C2). */
const stalledReaderMs = 60_000;
/** An upstream that said why its answer ended, and then neither ends it nor says more, is taken at its word (S10). */
const finishPatienceMs = 2_000;
/** After its end mark an upstream may close by itself, so that the connection can be used again. */
const closeGraceMs = 5_000;

export interface StreamLaneOptions {
  context: RelayContext;
  course: Course;
  settlement: Settlement;
  stream: AnswerStream;
  exchange: UpstreamExchange;
  notices: () => readonly Notice[];
  done: (end: AttemptEnd) => void;
}

/** Carries a streaming answer to the caller: one write a read, back-pressure, keep-alives, the end behind the record. */
export function createStreamLane(options: StreamLaneOptions): AnswerLane {
  return new StreamLane(options);
}

class StreamLane implements AnswerLane {
  readonly #options: StreamLaneOptions;
  readonly #context: RelayContext;
  readonly #course: Course;
  readonly #stream: AnswerStream;
  #queue: Buffer[] = [];
  #scheduled = false;
  #received = 0;
  #headSent = false;
  #over = false;
  #upstreamEnded = false;
  #ping: Deadline | undefined;
  #stall: Deadline | undefined;
  #patience: Deadline | undefined;
  readonly #total: Deadline;
  readonly #checkpoints: Checkpoints;
  /** The caller has left, and the upstream is read to its end for the bill's sake. */
  #draining = false;
  #counting = false;

  constructor(options: StreamLaneOptions) {
    this.#options = options;
    this.#context = options.context;
    this.#course = options.course;
    this.#stream = options.stream;
    this.#checkpoints = createCheckpoints(options.context, options.course);
    this.#total = options.context.timers.after(options.context.settings.upstream.totalStreamMs, () => {
      this.#course.abortReason ??= "time_limit";
      this.fail(
        canonicalError("timeout", "The answer took too long.", { code: "upstream_timeout" }),
        "upstream_incomplete",
      );
    });
  }

  data(chunk: Buffer): void {
    if (this.#over) return;
    this.#received += chunk.length;
    if (this.#received > this.#context.settings.limits.streamBytes) {
      const message = "The upstream's answer is too large.";
      this.#course.abortReason ??= "size_limit";
      this.fail(
        canonicalError("upstream_bad", message, { code: "upstream_response_too_large" }),
        "upstream_incomplete",
      );
      return;
    }
    this.#queue.push(chunk);
    if (this.#scheduled) return;
    // The client library hands over each HTTP chunk of one socket read by itself: they are joined here.
    this.#scheduled = true;
    process.nextTick(this.#flush);
  }

  end(): void {
    this.#upstreamEnded = true;
    this.#flush();
    if (!this.#over) this.#apply(this.#stream.close());
  }

  fail(error: CanonicalError, outcome: "upstream_incomplete" | "drained"): void {
    this.#flush();
    if (this.#over) return;
    // Before the abort, which is heard as one more fault at once.
    this.#stop();
    this.#options.exchange.abort();
    if (this.#headSent) {
      this.#finish(this.#stream.fail(error), error, outcome);
      return;
    }
    if (outcome === "drained") this.#options.done({ kind: "cut", error });
    else this.#options.done({ kind: "failed", error, failure: { kind: "fault" }, retry: "next-channel" });
  }

  gone(): void {
    if (this.#over || this.#draining) return;
    const { candidate } = this.#course;
    const policy = candidate?.channel.onDisconnect ?? this.#context.settings.billing.onDisconnect;
    if (policy === "drain") {
      this.#draining = true;
      this.#ping?.cancel();
      this.#stall?.cancel();
      this.#options.exchange.resume();
      return;
    }
    this.#flush();
    if (this.#over) return;
    this.#stop();
    this.#options.exchange.abort();
    this.#course.usage = this.#stream.usage;
    if (!this.#headSent) {
      this.#options.done({ kind: "gone" });
      return;
    }
    this.#course.notices = this.#options.notices();
    this.#options.settlement.settle({ status: 200, outcome: "client_closed" }).then(this.#done, this.#unrecorded);
  }

  readonly #flush = (): void => {
    this.#scheduled = false;
    if (this.#queue.length === 0 || this.#over) return;
    const [only] = this.#queue;
    const bytes = this.#queue.length === 1 && only ? only : Buffer.concat(this.#queue);
    this.#queue = [];
    this.#course.meter?.push(bytes);
    this.#course.capture?.push("upstream_answer", bytes);
    try {
      this.#apply(this.#stream.push(bytes));
      this.#watch();
      this.#awaitEnd();
    } catch (cause) {
      this.#tellDefect(cause);
      this.fail(internalError(), "upstream_incomplete");
    }
  };

  #awaitEnd(): void {
    if (this.#over || !this.#stream.isFinished) return;
    this.#patience ??= this.#context.timers.after(finishPatienceMs, () => this.#apply(this.#stream.close()));
    this.#patience.restart(finishPatienceMs);
  }

  /** Notes down what was used, and ends an answer that has used up what was set aside for it (M3, M6). */
  #watch(): void {
    if (this.#over) return;
    const { budget, meter } = this.#course;
    this.#checkpoints.look(() => this.#stream.usage);
    if (!budget || !meter || this.#counting || budget.prices.size === 0) return;
    if (meter.roughTokens <= budget.bounds.outputTokens) return;
    this.#counting = true;
    meter.countTokens().then(
      (tokens) => {
        this.#counting = false;
        if (this.#over || tokens <= budget.bounds.outputTokens) return;
        this.#course.abortReason = "reservation_used_up";
        const period = this.#course.head.key.quota?.period ?? null;
        this.fail(cannotPay("balance", period), "upstream_incomplete");
      },
      (cause: unknown) => this.#tellDefect(cause),
    );
  }

  /** A defect of ours ends this call and no other (O7). */
  #tellDefect(cause: unknown): void {
    const { head } = this.#course;
    this.#context.log.error("a call failed inside the gateway", { call_id: head.id, ...errorFields(cause) });
  }

  #apply(step: AnswerStep): void {
    const { final } = step;
    if (final?.cause !== undefined) this.#tellDefect(final.cause);
    if (final?.error && !this.#headSent && !this.#stream.hasContent) {
      // Nothing of substance has come and nothing was written: a real status is still possible.
      this.#stop();
      this.#options.exchange.abort();
      const { error } = final;
      this.#options.done({ kind: "failed", error, failure: { kind: "fault" }, retry: "next-channel" });
      return;
    }
    if (step.text.length > 0) this.#write(step.text);
    if (final) this.#finish(final.text, final.error, final.error ? "upstream_incomplete" : "succeeded");
  }

  #write(text: string | Buffer): void {
    if (this.#draining) return;
    const { response, capture } = this.#course;
    capture?.push("client_answer", text);
    this.#sendHead();
    if (this.#stream.hasContent) this.#course.timings.firstToken ??= elapsed(this.#context, this.#course);
    const flowing = response.write(text);
    this.#ping?.restart(this.#context.settings.server.pingIntervalMs);
    if (flowing || this.#stall || response.writableLength < this.#context.settings.limits.streamBufferPauseBytes)
      return;
    this.#options.exchange.pause();
    this.#stall = this.#context.timers.after(stalledReaderMs, () => {
      this.#course.abortReason ??= "reader_stalled";
      response.destroy();
    });
    response.once("drain", () => {
      this.#stall?.cancel();
      this.#stall = undefined;
      this.#options.exchange.resume();
    });
  }

  #sendHead(): void {
    if (this.#headSent) return;
    this.#headSent = true;
    const { head, response, candidate } = this.#course;
    candidate?.channel.health.succeeded();
    const headers: OutgoingHttpHeaders = callHeaders(this.#course);
    headers["content-type"] =
      head.framing === "sse" ? "text/event-stream; charset=utf-8" : "application/json; charset=utf-8";
    headers["x-accel-buffering"] = "no";
    const told = noticesHeader(this.#options.notices());
    if (told !== undefined) headers["x-interlingua-notices"] = told;
    response.writeHead(200, headers);
    this.#ping = this.#context.timers.after(this.#context.settings.server.pingIntervalMs, this.#beat);
  }

  readonly #beat = (): void => {
    if (this.#over) return;
    const frame = this.#stream.ping();
    if (frame === "") this.#ping?.restart(this.#context.settings.server.pingIntervalMs);
    else this.#write(frame);
  };

  /** The answer is over: its record first, then its last frames. */
  #finish(text: string | Buffer, error: CanonicalError | undefined, outcome: Outcome): void {
    this.#stop();
    this.#releaseUpstream(error !== undefined);
    this.#course.usage = this.#stream.usage;
    this.#course.notices = this.#options.notices();
    this.#course.timings.end = elapsed(this.#context, this.#course);
    if (error && outcome === "upstream_incomplete" && error.kind !== "billing") {
      const now = this.#context.platform.monotonic();
      this.#course.candidate?.channel.health.failed(now, { kind: "fault" });
    }
    const { response, capture } = this.#course;
    if (this.#draining) {
      this.#options.settlement.settle({ status: 200, outcome: "client_closed" }).then(this.#done, this.#unrecorded);
      return;
    }
    capture?.push("client_answer", text);
    this.#options.settlement.settle({ status: 200, outcome, ...(error ? { error } : {}) }).then(() => {
      this.#sendHead();
      this.#ping?.cancel();
      response.end(text);
      this.#done();
    }, this.#unrecorded);
  }

  #releaseUpstream(broken: boolean): void {
    if (this.#upstreamEnded) return;
    if (broken) this.#options.exchange.abort();
    else this.#context.timers.after(closeGraceMs, () => !this.#upstreamEnded && this.#options.exchange.abort());
  }

  /** Without a durable record the answer is not declared finished (D2). */
  readonly #unrecorded = (cause: unknown): void => {
    const { head, response } = this.#course;
    this.#context.log.error("a call record could not be written", { call_id: head.id, ...errorFields(cause) });
    const error = canonicalError("no_channel", "The call could not be recorded.", { code: "storage_unavailable" });
    if (!response.destroyed) {
      this.#sendHead();
      this.#ping?.cancel();
      response.end(head.framing === "sse" ? errorFrames(head.client, error, head.id) : "");
    }
    this.#done();
  };

  readonly #done = (): void => this.#options.done({ kind: "done" });

  #stop(): void {
    this.#over = true;
    this.#queue = [];
    this.#total.cancel();
    this.#ping?.cancel();
    this.#stall?.cancel();
    this.#patience?.cancel();
  }
}
