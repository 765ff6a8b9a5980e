import {
  codecs,
  createConversion,
  type JsonObject,
  type Notice,
  ProtocolError,
  type ProtocolName,
  plainVault,
} from "@interlingua/protocols";
import { detectProtocol } from "./detect.ts";

/** A request as another protocol writes it, or why it cannot be. */
export type Converted =
  | { ok: true; body: JsonObject; notices: readonly Notice[] }
  | { ok: false; message: string; field: string | undefined };

/** What was pasted, read. */
export type PastedRequest =
  | { kind: "empty" }
  | { kind: "unreadable"; message: string }
  | { kind: "unknown" }
  | { kind: "request"; protocol: ProtocolName; body: JsonObject; model: string };

/** Reads a pasted request; `as` says what it is where its fields do not. */
export function readPasted(text: string, as: ProtocolName | undefined, model: string): PastedRequest {
  if (text.trim() === "") return { kind: "empty" };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { kind: "unreadable", message: error instanceof Error ? error.message : String(error) };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { kind: "unknown" };
  // An object that came out of JSON.
  const body = value as JsonObject;
  const protocol = as ?? detectProtocol(body);
  if (protocol === undefined) return { kind: "unknown" };
  return { kind: "request", protocol, body, model: typeof body.model === "string" ? body.model : model };
}

let next = 0;

/** The request in the words of a protocol: unchanged where they are its own. Done here, in the browser. */
export function convertRequest(
  { protocol, body, model }: Extract<PastedRequest, { kind: "request" }>,
  to: ProtocolName,
): Converted {
  try {
    const client = codecs[protocol];
    const vault = plainVault();
    const request = client.decodeRequest(body, { model }, { vault });
    if (to === protocol) return { ok: true, body, notices: [] };
    const conversion = createConversion({
      client,
      upstream: codecs[to],
      request,
      clientBody: body,
      upstreamModel: request.model,
      lossy: "allow",
      ids: (prefix) => `${prefix}${next++}`,
      now: () => Date.now(),
      vault,
    });
    return { ok: true, body: conversion.upstreamBody, notices: conversion.notices };
  } catch (error) {
    if (error instanceof ProtocolError) return { ok: false, message: error.message, field: error.error.param };
    throw error;
  }
}
