import {
  badUpstream,
  type JsonObject,
  type JsonValue,
  type Part,
  type PartHead,
  type Proof,
  type StreamEvent,
  type TokenLogprob,
} from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";
import { sha256Hex } from "../shared/sha256.ts";
import { argumentsText } from "../shared/tool-arguments.ts";
import { decodeCitations } from "./citations.ts";
import { camelFields } from "./fields.ts";
import { readAnswerMedia } from "./media.ts";
import { PartialArguments } from "./partial-arguments.ts";
import { ownProof } from "./reasoning.ts";
import { serverPart } from "./server-tools.ts";
import { isAbsentSignature } from "./wire.ts";

type Emit = (event: StreamEvent) => void;

interface OpenPart {
  key: string;
  kind: "text" | "reasoning";
  signed: boolean;
}

/** A call whose arguments come piece by piece (S19). */
interface OpenCall {
  name: string;
  id: string | undefined;
  proof: Proof | undefined;
  arguments: PartialArguments;
}

/** One candidate's parts, put together from any number of chunks. */
export class CandidateReader {
  /** Set by the reader of the answer when a finish reason came. */
  isFinished = false;
  readonly #index: number;
  readonly #responseId: string;
  #parts = 0;
  #calls = 0;
  #open: OpenPart | undefined;
  #openCall: OpenCall | undefined;
  /** Text of the open text part, for offsets of citations. */
  #text: string[] = [];
  /** Chunks that name sources: their offsets count in the whole text, so they wait for its end. */
  #sources: JsonObject[] = [];
  /** A signature that came on an empty part: for the next call, else for the last text (S18). */
  #pending: Proof | undefined;

  constructor(index: number, responseId: string) {
    this.#index = index;
    this.#responseId = responseId;
  }

  get hasOpenCall(): boolean {
    return this.#openCall !== undefined;
  }

  read(candidate: JsonObject, emit: Emit): void {
    const content = isObject(candidate.content) ? candidate.content : undefined;
    const parts = content?.parts;
    if (Array.isArray(parts)) for (const part of parts) if (isObject(part)) this.#part(camelFields(part), emit);
    if (candidate.logprobsResult !== undefined) this.#logprobs(candidate.logprobsResult, emit);
    if (candidate.groundingMetadata !== undefined || candidate.citationMetadata !== undefined)
      this.#sources.push(candidate);
  }

  end(emit: Emit): void {
    this.#givePending(emit);
    this.#stop(emit);
  }

  #part(part: JsonObject, emit: Emit): void {
    const proof = proofOf(part.thoughtSignature);
    if (isObject(part.functionCall)) {
      this.#call(camelFields(part.functionCall), proof, emit);
      return;
    }
    const whole: Part | undefined = readAnswerMedia(part) ?? serverPart(part, {});
    if (whole) {
      this.#stop(emit);
      if (proof) whole.proof = proof;
      emit({ type: "part", candidate: this.#index, part: whole });
      return;
    }
    if (typeof part.text === "string" || proof) {
      this.#words(typeof part.text === "string" ? part.text : "", part.thought === true, proof, emit);
      return;
    }
    const nativeType = Object.keys(part).find((key) => part[key] !== null && part[key] !== undefined);
    if (nativeType === undefined || part.thought !== undefined || part.text !== undefined) return;
    this.#stop(emit);
    emit({
      type: "part",
      candidate: this.#index,
      part: { type: "opaque", protocol: "generate-content", nativeType, payload: part },
    });
  }

  #words(text: string, thought: boolean, proof: Proof | undefined, emit: Emit): void {
    if (text === "") {
      if (proof) this.#hold(proof, emit);
      return;
    }
    const kind = thought ? "reasoning" : "text";
    // Two signatures never go onto one part.
    const split = this.#open?.signed === true && proof !== undefined;
    if (this.#open?.kind !== kind || split) this.#start(kind, emit);
    const open = this.#open;
    if (!open) return;
    const { key } = open;
    if (thought) {
      emit({ type: "part-delta", candidate: this.#index, key, delta: { type: "summary", index: 0, text } });
      // A signed thought is rare; clients drop thoughts, so the proof goes to what follows.
      if (proof) this.#hold(proof, emit);
      return;
    }
    this.#text.push(text);
    emit({ type: "part-delta", candidate: this.#index, key, delta: { type: "text", text } });
    if (proof) this.#sign(open, proof, emit);
  }

  #hold(proof: Proof, emit: Emit): void {
    this.#givePending(emit);
    this.#pending = proof;
  }

  #sign(open: OpenPart, proof: Proof, emit: Emit): void {
    open.signed = true;
    emit({ type: "part-delta", candidate: this.#index, key: open.key, delta: { type: "proof", proof } });
  }

  /** No call took the held signature: it goes to the open text, else to an empty text of its own. */
  #givePending(emit: Emit): void {
    const proof = this.#pending;
    if (!proof) return;
    this.#pending = undefined;
    if (this.#open?.kind !== "text" || this.#open.signed) this.#start("text", emit);
    if (this.#open) this.#sign(this.#open, proof, emit);
  }

  #call(call: JsonObject, proof: Proof | undefined, emit: Emit): void {
    const name = typeof call.name === "string" ? call.name : "";
    const id = typeof call.id === "string" && call.id !== "" ? call.id : undefined;
    const args = isObject(call.args) ? call.args : undefined;
    const pieces = Array.isArray(call.partialArgs) ? call.partialArgs : [];
    const open = this.#openCall;
    if (open && name === "") {
      open.id ??= id;
      open.proof ??= proof;
      this.#grow(open, args, pieces);
      if (call.willContinue !== true) this.#finishCall(open, emit);
      return;
    }
    if (open) this.#finishCall(open, emit);
    if (name === "") {
      // The mark that ends a call in pieces may stand alone; anything more is a call that nobody can run.
      if (Object.keys(call).length > 0) badUpstream("The upstream's answer holds a tool call without a name.");
      return;
    }
    if (call.willContinue === true || pieces.length > 0) {
      const fresh: OpenCall = { name, id, proof, arguments: new PartialArguments() };
      this.#openCall = fresh;
      this.#grow(fresh, args, pieces);
      if (call.willContinue !== true) this.#finishCall(fresh, emit);
      return;
    }
    this.#wholeCall(name, id, proof, argumentsText(args), emit);
  }

  #grow(open: OpenCall, args: JsonObject | undefined, pieces: JsonValue[]): void {
    if (args) open.arguments.merge(args);
    for (const piece of pieces) if (isObject(piece)) open.arguments.add(piece);
  }

  #finishCall(open: OpenCall, emit: Emit): void {
    this.#openCall = undefined;
    this.#wholeCall(open.name, open.id, open.proof, open.arguments.text(), emit);
  }

  #wholeCall(name: string, id: string | undefined, proof: Proof | undefined, args: string, emit: Emit): void {
    if (proof) this.#givePending(emit);
    const signed = proof ?? this.#pending;
    this.#pending = undefined;
    this.#stop(emit);
    const candidate = this.#index;
    const key = this.#key();
    const callId = id ?? this.#mintId(name, args);
    this.#calls += 1;
    const head: PartHead = { type: "tool-call", callId, name: bareName(name), toolKind: "function" };
    if (signed) head.proof = signed;
    emit({ type: "part-start", candidate, key, part: head });
    emit({ type: "part-delta", candidate, key, delta: { type: "arguments", text: args } });
    emit({ type: "part-stop", candidate, key });
  }

  /** Unique across answers by the answer's own id; the same in a stream and in a whole answer (T3). */
  #mintId(name: string, args: string): string {
    return `call_${sha256Hex(`${this.#responseId} ${this.#index} ${this.#calls} ${name} ${args}`).slice(0, 22)}`;
  }

  #start(kind: OpenPart["kind"], emit: Emit): void {
    this.#stop(emit);
    const key = this.#key();
    this.#open = { key, kind, signed: false };
    this.#text = [];
    emit({ type: "part-start", candidate: this.#index, key, part: { type: kind } });
  }

  #stop(emit: Emit): void {
    if (!this.#open) return;
    if (this.#open.kind === "text" && this.#sources.length > 0) this.#cite(this.#open, emit);
    emit({ type: "part-stop", candidate: this.#index, key: this.#open.key });
    this.#open = undefined;
  }

  #key(): string {
    this.#parts += 1;
    return String(this.#parts);
  }

  /** Sources may be told again with every chunk; each counts once. */
  #cite(open: OpenPart, emit: Emit): void {
    const text = this.#text.join("");
    const cited = new Set<string>();
    for (const chunk of this.#sources) {
      for (const citation of decodeCitations(chunk, text)) {
        const identity = JSON.stringify(citation);
        if (cited.has(identity)) continue;
        cited.add(identity);
        emit({ type: "part-delta", candidate: this.#index, key: open.key, delta: { type: "citation", citation } });
      }
    }
    this.#sources = [];
  }

  #logprobs(result: JsonValue, emit: Emit): void {
    if (this.#open?.kind !== "text" || !isObject(result)) return;
    const logprobs = decodeLogprobs(result);
    if (logprobs.length === 0) return;
    emit({ type: "part-delta", candidate: this.#index, key: this.#open.key, delta: { type: "logprobs", logprobs } });
  }
}

function proofOf(signature: JsonValue | undefined): Proof | undefined {
  if (typeof signature !== "string" || signature === "" || isAbsentSignature(signature)) return undefined;
  return ownProof(signature);
}

/** Some models put the tools' namespace in front of the name. */
function bareName(name: string): string {
  return name.startsWith("default_api:") && name.length > 12 ? name.slice(12) : name;
}

function decodeLogprobs(result: JsonObject): TokenLogprob[] {
  const chosen = Array.isArray(result.chosenCandidates) ? result.chosenCandidates : [];
  const tops = Array.isArray(result.topCandidates) ? result.topCandidates : [];
  return chosen.flatMap((value, index) => {
    const token = tokenOf(value);
    if (!token) return [];
    const top = tops[index];
    const others = isObject(top) && Array.isArray(top.candidates) ? top.candidates : [];
    const alternatives = others.flatMap((other) => tokenOf(other) ?? []);
    return [alternatives.length > 0 ? { ...token, top: alternatives } : token];
  });
}

function tokenOf(value: JsonValue): { token: string; logprob: number } | undefined {
  if (!isObject(value) || typeof value.token !== "string") return undefined;
  // A log probability of 0 is left out on the wire.
  return { token: value.token, logprob: typeof value.logProbability === "number" ? value.logProbability : 0 };
}
