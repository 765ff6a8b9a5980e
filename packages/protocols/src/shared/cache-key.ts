import type { CanonicalRequest, Part } from "../canonical/index.ts";
import { sha256Hex } from "./sha256.ts";

/** Of the system text this much tells one application from another; hashing all of a long one would cost too much. */
const readCharacters = 2000;

/**
 * `prompt_cache_key`: the caller's own, or for a caller that only marks what to cache one made of what its turns have in
 * common (P19), so that they meet the same cache: the end user, the names of the tools and the begin of the system text.
 */
export function cacheKeyOf(request: CanonicalRequest): string | undefined {
  if (request.cache?.key !== undefined) return request.cache.key;
  if (!marksCache(request)) return undefined;
  const names = request.tools.map((tool) => (tool.type === "server" ? tool.tool : tool.name));
  return sha256Hex(JSON.stringify([request.caller?.userId, names, systemText(request)])).slice(0, 32);
}

function marksCache({ tools, turns }: CanonicalRequest): boolean {
  const isMarked = (part: Part): boolean =>
    part.cache !== undefined || (part.type === "tool-result" && part.content.some(isMarked));
  return tools.some((tool) => tool.cache !== undefined) || turns.some((turn) => turn.parts.some(isMarked));
}

function systemText({ turns }: CanonicalRequest): string {
  let text = "";
  for (const turn of turns) {
    if (turn.role !== "system" && turn.role !== "developer") break;
    for (const part of turn.parts) if (part.type === "text") text += part.text.slice(0, readCharacters - text.length);
  }
  return text;
}
