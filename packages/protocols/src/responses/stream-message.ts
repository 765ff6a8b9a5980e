import type { Citation, JsonObject, PartDelta, Proof, TokenLogprob } from "../canonical/index.ts";
import type { AnswerContext } from "../codec.ts";
import { type ItemStatus, refusalContent, textContent } from "./answer-items.ts";
import { encodeLogprobs } from "./logprobs.ts";
import type { FrameWriter } from "./stream-frames.ts";

/** The content part of a message that grows. */
interface OpenContent {
  type: "text" | "refusal";
  /** Fields of a delta up to its text. */
  prefix: string;
  texts: string[];
  citations: Citation[];
  logprobs: TokenLogprob[];
}

/**
 * A message item on the wire. It stays open over neighbouring texts, which become its content parts, until something else
 * comes or the answer ends: only then its status is known.
 */
export class MessageItem {
  readonly type = "message";
  /** Proofs of its texts, to be parked behind it. */
  readonly proofs: Proof[] = [];
  readonly #writer: FrameWriter;
  readonly #context: AnswerContext;
  readonly #id: string;
  readonly #index: number;
  readonly #done: string[] = [];
  #open: OpenContent | undefined;
  /** What the message is for, where the upstream tells it. */
  readonly phase: string | undefined;
  readonly #phaseField: string;

  constructor(writer: FrameWriter, context: AnswerContext, index: number, phase: string | undefined) {
    this.phase = phase;
    this.#phaseField = phase === undefined ? "" : `,"phase":${JSON.stringify(phase)}`;
    this.#writer = writer;
    this.#context = context;
    this.#index = index;
    this.#id = context.ids("msg_");
  }

  start(): string {
    return this.#writer.frame(
      "response.output_item.added",
      `,"output_index":${this.#index},"item":{"id":"${this.#id}","type":"message","status":"in_progress","role":"assistant","content":[]${this.#phaseField}}`,
    );
  }

  startPart(type: "text" | "refusal"): string {
    const prefix = `,"item_id":"${this.#id}","output_index":${this.#index},"content_index":${this.#done.length}`;
    this.#open = { type, prefix, texts: [], citations: [], logprobs: [] };
    const empty =
      type === "text"
        ? `{"type":"output_text","annotations":[],"logprobs":[],"text":""}`
        : `{"type":"refusal","refusal":""}`;
    return this.#writer.frame("response.content_part.added", `${prefix},"part":${empty}`);
  }

  delta(delta: PartDelta): string {
    const open = this.#part();
    switch (delta.type) {
      case "text":
        open.texts.push(delta.text);
        return this.#textFrame(open, delta.text, "[]");
      case "logprobs":
        open.logprobs.push(...delta.logprobs);
        return open.type === "text" ? this.#textFrame(open, "", JSON.stringify(encodeLogprobs(delta.logprobs))) : "";
      case "citation":
        // Offsets may count to the end of the text, so annotations wait for it.
        open.citations.push(delta.citation);
        return "";
      case "proof":
        this.proofs.push(delta.proof);
        return "";
      case "arguments":
      case "reasoning":
      case "summary":
        throw new Error(`A ${open.type} part cannot take '${delta.type}'.`);
    }
  }

  stopPart(): string {
    const open = this.#part();
    this.#open = undefined;
    const text = open.texts.join("");
    const frames = open.type === "refusal" ? this.#stopRefusal(open, text) : this.#stopText(open, text);
    return frames;
  }

  /** The frames that end the item, and the item itself as JSON text. */
  close(status: ItemStatus): { frames: string; item: string } {
    const frames = this.#open ? this.stopPart() : "";
    const item = `{"id":"${this.#id}","type":"message","status":"${status}","role":"assistant","content":[${this.#done.join(",")}]${this.#phaseField}}`;
    const done = this.#writer.frame("response.output_item.done", `,"output_index":${this.#index},"item":${item}`);
    return { frames: frames + done, item };
  }

  #textFrame(open: OpenContent, text: string, logprobs: string): string {
    const fields = `${open.prefix},"delta":${JSON.stringify(text)}`;
    if (open.type === "refusal") return this.#writer.frame("response.refusal.delta", fields);
    return this.#writer.frame("response.output_text.delta", `${fields},"logprobs":${logprobs}`);
  }

  #stopText(open: OpenContent, text: string): string {
    const part = textContent(
      { type: "text", text, citations: open.citations, logprobs: open.logprobs },
      this.#context.notice,
    );
    const annotations = Array.isArray(part.annotations) ? part.annotations : [];
    const frames = annotations.map((annotation, index) =>
      this.#writer.frame(
        "response.output_text.annotation.added",
        `${open.prefix},"annotation_index":${index},"annotation":${JSON.stringify(annotation)}`,
      ),
    );
    const fields = `${open.prefix},"text":${JSON.stringify(text)},"logprobs":${JSON.stringify(part.logprobs)}`;
    frames.push(this.#writer.frame("response.output_text.done", fields));
    return frames.join("") + this.#partDone(open, part);
  }

  #stopRefusal(open: OpenContent, text: string): string {
    const done = this.#writer.frame("response.refusal.done", `${open.prefix},"refusal":${JSON.stringify(text)}`);
    return done + this.#partDone(open, refusalContent(text));
  }

  #partDone(open: OpenContent, part: JsonObject): string {
    const json = JSON.stringify(part);
    this.#done.push(json);
    return this.#writer.frame("response.content_part.done", `${open.prefix},"part":${json}`);
  }

  #part(): OpenContent {
    if (!this.#open) throw new Error("The message has no open part.");
    return this.#open;
  }
}
