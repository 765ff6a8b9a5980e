import type { IncomingMessage } from "node:http";

/** Addresses that programs ask for data and people for a page of the console. */
const shared = new Set(["/", "/models"]);

/** Whether a browser comes for a page: it says that it wants one, and bears no credential as a program does. */
export function isPageVisit({ method, headers }: Pick<IncomingMessage, "method" | "headers">, path: string): boolean {
  if (!shared.has(path) || (method !== "GET" && method !== "HEAD")) return false;
  const bearsKey = headers.authorization ?? headers["x-api-key"] ?? headers["x-goog-api-key"];
  return bearsKey === undefined && /(?:^|,)\s*text\/html\b/i.test(headers.accept ?? "");
}
