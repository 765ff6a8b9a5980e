import type { Answer, Part } from "../answer.ts";
import { dataFrame, type Frame } from "../frame.ts";
import type { JsonObject } from "../json.ts";
import { objectOf } from "../json.ts";
import { padding } from "../padding.ts";
import { splitCodePoints, splitText } from "../split-text.ts";
import { annotations, completionId, finishReason, toolCall, usageObject } from "./render.ts";

/** The streamed answer in the order of chat-completions.md 9.3. */
export function stream(answer: Answer, body: JsonObject): Frame[] {
  const options = objectOf(body.stream_options);
  const includeUsage = options.include_usage === true && answer.usage !== undefined;
  const padded = options.include_obfuscation !== false;
  const chunk = (choices: JsonObject[], usage: JsonObject | null, terminal: boolean) =>
    dataFrame(
      {
        id: completionId(answer),
        object: "chat.completion.chunk",
        created: answer.created,
        model: answer.model,
        service_tier: "default",
        system_fingerprint: "fp_simulated",
        choices,
        ...(includeUsage ? { usage } : {}),
        ...(padded ? { obfuscation: padding(JSON.stringify(choices).length) } : {}),
      },
      { terminal },
    );
  const perChoice = (delta: JsonObject, finish: string | null) =>
    Array.from({ length: answer.candidates }, (_, index) =>
      chunk([{ index, delta, logprobs: null, finish_reason: finish }], null, finish !== null),
    );
  const frames = deltas(answer).flatMap((delta) => perChoice(delta, null));
  frames.push(...perChoice({}, finishReason(answer.finish)));
  if (includeUsage) {
    const frame = chunk([], usageObject(answer), true);
    frames.push(frame);
    if (answer.usageForm === "twice") frames.push(frame);
  }
  frames.push({ text: "data: [DONE]\n\n", terminal: true });
  return frames;
}

function deltas(answer: Answer): JsonObject[] {
  const pureCall = answer.parts.every((part) => part.kind !== "text" && part.kind !== "refusal");
  const found: JsonObject[] = [{ role: "assistant", content: pureCall ? null : "", refusal: null }];
  let callIndex = 0;
  for (const part of answer.parts) {
    if (part.kind === "tool-call") found.push(...callDeltas(part, callIndex++, answer));
    else found.push(...textDeltas(part, answer));
  }
  const cited = annotations(answer);
  if (cited.length > 0) found.push({ annotations: cited });
  return found;
}

function textDeltas(part: Exclude<Part, { kind: "tool-call" }>, answer: Answer): JsonObject[] {
  const grain = { words: 1, codePoints: answer.chunkSize };
  switch (part.kind) {
    case "text":
      return splitText(part.text, grain).map((content) => ({ content }));
    case "refusal":
      return splitText(part.text, grain).map((refusal) => ({ refusal }));
    case "reasoning": {
      const field = answer.chatReasoning;
      return field === "hidden" || part.hidden ? [] : splitText(part.text, grain).map((text) => ({ [field]: text }));
    }
    case "redacted-reasoning":
    case "image":
      return [];
  }
}

function callDeltas(part: Part & { kind: "tool-call" }, index: number, answer: Answer): JsonObject[] {
  const opening = { index, ...toolCall({ ...part, arguments: "" }) };
  const fragments = splitCodePoints(part.arguments, answer.chunkSize ?? 6);
  return [opening, ...fragments.map((text) => ({ index, ...fragment(part, text) }))].map((entry) => ({
    tool_calls: [entry],
  }));
}

function fragment(part: Part & { kind: "tool-call" }, text: string): JsonObject {
  return part.custom ? { custom: { input: text } } : { function: { arguments: text } };
}
