import {
  badUpstream,
  type JsonObject,
  type JsonValue,
  type PartDelta,
  type PartHead,
  type StreamEvent,
} from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";
import { decodeAnnotation } from "./citations.ts";
import { decodeLogprobs } from "./logprobs.ts";
import { outputProof } from "./reasoning.ts";
import { callHead, decodeOutputItem } from "./response-decoder.ts";
import { type Content, type Item, ItemRegistry } from "./stream-registry.ts";
import { itemClassOf } from "./wire.ts";

type Emit = (event: StreamEvent) => void;

/**
 * Turns the items of one stream into events. Whatever an upstream
 * repeats (`done` events, the terminal event) is emitted only where it was never seen (S14).
 */
export class StreamItems {
  /** The upstream's model, for proofs. */
  model: string | undefined;
  /** A refusal was seen. */
  refused = false;
  readonly #items = new ItemRegistry();

  added(event: JsonObject, emit: Emit): void {
    const wire = event.item;
    if (!isObject(wire) || typeof wire.type !== "string") return;
    const item = this.#items.open(wire, wire.type, event.output_index);
    if (typeof wire.phase === "string") item.phase = wire.phase;
    if (itemClassOf(wire.type) === "call") this.#openCall(item, wire, emit);
  }

  done(event: JsonObject, emit: Emit): void {
    const wire = event.item;
    if (!isObject(wire) || typeof wire.type !== "string") return;
    this.#finish(this.#items.register(wire, wire.type, event.output_index), wire, emit);
  }

  textDelta(event: JsonObject, type: "text" | "refusal", emit: Emit): void {
    const { delta } = event;
    if (typeof delta !== "string" || delta === "") return;
    const item = this.#items.find(event, "message");
    const content = this.#content(item, event.content_index, type);
    this.#openContent(content, item, emit);
    emitDelta(content.key, { type: "text", text: delta }, emit);
    if (type === "text" && Array.isArray(event.logprobs) && event.logprobs.length > 0)
      this.#logprobs(content, event.logprobs, emit);
  }

  annotation(event: JsonObject, emit: Emit): void {
    const citation = event.annotation === undefined ? undefined : decodeAnnotation(event.annotation);
    if (!citation) return;
    const item = this.#items.find(event, "message");
    const content = this.#content(item, event.content_index, "text");
    this.#openContent(content, item, emit);
    content.citations += 1;
    emitDelta(content.key, { type: "citation", citation }, emit);
  }

  argumentsDelta(event: JsonObject, type: "function_call" | "custom_tool_call", emit: Emit): void {
    const { delta } = event;
    if (typeof delta !== "string" || delta === "") return;
    const item = this.#items.find(event, type);
    if (item.state === "closed") return;
    item.hasArguments = true;
    if (item.state === "open") emitDelta(item.key, { type: "arguments", text: delta }, emit);
    else item.early += delta;
  }

  summaryDelta(event: JsonObject, emit: Emit): void {
    const { delta } = event;
    if (typeof delta !== "string" || delta === "") return;
    const item = this.#items.find(event, "reasoning");
    const index = typeof event.summary_index === "number" ? event.summary_index : 0;
    this.#openReasoning(item, emit);
    emitDelta(item.key, { type: "summary", index: paragraphOf(item, index), text: delta }, emit);
  }

  reasoningDelta(event: JsonObject, emit: Emit): void {
    const { delta } = event;
    if (typeof delta !== "string" || delta === "") return;
    const item = this.#items.find(event, "reasoning");
    this.#openReasoning(item, emit);
    item.hasText = true;
    emitDelta(item.key, { type: "reasoning", text: delta }, emit);
  }

  /** The terminal event's list: finishes what is open, and brings what only terminal-only hosts bring. */
  settle(output: readonly JsonValue[], emit: Emit): void {
    output.forEach((wire, index) => {
      if (!isObject(wire) || typeof wire.type !== "string") return;
      this.#finish(this.#items.known(wire, index) ?? this.#items.create(wire.type), wire, emit);
    });
    for (const item of this.#items.all) if (item.state !== "closed") this.#finish(item, { type: item.type }, emit);
  }

  #finish(item: Item, wire: JsonObject, emit: Emit): void {
    if (item.state === "closed") return;
    switch (itemClassOf(item.type)) {
      case "message":
        this.#finishMessage(item, wire, emit);
        break;
      case "call":
        this.#finishCall(item, wire, emit);
        break;
      case "reasoning":
        this.#finishReasoning(item, wire, emit);
        break;
      default:
        this.#finishWhole(item, wire, emit);
    }
    item.state = "closed";
  }

  #finishMessage(item: Item, wire: JsonObject, emit: Emit): void {
    const list = Array.isArray(wire.content) ? wire.content : [];
    if (typeof wire.phase === "string") item.phase = wire.phase;
    list.forEach((value, index) => {
      if (!isObject(value)) return;
      const type = value.type === "refusal" ? "refusal" : "text";
      const text = type === "refusal" ? value.refusal : value.text;
      const known = item.contents.get(index);
      if (!known && (typeof text !== "string" || text === "")) return;
      const content = this.#content(item, index, type);
      if (content.state === "new" && typeof text === "string") {
        this.#openContent(content, item, emit);
        emitDelta(content.key, { type: "text", text }, emit);
      }
      this.#complete(content, value, emit);
    });
    for (const content of item.contents.values()) {
      if (content.state === "open") emit({ type: "part-stop", candidate: 0, key: content.key });
      content.state = "closed";
    }
  }

  /** Annotations and log probabilities that only the finished part tells. */
  #complete(content: Content, value: JsonObject, emit: Emit): void {
    if (content.state !== "open") return;
    if (Array.isArray(value.annotations)) {
      for (const annotation of value.annotations.slice(content.citations)) {
        const citation = decodeAnnotation(annotation);
        if (citation) emitDelta(content.key, { type: "citation", citation }, emit);
      }
    }
    if (!content.hasLogprobs && Array.isArray(value.logprobs)) this.#logprobs(content, value.logprobs, emit);
  }

  #logprobs(content: Content, value: JsonValue[], emit: Emit): void {
    const logprobs = decodeLogprobs(value);
    if (logprobs.length === 0) return;
    content.hasLogprobs = true;
    emitDelta(content.key, { type: "logprobs", logprobs }, emit);
  }

  #finishCall(item: Item, wire: JsonObject, emit: Emit): void {
    this.#openCall(item, wire, emit);
    if (item.state !== "open") badUpstream("A tool call of the upstream has no name or no id.");
    const whole = item.type === "custom_tool_call" ? wire.input : wire.arguments;
    if (!item.hasArguments && typeof whole === "string" && whole !== "") {
      item.hasArguments = true;
      emitDelta(item.key, { type: "arguments", text: whole }, emit);
    }
    if (!item.hasArguments && item.type === "function_call")
      emitDelta(item.key, { type: "arguments", text: "{}" }, emit);
    emit({ type: "part-stop", candidate: 0, key: item.key });
  }

  #openCall(item: Item, wire: JsonObject, emit: Emit): void {
    if (item.state !== "new") return;
    const head = callHead(wire, item.type);
    if (!head) return;
    item.state = "open";
    emit({ type: "part-start", candidate: 0, key: item.key, part: head });
    if (item.early !== "") emitDelta(item.key, { type: "arguments", text: item.early }, emit);
    item.early = "";
  }

  #finishReasoning(item: Item, wire: JsonObject, emit: Emit): void {
    const summary = Array.isArray(wire.summary) ? wire.summary : [];
    summary.forEach((entry, index) => {
      if (item.summaries.has(index) || !isObject(entry) || typeof entry.text !== "string" || entry.text === "") return;
      this.#openReasoning(item, emit);
      emitDelta(item.key, { type: "summary", index: paragraphOf(item, index), text: entry.text }, emit);
    });
    const content = Array.isArray(wire.content) && !item.hasText ? wire.content : [];
    for (const entry of content) {
      if (!isObject(entry) || typeof entry.text !== "string" || entry.text === "") continue;
      this.#openReasoning(item, emit);
      emitDelta(item.key, { type: "reasoning", text: entry.text }, emit);
    }
    const proof = outputProof(wire, this.model);
    if (proof) {
      this.#openReasoning(item, emit);
      emitDelta(item.key, { type: "proof", proof }, emit);
    }
    if (item.state === "open") emit({ type: "part-stop", candidate: 0, key: item.key });
  }

  #openReasoning(item: Item, emit: Emit): void {
    if (item.state !== "new") return;
    item.state = "open";
    emit({ type: "part-start", candidate: 0, key: item.key, part: { type: "reasoning" } });
  }

  /** Items that say nothing before they are done: provider-run tools, typed calls, what is unknown. */
  #finishWhole(item: Item, wire: JsonObject, emit: Emit): void {
    if (Object.keys(wire).length < 2) return;
    for (const part of decodeOutputItem(wire, this.model)) {
      if (part.type !== "tool-call") {
        emit({ type: "part", candidate: 0, part });
        continue;
      }
      const { callId, name, toolKind } = part;
      emit({ type: "part-start", candidate: 0, key: item.key, part: { type: "tool-call", callId, name, toolKind } });
      emitDelta(item.key, { type: "arguments", text: part.arguments }, emit);
      emit({ type: "part-stop", candidate: 0, key: item.key });
    }
  }

  #content(item: Item, index: JsonValue | undefined, type: "text" | "refusal"): Content {
    const at = typeof index === "number" ? index : 0;
    const known = item.contents.get(at);
    if (known) return known;
    const fresh: Content = { key: `${item.key}.${at}`, type, state: "new", citations: 0, hasLogprobs: false };
    item.contents.set(at, fresh);
    return fresh;
  }

  #openContent(content: Content, { phase }: Item, emit: Emit): void {
    if (content.state !== "new") return;
    content.state = "open";
    if (content.type === "refusal") this.refused = true;
    const part: PartHead = { type: content.type, ...(phase === undefined ? {} : { phase }) };
    emit({ type: "part-start", candidate: 0, key: content.key, part });
  }
}

function emitDelta(key: string, delta: PartDelta, emit: Emit): void {
  emit({ type: "part-delta", candidate: 0, key, delta });
}

/** Paragraphs are 0, 1, 2, … in the order of their first sight, whatever numbers the upstream gives them. */
function paragraphOf(item: Item, index: number): number {
  const paragraph = item.summaries.get(index) ?? item.summaries.size;
  item.summaries.set(index, paragraph);
  return paragraph;
}
