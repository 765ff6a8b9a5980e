import type { Finish, JsonObject, Part, TextPart, TokenLogprob, ToolCallPart } from "../canonical/index.ts";
import type { AnswerContext } from "../codec.ts";
import { isMedia } from "../shared/media-kind.ts";
import { isObject } from "../shared/read.ts";
import { Report } from "../shared/report.ts";
import { argumentsObject } from "../shared/tool-arguments.ts";
import { wireCallId } from "../shared/tool-call-ids.ts";
import { encodeCitations } from "./citations.ts";
import { encodeFinish } from "./finish.ts";
import { encodeAnswerMedia } from "./media.ts";
import { callIdRule } from "./turns-encoder.ts";

/** Parts of an answer as a client of this protocol reads them; the same for a whole answer and for a stream. */

/** A call, always with its id: the client brings it back on the result. */
export function callPart(
  call: Pick<ToolCallPart, "callId" | "name" | "toolKind" | "arguments">,
  context: AnswerContext,
): JsonObject {
  const report = new Report();
  const field = `functionCall '${call.name}'`;
  const args = call.toolKind === "custom" ? { input: call.arguments } : argumentsObject(call.arguments, field, report);
  for (const notice of report.notices) context.notice(notice);
  return { functionCall: { id: wireCallId(call.callId, callIdRule), name: call.name, args } };
}

/** A part that comes whole: media, provider-run tools, others. Undefined, with a notice, where the client cannot read it. */
export function wholePart(part: Part, context: AnswerContext): JsonObject | undefined {
  if (isMedia(part)) {
    const wire = encodeAnswerMedia(part);
    if (!wire) notice(context, part.type, "The model's media is held by another provider and cannot be shown here.");
    return wire;
  }
  if (part.type === "server-tool") {
    if (part.protocol === "generate-content") return { ...part.payload };
    notice(
      context,
      part.tool,
      `The provider-run tool '${part.tool}' was used; its traffic has no place in this protocol.`,
    );
    return undefined;
  }
  if (part.type === "opaque") {
    if (part.protocol === "generate-content" && isObject(part.payload)) return { ...part.payload };
    if (part.text !== undefined && part.text !== "") return { text: part.text };
    notice(context, part.nativeType, `Content of the kind '${part.nativeType}' has no place in this protocol.`);
  }
  return undefined;
}

function notice(context: AnswerContext, field: string, detail: string): void {
  context.notice({ field, verdict: "dropped", detail });
}

/** Tells what a finish reason of this protocol cannot say (1.5.7 laws 3 and 6). */
export function noticeFinish(finish: Finish, context: AnswerContext): void {
  const { native } = finish;
  if (native !== undefined && encodeFinish(finish) === native) return;
  const details: Partial<Record<Finish["reason"], string | undefined>> = {
    paused: "The model paused; send the conversation again with this answer to let it go on.",
    error: "The model's answer ended by an error.",
    other: native && `The upstream ended for a reason that this protocol has no word for: ${native}.`,
  };
  const detail = details[finish.reason];
  if (detail !== undefined) context.notice({ field: "finishReason", verdict: "approximated", detail });
}

/** Members that stand beside a candidate's content: sources and log probabilities of its texts. */
export class CandidateDetails {
  #details: JsonObject = {};
  readonly #logprobs: TokenLogprob[] = [];

  addText(part: Pick<TextPart, "text" | "citations" | "logprobs">): void {
    if (part.citations) this.#details = merge(this.#details, encodeCitations(part.citations, part.text));
    if (part.logprobs) this.#logprobs.push(...part.logprobs);
  }

  members(): JsonObject {
    if (this.#logprobs.length === 0) return this.#details;
    return { ...this.#details, logprobsResult: encodeLogprobs(this.#logprobs) };
  }
}

/** Sources of several texts: lists behind each other, indices moved along. */
function merge(first: JsonObject, second: JsonObject): JsonObject {
  const merged = { ...first, ...second };
  if (isObject(first.citationMetadata) && isObject(second.citationMetadata)) {
    merged.citationMetadata = {
      citationSources: joined(first.citationMetadata.citationSources, second.citationMetadata.citationSources),
    };
  }
  const [one, two] = [first.groundingMetadata, second.groundingMetadata];
  if (!isObject(one) || !isObject(two)) return merged;
  const shift = Array.isArray(one.groundingChunks) ? one.groundingChunks.length : 0;
  const supports = Array.isArray(two.groundingSupports) ? two.groundingSupports : [];
  const moved = supports.map((support) => {
    if (!isObject(support) || !Array.isArray(support.groundingChunkIndices)) return support;
    return { ...support, groundingChunkIndices: support.groundingChunkIndices.map((index) => Number(index) + shift) };
  });
  merged.groundingMetadata = {
    groundingChunks: joined(one.groundingChunks, two.groundingChunks),
    groundingSupports: joined(one.groundingSupports, moved),
  };
  return merged;
}

function joined(first: JsonObject[string], second: JsonObject[string]) {
  return [...(Array.isArray(first) ? first : []), ...(Array.isArray(second) ? second : [])];
}

function encodeLogprobs(logprobs: readonly TokenLogprob[]): JsonObject {
  const result: JsonObject = {
    chosenCandidates: logprobs.map(({ token, logprob }) => ({ token, logProbability: logprob })),
  };
  if (logprobs.some((entry) => entry.top)) {
    result.topCandidates = logprobs.map(({ top }) => ({
      candidates: (top ?? []).map(({ token, logprob }) => ({ token, logProbability: logprob })),
    }));
  }
  return result;
}
