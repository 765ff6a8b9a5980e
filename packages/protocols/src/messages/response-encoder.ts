import {
  type CanonicalResponse,
  failedAnswer,
  type JsonObject,
  type Notice,
  type Part,
  type Proof,
  ProtocolError,
  type ReasoningPart,
  settleFinish,
  type ToolCallPart,
} from "../canonical/index.ts";
import type { AnswerContext } from "../codec.ts";
import { isObject } from "../shared/read.ts";
import { Report } from "../shared/report.ts";
import { argumentsObject } from "../shared/tool-arguments.ts";
import { wireCallId } from "../shared/tool-call-ids.ts";
import { encodeCitations } from "./citations.ts";
import { encodeFinish } from "./finish.ts";
import { reasoningText, signatureOf } from "./reasoning.ts";
import { callIdRule } from "./tools.ts";
import { encodeUsage } from "./usage.ts";

/** A whole answer for a client. Only the first candidate has a place here. */
export function encodeResponse(response: CanonicalResponse, context: AnswerContext): JsonObject {
  const candidate = response.candidates[0];
  if (!candidate) throw new Error("An answer has at least one candidate.");
  if (response.candidates.length > 1) tellCandidates(context.notice);
  const { usage: usageRest, ...rest } = response.extras?.messages ?? {};
  const hasToolCall = candidate.parts.some((part) => part.type === "tool-call");
  const refused = candidate.parts.some((part) => part.type === "refusal");
  const settled = settleFinish(candidate.finish, hasToolCall);
  const shown = { text: candidate.parts.some(isVisibleText), toolCall: hasToolCall };
  const finish = refused && settled.reason === "stop" ? ({ ...settled, reason: "refusal" } as const) : settled;
  const end = encodeFinish(finish, shown, context.notice);
  if (!end) throw new ProtocolError(failedAnswer(finish));
  return {
    id: messageId(response.id, context),
    type: "message",
    role: "assistant",
    model: response.model ?? context.request.model,
    content: candidate.parts.flatMap((part) => encodeAnswerPart(part, context)),
    ...end,
    container: null,
    diagnostics: null,
    ...rest,
    usage: { ...encodeUsage(response.usage, response.serviceTier), ...(isObject(usageRest) ? usageRest : {}) },
  };
}

function isVisibleText(part: Part): boolean {
  return (part.type === "text" || part.type === "refusal") && part.text !== "";
}

/** The upstream's id where it is one of this protocol's, else a fresh one. */
export function messageId(id: string | undefined, context: AnswerContext): string {
  return id?.startsWith("msg_") ? id : context.ids("msg_");
}

export function tellCandidates(notice: (notice: Notice) => void): void {
  notice({
    field: "candidates",
    verdict: "dropped",
    detail: "The messages protocol has one answer; the others were left out.",
  });
}

/** The blocks of one part: none for what this protocol cannot show (which is told), two where a proof needs its own. */
export function encodeAnswerPart(part: Part, context: AnswerContext): JsonObject[] {
  switch (part.type) {
    case "text": {
      const block: JsonObject = { type: "text", text: part.text, ...part.extras?.messages };
      const citations = encodeCitations(part.citations, context.notice);
      if (citations.length > 0) block.citations = citations;
      return [...parkedProof(part.proof, context), ...(part.text === "" ? [] : [block])];
    }
    case "refusal":
      return part.text === "" ? [] : [{ type: "text", text: part.text }];
    case "reasoning":
      return encodeReasoningPart(part, context);
    case "tool-call":
      return [...parkedProof(part.proof, context), encodeCall(part, context)];
    case "server-tool":
      if (part.protocol === "messages") return [part.payload];
      tellDropped(part.tool, context);
      return [];
    case "opaque":
      if (part.protocol === "messages" && isObject(part.payload)) return [part.payload];
      if (part.text) return [{ type: "text", text: part.text }];
      tellDropped(part.nativeType, context);
      return [];
    case "image":
    case "audio":
    case "video":
    case "document":
    case "tool-result":
      tellDropped(part.type, context);
      return [];
  }
}

function tellDropped(what: string, context: AnswerContext): void {
  context.notice({
    field: "content",
    verdict: "dropped",
    detail: `The answer held '${what}', which the messages protocol cannot show.`,
  });
}

/** A proof that came on a call or a text waits in a block before it, so that the client brings it back (conversion.md 2.5). */
export function parkedProof(proof: Proof | undefined, context: AnswerContext): JsonObject[] {
  return proof
    ? [{ type: "redacted_thinking", data: proof.family === "anthropic" ? proof.value : context.vault.seal(proof) }]
    : [];
}

function encodeReasoningPart(part: ReasoningPart, context: AnswerContext): JsonObject[] {
  const text = reasoningText(part);
  if (text === "" && hidesText(part.proof)) return parkedProof(part.proof, context);
  const signature = signatureOf(part.proof, context.vault);
  return [{ type: "thinking", thinking: text, signature, ...part.extras?.messages }];
}

/** Without text only the vendor's own signature stands in a thinking block (thinking that was omitted). */
export function hidesText(proof: Proof | undefined): boolean {
  return proof?.family !== "anthropic" || proof.kind === "redacted";
}

function encodeCall(part: ToolCallPart, context: AnswerContext): JsonObject {
  const report = new Report();
  const input =
    part.toolKind === "custom" ? { input: part.arguments } : argumentsObject(part.arguments, "content", report);
  for (const notice of report.notices) context.notice(notice);
  return {
    type: "tool_use",
    id: wireCallId(part.callId, callIdRule),
    name: part.name,
    input,
    ...part.extras?.messages,
  };
}
