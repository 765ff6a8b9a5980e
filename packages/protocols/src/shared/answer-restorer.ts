import type { Notice, PartDelta, PartHead, StreamEvent } from "../canonical/index.ts";
import type { AnswerPlan } from "../codec.ts";
import { isEmptyPlan, restoreCallHead, unfenceJson } from "./answer-plan.ts";
import { CustomInputReader } from "./custom-input-reader.ts";
import { finishOf, type RestoredState, restoreCall, surplusNotice } from "./response-restorer.ts";
import { StopScanner } from "./stop-scanner.ts";

type Emit = (event: StreamEvent) => void;
type PartStart = Extract<StreamEvent, { type: "part-start" }>;

/** What the open part of a candidate needs. */
type Mode =
  | { type: "plain" }
  /** Text that is watched for stop sequences and, for JSON in words, kept until its end. */
  | {
      type: "text";
      scanner: StopScanner | undefined;
      kept: string[] | undefined;
      isSynthetic: boolean;
      isEmpty: boolean;
    }
  /** A custom tool that ran as a function: its text comes out of the JSON around it (S13). */
  | { type: "custom"; reader: CustomInputReader };

interface CandidateState extends RestoredState {
  mode: Mode;
  openKey: string | undefined;
}

/**
 * Turns an answer back into the client's terms: tool names, custom tools, structured output, stop sequences, JSON without
 * its fence. Stands between the event gate and the encoder: gets events in encoder order and emits events in encoder
 * order. One per call.
 */
export class AnswerRestorer {
  readonly #plan: AnswerPlan;
  readonly #isEmpty: boolean;
  readonly #notice: (notice: Notice) => void;
  readonly #candidates = new Map<number, CandidateState>();

  /** `notice`: where losses of the answer are told. */
  constructor(plan: AnswerPlan, notice: (notice: Notice) => void) {
    this.#plan = plan;
    this.#notice = notice;
    this.#isEmpty = isEmptyPlan(plan);
  }

  /** Every candidate was ended by a stop sequence: what the upstream still says is not for the client. */
  get stopped(): boolean {
    if (this.#candidates.size === 0) return false;
    for (const candidate of this.#candidates.values()) if (candidate.stopSequence === undefined) return false;
    return true;
  }

  push(event: StreamEvent, emit: Emit): void {
    if (this.#isEmpty) {
      emit(event);
      return;
    }
    switch (event.type) {
      case "part-start":
        this.#partStart(event, emit);
        return;
      case "part-delta":
        this.#partDelta(event.candidate, event.key, event.delta, event, emit);
        return;
      case "part-stop":
        this.#partStop(event.candidate, event.key, event, emit);
        return;
      case "part":
        if (this.#candidate(event.candidate).stopSequence === undefined) {
          emit(restoreWhole(event, this.#plan, this.#notice));
        }
        return;
      case "finish":
        emit({ ...event, finish: finishOf(event.finish, this.#candidate(event.candidate)) });
        return;
      case "error":
        this.#showHeld(emit);
        emit(event);
        return;
      case "start":
      case "usage":
      case "end":
        emit(event);
        return;
    }
  }

  #partStart(event: PartStart, emit: Emit): void {
    const candidate = this.#candidate(event.candidate);
    if (candidate.stopSequence !== undefined) return;
    candidate.openKey = event.key;
    const { part, mode } = open(event.part, this.#plan);
    candidate.mode = mode;
    if (part.type === "tool-call") candidate.hasCall = true;
    if (mode.type === "text" && mode.isSynthetic) candidate.hasSynthetic = true;
    emit(part === event.part ? event : { ...event, part });
  }

  #partDelta(index: number, key: string, delta: PartDelta, event: StreamEvent, emit: Emit): void {
    const candidate = this.#candidate(index);
    if (candidate.stopSequence !== undefined || candidate.openKey !== key) return;
    const { mode } = candidate;
    switch (mode.type) {
      case "plain":
        emit(event);
        return;
      case "custom":
        if (delta.type === "arguments") emitArguments(index, key, mode.reader.push(delta.text), emit);
        else emit(event);
        return;
      case "text":
        if (delta.type === "text" || delta.type === "arguments") this.#text(index, key, mode, delta.text, emit);
        else emit(event);
        return;
    }
  }

  #text(index: number, key: string, mode: Extract<Mode, { type: "text" }>, text: string, emit: Emit): void {
    if (text !== "") mode.isEmpty = false;
    show(index, key, mode, mode.scanner ? mode.scanner.push(text) : text, emit);
    if (mode.scanner?.matched === undefined) return;
    const candidate = this.#candidate(index);
    candidate.stopSequence = mode.scanner.matched;
    candidate.openKey = undefined;
    close(index, key, mode, emit, this.#notice);
    emit({ type: "part-stop", candidate: index, key });
  }

  #partStop(index: number, key: string, event: StreamEvent, emit: Emit): void {
    const candidate = this.#candidate(index);
    if (candidate.stopSequence !== undefined || candidate.openKey !== key) return;
    candidate.openKey = undefined;
    const { mode } = candidate;
    if (mode.type === "text") {
      // A function call without arguments is `{}`, so a structured output without text is, too.
      if (mode.isSynthetic && mode.isEmpty) this.#text(index, key, mode, "{}", emit);
      if (candidate.stopSequence !== undefined) return;
      close(index, key, mode, emit, this.#notice);
    }
    if (mode.type === "custom") {
      emitArguments(index, key, mode.reader.end(), emit);
      if (mode.reader.hasMore) this.#notice(surplusNotice);
    }
    emit(event);
  }

  /** The answer broke off: text that only waited for a stop sequence is shown, half a call or half a JSON text is not. */
  #showHeld(emit: Emit): void {
    for (const [index, { mode, openKey, stopSequence }] of this.#candidates) {
      if (openKey === undefined || stopSequence !== undefined || mode.type !== "text" || mode.kept) continue;
      show(index, openKey, mode, mode.scanner?.flush() ?? "", emit);
    }
  }

  #candidate(index: number): CandidateState {
    const known = this.#candidates.get(index);
    if (known) return known;
    const fresh: CandidateState = {
      mode: { type: "plain" },
      openKey: undefined,
      stopSequence: undefined,
      hasSynthetic: false,
      hasCall: false,
    };
    this.#candidates.set(index, fresh);
    return fresh;
  }
}

function emitArguments(candidate: number, key: string, text: string, emit: Emit): void {
  if (text !== "") emit({ type: "part-delta", candidate, key, delta: { type: "arguments", text } });
}

function open(head: PartHead, plan: AnswerPlan): { part: PartHead; mode: Mode } {
  if (head.type === "text") return { part: head, mode: textMode(plan, false) };
  if (head.type !== "tool-call") return { part: head, mode: { type: "plain" } };
  if (head.name === plan.structuredOutputTool) {
    return { part: { type: "text", ...(head.proof ? { proof: head.proof } : {}) }, mode: textMode(plan, true) };
  }
  const part = restoreCallHead(head, plan);
  const isUnwrapped = part.toolKind === "custom" && head.toolKind === "function";
  return { part, mode: isUnwrapped ? { type: "custom", reader: new CustomInputReader() } : { type: "plain" } };
}

function textMode(plan: AnswerPlan, isSynthetic: boolean): Mode {
  const scanner = plan.stopSequences.length > 0 ? new StopScanner(plan.stopSequences) : undefined;
  const kept = plan.unfenceJson && !isSynthetic ? [] : undefined;
  if (!scanner && !kept && !isSynthetic) return { type: "plain" };
  return { type: "text", scanner, kept, isSynthetic, isEmpty: true };
}

function show(index: number, key: string, mode: Extract<Mode, { type: "text" }>, text: string, emit: Emit): void {
  if (text === "") return;
  if (mode.kept) mode.kept.push(text);
  else emit({ type: "part-delta", candidate: index, key, delta: { type: "text", text } });
}

/** Everything that a text part still holds goes out. */
function close(
  index: number,
  key: string,
  mode: Extract<Mode, { type: "text" }>,
  emit: Emit,
  notice: (notice: Notice) => void,
): void {
  show(index, key, mode, mode.scanner?.flush() ?? "", emit);
  const text = mode.kept ? unfenceJson(mode.kept.join(""), notice) : "";
  if (text !== "") emit({ type: "part-delta", candidate: index, key, delta: { type: "text", text } });
}

function restoreWhole(
  event: Extract<StreamEvent, { type: "part" }>,
  plan: AnswerPlan,
  notice: (notice: Notice) => void,
): StreamEvent {
  return event.part.type === "tool-call" ? { ...event, part: restoreCall(event.part, plan, notice) } : event;
}
