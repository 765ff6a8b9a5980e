import type { Answer } from "../answer.ts";
import { type Frame, namedFrame } from "../frame.ts";
import { type JsonObject, objectOf } from "../json.ts";
import { padding } from "../padding.ts";
import { splitCodePoints, splitText } from "../split-text.ts";
import {
  annotations,
  contentPart,
  emptyItem,
  finalItem,
  type Item,
  itemsOf,
  summaryText,
  wantsEncrypted,
} from "./items.ts";
import { finalOutput, finalStatus, responseObject, usageObject } from "./render.ts";

/** Writes one event; numbers it. */
type Emit = (type: string, fields: JsonObject, terminal?: boolean) => void;

/** The streamed answer in the order of responses.md 8.3. */
export function stream(answer: Answer, body: JsonObject): Frame[] {
  const frames: Frame[] = [];
  const padded = objectOf(body.stream_options).include_obfuscation !== false;
  const emit: Emit = (type, fields, terminal = false) => {
    const pad = padded && typeof fields.delta === "string" ? { obfuscation: padding(fields.delta.length) } : {};
    frames.push(namedFrame(type, { type, ...fields, ...pad, sequence_number: frames.length }, terminal));
  };
  const early = answer.usageForm === "twice" ? usageObject(answer) : null;
  const running = (usage: JsonObject | null) =>
    responseObject(answer, body, { status: "in_progress", output: [], usage });
  emit("response.created", { response: running(null) });
  emit("response.in_progress", { response: running(early) });
  const items = itemsOf(answer);
  const encrypted = wantsEncrypted(body);
  for (const [index, item] of items.entries()) {
    const status = index === items.length - 1 ? finalStatus(answer) : "completed";
    emit("response.output_item.added", { output_index: index, item: emptyItem(item, encrypted) });
    emitBody(item, index, answer, emit);
    emit("response.output_item.done", { output_index: index, item: finalItem(item, status, encrypted) });
  }
  const status = finalStatus(answer);
  const response = responseObject(answer, body, {
    status,
    output: finalOutput(answer, body),
    usage: usageObject(answer),
  });
  emit(`response.${status}`, { response }, true);
  return frames;
}

function emitBody(item: Item, index: number, answer: Answer, emit: Emit): void {
  switch (item.kind) {
    case "message":
      emitMessage(item, index, answer, emit);
      break;
    case "reasoning":
      emitReasoning(item, index, answer, emit);
      break;
    case "call":
      emitCall(item, index, answer, emit);
      break;
    case "image":
      emitImage(item, index, emit);
      break;
  }
}

function emitMessage(item: Item & { kind: "message" }, index: number, answer: Answer, emit: Emit): void {
  for (const [contentIndex, part] of item.parts.entries()) {
    const at = { item_id: item.id, output_index: index, content_index: contentIndex };
    const refusal = part.kind === "refusal";
    const empty: JsonObject = refusal
      ? { type: "refusal", refusal: "" }
      : { type: "output_text", annotations: [], logprobs: [], text: "" };
    emit("response.content_part.added", { ...at, part: empty });
    for (const delta of splitText(part.text, { words: 1, codePoints: answer.chunkSize })) {
      if (refusal) emit("response.refusal.delta", { ...at, delta });
      else emit("response.output_text.delta", { ...at, delta, logprobs: [] });
    }
    for (const [annotationIndex, annotation] of annotations(part).entries()) {
      emit("response.output_text.annotation.added", { ...at, annotation_index: annotationIndex, annotation });
    }
    if (refusal) emit("response.refusal.done", { ...at, refusal: part.text });
    else emit("response.output_text.done", { ...at, text: part.text, logprobs: [] });
    emit("response.content_part.done", { ...at, part: contentPart(part) });
  }
}

function emitReasoning(item: Item & { kind: "reasoning" }, index: number, answer: Answer, emit: Emit): void {
  const text = summaryText(item.part);
  if (text === undefined) return;
  const at = { item_id: item.id, output_index: index, summary_index: 0 };
  emit("response.reasoning_summary_part.added", { ...at, part: { type: "summary_text", text: "" } });
  for (const delta of splitText(text, { words: 1, codePoints: answer.chunkSize })) {
    emit("response.reasoning_summary_text.delta", { ...at, delta });
  }
  emit("response.reasoning_summary_text.done", { ...at, text });
  emit("response.reasoning_summary_part.done", { ...at, part: { type: "summary_text", text } });
}

function emitCall(item: Item & { kind: "call" }, index: number, answer: Answer, emit: Emit): void {
  const at = { item_id: item.id, output_index: index };
  const { custom, search, arguments: text, name } = item.part;
  // The search's arguments come with its item.
  if (search) return;
  const type = custom ? "response.custom_tool_call_input" : "response.function_call_arguments";
  for (const delta of splitCodePoints(text, answer.chunkSize ?? 6)) emit(`${type}.delta`, { ...at, delta });
  emit(`${type}.done`, custom ? { ...at, input: text } : { ...at, name, arguments: text });
}

function emitImage(item: Item & { kind: "image" }, index: number, emit: Emit): void {
  const at = { item_id: item.id, output_index: index };
  for (const phase of ["in_progress", "generating", "completed"]) {
    emit(`response.image_generation_call.${phase}`, at);
  }
}
