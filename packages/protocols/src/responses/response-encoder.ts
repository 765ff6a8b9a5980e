import {
  type Candidate,
  type CanonicalResponse,
  failedAnswer,
  type JsonObject,
  type JsonValue,
  type Part,
  type Proof,
  ProtocolError,
  type RefusalPart,
  type TextPart,
} from "../canonical/index.ts";
import type { AnswerContext } from "../codec.ts";
import { isObject } from "../shared/read.ts";
import {
  callItem,
  type ItemStatus,
  imageItem,
  noticeDropped,
  opaqueItem,
  parkedProof,
  reasoningItem,
  refusalContent,
  refusalText,
  serverToolItem,
  settledStatus,
  type ToolSpelling,
  textContent,
  toolSpellings,
} from "./answer-items.ts";
import { echoSettings, seconds } from "./envelope.ts";
import { ownExtra, writeExtras } from "./extras.ts";
import { encodeFinish } from "./finish.ts";
import { encodeUsage } from "./usage.ts";

/** A whole answer -> response object. Every key that the vendor always sends is there, null where it says nothing. */
export function encodeResponse(response: CanonicalResponse, context: AnswerContext): JsonObject {
  const [candidate] = response.candidates;
  if (response.candidates.length > 1) {
    context.notice({ field: "n", verdict: "dropped", detail: "This protocol shows the first answer only." });
  }
  const finish = candidate?.finish ?? { reason: "other" };
  const end = encodeFinish(finish, context.notice);
  // Nothing has been sent: an error that says so, and another provider, are better than a body that holds one.
  if (end.status === "failed") throw new ProtocolError(failedAnswer(finish));
  const id = context.ids("resp_");
  const output = candidate
    ? encodeOutput(candidate, end.status === "incomplete" ? "incomplete" : "completed", context)
    : [];
  const now = seconds(context);
  const render = (store: boolean): JsonObject => {
    const body: JsonObject = {
      id,
      object: "response",
      created_at: response.createdAt ?? now,
      status: end.status,
      completed_at: end.status === "completed" ? now : null,
      error: null,
      incomplete_details: end.status === "incomplete" ? { reason: end.reason } : null,
      model: response.model ?? context.request.model,
      output,
      usage: response.usage ? encodeUsage(response.usage) : null,
      ...echoSettings(context.clientBody, response.serviceTier, store),
    };
    return writeExtras(body, response.extras);
  };
  if (!context.keep) return render(false);
  const body = render(true);
  return context.keep(JSON.stringify(body)) ? body : render(false);
}

/** Items in the making: neighbouring texts share a message. */
class Output {
  readonly items: JsonObject[] = [];
  readonly #context: AnswerContext;
  readonly #spellings: ReadonlyMap<string, ToolSpelling>;
  #content: JsonObject[] = [];
  #mark: JsonObject = {};
  #phase: string | undefined;
  #proofs: Proof[] = [];

  constructor(context: AnswerContext) {
    this.#context = context;
    this.#spellings = toolSpellings(context.request);
  }

  add(part: Part, status: ItemStatus): void {
    const context = this.#context;
    switch (part.type) {
      case "text":
        this.#text(part);
        return;
      case "refusal":
        this.#message(part, refusalContent(part.text));
        return;
      case "tool-call":
        if (part.proof) this.#item(parkedProof(part.proof, context.ids("rs_"), context.vault));
        this.#item(callItem(part, this.#spellings.get(part.name), settledStatus(part, status), context));
        return;
      case "reasoning":
        this.#item(reasoningItem(part, status, context));
        return;
      case "image":
        this.#itemOrNotice(imageItem(part, context), part);
        return;
      case "server-tool":
        this.#item(serverToolItem(part, context));
        return;
      case "opaque": {
        const item = opaqueItem(part, context);
        if (!item && part.text) this.#text({ type: "text", text: part.text });
        else this.#itemOrNotice(item, part);
        return;
      }
      case "audio":
      case "video":
      case "document":
      case "tool-result":
        noticeDropped(part, context);
        return;
    }
  }

  refuse(text: string): void {
    this.#content.push(refusalContent(text));
  }

  flush(status: ItemStatus): void {
    if (this.#content.length > 0) {
      const { id } = this.#mark;
      this.items.push({
        id: typeof id === "string" ? id : this.#context.ids("msg_"),
        type: "message",
        status,
        role: "assistant",
        content: this.#content,
        ...(this.#phase === undefined ? {} : { phase: this.#phase }),
      });
    }
    for (const proof of this.#proofs)
      this.items.push(parkedProof(proof, this.#context.ids("rs_"), this.#context.vault));
    this.#content = [];
    this.#mark = {};
    this.#phase = undefined;
    this.#proofs = [];
  }

  #text(part: TextPart): void {
    this.#message(part, textContent(part, this.#context.notice));
    if (part.proof) this.#proofs.push(part.proof);
  }

  #message(part: TextPart | RefusalPart, content: JsonObject): void {
    const mark: JsonValue | undefined = ownExtra(part.extras, "$message");
    if (isObject(mark) || part.phase !== this.#phase) {
      this.flush("completed");
      this.#mark = isObject(mark) ? mark : {};
      this.#phase = part.phase;
    }
    this.#content.push(content);
  }

  #item(item: JsonObject | undefined): void {
    if (!item) return;
    this.flush("completed");
    this.items.push(item);
  }

  #itemOrNotice(item: JsonObject | undefined, part: Part): void {
    if (item) this.#item(item);
    else noticeDropped(part, this.#context);
  }
}

function encodeOutput(candidate: Candidate, status: ItemStatus, context: AnswerContext): JsonObject[] {
  const output = new Output(context);
  candidate.parts.forEach((part, index) => {
    output.add(part, index === candidate.parts.length - 1 ? status : "completed");
  });
  const refused = candidate.finish.reason === "refusal" && !candidate.parts.some((part) => part.type === "refusal");
  if (refused) output.refuse(candidate.finish.message ?? refusalText);
  output.flush(status);
  return output.items;
}
