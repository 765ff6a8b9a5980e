import {
  type CanonicalError,
  type Finish,
  failedAnswer,
  type JsonObject,
  type Part,
  type PartHead,
  type Proof,
  type StreamEvent,
  type Usage,
} from "../canonical/index.ts";
import type { AnswerContext, StreamEncoder } from "../codec.ts";
import { commentFrame } from "../shared/sse.ts";
import {
  type ItemStatus,
  imageItem,
  noticeDropped,
  opaqueItem,
  parkedProof,
  refusalText,
  serverToolItem,
  type ToolSpelling,
  toolSpellings,
} from "./answer-items.ts";
import { streamError } from "./error.ts";
import { encodeFinish } from "./finish.ts";
import { CallItem } from "./stream-call.ts";
import { FrameWriter } from "./stream-frames.ts";
import { Lifecycle } from "./stream-lifecycle.ts";
import { MessageItem } from "./stream-message.ts";
import { ReasoningItem } from "./stream-reasoning.ts";

/**
 * Canonical events -> the stream of this protocol, in the order of conversion.md 3.1 that the strictest clients want
 * (responses.md sections 8.3 and 10). Items end when the next one begins or the answer ends, because only then their
 * status is known.
 */
export function createStreamEncoder(context: AnswerContext): StreamEncoder {
  return new Encoder(context);
}

class Encoder implements StreamEncoder {
  readonly #context: AnswerContext;
  readonly #writer = new FrameWriter();
  readonly #spellings: ReadonlyMap<string, ToolSpelling>;
  readonly #lifecycle: Lifecycle;
  #phase: "new" | "started" | "over" = "new";
  #items: string[] = [];
  #nextIndex = 0;
  #item: MessageItem | CallItem | ReasoningItem | undefined;
  /** The open part's key; its item is `#item`. */
  #key: string | undefined;
  #hasRefusal = false;
  #usage: Usage | undefined;
  #finish: Finish | undefined;
  failure: CanonicalError | undefined;

  constructor(context: AnswerContext) {
    this.#context = context;
    this.#lifecycle = new Lifecycle(context, this.#writer);
    this.#spellings = toolSpellings(context.request);
  }

  write(event: StreamEvent): string {
    if (event.type === "error") return this.#fail(event.error);
    if (this.#phase === "over") throw new Error(`'${event.type}' came after the end of the stream.`);
    if (event.type === "start") return this.#start(event);
    if (this.#phase === "new") throw new Error(`'${event.type}' came before 'start'.`);
    switch (event.type) {
      case "part-start":
        this.#requireFirst(event.candidate);
        return this.#startPart(event.key, event.part);
      case "part-delta":
        return this.#openItem(event.key).delta(event.delta);
      case "part-stop": {
        const frames = this.#openItem(event.key).stopPart();
        this.#key = undefined;
        return frames;
      }
      case "part":
        this.#requireFirst(event.candidate);
        if (this.#key !== undefined) throw new Error("A part came inside another part.");
        return this.#wholePart(event.part);
      case "usage":
        this.#usage = event.usage;
        this.#lifecycle.serviceTier = event.serviceTier ?? this.#lifecycle.serviceTier;
        return "";
      case "finish":
        this.#requireFirst(event.candidate);
        this.#finish = event.finish;
        return "";
      case "end":
        return this.#end();
    }
  }

  ping(): string {
    if (this.#phase === "over") return "";
    return this.#phase === "new" ? commentFrame : this.#lifecycle.beat();
  }

  #start(event: Extract<StreamEvent, { type: "start" }>): string {
    if (this.#phase !== "new") throw new Error("'start' came twice.");
    this.#phase = "started";
    return this.#lifecycle.start(event);
  }

  #startPart(key: string, head: PartHead): string {
    if (this.#key !== undefined) throw new Error("A part began inside another part.");
    if (this.#finish) throw new Error("A part began after the finish.");
    this.#key = key;
    switch (head.type) {
      case "text":
        return this.#park(head.proof) + this.#startContent("text", head.phase);
      case "refusal":
        this.#hasRefusal = true;
        return this.#startContent("refusal", head.phase);
      case "tool-call": {
        const frames = this.#closeItem("completed") + this.#park(head.proof);
        const spelling = this.#spellings.get(head.name);
        const item = new CallItem(this.#writer, this.#context, this.#takeIndex(), head, spelling);
        this.#item = item;
        return frames + item.start();
      }
      case "reasoning": {
        const frames = this.#closeItem("completed");
        const item = new ReasoningItem(this.#writer, this.#context, this.#takeIndex());
        this.#item = item;
        return frames + item.start();
      }
    }
  }

  /** Texts of one phase are one message. */
  #startContent(type: "text" | "refusal", phase?: string): string {
    if (this.#item instanceof MessageItem && this.#item.phase === phase) return this.#item.startPart(type);
    const frames = this.#closeItem("completed");
    const item = new MessageItem(this.#writer, this.#context, this.#takeIndex(), phase);
    this.#item = item;
    return frames + item.start() + item.startPart(type);
  }

  #wholePart(part: Part): string {
    switch (part.type) {
      case "image":
        return this.#wholeItem(imageItem(part, this.#context), part);
      case "server-tool": {
        const item = serverToolItem(part, this.#context);
        return item ? this.#wholeItem(item, part) : "";
      }
      case "opaque":
        if (part.protocol !== "responses" && part.text) return this.#wholeText(part.text);
        return this.#wholeItem(opaqueItem(part, this.#context), part);
      case "text":
      case "refusal":
      case "tool-call":
      case "reasoning":
        throw new Error(`A ${part.type} part must come in pieces.`);
      case "audio":
      case "video":
      case "document":
      case "tool-result":
        noticeDropped(part, this.#context);
        return "";
    }
  }

  #wholeText(text: string): string {
    const start = this.#startContent("text");
    return start + this.#message().delta({ type: "text", text }) + this.#message().stopPart();
  }

  #wholeItem(item: JsonObject | undefined, part: Part): string {
    if (!item) {
      noticeDropped(part, this.#context);
      return "";
    }
    return this.#closeItem("completed") + this.#oneItem(JSON.stringify(item));
  }

  /** An item without deltas: added and done say the same. */
  #oneItem(json: string): string {
    const fields = `,"output_index":${this.#takeIndex()},"item":${json}`;
    this.#items.push(json);
    return (
      this.#writer.frame("response.output_item.added", fields) + this.#writer.frame("response.output_item.done", fields)
    );
  }

  /** A proof of a text or a call, in a reasoning item of its own (conversion.md 2.6 pair 6). */
  #park(proof: Proof | undefined): string {
    if (!proof) return "";
    const frames = this.#closeItem("completed");
    const item = parkedProof(proof, this.#context.ids("rs_"), this.#context.vault);
    return frames + this.#oneItem(JSON.stringify(item));
  }

  #closeItem(status: ItemStatus): string {
    const item = this.#item;
    if (!item) return "";
    this.#item = undefined;
    const closed = item.close(status);
    this.#items.push(closed.item);
    let frames = closed.frames;
    for (const proof of item.proofs) {
      const parked = parkedProof(proof, this.#context.ids("rs_"), this.#context.vault);
      frames += this.#oneItem(JSON.stringify(parked));
    }
    return frames;
  }

  #end(): string {
    if (this.#key !== undefined) throw new Error("The stream ended inside a part.");
    const finish = this.#finish ?? { reason: "other" };
    const end = encodeFinish(finish, this.#context.notice);
    if (end.status === "failed") {
      this.failure = failedAnswer(finish);
      return this.#fail(this.failure);
    }
    const refusal = finish.reason === "refusal" && !this.#hasRefusal ? this.#wholeRefusal(finish.message) : "";
    const items = refusal + this.#closeItem(end.status === "incomplete" ? "incomplete" : "completed");
    this.#phase = "over";
    const { status } = end;
    const ending = status === "incomplete" ? { status, incompleteReason: end.reason } : { status };
    return items + this.#lifecycle.end(ending, this.#items, this.#usage);
  }

  #wholeRefusal(text: string | undefined): string {
    const start = this.#startContent("refusal");
    return start + this.#message().delta({ type: "text", text: text ?? refusalText }) + this.#message().stopPart();
  }

  /** Half a call must never look whole, so one that the upstream did not finish is left without its `done` (S24, S25). */
  #fail(error: CanonicalError): string {
    if (this.#phase === "over") return "";
    const { code, message, param } = streamError(error);
    const fresh = this.#phase === "new";
    this.#phase = "over";
    if (fresh) {
      const fields = { code, message, param };
      return this.#writer.frame("error", `,${JSON.stringify(fields).slice(1, -1)}`);
    }
    const item = this.#item;
    const half = item instanceof CallItem && !item.stopped;
    const whole = item instanceof CallItem || this.#key === undefined;
    const frames = half ? "" : this.#closeItem(whole ? "completed" : "incomplete");
    return frames + this.#lifecycle.end({ status: "failed", error: { code, message } }, this.#items, this.#usage);
  }

  #takeIndex(): number {
    const index = this.#nextIndex;
    this.#nextIndex = index + 1;
    return index;
  }

  #openItem(key: string): MessageItem | CallItem | ReasoningItem {
    if (this.#key !== key || !this.#item) throw new Error(`Part '${key}' is not open.`);
    return this.#item;
  }

  #message(): MessageItem {
    if (this.#item instanceof MessageItem) return this.#item;
    throw new Error("No message is open.");
  }

  #requireFirst(candidate: number): void {
    if (candidate !== 0) throw new Error("This protocol has one answer only.");
  }
}
