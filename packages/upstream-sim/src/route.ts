import type { Protocol } from "./protocol.ts";

/** What a request wants, from its method and path alone. */
export type Route =
  | { kind: "generate"; protocol: Protocol; model?: string; stream?: boolean; jsonArray?: boolean }
  | { kind: "count-tokens"; protocol: Protocol; model?: string }
  | { kind: "list-models"; prefix: string }
  | { kind: "get-model"; prefix: string; model: string }
  | { kind: "stored-response"; id: string; remove: boolean };

const PLAIN: Record<string, Route> = {
  "/chat/completions": { kind: "generate", protocol: "chat-completions" },
  "/responses": { kind: "generate", protocol: "responses" },
  "/responses/input_tokens": { kind: "count-tokens", protocol: "responses" },
  "/messages": { kind: "generate", protocol: "messages" },
  "/messages/count_tokens": { kind: "count-tokens", protocol: "messages" },
};

/** Finds the route; `undefined` where there is none. The version prefix may be left out. */
export function findRoute(method: string, path: string, query: URLSearchParams): Route | undefined {
  const prefix = /^\/v1(?:beta|alpha)?(?=\/)/.exec(path)?.[0] ?? "";
  const rest = path.slice(prefix.length);
  if (method === "POST") return PLAIN[rest] ?? modelMethod(rest, query);
  if (method !== "GET" && method !== "DELETE") return undefined;
  const stored = /^\/responses\/([^/]+)$/.exec(rest)?.[1];
  if (stored !== undefined) return { kind: "stored-response", id: stored, remove: method === "DELETE" };
  if (method !== "GET") return undefined;
  if (rest === "/models") return { kind: "list-models", prefix };
  const model = /^\/models\/(.+)$/.exec(rest)?.[1];
  return model === undefined ? undefined : { kind: "get-model", prefix, model: decode(model) };
}

/** `/models/{m}:method`; the method stands after the last colon, which may be percent-encoded. */
function modelMethod(path: string, query: URLSearchParams): Route | undefined {
  const found = /^\/(?:models|tunedModels)\/(.+):([A-Za-z]+)$/.exec(decode(path));
  const [, model, name] = found ?? [];
  if (model === undefined) return undefined;
  const protocol = "generate-content";
  switch (name) {
    case "generateContent":
      return { kind: "generate", protocol, model, stream: false };
    case "streamGenerateContent":
      return { kind: "generate", protocol, model, stream: true, jsonArray: query.get("alt") !== "sse" };
    case "countTokens":
      return { kind: "count-tokens", protocol, model };
    default:
      return undefined;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
