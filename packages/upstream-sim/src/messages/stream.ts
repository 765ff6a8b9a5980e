import type { Answer } from "../answer.ts";
import { type Frame, namedFrame } from "../frame.ts";
import type { JsonObject } from "../json.ts";
import { splitCodePoints, splitText } from "../split-text.ts";
import {
  type BlockPart,
  block,
  blockParts,
  citationOf,
  ending,
  messageShell,
  signature,
  toolUseId,
  usageObject,
} from "./render.ts";

/** The streamed answer in the order of messages.md 11. */
export function stream(answer: Answer): Frame[] {
  const frames: Frame[] = [];
  const emit = (type: string, fields: JsonObject, terminal = false) =>
    frames.push(namedFrame(type, { type, ...fields }, terminal));
  const counted = answer.usage !== undefined;
  emit("message_start", {
    message: {
      ...messageShell(answer),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      ...(counted ? { usage: usageObject(answer, 1) } : {}),
    },
  });
  for (const [index, part] of blockParts(answer).entries()) {
    emit("content_block_start", { index, content_block: emptyBlock(part) });
    if (index === 0) emit("ping", {});
    for (const delta of deltas(part, answer)) emit("content_block_delta", { index, delta });
    emit("content_block_stop", { index });
  }
  const last: JsonObject = { delta: ending(answer), ...(counted ? { usage: usageObject(answer) } : {}) };
  emit("message_delta", last, true);
  if (answer.usageForm === "twice") emit("message_delta", last, true);
  emit("message_stop", {}, true);
  return frames;
}

/** A block as `content_block_start` shows it: redacted thinking is complete there, the others are empty. */
function emptyBlock(part: BlockPart): JsonObject {
  switch (part.kind) {
    case "text":
      return { type: "text", text: "" };
    case "reasoning":
      return { type: "thinking", thinking: "", signature: "" };
    case "redacted-reasoning":
      return block(part);
    case "tool-call":
      return { type: "tool_use", id: toolUseId(part), name: part.name, input: {} };
  }
}

function deltas(part: BlockPart, answer: Answer): JsonObject[] {
  const grain = { words: 4, codePoints: answer.chunkSize };
  switch (part.kind) {
    case "text": {
      const text = splitText(part.text, grain).map((piece) => ({ type: "text_delta", text: piece }));
      const cited = part.citations.map((citation) => ({
        type: "citations_delta",
        citation: citationOf(citation, part.text),
      }));
      return [...text, ...cited];
    }
    case "reasoning": {
      const text = part.hidden ? [] : splitText(part.text, grain);
      const thinking: JsonObject[] = text.map((piece) => ({ type: "thinking_delta", thinking: piece }));
      return [...thinking, { type: "signature_delta", signature: signature(part) }];
    }
    case "redacted-reasoning":
      return [];
    case "tool-call":
      return ["", ...splitCodePoints(part.arguments, answer.chunkSize ?? 12)].map((piece) => ({
        type: "input_json_delta",
        partial_json: piece,
      }));
  }
}
