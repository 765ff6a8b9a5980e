import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Action } from "./delivery.ts";
import { type Failure, kindOfStatus } from "./failure.ts";
import type { Frame } from "./frame.ts";
import type { Fault, Script } from "./script.ts";

/** A whole answer before anything goes wrong with it. A unary answer has one frame. */
export interface Content {
  status: number;
  headers: Record<string, string>;
  frames: Frame[];
  sse: boolean;
  /** A failure as the family's own HTTP answer. */
  httpError(failure: Failure): string;
  /** A failure inside the running answer, after n events. */
  errorFrames(failure: Failure, sequence: number): Frame[];
}

type ContentFault = Exclude<Fault, { kind: "replay" }>;

/** Turns an answer and its script's fault into what the server does. */
export function planDelivery(content: Content, script: Script): Action[] {
  const { fault } = script;
  const body =
    fault === undefined || fault.kind === "replay" ? whole(content, script) : spoiled(content, script, fault);
  const first = script.pace?.firstMs ?? 0;
  const actions: Action[] = first > 0 ? [{ kind: "wait", ms: first }, ...body] : body;
  return script.wireChunk === undefined ? actions : actions.flatMap((action) => rechunk(action, script.wireChunk ?? 1));
}

function whole(content: Content, script: Script): Action[] {
  const [only, ...more] = content.frames;
  if (!content.sse && only && more.length === 0 && script.wireChunk === undefined) {
    const headers = { ...content.headers, "content-length": String(Buffer.byteLength(only.text)) };
    return [
      { kind: "head", status: content.status, headers },
      { kind: "end", data: only.text },
    ];
  }
  return [head(content), ...writes(content.frames, script), { kind: "end" }];
}

function head(content: Content, extra: Record<string, string> = {}): Action {
  return { kind: "head", status: content.status, headers: { ...content.headers, ...extra } };
}

function writes(frames: Frame[], script: Script): Action[] {
  const gap = script.pace?.everyMs ?? 0;
  return frames.flatMap((frame, index): Action[] => {
    const write: Action = { kind: "write", data: frame.text };
    return gap > 0 && index > 0 ? [{ kind: "wait", ms: gap }, write] : [write];
  });
}

const HTML =
  "<!doctype html><html><head><title>Simulated gateway page</title></head><body><h1>It works</h1></body></html>";
const GARBAGE = Uint8Array.from({ length: 256 }, (_, index) => 255 - index);
const MIB = 1024 * 1024;

function spoiled(content: Content, script: Script, fault: ContentFault): Action[] {
  const { frames } = content;
  const all = () => writes(frames, script);
  const before = (count: number) => writes(frames.slice(0, count), script);
  const after = (count: number) => writes(frames.slice(count), script);
  switch (fault.kind) {
    case "http-error":
      return httpError(content, fault);
    case "stall-before-headers":
      if (fault.ms === undefined) return [{ kind: "stall" }];
      return [{ kind: "wait", ms: fault.ms }, ...whole(content, script)];
    case "stall": {
      const start = [head(content), ...before(fault.afterEvents)];
      if (fault.ms === undefined) return [...start, { kind: "stall" }];
      return [...start, { kind: "wait", ms: fault.ms }, ...after(fault.afterEvents), { kind: "end" }];
    }
    case "trickle":
      return [head(content), ...trickle(frames, fault.bytes ?? 1, fault.everyMs), { kind: "end" }];
    case "cut":
      if ("afterEvents" in fault) return [head(content), ...before(fault.afterEvents), { kind: "destroy" }];
      return [
        head(content),
        { kind: "write", data: bytesOf(frames).subarray(0, fault.afterBytes) },
        { kind: "destroy" },
      ];
    case "half-close":
      return [head(content), ...before(fault.afterEvents), { kind: "half-close" }];
    case "end":
      return [head(content), ...before(fault.afterEvents), { kind: "end" }];
    case "no-terminal": {
      const kept = frames.filter((frame) => !frame.terminal);
      return [head(content), ...writes(kept, script), { kind: "end" }];
    }
    case "garbage":
      return [
        head(content),
        ...before(fault.afterEvents),
        { kind: "write", data: GARBAGE },
        ...after(fault.afterEvents),
        { kind: "end" },
      ];
    case "broken-utf8":
      return withSpoiltFrame(content, script, fault.afterEvents, breakUtf8);
    case "broken-json":
      return withSpoiltFrame(content, script, fault.afterEvents, breakJson);
    case "huge-event":
      return withSpoiltFrame(content, script, fault.afterEvents, (text) => pad(text, fault.bytes ?? 9 * MIB));
    case "error-event": {
      const failure: Failure = {
        kind: fault.error ?? "server",
        message: fault.message ?? "Simulated error inside the answer.",
      };
      const errors = content.errorFrames(failure, fault.afterEvents);
      return [head(content), ...before(fault.afterEvents), ...writes(errors, script), { kind: "end" }];
    }
    case "comments": {
      const spaced = content.sse
        ? frames.flatMap((frame) => [{ text: ": keep-alive\n\n", terminal: false }, frame])
        : frames;
      return [head(content), ...writes(spaced, script), { kind: "end" }];
    }
    case "html":
      return [
        { kind: "head", status: 200, headers: { "content-type": "text/html; charset=utf-8" } },
        { kind: "end", data: HTML },
      ];
    case "redirect":
      return [{ kind: "head", status: fault.status ?? 307, headers: { location: fault.location } }, { kind: "end" }];
    case "empty-body":
      return [head(content, { "content-length": "0" }), { kind: "end" }];
    case "endless":
      return endless(content);
    case "gzip-bomb":
      return [head(content, { "content-encoding": "gzip" }), { kind: "end", data: bomb(fault.bytes ?? 64 * MIB) }];
    case "two-codings":
      return [
        head(content, { "content-encoding": "gzip, br" }),
        { kind: "end", data: brotliCompressSync(gzipSync(bytesOf(frames))) },
      ];
    case "surplus":
      return [
        head(content),
        ...all(),
        { kind: "end" },
        { kind: "surplus", data: "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nunwanted!" },
      ];
  }
}

function httpError(content: Content, fault: ContentFault & { kind: "http-error" }): Action[] {
  const own = content.httpError({
    kind: fault.error ?? kindOfStatus(fault.status),
    message: fault.message ?? `Simulated error ${fault.status}.`,
    status: fault.status,
    ...(fault.code === undefined ? {} : { code: fault.code }),
  });
  const headers = {
    ...content.headers,
    "content-type": fault.contentType ?? "application/json",
    ...fault.headers,
  };
  return [
    { kind: "head", status: fault.status, headers },
    { kind: "end", data: fault.body ?? own },
  ];
}

function trickle(frames: Frame[], size: number, everyMs: number): Action[] {
  return slices(bytesOf(frames), size).flatMap((data): Action[] => [
    { kind: "wait", ms: everyMs },
    { kind: "write", data },
  ]);
}

/** All frames with the n-th one changed (the last one where there are fewer). */
function withSpoiltFrame(
  content: Content,
  script: Script,
  count: number,
  change: (text: string) => string | Uint8Array,
): Action[] {
  const at = Math.min(count, content.frames.length - 1);
  const frame = content.frames[at];
  const data = change(frame?.text ?? "");
  return [
    head(content),
    ...writes(content.frames.slice(0, at), script),
    { kind: "write", data },
    ...writes(content.frames.slice(at + 1), script),
    { kind: "end" },
  ];
}

/** Puts two bytes that are no UTF-8 before the last quotation mark. */
function breakUtf8(text: string): Uint8Array {
  const at = text.lastIndexOf('"');
  const cut = at === -1 ? text.length : at;
  return Buffer.concat([Buffer.from(text.slice(0, cut)), Buffer.from([0xc3, 0x28]), Buffer.from(text.slice(cut))]);
}

/** Cuts the JSON of an event in half and keeps the event's end. */
function breakJson(text: string): string {
  const start = text.indexOf("{");
  const end = text.lastIndexOf("}");
  if (start === -1 || end <= start) return text;
  return text.slice(0, start + Math.ceil((end - start) / 2)) + text.slice(end + 1);
}

/** Adds a field of n bytes to the event's object. */
function pad(text: string, bytes: number): string {
  return text.replace("{", `{"padding":"${"x".repeat(bytes)}",`);
}

function endless(content: Content): Action[] {
  const body = content.frames.filter((frame) => !frame.terminal);
  const repeated = body.at(-1);
  if (!repeated)
    return [head(content), { kind: "write", data: '{"padding":"' }, { kind: "endless", data: "x".repeat(16384) }];
  const start = body.map((frame): Action => ({ kind: "write", data: frame.text }));
  return [head(content), ...start, { kind: "endless", data: repeated.text }];
}

function bomb(bytes: number): Uint8Array {
  return gzipSync(Buffer.alloc(bytes, 0x20));
}

function rechunk(action: Action, size: number): Action[] {
  if (action.kind !== "write") return [action];
  const bytes = typeof action.data === "string" ? Buffer.from(action.data) : action.data;
  return slices(bytes, size).map((data): Action => ({ kind: "write", data }));
}

function slices(bytes: Uint8Array, size: number): Uint8Array[] {
  const step = Math.max(1, Math.floor(size));
  return Array.from({ length: Math.ceil(bytes.length / step) }, (_, index) =>
    bytes.subarray(index * step, (index + 1) * step),
  );
}

function bytesOf(frames: Frame[]): Uint8Array {
  return Buffer.from(frames.map((frame) => frame.text).join(""));
}
