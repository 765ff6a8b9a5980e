import type { CacheMark, JsonObject, JsonValue, Part, Turn } from "../canonical/index.ts";
import { isObject, missing, path, readEnum, readObject } from "../shared/read.ts";
import type { Report } from "../shared/report.ts";

/** `cache_control` of a block, a tool or the whole request. */
export function decodeCacheMark(holder: JsonObject, at: string): CacheMark | undefined {
  const control = readObject(holder, "cache_control", at);
  if (!control) return undefined;
  const field = path(at, "cache_control");
  readEnum(control, "type", ["ephemeral"], field) ?? missing(path(field, "type"));
  const ttl = readEnum(control, "ttl", ["5m", "1h"], field);
  return ttl ? { ttl } : {};
}

/** `cache_control` for a lifetime; lifetimes of other families become the default of five minutes. */
export function encodeCacheMark(mark: CacheMark): JsonObject {
  return mark.ttl === "5m" || mark.ttl === "1h" ? { type: "ephemeral", ttl: mark.ttl } : { type: "ephemeral" };
}

/** A mark of the whole request means the last block that can be cached. */
export function markLastPart(turns: readonly Turn[], mark: CacheMark): void {
  const part = turns.flatMap((turn) => turn.parts).findLast(isCacheable);
  if (part) part.cache ??= mark;
}

function isCacheable(part: Part): boolean {
  return part.type !== "reasoning" && !(part.type === "text" && part.text === "");
}

const mostMarks = 4;

/**
 * Holds the vendor's limits on marks (P20): at most four, of which the latest count; a mark of one hour may not follow
 * one of five minutes. Walks tools, system and messages, the order in which the vendor reads them.
 */
export function limitCacheMarks(body: JsonObject, report: Report): void {
  const holders = cacheHolders(body);
  const surplus = holders.length - mostMarks;
  if (surplus > 0) {
    report.dropped(
      "cache_control",
      `The provider takes at most ${mostMarks} cache marks; the ${surplus} earliest were left out.`,
    );
  }
  let isShort = false;
  let isTold = false;
  holders.forEach((holder, index) => {
    if (index < surplus) {
      delete holder.cache_control;
      return;
    }
    const control = holder.cache_control;
    const isLong = isObject(control) && control.ttl === "1h";
    if (!isLong) isShort = true;
    else if (isShort) {
      holder.cache_control = { type: "ephemeral", ttl: "5m" };
      if (!isTold)
        report.approximated(
          "cache_control",
          "A cache mark of one hour after one of five minutes became one of five minutes.",
        );
      isTold = true;
    }
  });
}

function cacheHolders(body: JsonObject): JsonObject[] {
  const holders: JsonObject[] = [];
  const collect = (blocks: JsonValue | undefined): void => {
    if (!Array.isArray(blocks)) return;
    for (const block of blocks) {
      if (!isObject(block)) continue;
      if (block.type === "tool_result") collect(block.content);
      if (isObject(block.cache_control)) holders.push(block);
    }
  };
  collect(body.tools);
  collect(body.system);
  const messages = body.messages;
  if (Array.isArray(messages)) for (const message of messages) if (isObject(message)) collect(message.content);
  return holders;
}
