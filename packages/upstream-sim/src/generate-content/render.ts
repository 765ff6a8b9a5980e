import type { Answer, Part } from "../answer.ts";
import { signsAlways } from "../answer.ts";
import { type JsonObject, parseObject } from "../json.ts";
import { issueProof } from "../proof.ts";
import type { Finish } from "../script.ts";
import { shapeUsage } from "../usage-form.ts";

/** The unary answer (generate-content.md 7). */
export function render(answer: Answer): JsonObject {
  const parts = signedParts(answer, partsOf(answer));
  const blocked = isBlocked(answer.finish);
  return {
    candidates: Array.from({ length: answer.candidates }, (_, index) => ({
      ...(blocked && parts.length === 0 ? {} : { content: { parts, role: "model" } }),
      ...ending(answer),
      index,
    })),
    ...tail(answer),
  };
}

/** Parts in their wire form, before they are signed. */
export function partsOf(answer: Answer): JsonObject[] {
  return answer.parts.flatMap((part) => wirePart(part, signsAlways(answer.model)));
}

/** One part in its wire form; a refusal and redacted or hidden reasoning have none. */
function wirePart(part: Part, withId: boolean): JsonObject[] {
  switch (part.kind) {
    case "text":
      return [{ text: part.text }];
    case "reasoning":
      return part.hidden ? [] : [{ text: part.text, thought: true }];
    case "redacted-reasoning":
    case "refusal":
      return [];
    case "tool-call": {
      const id = part.callId ?? (withId ? `call_${part.id}` : undefined);
      const functionCall = { ...(id === undefined ? {} : { id }), name: part.name, args: parseObject(part.arguments) };
      return [{ functionCall }];
    }
    case "image":
      return [{ inlineData: { mimeType: part.mimeType, data: part.data } }];
  }
}

/**
 * Puts the answer's signature where this family does: on the first function call, else on the last part
 * that is no thought (generate-content.md 11).
 */
export function signedParts(answer: Answer, parts: JsonObject[]): JsonObject[] {
  if (!answer.signed) return parts;
  const firstCall = parts.findIndex((part) => part.functionCall !== undefined);
  const at = firstCall === -1 ? parts.findLastIndex((part) => part.thought !== true) : firstCall;
  return parts.map((part, index) => (index === at ? { ...part, thoughtSignature: signatureOf(part) } : part));
}

/** The signature of a part: a call's is bound to the function's name. */
export function signatureOf(part: JsonObject): string {
  const call = part.functionCall;
  if (typeof call !== "object" || call === null || Array.isArray(call)) return issueProof("thought-text", "");
  return issueProof("thought-call", String(call.name));
}

/** Why the candidate ends, and its sources. */
export function ending(answer: Answer): JsonObject {
  const grounding = groundingMetadata(answer);
  return { finishReason: finishReason(answer.finish), ...(grounding ? { groundingMetadata: grounding } : {}) };
}

function finishReason(finish: Finish): string {
  switch (finish) {
    case "stop":
    case "stop_sequence":
    case "tool":
      return "STOP";
    case "length":
      return "MAX_TOKENS";
    case "filter":
    case "refusal":
      return "SAFETY";
  }
}

/** A blocked candidate may come without any content. */
export function isBlocked(finish: Finish): boolean {
  return finish === "filter" || finish === "refusal";
}

/** The counters and names that stand in every chunk; `running` for all but the last. */
export function tail(answer: Answer, running = false): JsonObject {
  return {
    ...(answer.usage ? { usageMetadata: usageObject(answer, running) } : {}),
    modelVersion: answer.model,
    responseId: answer.id,
  };
}

/** The usage object; counters that are zero are left out as the provider does. */
function usageObject(answer: Answer, running: boolean): JsonObject {
  const { input, cacheRead, output, reasoning } = answer.usage ?? ZERO;
  const visible = Math.max(0, output - reasoning);
  const inputSide: JsonObject = {
    promptTokenCount: input,
    ...(cacheRead > 0
      ? { cachedContentTokenCount: cacheRead, cacheTokensDetails: [{ modality: "TEXT", tokenCount: cacheRead }] }
      : {}),
    promptTokensDetails: [{ modality: "TEXT", tokenCount: input }],
  };
  if (running) return shapeUsage(answer, { ...inputSide, totalTokenCount: input });
  return shapeUsage(answer, {
    ...inputSide,
    ...(visible > 0 ? { candidatesTokenCount: visible } : {}),
    ...(reasoning > 0 ? { thoughtsTokenCount: reasoning } : {}),
    totalTokenCount: input + visible + reasoning,
  });
}

const ZERO = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 };

/** Sources with byte offsets into the candidate's text. */
function groundingMetadata(answer: Answer): JsonObject | undefined {
  const chunks: JsonObject[] = [];
  const supports: JsonObject[] = [];
  for (const part of answer.parts) {
    if (part.kind !== "text") continue;
    for (const { url, title, start, end } of part.citations) {
      const text = part.text.slice(start, end);
      const startIndex = Buffer.byteLength(part.text.slice(0, start));
      const segment = { startIndex, endIndex: startIndex + Buffer.byteLength(text), text };
      supports.push({ segment, groundingChunkIndices: [chunks.length] });
      chunks.push({ web: { uri: url, title } });
    }
  }
  return chunks.length > 0 ? { groundingChunks: chunks, groundingSupports: supports } : undefined;
}
