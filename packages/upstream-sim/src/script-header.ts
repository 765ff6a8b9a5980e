import type { Ask } from "./ask.ts";
import { badRequest, type Failure } from "./failure.ts";
import { isObject, parseJson } from "./json.ts";
import { namedScript } from "./named-scripts.ts";
import type { Script } from "./script.ts";

/** The request header that picks a script: a script's name, or a script as base64url JSON. */
export const SCRIPT_HEADER = "x-sim-script";

/** Reads the header; a value that is neither is a failure that names it. */
export function scriptFromHeader(value: string, ask: Ask): { script: Script } | { failure: Failure } {
  const named = namedScript(value, ask);
  if (named) return { script: named };
  const text = Buffer.from(value, "base64url").toString("utf8");
  const outline = parseJson(text);
  const isScript =
    isObject(outline) &&
    (outline.steps === undefined || Array.isArray(outline.steps)) &&
    ["steps", "fault", "usage", "finish", "pace"].some((name) => outline[name] !== undefined);
  if (!isScript) {
    return { failure: badRequest(`${SCRIPT_HEADER}: neither the name of a script nor a script as base64url JSON`) };
  }
  // The header is a tool of tests that hold a typed Script; only its outline is checked here.
  const script: Script = JSON.parse(text);
  return { script };
}

/** Writes a script as the header's value. Scripts with bytes in them (replay) cannot be written. */
export function scriptHeaderValue(script: Script): string {
  return Buffer.from(JSON.stringify(script), "utf8").toString("base64url");
}
