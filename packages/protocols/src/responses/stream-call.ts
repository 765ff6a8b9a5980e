import type { JsonObject, PartDelta, PartHead, Proof } from "../canonical/index.ts";
import type { AnswerContext } from "../codec.ts";
import { callItem, type ItemStatus, settledStatus, type ToolSpelling } from "./answer-items.ts";
import type { FrameWriter } from "./stream-frames.ts";

type CallHead = Extract<PartHead, { type: "tool-call" }>;

/**
 * A call item on the wire: a function, a custom tool from its first frame (S13), or a typed tool, whose item can be made
 * from the whole arguments only and therefore comes at once at the end.
 */
export class CallItem {
  readonly type = "call";
  readonly proofs: Proof[] = [];
  readonly #writer: FrameWriter;
  readonly #head: CallHead;
  readonly #spelling: ToolSpelling | undefined;
  readonly #index: number;
  #item: JsonObject = {};
  #prefix = "";
  readonly #texts: string[] = [];
  readonly #context: AnswerContext;
  /** The upstream told all of it. */
  stopped = false;

  constructor(
    writer: FrameWriter,
    context: AnswerContext,
    index: number,
    head: CallHead,
    spelling: ToolSpelling | undefined,
  ) {
    this.#writer = writer;
    this.#context = context;
    this.#index = index;
    this.#head = head;
    this.#spelling = spelling;
    if (!this.#isTyped) this.#become(callItem({ ...head, arguments: "" }, spelling, "completed", context));
  }

  get #isTyped(): boolean {
    return this.#spelling !== undefined && "typed" in this.#spelling;
  }

  start(): string {
    return this.#isTyped ? "" : this.#added(this.#item);
  }

  delta(delta: PartDelta): string {
    switch (delta.type) {
      case "arguments":
        this.#texts.push(delta.text);
        return this.#isTyped ? "" : this.#argumentsFrame("delta", `,"delta":${JSON.stringify(delta.text)}`);
      case "proof":
        this.proofs.push(delta.proof);
        return "";
      case "text":
      case "citation":
      case "logprobs":
      case "reasoning":
      case "summary":
        throw new Error(`A tool call cannot take '${delta.type}'.`);
    }
  }

  stopPart(): string {
    this.stopped = true;
    return "";
  }

  close(status: ItemStatus): { frames: string; item: string } {
    const text = this.#texts.join("");
    const isFunction = this.#head.toolKind === "function";
    const whole = isFunction && text === "" ? "{}" : text;
    const settled = settledStatus({ toolKind: this.#head.toolKind, arguments: whole }, status);
    let added = "";
    if (this.#isTyped) {
      const item = callItem({ ...this.#head, arguments: whole }, this.#spelling, settled, this.#context);
      if (item.type !== "function_call") return this.#done(item, this.#added(item));
      this.#become(item);
      added = this.#added({ ...item, arguments: "" });
    }
    const key = isFunction ? "arguments" : "input";
    const first =
      whole === text && !this.#isTyped ? "" : this.#argumentsFrame("delta", `,"delta":${JSON.stringify(whole)}`);
    const last = this.#argumentsFrame("done", `,"${key}":${JSON.stringify(whole)}`);
    return this.#done({ ...this.#item, status: settled, [key]: whole }, added + first + last);
  }

  #become(item: JsonObject): void {
    this.#item = item;
    this.#prefix = `,"item_id":${JSON.stringify(item.id)},"output_index":${this.#index}`;
  }

  #done(item: JsonObject, frames: string): { frames: string; item: string } {
    const json = JSON.stringify(item);
    const done = this.#writer.frame("response.output_item.done", `,"output_index":${this.#index},"item":${json}`);
    return { frames: frames + done, item: json };
  }

  #added(item: JsonObject): string {
    const json = JSON.stringify({ ...item, status: "in_progress" });
    return this.#writer.frame("response.output_item.added", `,"output_index":${this.#index},"item":${json}`);
  }

  #argumentsFrame(step: "delta" | "done", fields: string): string {
    const kind = this.#head.toolKind === "function" ? "function_call_arguments" : "custom_tool_call_input";
    const name =
      step === "done" && this.#head.toolKind === "function" ? `,"name":${JSON.stringify(this.#item.name)}` : "";
    return this.#writer.frame(`response.${kind}.${step}`, this.#prefix + name + fields);
  }
}
