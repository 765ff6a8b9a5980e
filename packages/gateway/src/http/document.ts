import { isUtf8 } from "node:buffer";
import { canonicalError, type JsonObject, ProtocolError } from "@interlingua/protocols";
import type { CallDocument } from "../relay/incoming-call.ts";
import { guardJson, type JsonLimits } from "./json-guard.ts";

/** Checks and parses a request body. Throws `ProtocolError` 400 that names the field or the place. */
export function parseDocument(raw: Buffer, limits: JsonLimits): CallDocument {
  const bytes = withoutByteOrderMark(raw);
  if (bytes.length === 0) throw invalid("The request body is empty; a JSON object is expected.");
  if (!isUtf8(bytes)) throw invalid("The request body is not valid UTF-8.");
  const text = bytes.toString("utf8");
  const verdict = guardJson(text, limits);
  if (!verdict.ok) throw invalid(verdict.message, verdict.field);
  const value = parse(text);
  if (!verdict.model || typeof value.model !== "string") return { bytes, value };
  const { start, end } = verdict.model;
  // Offsets count UTF-16 units; a text of single bytes has the same offsets in bytes.
  if (text.length === bytes.length) return { bytes, value, model: { start, end } };
  const byteStart = Buffer.byteLength(text.slice(0, start));
  return { bytes, value, model: { start: byteStart, end: byteStart + Buffer.byteLength(text.slice(start, end)) } };
}

function parse(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const detail = cause instanceof Error ? placeOf(cause.message) : "";
    throw invalid(`The request body is not valid JSON${detail}.`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalid("The request body must be a JSON object.");
  }
  // JSON.parse makes `__proto__` a plain own property, and everything in the object is a JSON value.
  return value as JsonObject;
}

/** The engine's message quotes the caller's text; only the place is kept. */
function placeOf(message: string): string {
  const place = /at position (\d+)/.exec(message);
  return place ? ` (at character ${place[1]})` : "";
}

function withoutByteOrderMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

function invalid(message: string, param?: string): ProtocolError {
  return new ProtocolError(
    canonicalError("bad_request", message, { code: "invalid_json", ...(param === undefined ? {} : { param }) }),
  );
}
