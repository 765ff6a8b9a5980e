import type { IncomingMessage } from "node:http";
import { type Json, objectOf, parseJson, textOf } from "./json.ts";
import { findRoute, type Route } from "./route.ts";

/** A request as it was received. `json`, `model` and `stream` are read from the body when first asked for. */
export interface SimRequest {
  method: string;
  /** The path without its query. */
  path: string;
  query: URLSearchParams;
  /** Names in lower case; repeated headers are joined with a comma. */
  headers: Record<string, string>;
  body: Uint8Array;
  route: Route | undefined;
  /** The clock's milliseconds when the body was complete. */
  receivedAt: number;
  /** The parsed body; `undefined` where it is no JSON. */
  readonly json: Json | undefined;
  readonly model: string;
  readonly stream: boolean;
}

/** Puts a request together once its body is complete. */
export function simRequest(incoming: IncomingMessage, body: Uint8Array, receivedAt: number): SimRequest {
  const method = incoming.method ?? "GET";
  const [path = "/", search = ""] = splitQuery(incoming.url ?? "/");
  const query = new URLSearchParams(search);
  const route = findRoute(method, path, query);
  let parsed: { json: Json | undefined } | undefined;
  const read = () => {
    parsed ??= { json: parseJson(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8")) };
    return parsed.json;
  };
  return {
    method,
    path,
    query,
    headers: headersOf(incoming),
    body,
    route,
    receivedAt,
    get json() {
      return read();
    },
    get model() {
      const inPath = route && "model" in route ? route.model : undefined;
      return inPath ?? textOf(objectOf(read()).model);
    },
    get stream() {
      if (route?.kind !== "generate") return false;
      return route.stream ?? objectOf(read()).stream === true;
    },
  };
}

function splitQuery(url: string): [string, string] {
  const at = url.indexOf("?");
  return at === -1 ? [url, ""] : [url.slice(0, at), url.slice(at + 1)];
}

function headersOf(incoming: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return headers;
}

/** Reads a body to its end; more than `limit` bytes are an error. */
export async function readBody(incoming: IncomingMessage, limit: number): Promise<Uint8Array | "too-large"> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    const bytes: Uint8Array = chunk;
    size += bytes.length;
    if (size > limit) return "too-large";
    chunks.push(bytes);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}
