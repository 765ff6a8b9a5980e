import type { PartDelta, Proof } from "../canonical/index.ts";
import type { AnswerContext } from "../codec.ts";
import type { ItemStatus } from "./answer-items.ts";
import { clientProof, encryptedContent } from "./reasoning.ts";
import type { FrameWriter } from "./stream-frames.ts";

/**
 * A reasoning item on the wire. Reasoning text of families without summaries streams as a summary paragraph, because that
 * is what clients of this protocol show; the proof comes with the finished item.
 */
export class ReasoningItem {
  readonly type = "reasoning";
  readonly proofs: Proof[] = [];
  readonly #writer: FrameWriter;
  readonly #context: AnswerContext;
  readonly #index: number;
  readonly #id: string;
  readonly #done: string[] = [];
  /** The open paragraph; `source` is the summary index of the upstream, -1 for plain reasoning text. */
  #open: { source: number; prefix: string; texts: string[] } | undefined;
  #proof: Proof | undefined;

  constructor(writer: FrameWriter, context: AnswerContext, index: number) {
    this.#writer = writer;
    this.#context = context;
    this.#index = index;
    this.#id = context.ids("rs_");
  }

  start(): string {
    return this.#writer.frame(
      "response.output_item.added",
      `,"output_index":${this.#index},"item":{"id":"${this.#id}","type":"reasoning","summary":[]}`,
    );
  }

  delta(delta: PartDelta): string {
    switch (delta.type) {
      case "summary":
        return this.#text(delta.index, delta.text);
      case "reasoning":
        return this.#text(-1, delta.text);
      case "proof":
        this.#proof = delta.proof;
        return "";
      case "text":
      case "citation":
      case "logprobs":
      case "arguments":
        throw new Error(`A reasoning part cannot take '${delta.type}'.`);
    }
  }

  stopPart(): string {
    return this.#closeParagraph();
  }

  close(status: ItemStatus): { frames: string; item: string } {
    const last = this.#closeParagraph();
    const cut = status === "incomplete" ? `,"status":"incomplete"` : "";
    const known = clientProof(this.#proof, this.#context.request);
    const proof = known ? `,"encrypted_content":${JSON.stringify(this.#carry(known))}` : "";
    const item = `{"id":"${this.#id}","type":"reasoning","summary":[${this.#done.join(",")}]${proof}${cut}}`;
    const done = this.#writer.frame("response.output_item.done", `,"output_index":${this.#index},"item":${item}`);
    return { frames: last + done, item };
  }

  /** An own proof tied to another item id than ours is sealed too, so that the id comes back with it. */
  #carry(proof: Proof): string {
    if (proof.itemId !== undefined && proof.itemId !== this.#id) return this.#context.vault.seal(proof);
    return encryptedContent(proof, this.#context.vault);
  }

  #text(source: number, text: string): string {
    let frames = "";
    if (this.#open?.source !== source) {
      frames = this.#closeParagraph();
      const prefix = `,"item_id":"${this.#id}","output_index":${this.#index},"summary_index":${this.#done.length}`;
      this.#open = { source, prefix, texts: [] };
      const part = `,"part":{"type":"summary_text","text":""}`;
      frames += this.#writer.frame("response.reasoning_summary_part.added", prefix + part);
    }
    this.#open.texts.push(text);
    return (
      frames +
      this.#writer.frame(
        "response.reasoning_summary_text.delta",
        `${this.#open.prefix},"delta":${JSON.stringify(text)}`,
      )
    );
  }

  #closeParagraph(): string {
    const open = this.#open;
    if (!open) return "";
    this.#open = undefined;
    const text = JSON.stringify(open.texts.join(""));
    const part = `{"type":"summary_text","text":${text}}`;
    this.#done.push(part);
    return (
      this.#writer.frame("response.reasoning_summary_text.done", `${open.prefix},"text":${text}`) +
      this.#writer.frame("response.reasoning_summary_part.done", `${open.prefix},"part":${part}`)
    );
  }
}
