import type { CanonicalRequest, Part } from "@interlingua/protocols";
import type { IncomingCall } from "./incoming-call.ts";
import { estimateInputTokens } from "./token-estimate.ts";

/** The most that a call may use. All counts are whole. */
export interface CallBounds {
  inputTokens: number;
  outputTokens: number;
}

/** No family takes an image for more tokens than this, whatever its size. */
const imageTokens = 16_384;
/** Of sound and film, per byte of what is sent: a second is at most some hundred tokens and no less than a thousand bytes. */
const tokensPerMediaByte = 0.25;
/** Where a request points at something that lies elsewhere, nobody knows its size here. */
const remoteTokens = 100_000;
/** What the families put around turns and tools. */
const framingTokens = 1_024;
/** How far a family's own count of a text may be above that of the public tokenizer. */
const estimateMargin = 1.25;

/**
 * Tokens of the input, surely not fewer than any family counts: a token of text is at least one byte of the body. Cheap,
 * and mostly several times too high.
 */
export function inputBound(call: IncomingCall, request: CanonicalRequest, contextWindow: number | undefined): number {
  const media = mediaOf(request);
  const text = Math.max(0, call.document.bytes.length - media.bytes);
  const told = text + media.tokens + framingTokens + storedTokens(request);
  return contextWindow === undefined ? told : Math.min(told, contextWindow);
}

/** The same, counted: close to the truth, for callers who cannot afford the cheap bound. */
export async function countedInputBound(request: CanonicalRequest, contextWindow: number | undefined): Promise<number> {
  const media = mediaOf(request);
  const text = Math.ceil((await estimateInputTokens(request)) * estimateMargin);
  const told = text + media.tokens + 64 + storedTokens(request);
  return contextWindow === undefined ? told : Math.min(told, contextWindow);
}

/** Tokens of all answers together. `undefined` cap: the caller set none. */
export function outputBound(request: CanonicalRequest, assumed: number): number {
  return (request.maxOutputTokens ?? assumed) * answersOf(request);
}

/** How many answers the caller wants. */
export function answersOf(request: CanonicalRequest): number {
  return Math.max(1, request.candidates ?? 1);
}

/** A conversation that the upstream keeps is input, too. */
function storedTokens({ state }: CanonicalRequest): number {
  return state?.previousResponseId !== undefined || state?.conversation !== undefined ? remoteTokens : 0;
}

interface MediaBound {
  /** Of the body, that are no text. */
  bytes: number;
  tokens: number;
}

function mediaOf(request: CanonicalRequest): MediaBound {
  const media: MediaBound = { bytes: 0, tokens: 0 };
  for (const turn of request.turns) for (const part of turn.parts) addMedia(part, media);
  return media;
}

function addMedia(part: Part, media: MediaBound): void {
  switch (part.type) {
    case "image":
    case "audio":
    case "video":
    case "document": {
      const { source } = part;
      if (source.type === "text") return;
      if (source.type !== "base64") {
        media.tokens += part.type === "image" ? imageTokens : remoteTokens;
        return;
      }
      const bytes = source.data.length;
      media.bytes += bytes;
      media.tokens += part.type === "image" ? imageTokens : Math.ceil(bytes * tokensPerMediaByte);
      return;
    }
    case "tool-result":
      for (const inner of part.content) addMedia(inner, media);
      return;
    default:
      return;
  }
}
