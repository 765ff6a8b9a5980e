import {
  canonicalError,
  type JsonObject,
  type JsonValue,
  mergeUsage,
  type StreamEvent,
  type Usage,
} from "../canonical/index.ts";
import type { StreamDecoder } from "../codec.ts";
import { partToEvents, responseToEvents } from "../shared/accumulate.ts";
import { isObject } from "../shared/read.ts";
import { createFrameDecoder } from "../shared/stream-input.ts";
import { argumentsText } from "../shared/tool-arguments.ts";
import { decodeCitation } from "./citations.ts";
import { decodeErrorBody } from "./error.ts";
import { decodeFinish } from "./finish.ts";
import { grow, indexOf, type OpenBlock, parsed, unreadable, wholeBlock } from "./open-block.ts";
import { decodeAnswerBlock, decodeResponse } from "./response-decoder.ts";
import { decodeUsage } from "./usage.ts";
import { blockKind, deltaTypes, frameNames } from "./wire.ts";

type Emit = (event: StreamEvent) => void;

/** Reads an upstream's stream: one per call (messages.md 11). */
export function createStreamDecoder(): StreamDecoder {
  const reader = new MessageReader();
  return createFrameDecoder({
    frame: (event, data, emit) => reader.frame(event, data, emit),
    whole: (body, emit) => reader.whole(body, emit),
    closed: (emit) => reader.closed(emit),
  });
}

class MessageReader {
  readonly #blocks = new Map<number, OpenBlock>();
  #serial = 0;
  #usage: Usage | undefined;
  #hasToolCall = false;
  #finished = false;
  #isBroken = false;

  frame(name: string | undefined, data: string, emit: Emit): void {
    if (data === "" || name === "ping" || data.trim() === "[DONE]") return;
    // What cannot be read is a cut if nothing comes after it, else the upstream's fault.
    if (this.#isBroken) throw unreadable("an event that is not JSON");
    const body = parsed(data);
    if (body === undefined) this.#isBroken = true;
    if (!isObject(body)) return;
    if (body.type === "message") {
      this.whole(body, emit);
      return;
    }
    // Some hosts leave out the type of a frame, or name and type of an error (S24).
    const type = frameNames.get(body.type ?? name ?? (isObject(body.error) ? "error" : ""));
    switch (type) {
      case "message_start":
        this.#start(body, emit);
        return;
      case "content_block_start":
        this.#open(body, emit);
        return;
      case "content_block_delta":
        this.#delta(body, emit);
        return;
      case "content_block_stop":
        this.#close(indexOf(body), emit);
        return;
      case "message_delta":
        this.#finish(body, emit);
        return;
      case "message_stop":
        for (const index of [...this.#blocks.keys()]) this.#close(index, emit);
        emit({ type: "end" });
        return;
      case "error":
        emit({ type: "error", error: decodeErrorBody(body) });
        return;
      case "ping":
      case undefined:
        return;
    }
  }

  /** A host that ignores `stream: true` answers whole (3.1). */
  whole(body: JsonValue, emit: Emit): void {
    if (isObject(body) && (body.type === "error" || isObject(body.error))) {
      emit({ type: "error", error: decodeErrorBody(body) });
      return;
    }
    for (const event of responseToEvents(decodeResponse(body))) emit(event);
  }

  /** A close behind a told stop reason is taken for a good end; any other is a cut (3.3). */
  closed(emit: Emit): void {
    if (this.#finished && this.#blocks.size === 0) {
      emit({ type: "end" });
      return;
    }
    const message = "The upstream closed the connection before the answer was complete.";
    emit({ type: "error", error: canonicalError("upstream_incomplete", message, { code: "stream_incomplete" }) });
  }

  #start(body: JsonObject, emit: Emit): void {
    const message = isObject(body.message) ? body.message : {};
    const usage = isObject(message.usage) ? message.usage : undefined;
    if (usage) this.#usage = decodeUsage(usage);
    emit({
      type: "start",
      ...(typeof message.id === "string" && message.id !== "" ? { id: message.id } : {}),
      ...(typeof message.model === "string" && message.model !== "" ? { model: message.model } : {}),
      ...(this.#usage ? { usage: this.#usage } : {}),
      ...(typeof usage?.service_tier === "string" ? { serviceTier: usage.service_tier } : {}),
    });
  }

  #open(body: JsonObject, emit: Emit): void {
    const block = body.content_block;
    if (!isObject(block) || typeof block.type !== "string") throw unreadable("a block without a type");
    const index = indexOf(body);
    // An index that is still open begins anew: what it held has ended.
    this.#close(index, emit);
    const kind = blockKind(block.type);
    const isParted = kind === "text" || kind === "thinking" || kind === "tool-call";
    const open = this.#track(index, isParted ? kind : "whole", block);
    if (open.kind === "text") {
      const text = block.text;
      if (typeof text === "string" && text !== "") this.#text(open, text, emit);
    } else if (open.kind === "thinking") {
      emit({ type: "part-start", candidate: 0, key: open.key, part: { type: "reasoning" } });
      const { thinking, signature } = block;
      if (typeof thinking === "string" && thinking !== "") this.#reasoning(open, thinking, emit);
      if (typeof signature === "string" && signature !== "") this.#signature(open, signature, emit);
    } else if (open.kind === "tool-call") {
      const { id: callId, name } = block;
      if (typeof name !== "string" || name === "") throw unreadable("a tool call without a name");
      if (typeof callId !== "string" || callId === "") throw unreadable("a tool call without an id");
      this.#hasToolCall = true;
      emit({
        type: "part-start",
        candidate: 0,
        key: open.key,
        part: { type: "tool-call", callId, name, toolKind: "function" },
      });
    }
  }

  #track(index: number, kind: OpenBlock["kind"], block: JsonObject): OpenBlock {
    const open: OpenBlock = { key: `b${this.#serial}`, kind, block, announced: false, hasDeltas: false, input: [] };
    this.#serial += 1;
    this.#blocks.set(index, open);
    return open;
  }

  #delta(body: JsonObject, emit: Emit): void {
    const delta = body.delta;
    if (!isObject(delta)) return;
    const index = indexOf(body);
    const open = this.#blocks.get(index) ?? this.#adopt(index, delta);
    if (!open) return;
    switch (deltaTypes.get(delta.type)) {
      case "text_delta":
        if (open.kind === "text" && typeof delta.text === "string") this.#text(open, delta.text, emit);
        return;
      case "input_json_delta":
        if (typeof delta.partial_json === "string") this.#arguments(open, delta.partial_json, emit);
        return;
      case "thinking_delta":
        if (open.kind === "thinking" && typeof delta.thinking === "string") this.#reasoning(open, delta.thinking, emit);
        return;
      case "signature_delta":
        if (open.kind === "thinking" && typeof delta.signature === "string")
          this.#signature(open, delta.signature, emit);
        return;
      case "citations_delta":
        if (open.kind !== "text" || !isObject(delta.citation)) return;
        this.#announceText(open, emit);
        emit({
          type: "part-delta",
          candidate: 0,
          key: open.key,
          delta: { type: "citation", citation: decodeCitation(delta.citation) },
        });
        return;
      case "compaction_delta":
      case undefined:
        if (open.kind === "whole") grow(open, delta);
    }
  }

  /** Text that comes without its block's opening is text all the same; other deltas cannot be placed. */
  #adopt(index: number, delta: JsonObject): OpenBlock | undefined {
    return delta.type === "text_delta" ? this.#track(index, "text", { type: "text", text: "" }) : undefined;
  }

  #announceText(open: OpenBlock, emit: Emit): void {
    if (open.announced) return;
    open.announced = true;
    emit({ type: "part-start", candidate: 0, key: open.key, part: { type: "text" } });
  }

  #text(open: OpenBlock, text: string, emit: Emit): void {
    if (text === "") return;
    this.#announceText(open, emit);
    emit({ type: "part-delta", candidate: 0, key: open.key, delta: { type: "text", text } });
  }

  #reasoning(open: OpenBlock, text: string, emit: Emit): void {
    if (text === "") return;
    emit({ type: "part-delta", candidate: 0, key: open.key, delta: { type: "reasoning", text } });
  }

  #signature(open: OpenBlock, value: string, emit: Emit): void {
    if (value === "") return;
    const proof = { family: "anthropic", kind: "signature", value } as const;
    emit({ type: "part-delta", candidate: 0, key: open.key, delta: { type: "proof", proof } });
  }

  #arguments(open: OpenBlock, text: string, emit: Emit): void {
    if (text === "") return;
    open.hasDeltas = true;
    if (open.kind === "tool-call") {
      emit({ type: "part-delta", candidate: 0, key: open.key, delta: { type: "arguments", text } });
    } else if (open.kind === "whole") {
      open.input.push(text);
    }
  }

  #close(index: number, emit: Emit): void {
    const open = this.#blocks.get(index);
    if (!open) return;
    this.#blocks.delete(index);
    switch (open.kind) {
      case "text":
        if (open.announced) emit({ type: "part-stop", candidate: 0, key: open.key });
        return;
      case "thinking":
        emit({ type: "part-stop", candidate: 0, key: open.key });
        return;
      case "tool-call":
        // Without a single fragment the arguments are those of the opening, mostly `{}` (S35).
        if (!open.hasDeltas) {
          const text = argumentsText(open.block.input);
          emit({ type: "part-delta", candidate: 0, key: open.key, delta: { type: "arguments", text } });
        }
        emit({ type: "part-stop", candidate: 0, key: open.key });
        return;
      case "whole": {
        const part = decodeAnswerBlock(wholeBlock(open), String(open.block.type));
        // Redacted thinking is reasoning, which encoders take in pieces.
        if (part) for (const event of partToEvents(0, open.key, part)) emit(event);
      }
    }
  }

  #finish(body: JsonObject, emit: Emit): void {
    const usage = body.usage;
    if (isObject(usage)) {
      const told = decodeUsage(usage, this.#usage);
      this.#usage = mergeUsage(this.#usage, told);
      emit({
        type: "usage",
        usage: told,
        ...(typeof usage.service_tier === "string" ? { serviceTier: usage.service_tier } : {}),
      });
    }
    const finish = isObject(body.delta) ? decodeFinish(body.delta, this.#hasToolCall) : undefined;
    if (!finish) return;
    this.#finished = true;
    emit({ type: "finish", candidate: 0, finish });
  }
}
