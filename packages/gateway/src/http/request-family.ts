import type { IncomingMessage } from "node:http";
import type { ProtocolName } from "@interlingua/protocols";
import { familyOfPath } from "./raw-target.ts";

/** The family whose shapes fit: the path's, and for shared paths the one whose headers the caller sends. */
export function familyOf(path: string, query: string, { headers }: IncomingMessage): ProtocolName {
  const family = familyOfPath(path);
  if (family !== "chat-completions" || path.includes("/chat/")) return family;
  if (headers["anthropic-version"] !== undefined || headers["partner-version"] !== undefined) return "messages";
  const google = headers["x-goog-api-key"] ?? headers["x-goog-api-client"];
  return google !== undefined || /(?:^|&)key=/.test(query) ? "generate-content" : family;
}
