import type {
  CanonicalRequest,
  ImagePart,
  JsonObject,
  Notice,
  OpaquePart,
  Part,
  Proof,
  ReasoningPart,
  ServerToolPart,
  TextPart,
  ToolCallPart,
} from "../canonical/index.ts";
import type { AnswerContext, ProofVault } from "../codec.ts";
import { isCompleteJsonObject } from "../shared/json-text.ts";
import { isObject } from "../shared/read.ts";
import { wireCallId } from "../shared/tool-call-ids.ts";
import { encodeAnnotation } from "./citations.ts";
import { ownExtra } from "./extras.ts";
import { encodeLogprobs } from "./logprobs.ts";
import { clientProof, encryptedContent, reasoningContent, summaryItems } from "./reasoning.ts";
import { namespaceOf } from "./tools.ts";
import { callIdRule } from "./turns-encoder.ts";
import { encodeTypedCall, typedToolOf, typedWire } from "./typed-tools.ts";

export type ItemStatus = "completed" | "incomplete";

/** How the client spelt a tool that a call names: within a namespace, or as a typed tool. */
export type ToolSpelling = { namespace: string; local: string } | { typed: JsonObject };

/**
 * The client's spelling of its tools by canonical name, for those whose canonical name or form is not the client's. Tools
 * that are offered no more are spelt as the history's calls of them are.
 */
export function toolSpellings(request: CanonicalRequest): ReadonlyMap<string, ToolSpelling> {
  const spellings = new Map<string, ToolSpelling>();
  for (const turn of request.turns) {
    for (const part of turn.parts) {
      const spelling = part.type === "tool-call" ? spellingOfCall(part) : undefined;
      if (part.type === "tool-call" && spelling) spellings.set(part.name, spelling);
    }
  }
  for (const tool of request.tools) {
    if (tool.type === "server") continue;
    const typed = tool.type === "function" ? typedWire(tool.extras) : undefined;
    const spelling = typed ? { typed } : namespaceOf(tool);
    if (spelling) spellings.set(tool.name, spelling);
    else spellings.delete(tool.name);
  }
  return spellings;
}

function spellingOfCall(call: ToolCallPart): ToolSpelling | undefined {
  const own = namespaceOf(call);
  if (own) return own;
  const typed = typedToolOf(call);
  return typed ? { typed } : undefined;
}

/** A content part of output text. */
export function textContent(part: TextPart, notice: (notice: Notice) => void): JsonObject {
  const annotations = (part.citations ?? [])
    .map((citation) => encodeAnnotation(citation, part.text, notice))
    .filter((annotation) => annotation !== undefined);
  return { type: "output_text", annotations, logprobs: encodeLogprobs(part.logprobs ?? []), text: part.text };
}

export function refusalContent(text: string): JsonObject {
  return { type: "refusal", refusal: text };
}

/** What is shown for a refusal without words. */
export const refusalText = "The model declined to answer this request.";

/** The status of an answer's last call: whole arguments are whole, even where the answer was cut behind them. */
export function settledStatus(call: Pick<ToolCallPart, "toolKind" | "arguments">, status: ItemStatus): ItemStatus {
  return call.toolKind === "function" && isCompleteJsonObject(call.arguments) ? "completed" : status;
}

/** A call's item, in the client's spelling of its tool. */
export function callItem(
  part: Pick<ToolCallPart, "callId" | "name" | "toolKind" | "arguments">,
  spelling: ToolSpelling | undefined,
  status: ItemStatus,
  context: AnswerContext,
): JsonObject {
  const callId = wireCallId(part.callId, callIdRule);
  if (spelling && "typed" in spelling) {
    const typed = encodeTypedCall(spelling.typed, callId, part.arguments, status, context);
    if (typed) return typed;
  }
  const custom = part.toolKind === "custom";
  const item: JsonObject = {
    id: context.ids(custom ? "ctc_" : "fc_"),
    type: custom ? "custom_tool_call" : "function_call",
    status,
    call_id: callId,
    ...callName(part.name, spelling),
  };
  item[custom ? "input" : "arguments"] = part.arguments;
  return item;
}

/** The client's name of a tool, with its namespace. */
function callName(name: string, spelling: ToolSpelling | undefined): JsonObject {
  if (!spelling || "typed" in spelling) return { name };
  return { name: spelling.local, namespace: spelling.namespace };
}

/** A reasoning item. `summary` is always there, and a proof stands sealed or plain in `encrypted_content` (2.5). */
export function reasoningItem(part: ReasoningPart, status: ItemStatus, context: AnswerContext): JsonObject {
  const proof = clientProof(part.proof, context.request);
  const ownId = proof?.family === "openai" ? proof.itemId : undefined;
  const item: JsonObject = { id: ownId ?? context.ids("rs_"), type: "reasoning", summary: summaryItems(part) };
  const content = reasoningContent(part);
  if (content) item.content = content;
  if (proof) item.encrypted_content = encryptedContent(proof, context.vault);
  if (status === "incomplete") item.status = status;
  return item;
}

/** A proof of a call or a text has no slot of its own here: it is parked in a reasoning item beside it (pair 6). */
export function parkedProof(proof: Proof, id: string, vault: ProofVault): JsonObject {
  return { id, type: "reasoning", summary: [], encrypted_content: vault.seal(proof) };
}

/** An image in an answer is the item of an image tool, the only image this protocol's answers know. */
export function imageItem(part: ImagePart, context: AnswerContext): JsonObject | undefined {
  const item = ownExtra(part.extras, "$item");
  if (isObject(item)) return item;
  if (part.source.type !== "base64") return undefined;
  const format = part.source.mediaType.replace(/^image\//, "");
  return {
    id: context.ids("ig_"),
    type: "image_generation_call",
    status: "completed",
    output_format: format,
    result: part.source.data,
  };
}

/** A provider-run tool's item; undefined, after a notice, where this protocol has none for it. */
export function serverToolItem(part: ServerToolPart, context: AnswerContext): JsonObject | undefined {
  if (part.protocol === "responses") {
    return typeof part.payload.id === "string" ? part.payload : { id: context.ids("st_"), ...part.payload };
  }
  if (part.tool === "web_search" && part.role === "call") {
    const input = isObject(part.payload.input) ? part.payload.input : {};
    const query = typeof input.query === "string" ? input.query : "";
    const action = { type: "search", query, queries: query === "" ? [] : [query] };
    return { id: context.ids("ws_"), type: "web_search_call", status: "completed", action };
  }
  if (part.tool !== "web_search") {
    context.notice({
      field: part.tool,
      verdict: "dropped",
      detail: `The traffic of the provider-run tool '${part.tool}' has no place in this protocol.`,
    });
  }
  return undefined;
}

/** An opaque part's own item; undefined for a foreign one. */
export function opaqueItem(part: OpaquePart, context: AnswerContext): JsonObject | undefined {
  if (part.protocol !== "responses" || !isObject(part.payload)) return undefined;
  return typeof part.payload.id === "string" ? part.payload : { id: context.ids("it_"), ...part.payload };
}

/** Tells that a part of the answer has no place here. */
export function noticeDropped(part: Part, context: AnswerContext): void {
  context.notice({
    field: part.type === "opaque" ? part.nativeType : part.type,
    verdict: "dropped",
    detail: "This part of the answer has no place in the responses protocol.",
  });
}
