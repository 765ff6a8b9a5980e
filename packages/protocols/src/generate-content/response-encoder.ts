import type { Candidate, CanonicalResponse, JsonObject, Proof } from "../canonical/index.ts";
import type { AnswerContext } from "../codec.ts";
import { isObject } from "../shared/read.ts";
import { CandidateDetails, callPart, noticeFinish, wholePart } from "./answer-parts.ts";
import { encodeBlock, encodeFinish } from "./finish.ts";
import { reasoningText, sealSignature, showsThoughts } from "./reasoning.ts";
import { encodeUsage } from "./usage.ts";
import { absentSignature } from "./wire.ts";

/** A whole answer as a client of this protocol reads it. */
export function encodeResponse(response: CanonicalResponse, context: AnswerContext): JsonObject {
  const body: JsonObject = {};
  const blocked = blockOf(response);
  if (blocked) body.promptFeedback = blocked;
  else body.candidates = response.candidates.map((candidate) => encodeCandidate(candidate, context));
  if (response.usage) body.usageMetadata = encodeUsage(response.usage);
  body.modelVersion = response.model ?? context.request.model;
  body.responseId = context.ids("");
  restore(body, response.extras?.["generate-content"]);
  return body;
}

/** Where the prompt itself was blocked there are no candidates (generate-content.md 7). */
function blockOf(response: CanonicalResponse): JsonObject | undefined {
  const [only, another] = response.candidates;
  if (!only || another) return undefined;
  const blockReason = encodeBlock(only.finish, only.parts.length > 0);
  if (blockReason === undefined) return undefined;
  const { message } = only.finish;
  return { blockReason, ...(message === undefined ? {} : { blockReasonMessage: message }) };
}

function encodeCandidate(candidate: Candidate, context: AnswerContext): JsonObject {
  const details = new CandidateDetails();
  const parts = encodeParts(candidate, context, details);
  // Clients take a content without parts for a broken answer.
  if (parts.length === 0) parts.push({ text: "" });
  noticeFinish(candidate.finish, context);
  const wire: JsonObject = {
    content: { parts, role: "model" },
    finishReason: encodeFinish(candidate.finish),
    index: candidate.index,
  };
  if (candidate.finish.message !== undefined) wire.finishMessage = candidate.finish.message;
  return { ...wire, ...details.members(), ...candidate.extras?.["generate-content"] };
}

function encodeParts(candidate: Candidate, context: AnswerContext, details: CandidateDetails): JsonObject[] {
  const shown = showsThoughts(context.request);
  const parts: JsonObject[] = [];
  /** The proof of the reasoning before: it goes onto the part that follows, where clients keep it (2.5). */
  let waiting: string | undefined;
  const flush = () => {
    if (waiting !== undefined) parts.push({ text: "", thoughtSignature: waiting });
    waiting = undefined;
  };
  const add = (wire: JsonObject, proof: Proof | undefined) => {
    if (proof) flush();
    const signature = proof ? sealSignature(proof, context.vault) : waiting;
    waiting = undefined;
    parts.push(signature === undefined ? wire : { ...wire, thoughtSignature: signature });
  };
  /** Whether the part before was a call: calls behind it belong to its step. */
  let inStep = false;
  for (const part of candidate.parts) {
    const isFirstCall = part.type === "tool-call" && !inStep;
    inStep = part.type === "tool-call";
    switch (part.type) {
      case "reasoning": {
        // A waiting proof must not cross another thought, or it would come back as that one's.
        flush();
        const text = reasoningText(part);
        if (shown && text !== "") parts.push({ text, thought: true });
        if (part.proof) waiting = sealSignature(part.proof, context.vault);
        break;
      }
      case "text":
        details.addText(part);
        if (part.text !== "" || part.proof) add({ text: part.text }, part.proof);
        break;
      case "refusal":
        if (part.text !== "") add({ text: part.text }, part.proof);
        break;
      case "tool-call":
        // See the stream's writer: an unsigned first call bears the documented stand-in.
        if (isFirstCall && !part.proof) waiting ??= absentSignature;
        add(callPart(part, context), part.proof);
        break;
      default: {
        const wire = wholePart(part, context);
        if (wire) add(wire, part.proof);
      }
    }
  }
  flush();
  return parts;
}

/** What this protocol's decoder kept: whole members, and members within, which are more exact than what we can say. */
function restore(body: JsonObject, extras: JsonObject | undefined): void {
  for (const [key, value] of Object.entries(extras ?? {})) {
    const present = body[key];
    if (isObject(present) && isObject(value)) body[key] = { ...present, ...value };
    else if (present === undefined) body[key] = value;
  }
}
