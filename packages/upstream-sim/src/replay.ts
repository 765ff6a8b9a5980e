import type { Action } from "./delivery.ts";
import type { Replay } from "./script.ts";

/** Turns recorded or prepared bytes into what the server does. Nothing is copied. */
export function planReplay(replay: Replay): Action[] {
  const headers = { "content-type": replay.contentType, ...replay.headers };
  const head: Action = { kind: "head", status: replay.status ?? 200, headers };
  const { body } = replay;
  if (typeof body === "string" || body instanceof Uint8Array) {
    if (!replay.chunkSizes) return [head, { kind: "end", data: body }];
    const bytes = typeof body === "string" ? Buffer.from(body) : body;
    return [head, ...cut(bytes, replay.chunkSizes), { kind: "end" }];
  }
  return [head, ...body.map((data): Action => ({ kind: "write", data })), { kind: "end" }];
}

function cut(bytes: Uint8Array, sizes: readonly number[]): Action[] {
  const actions: Action[] = [];
  let at = 0;
  for (let index = 0; at < bytes.length; index++) {
    const size = Math.max(1, sizes[Math.min(index, sizes.length - 1)] ?? bytes.length);
    actions.push({ kind: "write", data: bytes.subarray(at, at + size) });
    at += size;
  }
  return actions;
}
