import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, zstdDecompress } from "node:zlib";
import { canonicalError, ProtocolError } from "@interlingua/protocols";
import type { TimerWheel } from "../timer-wheel.ts";

export interface BodyLimits {
  bodyBytes: number;
  bodyIdleMs: number;
  bodyTotalMs: number;
}

/** The bytes could not be had because the caller left or was too slow; `ProtocolError` says everything else. */
export class BodyAborted extends Error {
  constructor() {
    super("The caller closed the connection before the end of the body.");
    this.name = "BodyAborted";
  }
}

/** The declared length, or undefined for a chunked body. Node has refused what is no number. */
function declaredLength(request: IncomingMessage): number | undefined {
  const header = request.headers["content-length"];
  return header === undefined ? undefined : Number(header);
}

/** Refuses before a byte is read what is no JSON, too large or in a coding that nobody knows (C5, C11). */
export function checkBodyHead(request: IncomingMessage, limits: BodyLimits, accepted = "application/json"): void {
  const type = request.headers["content-type"];
  if (type !== undefined && mediaType(type) !== accepted) {
    throw new ProtocolError(
      canonicalError("unsupported_media", `The request's 'content-type' must be '${accepted}'.`, {
        param: "content-type",
        code: "unsupported_media_type",
      }),
    );
  }
  const coding = request.headers["content-encoding"];
  if (coding !== undefined && !isIdentity(coding) && !decoders.has(coding.trim().toLowerCase())) {
    throw new ProtocolError(
      canonicalError("unsupported_media", "The request's 'content-encoding' must be gzip, deflate, br or zstd.", {
        param: "content-encoding",
        code: "unsupported_encoding",
      }),
    );
  }
  if ((declaredLength(request) ?? 0) > limits.bodyBytes) throw tooLarge(limits.bodyBytes);
}

/** Reads the whole body. One chunk is used as it is; several are copied once. Decoded where it came compressed. */
export async function readBody(request: IncomingMessage, limits: BodyLimits, timers: TimerWheel): Promise<Buffer> {
  const raw = await collect(request, limits, timers);
  const coding = request.headers["content-encoding"];
  if (coding === undefined || isIdentity(coding)) return raw;
  const decode = decoders.get(coding.trim().toLowerCase());
  if (!decode) return raw;
  // A ratio over 100:1 is a bomb, whatever it would unpack to (C11); tiny bodies may be dense.
  const maxOutputLength = Math.min(limits.bodyBytes, Math.max(65_536, raw.length * 100));
  try {
    return await decode(raw, { maxOutputLength });
  } catch (cause) {
    if (cause instanceof RangeError) throw tooLarge(maxOutputLength);
    throw new ProtocolError(
      canonicalError("bad_request", `The body could not be decoded as '${coding}'.`, {
        param: "content-encoding",
        code: "invalid_encoding",
      }),
    );
  }
}

type Decode = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const decoders: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ["gzip", promisify(gunzip)],
  ["x-gzip", promisify(gunzip)],
  ["deflate", promisify(inflate)],
  ["br", promisify(brotliDecompress)],
  ["zstd", promisify(zstdDecompress)],
]);

function collect(request: IncomingMessage, limits: BodyLimits, timers: TimerWheel): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const expected = declaredLength(request) ?? 0;
    const total = limits.bodyTotalMs + Math.ceil(expected / 1_048_576) * 1000;
    const idle = timers.after(limits.bodyIdleMs, () => fail(tooSlow()));
    const whole = timers.after(total, () => fail(tooSlow()));

    const settle = () => {
      idle.cancel();
      whole.cancel();
      request.off("data", onData);
      request.off("end", onEnd);
      request.off("close", onClose);
    };
    const fail = (error: Error) => {
      settle();
      request.pause();
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      if (length > limits.bodyBytes) {
        fail(tooLarge(limits.bodyBytes));
        return;
      }
      idle.restart(limits.bodyIdleMs);
      chunks.push(chunk);
    };
    const onEnd = () => {
      settle();
      const [only] = chunks;
      resolve(chunks.length === 1 && only ? only : Buffer.concat(chunks, length));
    };
    const onClose = () => fail(new BodyAborted());

    request.on("data", onData);
    request.on("end", onEnd);
    request.on("close", onClose);
  });
}

function mediaType(contentType: string): string {
  const end = contentType.indexOf(";");
  return (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}

function isIdentity(coding: string): boolean {
  return coding.trim() === "" || coding.trim().toLowerCase() === "identity";
}

function tooLarge(limit: number): ProtocolError {
  return new ProtocolError(
    canonicalError("too_large", `The request body is larger than ${limit} bytes.`, { code: "request_too_large" }),
  );
}

function tooSlow(): ProtocolError {
  return new ProtocolError(
    canonicalError("bad_request", "The request body arrived too slowly.", { status: 408, code: "request_timeout" }),
  );
}
