import {
  badUpstream,
  type Candidate,
  type CanonicalResponse,
  type JsonObject,
  type JsonValue,
  type StreamEvent,
} from "../canonical/index.ts";
import { accumulate } from "../shared/accumulate.ts";
import { EventGate } from "../shared/event-gate.ts";
import { answerIndex, isObject, unknownFields } from "../shared/read.ts";
import { AnswerReader } from "./answer-reader.ts";
import { camelFields } from "./fields.ts";
import { candidateFields, responseFields } from "./wire.ts";

/**
 * A whole answer, read by the same rules as a stream. An array of chunks counts as one answer. What the canonical model
 * has no place for (ratings, details of usage) is kept beside it.
 */
export function decodeResponse(body: JsonValue): CanonicalResponse {
  const events: StreamEvent[] = [];
  const gate = new EventGate();
  const reader = new AnswerReader();
  const push = (event: StreamEvent) => gate.push(event, (passed) => events.push(passed));
  reader.chunk(body, push);
  if (!reader.hasAnswer) badUpstream("The upstream's answer holds neither candidates nor a reason why there are none.");
  reader.end(push);
  const response = accumulate(events);
  const whole = Array.isArray(body) ? body.at(-1) : body;
  if (isObject(whole)) addExtras(response, whole);
  return response;
}

function addExtras(response: CanonicalResponse, raw: JsonObject): void {
  const body = isObject(raw.response) && raw.candidates === undefined ? raw.response : raw;
  const rest: JsonObject = unknownFields(body, responseFields) ?? {};
  const usage = isObject(body.usageMetadata) ? unknownFields(body.usageMetadata, countFields) : undefined;
  if (usage) rest.usageMetadata = usage;
  if (Object.keys(rest).length > 0) response.extras = { "generate-content": rest };
  const candidates = Array.isArray(body.candidates) ? body.candidates : [];
  candidates.forEach((value, position) => {
    if (!isObject(value)) return;
    const candidate = camelFields(value);
    const index = answerIndex(candidate.index) ?? position;
    const own = response.candidates.find((known: Candidate) => known.index === index);
    const beside = unknownFields(candidate, candidateFields);
    if (own && beside) own.extras = { "generate-content": beside };
  });
}

/** Counters with a canonical place. */
const countFields: ReadonlySet<string> = new Set([
  "promptTokenCount",
  "cachedContentTokenCount",
  "candidatesTokenCount",
  "toolUsePromptTokenCount",
  "thoughtsTokenCount",
  "totalTokenCount",
]);
