import type { StreamEvent, Usage } from "../canonical/index.ts";
import type { AnswerContext } from "../codec.ts";
import { echoSettings, type ResponseState, renderResponse, seconds } from "./envelope.ts";
import type { FrameWriter } from "./stream-frames.ts";
import { encodeUsage } from "./usage.ts";

/** How an answer ended. */
type Ending = Pick<ResponseState, "status" | "incompleteReason" | "error">;

/** The response object of one stream, as the events of its life cycle repeat it: one id from the first to the last (S31). */
export class Lifecycle {
  serviceTier: string | undefined;
  readonly #context: AnswerContext;
  readonly #writer: FrameWriter;
  readonly #id: string;
  #createdAt = 0;
  #model = "";
  /** As JSON text. */
  #settings = "{}";

  constructor(context: AnswerContext, writer: FrameWriter) {
    this.#context = context;
    this.#writer = writer;
    this.#id = context.ids("resp_");
  }

  start(event: Extract<StreamEvent, { type: "start" }>): string {
    this.#createdAt = event.createdAt ?? seconds(this.#context);
    this.#model = event.model ?? this.#context.request.model;
    this.serviceTier = event.serviceTier;
    this.#tellSettings(this.#context.keep !== undefined);
    const running = renderResponse(this.#running(), this.#settings);
    return this.#frame("response.created", running) + this.#frame("response.in_progress", running);
  }

  /** Clients count parsed events as life, not comments, so the snapshot is repeated (S28). */
  beat(): string {
    return this.#frame("response.in_progress", renderResponse(this.#running(), this.#settings));
  }

  /** `items`: the finished ones as JSON text. */
  end(ending: Ending, items: readonly string[], usage: Usage | undefined): string {
    const state: ResponseState = { ...this.#running(), ...ending, output: `[${items.join(",")}]` };
    if (usage) state.usage = JSON.stringify(encodeUsage(usage));
    if (ending.status === "completed") state.completedAt = seconds(this.#context);
    return this.#frame(`response.${ending.status}`, this.#ended(state));
  }

  /** The whole response with its settings as they ended up: `store` is true where it is kept. */
  #ended(state: ResponseState): string {
    const keep = state.status === "failed" ? undefined : this.#context.keep;
    this.#tellSettings(keep !== undefined);
    const response = renderResponse(state, this.#settings);
    if (!keep || keep(response)) return response;
    this.#tellSettings(false);
    return renderResponse(state, this.#settings);
  }

  #tellSettings(store: boolean): void {
    this.#settings = JSON.stringify(echoSettings(this.#context.clientBody, this.serviceTier, store));
  }

  #running(): ResponseState {
    return {
      id: this.#id,
      createdAt: this.#createdAt,
      model: this.#model,
      status: "in_progress",
      output: "[]",
      usage: "null",
    };
  }

  #frame(type: string, response: string): string {
    return this.#writer.frame(type, `,"response":${response}`);
  }
}
