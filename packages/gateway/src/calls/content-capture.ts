import type { ContentPart } from "../storage/schema.ts";

/** One body of a call as it went over the wire. */
export interface CapturedPart {
  part: ContentPart;
  /** All of it, or its begin. */
  bytes: Uint8Array;
  /** Bytes that went over the wire. */
  size: number;
}

/** Gathers the bodies of one running call. Its memory is bounded: `maxBytes` of each. */
export interface ContentCapture {
  /** Takes what went over the wire next. The bytes are copied. */
  push(part: ContentPart, chunk: Uint8Array | string): void;
  /** Forgets a part: what the upstream of a failed attempt got and gave, when the next one begins. */
  restart(part: ContentPart): void;
  /** What was gathered so far. */
  parts(): CapturedPart[];
}

/** A new capture that keeps the first `maxBytes` of each part. */
export function createContentCapture(maxBytes: number): ContentCapture {
  const kept = new Map<ContentPart, { buffer: Buffer; length: number; size: number }>();
  return {
    push(part, chunk) {
      const bytes = typeof chunk === "string" ? Buffer.from(chunk, "utf8") : chunk;
      let entry = kept.get(part);
      if (!entry) {
        entry = { buffer: Buffer.allocUnsafe(Math.min(maxBytes, Math.max(bytes.length, 1024))), length: 0, size: 0 };
        kept.set(part, entry);
      }
      entry.size += bytes.length;
      const taken = Math.min(bytes.length, maxBytes - entry.length);
      if (taken <= 0) return;
      const needed = entry.length + taken;
      if (needed > entry.buffer.length) {
        const larger = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(needed, entry.buffer.length * 2)));
        larger.set(entry.buffer.subarray(0, entry.length));
        entry.buffer = larger;
      }
      entry.buffer.set(bytes.subarray(0, taken), entry.length);
      entry.length = needed;
    },
    restart: (part) => {
      kept.delete(part);
    },
    parts: () =>
      [...kept].map(([part, { buffer, length, size }]) => ({ part, bytes: buffer.subarray(0, length), size })),
  };
}
