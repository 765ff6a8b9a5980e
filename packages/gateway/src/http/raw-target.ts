import type { ProtocolName } from "@interlingua/protocols";

/** A request target cut at its query, both parts as they came. */
export interface RawTarget {
  path: string;
  /** Without the question mark; "" where there is none. Never logged: it may bear a key. */
  query: string;
}

export function splitTarget(url: string): RawTarget {
  const mark = url.indexOf("?");
  if (mark === -1) return { path: url, query: "" };
  return { path: url.slice(0, mark), query: url.slice(mark + 1) };
}

const encodedTrick = /%(?:2f|5c|00)/i;
const encodedBackslashOrNul = /%(?:5c|00)/i;
const pathTrick = /\/\/|\\|;|\0|\/\.{1,2}(?:\/|$)/;
const modelPath = /^(\/(?:v1|v1beta|v1alpha))?\/(?:models|tunedModels)\//;

/**
 * Says why a path is refused before any route sees it (C10), or undefined for a plain one. Behind `/models/` an encoded
 * slash or colon is lawful: model names hold both.
 */
export function pathTrickOf(path: string): string | undefined {
  if (!path.startsWith("/")) return "The request target must be a path.";
  const encoded = modelPath.test(path) ? encodedBackslashOrNul : encodedTrick;
  if (pathTrick.test(path) || encoded.test(path)) return "The path holds a sequence that is not allowed.";
  return undefined;
}

/** Decodes a model name from a path, or undefined where the percent signs make no sense. */
export function decodeModel(raw: string): string | undefined {
  try {
    const decoded = decodeURIComponent(raw);
    return /^[\w.:/@-]{1,256}$/.test(decoded) && !decoded.includes("..") ? decoded : undefined;
  } catch {
    // Not percent-encoding: the caller answers 400, nothing is lost by not keeping the cause.
    return undefined;
  }
}

/** Which protocol's error shape fits a path that no route knows. */
export function familyOfPath(path: string): ProtocolName {
  if (/^(?:\/v1)?\/messages(?:\/|$)/.test(path)) return "messages";
  if (/^\/v1(?:beta|alpha)(?:\/|$)/.test(path)) return "generate-content";
  if (/:(?:generateContent|streamGenerateContent|countTokens|embedContent|batchEmbedContents)\/?$/.test(path)) {
    return "generate-content";
  }
  if (/^(?:\/v1)?\/responses(?:\/|$)/.test(path)) return "responses";
  return "chat-completions";
}
