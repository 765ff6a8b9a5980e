import { createHash } from "node:crypto";
import type { Redis } from "ioredis";

/** A script that the server runs as one step. */
export interface LuaScript {
  source: string;
  /** By which the server knows a script that it has run before. */
  sha: string;
}

export function luaScript(source: string): LuaScript {
  return { source, sha: createHash("sha1").update(source).digest("hex") };
}

/** Runs a script and resolves with its answer, a list of whole numbers. */
export async function runScript(
  redis: Redis,
  script: LuaScript,
  keys: readonly string[],
  args: readonly string[],
): Promise<number[]> {
  try {
    return numbersOf(await redis.evalsha(script.sha, keys.length, ...keys, ...args));
  } catch (cause) {
    if (!isUnknownScript(cause)) throw cause;
    return numbersOf(await redis.eval(script.source, keys.length, ...keys, ...args));
  }
}

/** Whether the server has forgotten the script, as it does when it is started again. */
export function isUnknownScript(cause: unknown): boolean {
  return cause instanceof Error && cause.message.startsWith("NOSCRIPT");
}

function numbersOf(answer: unknown): number[] {
  if (Array.isArray(answer) && answer.every((value) => Number.isSafeInteger(value))) return answer;
  throw new TypeError("Redis answered a script by something else than whole numbers.");
}
