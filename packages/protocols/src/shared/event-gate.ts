import {
  type CanonicalError,
  canonicalError,
  type Finish,
  mergeUsage,
  type StreamEvent,
  settleFinish,
  strongerFinish,
  type Usage,
} from "../canonical/index.ts";
import { DistinctCallIds } from "./distinct-call-ids.ts";

/** Buffered text of one upstream answer may not grow beyond this (conversion.md 3.1). */
const maximumBuffered = 16 * 1024 * 1024;

type PartEvent = Extract<StreamEvent, { type: "part-start" | "part-delta" | "part-stop" | "part" }>;

type PartStart = Extract<StreamEvent, { type: "part-start" }>;

interface CandidateState {
  /** The part that streams through; later ones wait behind it. */
  openKey: string | undefined;
  /** Parts that opened while another was open, in their order. */
  waiting: { key: string; events: PartEvent[]; stopped: boolean }[];
  seen: Set<string>;
  hasToolCall: boolean;
  callIds: DistinctCallIds;
  finish: Finish | undefined;
}

/**
 * Stands between any decoder and any encoder and lets only a legal order through, whatever the upstream does:
 * `start` first and once; the parts of a candidate one after another (one that opens too early waits, S2); `usage` merged
 * and told once; finishes held until the end and the strongest kept (S10, S12); after `end` or `error` nothing (S22, S24).
 */
export class EventGate {
  #started = false;
  #ended = false;
  #usage: Usage | undefined;
  #serviceTier: string | undefined;
  #buffered = 0;
  readonly #candidates = new Map<number, CandidateState>();

  /** What became final so far; the relay meters from it. */
  get usage(): Usage | undefined {
    return this.#usage;
  }

  /** Whether every answer that began has told why it ended: only the upstream's end mark, or its usage, can still come. */
  get isFinished(): boolean {
    if (this.#ended || this.#candidates.size === 0) return false;
    for (const { finish } of this.#candidates.values()) if (!finish) return false;
    return true;
  }

  /** True after `end` or `error` went through. */
  get ended(): boolean {
    return this.#ended;
  }

  push(event: StreamEvent, emit: (event: StreamEvent) => void): void {
    if (this.#ended) return;
    switch (event.type) {
      case "start":
        if (event.usage) this.#usage = mergeUsage(this.#usage, event.usage);
        if (!this.#started) emit(event);
        this.#started = true;
        return;
      case "part-start":
      case "part-delta":
      case "part-stop":
      case "part":
        this.#start(emit);
        this.#part(event, emit);
        return;
      case "usage":
        this.#usage = mergeUsage(this.#usage, event.usage);
        if (event.serviceTier) this.#serviceTier = event.serviceTier;
        return;
      case "finish": {
        this.#start(emit);
        const candidate = this.#candidate(event.candidate);
        candidate.finish = strongerFinish(candidate.finish, event.finish);
        return;
      }
      case "end":
        this.#end(emit);
        return;
      case "error":
        this.#fail(event.error, emit);
        return;
    }
  }

  #start(emit: (event: StreamEvent) => void): void {
    if (this.#started) return;
    this.#started = true;
    emit({ type: "start" });
  }

  #part(event: PartEvent, emit: (event: StreamEvent) => void): void {
    const candidate = this.#candidate(event.candidate);
    if (event.type === "part") {
      if (event.part.type === "tool-call") candidate.hasToolCall = true;
      if (candidate.openKey === undefined) {
        emit(event);
        return;
      }
      this.#hold(event, emit);
      candidate.waiting.push({ key: "", events: [event], stopped: true });
      return;
    }
    if (event.type === "part-start") {
      if (candidate.seen.has(event.key)) return;
      candidate.seen.add(event.key);
      const opening = opened(event, candidate);
      if (candidate.openKey === undefined) {
        candidate.openKey = event.key;
        emit(opening);
      } else {
        this.#hold(opening, emit);
        candidate.waiting.push({ key: event.key, events: [opening], stopped: false });
      }
      return;
    }
    if (event.key === candidate.openKey) {
      emit(event);
      if (event.type === "part-stop") this.#next(candidate, emit);
      return;
    }
    const waiting = candidate.waiting.find((part) => part.key === event.key && !part.stopped);
    if (!waiting) return;
    this.#hold(event, emit);
    waiting.events.push(event);
    if (event.type === "part-stop") waiting.stopped = true;
  }

  #hold(event: PartEvent, emit: (event: StreamEvent) => void): void {
    this.#buffered += weight(event);
    if (this.#buffered > maximumBuffered) {
      this.#fail(
        canonicalError("upstream_bad", "The upstream's answer holds too much interleaved content.", {
          code: "upstream_response_too_large",
        }),
        emit,
      );
    }
  }

  /** The open part stopped: what waits behind it goes out, up to the next part that is still open. */
  #next(candidate: CandidateState, emit: (event: StreamEvent) => void): void {
    candidate.openKey = undefined;
    for (;;) {
      const part = candidate.waiting.shift();
      if (!part) return;
      for (const event of part.events) emit(event);
      if (part.stopped) continue;
      candidate.openKey = part.key;
      return;
    }
  }

  #end(emit: (event: StreamEvent) => void): void {
    this.#start(emit);
    if (this.#candidates.size === 0) this.#candidate(0);
    const { size } = this.#candidates;
    if ([...this.#candidates.keys()].some((index) => index >= size)) {
      // Answers are 0, 1, 2, … without a gap: one that never came must not look like an empty one.
      this.#fail(
        canonicalError("upstream_bad", "The upstream left out one of its answers.", { code: "upstream_bad_response" }),
        emit,
      );
      return;
    }
    for (const [index, candidate] of this.#candidates) this.#closeParts(index, candidate, emit);
    this.#ended = true;
    if (this.#usage) {
      emit({ type: "usage", usage: this.#usage, ...(this.#serviceTier ? { serviceTier: this.#serviceTier } : {}) });
    }
    for (const index of [...this.#candidates.keys()].sort((a, b) => a - b)) {
      const candidate = this.#candidate(index);
      const finish = settleFinish(candidate.finish ?? { reason: "stop" }, candidate.hasToolCall);
      emit({ type: "finish", candidate: index, finish });
    }
    emit({ type: "end" });
  }

  /** A good end closes what the upstream left open. An error does not: half a call must never look complete (S25). */
  #closeParts(index: number, candidate: CandidateState, emit: (event: StreamEvent) => void): void {
    while (candidate.openKey !== undefined) {
      emit({ type: "part-stop", candidate: index, key: candidate.openKey });
      this.#next(candidate, emit);
    }
  }

  #fail(error: CanonicalError, emit: (event: StreamEvent) => void): void {
    if (this.#ended) return;
    this.#ended = true;
    emit({ type: "error", error });
  }

  #candidate(index: number): CandidateState {
    const known = this.#candidates.get(index);
    if (known) return known;
    const state: CandidateState = {
      openKey: undefined,
      waiting: [],
      seen: new Set(),
      hasToolCall: false,
      callIds: new DistinctCallIds(),
      finish: undefined,
    };
    this.#candidates.set(index, state);
    return state;
  }
}

/** Notes a call, and gives it an id that no other call of its candidate has. */
function opened(event: PartStart, candidate: CandidateState): PartStart {
  const { part } = event;
  if (part.type !== "tool-call") return event;
  candidate.hasToolCall = true;
  const callId = candidate.callIds.of(part.callId);
  return callId === part.callId ? event : { ...event, part: { ...part, callId } };
}

/** About how much memory an event keeps: its text, and something for itself, so that empty ones count too. */
function weight(event: PartEvent): number {
  const own = 64;
  if (event.type === "part-delta" && "text" in event.delta) return own + event.delta.text.length;
  if (event.type === "part" && "source" in event.part && event.part.source.type === "base64") {
    return own + event.part.source.data.length;
  }
  return own;
}
