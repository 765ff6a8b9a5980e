import type { Answer } from "../answer.ts";
import { dataFrame, type Frame } from "../frame.ts";
import type { JsonObject } from "../json.ts";
import { splitText } from "../split-text.ts";
import { ending, isBlocked, partsOf, signatureOf, signedParts, tail } from "./render.ts";

/** The streamed answer (generate-content.md 9): SSE with CRLF, or the elements of one JSON array. */
export function stream(answer: Answer, jsonArray: boolean): Frame[] {
  const chunks = contentChunks(answer);
  const frames: { data: JsonObject; terminal: boolean }[] = chunks.map((parts) => ({
    data: { candidates: candidates(answer, { content: { parts, role: "model" } }), ...tail(answer, true) },
    terminal: false,
  }));
  const last = { data: lastChunk(answer, chunks), terminal: true };
  frames.push(last);
  if (answer.usageForm === "twice") frames.push(last);
  if (!jsonArray) return frames.map(({ data, terminal }) => dataFrame(data, { terminal, eol: "\r\n" }));
  const elements = frames.map(({ data, terminal }, index) => ({
    text: `${index === 0 ? "[" : ",\r\n"}${JSON.stringify(data, null, 2)}`,
    terminal,
  }));
  return [...elements, { text: "]", terminal: true }];
}

/** The parts of each chunk: text in pieces, all calls of a step whole and together. */
function contentChunks(answer: Answer): JsonObject[][] {
  const grain = { words: 12, codePoints: answer.chunkSize };
  const all = partsOf(answer);
  // Without a call the signature comes on the empty part of the last chunk.
  const parts = all.some((part) => part.functionCall !== undefined) ? signedParts(answer, all) : all;
  const chunks: JsonObject[][] = [];
  let calls: JsonObject[] | undefined;
  for (const part of parts) {
    if (part.functionCall !== undefined) {
      if (!calls) {
        calls = [];
        chunks.push(calls);
      }
      calls.push(part);
      continue;
    }
    calls = undefined;
    if (typeof part.text !== "string") chunks.push([part]);
    else for (const text of splitText(part.text, grain)) chunks.push([{ ...part, text }]);
  }
  return chunks;
}

function lastChunk(answer: Answer, chunks: JsonObject[][]): JsonObject {
  const hasCall = chunks.flat().some((part) => part.functionCall !== undefined);
  const part: JsonObject = answer.signed && !hasCall ? { text: "", thoughtSignature: signatureOf({}) } : { text: "" };
  const content = isBlocked(answer.finish) ? {} : { content: { parts: [part], role: "model" } };
  return { candidates: candidates(answer, { ...content, ...ending(answer) }), ...tail(answer) };
}

function candidates(answer: Answer, candidate: JsonObject): JsonObject[] {
  return Array.from({ length: answer.candidates }, (_, index) => ({ ...candidate, index }));
}
