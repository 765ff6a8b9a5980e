import type { components } from "../api/schema.d.ts";

export type Protocol = components["schemas"]["PublicModel"]["families"][number]["protocol"];

/** The four request protocols, in the order in which they are shown everywhere. */
export const protocols = [
  "chat-completions",
  "responses",
  "messages",
  "generate-content",
] as const satisfies Protocol[];

/** Where a protocol's requests go, behind the gateway's address. */
export function callPath(protocol: Protocol, model: string, stream: boolean): string {
  switch (protocol) {
    case "chat-completions":
      return "/v1/chat/completions";
    case "responses":
      return "/v1/responses";
    case "messages":
      return "/v1/messages";
    case "generate-content": {
      const name = model.split("/").map(encodeURIComponent).join("/");
      return `/v1beta/models/${name}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`;
    }
  }
}

/** The headers of a call, as the vendor's own client sends them. */
export function callHeaders(protocol: Protocol, secret: string): Record<string, string> {
  const type = { "content-type": "application/json" };
  switch (protocol) {
    case "chat-completions":
    case "responses":
      return { ...type, authorization: `Bearer ${secret}` };
    case "messages":
      return { ...type, "x-api-key": secret, "anthropic-version": "2023-06-01" };
    case "generate-content":
      return { ...type, "x-goog-api-key": secret };
  }
}

export interface GatewayCall {
  protocol: Protocol;
  model: string;
  secret: string;
  stream: boolean;
  body: unknown;
  signal?: AbortSignal;
}

/** Calls the gateway as any program does: with the key alone, without the session. */
export function callGateway({ protocol, model, secret, stream, body, signal }: GatewayCall): Promise<Response> {
  return fetch(callPath(protocol, model, stream), {
    method: "POST",
    headers: callHeaders(protocol, secret),
    body: JSON.stringify(body),
    credentials: "omit",
    ...(signal && { signal }),
  });
}
