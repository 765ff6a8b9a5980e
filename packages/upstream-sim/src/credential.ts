import type { Protocol } from "./protocol.ts";
import type { SimRequest } from "./request.ts";

/** True when the request carries a credential where the family takes one; any non-empty one is good. */
export function hasCredential(request: SimRequest, protocol: Protocol): boolean {
  const { headers, query } = request;
  const bearer = /^Bearer\s+\S/i.test(headers.authorization ?? "");
  switch (protocol) {
    case "chat-completions":
    case "responses":
      return bearer;
    case "messages":
      return bearer || (headers["x-api-key"] ?? "") !== "";
    case "generate-content":
      return bearer || (headers["x-goog-api-key"] ?? query.get("key") ?? "") !== "";
  }
}

/** Which family a call to a shared path (`/v1/models`) belongs to, by its headers. */
export function familyOf(request: SimRequest, prefix: string): Protocol {
  const { headers, query } = request;
  if (prefix === "/v1beta" || prefix === "/v1alpha") return "generate-content";
  if (headers["x-goog-api-key"] !== undefined || query.has("key")) return "generate-content";
  if (headers["anthropic-version"] !== undefined || headers["x-api-key"] !== undefined) return "messages";
  return "chat-completions";
}
