import type { CacheMark, JsonObject } from "../canonical/index.ts";
import { path, readObject, readString } from "../shared/read.ts";
import type { ChatCapabilities } from "./capabilities.ts";

/** A cache mark in the vendor's spelling or in the one that many clients take from the messages protocol. */
export function decodeCacheMark(holder: JsonObject, at: string): { cache?: CacheMark } {
  for (const key of ["prompt_cache_breakpoint", "cache_control"]) {
    const mark = readObject(holder, key, at);
    if (!mark) continue;
    const ttl = readString(mark, "ttl", path(at, key));
    return { cache: ttl === undefined ? {} : { ttl } };
  }
  return {};
}

/** A cache mark as the upstream spells it; none where it caches by itself (P20). */
export function encodeCacheMark(mark: CacheMark | undefined, capabilities: ChatCapabilities): JsonObject {
  const field = capabilities.cacheMark;
  if (!mark || field === "none") return {};
  const ttls = field === "cache_control" ? ["5m", "1h"] : ["30m", "12h"];
  const ttl = mark.ttl !== undefined && ttls.includes(mark.ttl) ? { ttl: mark.ttl } : {};
  return {
    [field]: {
      [field === "cache_control" ? "type" : "mode"]: field === "cache_control" ? "ephemeral" : "explicit",
      ...ttl,
    },
  };
}
