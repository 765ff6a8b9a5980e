import type { IncomingMessage } from "node:http";
import type { CanonicalError } from "@interlingua/protocols";
import { refusal } from "./failed-request.ts";
import type { RouteMatch } from "./router.ts";

/** The error of a request that no route takes: a wrong method, a bad model name or an unknown address. */
export function mismatch(match: RouteMatch, message: IncomingMessage, path: string): CanonicalError {
  if (match.kind === "wrong-method") {
    return refusal(405, `The method ${message.method} is not allowed for ${path}.`, "method_not_allowed");
  }
  if (match.kind === "bad-model") return refusal(400, "The model name in the path is not valid.", "invalid_model");
  const hint = path.startsWith("/v1/v1/") ? " The base address bears '/v1' twice." : "";
  return refusal(404, `There is nothing at ${message.method} ${path.slice(0, 256)}.${hint}`, "unknown_url");
}

/** The methods that a path knows, for a request that came with another one. */
export function allowHeader(match: RouteMatch): Record<string, string> {
  return match.kind === "wrong-method" ? { allow: match.allow.join(", ") } : {};
}
