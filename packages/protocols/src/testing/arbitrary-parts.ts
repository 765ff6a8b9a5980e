import fc from "fast-check";
import type {
  AudioPart,
  Citation,
  DocumentPart,
  Family,
  ImagePart,
  MediaSource,
  Part,
  Proof,
  ReasoningPart,
  RefusalPart,
  TextPart,
  TokenLogprob,
  ToolCallPart,
  ToolResultPart,
  VideoPart,
} from "../canonical/index.ts";
import { callId, jsonObject, text, toolName, visibleText } from "./arbitrary-text.ts";

/** A record whose keys in `required` always occur and the others sometimes: absent, never undefined. */
function some<T extends object, K extends keyof T>(model: { [P in keyof T]: fc.Arbitrary<T[P]> }, required: K[]) {
  return fc.record(model, { requiredKeys: required, noNullPrototype: true });
}

function base64(): fc.Arbitrary<string> {
  return fc.base64String({ minLength: 4, maxLength: 40 });
}

export function proof(family: Family, kind: Proof["kind"] = "signature"): fc.Arbitrary<Proof> {
  return base64().map((value) => ({ family, kind, value }));
}

/** `empty`: also texts without anything to see in them. */
export function textPart(options: { empty?: boolean } = {}): fc.Arbitrary<TextPart> {
  return (options.empty ? text() : visibleText()).map((value) => ({ type: "text", text: value }));
}

export function citation(): fc.Arbitrary<Citation> {
  return fc.record({ url: fc.webUrl(), title: visibleText() }).map((found) => ({ kind: "url", ...found }));
}

export function logprobs(): fc.Arbitrary<TokenLogprob[]> {
  const token = fc.record({ token: visibleText(), logprob: fc.integer({ min: -20, max: 0 }) });
  return fc.array(token, { minLength: 1, maxLength: 3 });
}

/** Which sources the media of a protocol may have. */
export type SourceType = MediaSource["type"];

function source(
  types: readonly SourceType[],
  mediaTypes: readonly string[],
  family: Family,
): fc.Arbitrary<MediaSource> {
  const mediaType = fc.constantFrom(...mediaTypes);
  const byType: Record<SourceType, fc.Arbitrary<MediaSource>> = {
    base64: fc.record({ type: fc.constant("base64"), mediaType, data: base64() }),
    url: fc.webUrl({ validSchemes: ["https"] }).map((url) => ({ type: "url", url })),
    file: fc.stringMatching(/^file-[a-z0-9]{6}$/).map((id) => ({ type: "file", id, family })),
    text: visibleText().map((value) => ({ type: "text", text: value, mediaType: "text/plain" })),
  };
  return fc.oneof(...types.map((type) => byType[type]));
}

export function imagePart(types: readonly SourceType[], family: Family): fc.Arbitrary<ImagePart> {
  return source(types, ["image/png", "image/jpeg", "image/webp"], family).map((from) => ({
    type: "image",
    source: from,
  }));
}

export function documentPart(types: readonly SourceType[], family: Family): fc.Arbitrary<DocumentPart> {
  return source(types, ["application/pdf"], family).map((from) => ({ type: "document", source: from }));
}

export function audioPart(types: readonly SourceType[], family: Family): fc.Arbitrary<AudioPart> {
  return source(types, ["audio/wav", "audio/mpeg"], family).map((from) => ({ type: "audio", source: from }));
}

export function videoPart(types: readonly SourceType[], family: Family): fc.Arbitrary<VideoPart> {
  return source(types, ["video/mp4"], family).map((from) => ({ type: "video", source: from }));
}

export function refusalPart(): fc.Arbitrary<RefusalPart> {
  return visibleText().map((value) => ({ type: "refusal", text: value }));
}

/** What a family's reasoning holds: `text` (messages, chat dialects) or `summary` (responses, Gemini), and a proof. */
export interface ReasoningShape {
  family: Family;
  content: "text" | "summary";
  proof: "always" | "sometimes" | "never";
  kind?: Proof["kind"];
}

export function reasoningPart(shape: ReasoningShape): fc.Arbitrary<ReasoningPart> {
  const content: fc.Arbitrary<Pick<ReasoningPart, "text" | "summary">> =
    shape.content === "text"
      ? visibleText().map((value) => ({ text: value }))
      : fc.array(visibleText(), { minLength: 1, maxLength: 2 }).map((summary) => ({ summary }));
  const sealed = proof(shape.family, shape.kind ?? "signature").map((value) => ({ proof: value }));
  const none = fc.constant({});
  const proofs = { always: sealed, sometimes: fc.oneof(sealed, none), never: none }[shape.proof];
  return fc.tuple(content, proofs).map(([shown, proved]) => ({ type: "reasoning", ...shown, ...proved }));
}

export function toolCallPart(options: { custom?: boolean } = {}): fc.Arbitrary<ToolCallPart> {
  const common = { type: fc.constant("tool-call" as const), callId: callId(), name: toolName() };
  const call = fc.record({
    ...common,
    toolKind: fc.constant("function" as const),
    arguments: jsonObject().map((value) => JSON.stringify(value)),
  });
  const custom = fc.record({ ...common, toolKind: fc.constant("custom" as const), arguments: text() });
  return options.custom ? fc.oneof(call, custom) : call;
}

/** The result of a call: texts, and what `media` gives. */
export function toolResultPart(
  call: ToolCallPart,
  options: { media?: fc.Arbitrary<Part>; isError?: boolean; name?: boolean } = {},
): fc.Arbitrary<ToolResultPart> {
  const inner: fc.Arbitrary<Part> = options.media ? fc.oneof(textPart(), options.media) : textPart();
  return some<Pick<ToolResultPart, "content" | "isError">, "content">(
    {
      content: fc.array(inner, { minLength: 1, maxLength: options.media ? 3 : 1 }),
      isError: fc.constant(options.isError ? true : undefined),
    },
    ["content"],
  ).map(({ content, isError }) => ({
    type: "tool-result",
    callId: call.callId,
    toolKind: call.toolKind,
    content,
    ...(options.name ? { name: call.name } : {}),
    ...(isError ? { isError } : {}),
  }));
}
