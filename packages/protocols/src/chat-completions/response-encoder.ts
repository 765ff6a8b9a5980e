import {
  badUpstream,
  type Candidate,
  type CanonicalResponse,
  failedAnswer,
  type JsonObject,
  type Part,
  type Proof,
  ProtocolError,
  type TokenLogprob,
} from "../canonical/index.ts";
import type { AnswerContext } from "../codec.ts";
import { toDataUrl } from "../shared/data-url.ts";
import { openAiTier } from "../shared/openai-tier.ts";
import { isObject } from "../shared/read.ts";
import { legalCallId } from "./call-ids.ts";
import { encodeCitation } from "./citations.ts";
import { encodeFinish, shownOf } from "./finish.ts";
import { encodeLogprobs } from "./logprobs.ts";
import { encodeDetails, reasoningText, thoughtSignature } from "./reasoning.ts";
import { encodeUsage } from "./usage.ts";

/** Canonical -> client, a whole answer. Keys that the vendor always writes are always there. */
export function encodeResponse(response: CanonicalResponse, context: AnswerContext): JsonObject {
  const { candidates: wanted } = context.request;
  const candidates = response.candidates.slice(0, wanted ?? 1);
  if (candidates.length < response.candidates.length) noticeExtraCandidates(context);
  if (candidates.length === 0) badUpstream("The upstream's answer holds no candidates.");
  noticeOldFunctions(context);
  const answer: JsonObject = {
    id: context.ids("chatcmpl-"),
    object: "chat.completion",
    created: response.createdAt ?? Math.floor(context.now() / 1000),
    model: response.model ?? context.request.model,
    choices: candidates.map((candidate, index) => encodeCandidate(candidate, index, context)),
  };
  const { usage: ownUsage, ...own } = response.extras?.["chat-completions"] ?? {};
  if (response.usage) answer.usage = { ...encodeUsage(response.usage), ...(isObject(ownUsage) ? ownUsage : {}) };
  const tier = openAiTier(response.serviceTier);
  if (tier !== undefined) answer.service_tier = tier;
  return { ...answer, ...own };
}

export function noticeExtraCandidates(context: AnswerContext): void {
  context.notice({ field: "n", verdict: "dropped", detail: "The upstream gave more candidates than were asked for." });
}

/** Calls are answered in today's form only. */
export function noticeOldFunctions(context: AnswerContext): void {
  const { functions, tools } = context.clientBody;
  if (!Array.isArray(functions) || Array.isArray(tools)) return;
  context.notice({
    field: "functions",
    verdict: "approximated",
    detail: "Function calls are answered in 'tool_calls'; the older 'function_call' is not written.",
  });
}

/** What the parts of one candidate add up to in this protocol's flat message. */
interface Collected {
  text: string;
  hasText: boolean;
  refusal: string;
  reasoning: string[];
  details: JsonObject[];
  calls: JsonObject[];
  annotations: JsonObject[];
  images: JsonObject[];
  audio: JsonObject | undefined;
  logprobs: TokenLogprob[];
}

function encodeCandidate(candidate: Candidate, index: number, context: AnswerContext): JsonObject {
  const collected = collect(candidate.parts, context);
  const finish = encodeFinish(candidate.finish, shownOf(candidate.parts));
  if (!finish) throw new ProtocolError(failedAnswer(candidate.finish));
  if (finish.notice !== undefined)
    context.notice({ field: "finish_reason", verdict: "approximated", detail: finish.notice });
  const own = candidate.extras?.["chat-completions"] ?? {};
  const { message: ownMessage, ...ownChoice } = own;
  const message: JsonObject = {
    role: "assistant",
    content: collected.hasText ? collected.text : null,
    refusal: collected.refusal === "" ? null : collected.refusal,
    annotations: collected.annotations,
  };
  if (collected.reasoning.length > 0) message.reasoning_content = collected.reasoning.join("\n\n");
  if (collected.details.length > 0) message.reasoning_details = collected.details;
  if (collected.calls.length > 0) message.tool_calls = collected.calls;
  if (collected.images.length > 0) message.images = collected.images;
  if (collected.audio) message.audio = collected.audio;
  // A message without text, call or anything else is an empty text: clients print `content`.
  if (candidate.parts.length === 0) message.content = "";
  return {
    index,
    message: isObject(ownMessage) ? { ...message, ...ownMessage } : message,
    logprobs: collected.logprobs.length > 0 ? encodeLogprobs(collected.logprobs) : null,
    finish_reason: finish.native,
    ...ownChoice,
  };
}

function collect(parts: readonly Part[], context: AnswerContext): Collected {
  const collected: Collected = {
    text: "",
    hasText: false,
    refusal: "",
    reasoning: [],
    details: [],
    calls: [],
    annotations: [],
    images: [],
    audio: undefined,
    logprobs: [],
  };
  for (const part of parts) collectPart(part, collected, context);
  return collected;
}

function collectPart(part: Part, collected: Collected, context: AnswerContext): void {
  const seal = (proof: Proof): string => context.vault.seal(proof);
  switch (part.type) {
    case "text": {
      if (part.proof) {
        collected.details.push(
          ...encodeDetails({ type: "reasoning", proof: part.proof }, collected.details.length, seal),
        );
      }
      const span = { base: collected.text.length, text: part.text };
      for (const citation of part.citations ?? []) {
        const annotation = encodeCitation(citation, span);
        if (annotation) collected.annotations.push(annotation);
        else noticeCitation(context);
      }
      collected.text += part.text;
      collected.hasText = true;
      collected.logprobs.push(...(part.logprobs ?? []));
      return;
    }
    case "refusal":
      collected.refusal += part.text;
      return;
    case "reasoning": {
      const text = reasoningText(part);
      if (text !== "") collected.reasoning.push(text);
      collected.details.push(...encodeDetails(part, collected.details.length, seal));
      return;
    }
    case "tool-call": {
      const { name } = part;
      const id = legalCallId(part.callId);
      const call: JsonObject =
        part.toolKind === "custom"
          ? { id, type: "custom", custom: { name, input: part.arguments } }
          : { id, type: "function", function: { name, arguments: part.arguments === "" ? "{}" : part.arguments } };
      if (part.proof) call.extra_content = thoughtSignature(context.vault.seal(part.proof));
      collected.calls.push(call);
      return;
    }
    default: {
      const whole = encodeWholePart(part, context);
      if (whole?.text !== undefined) {
        collected.text += whole.text;
        collected.hasText = true;
      }
      if (whole?.image) collected.images.push(whole.image);
      if (whole?.audio) collected.audio = whole.audio;
    }
  }
}

export function noticeCitation(context: AnswerContext): void {
  context.notice({
    field: "annotations",
    verdict: "dropped",
    detail: "A citation of a document has no form in chat completions.",
  });
}

/** What becomes of a part that comes whole; undefined (and a notice) where this protocol has no place for it. */
export function encodeWholePart(
  part: Part,
  context: AnswerContext,
): { text?: string; image?: JsonObject; audio?: JsonObject } | undefined {
  const lose = (detail: string): undefined => {
    context.notice({ field: "choices", verdict: "dropped", detail });
    return undefined;
  };
  switch (part.type) {
    case "image":
      if (part.source.type !== "base64" && part.source.type !== "url") {
        return lose("A picture of the answer is held by the provider and cannot be shown.");
      }
      context.notice({
        field: "choices",
        verdict: "approximated",
        detail: "Pictures of the answer are in 'images' of the message.",
      });
      return { image: { type: "image_url", image_url: { url: urlOf(part.source) } } };
    case "audio":
      if (part.source.type !== "base64") return lose("The sound of the answer is held by the provider.");
      return {
        audio: {
          id: context.ids("audio_"),
          data: part.source.data,
          transcript: part.transcript ?? "",
          expires_at: Math.floor(context.now() / 1000),
          ...part.extras?.["chat-completions"],
        },
      };
    case "opaque":
      if (part.text !== undefined) return { text: part.text };
      return lose(`The answer holds a part of type '${part.nativeType}', which chat completions cannot show.`);
    case "server-tool":
      return lose(`What the provider's tool '${part.tool}' did is not shown over chat completions.`);
    case "video":
    case "document":
    case "tool-result":
      return lose(`The answer holds a part of type '${part.type}', which chat completions cannot show.`);
    case "text":
    case "refusal":
    case "reasoning":
    case "tool-call":
      return undefined;
  }
}

function urlOf(source: { type: "base64"; mediaType: string; data: string } | { type: "url"; url: string }): string {
  return source.type === "url" ? source.url : toDataUrl(source.mediaType, source.data);
}
