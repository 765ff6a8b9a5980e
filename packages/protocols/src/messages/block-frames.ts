import type { JsonObject } from "../canonical/index.ts";
import { namedFrame } from "../shared/sse.ts";

/** Frames of one block. `block` and `delta` are JSON text, so that the hot path builds no objects. */
export function blockStart(index: number, block: string): string {
  return namedFrame("content_block_start", `{"type":"content_block_start","index":${index},"content_block":${block}}`);
}

export function blockStop(index: number): string {
  return namedFrame("content_block_stop", `{"type":"content_block_stop","index":${index}}`);
}

export function blockDelta(index: number, delta: string): string {
  return `${deltaStart(index)}${delta}}\n\n`;
}

/** The unchanging start of a block's delta frames, up to the delta itself. */
export function deltaStart(index: number): string {
  return `event: content_block_delta\ndata: {"type":"content_block_delta","index":${index},"delta":`;
}

/** A block that came whole. It stands complete in its opening frame, except that calls stream their input. */
export function wholeBlock(index: number, block: JsonObject): string {
  const { type, input } = block;
  if ((type !== "server_tool_use" && type !== "mcp_tool_use") || input === undefined) {
    return blockStart(index, JSON.stringify(block)) + blockStop(index);
  }
  const json = JSON.stringify(JSON.stringify(input));
  return (
    blockStart(index, JSON.stringify({ ...block, input: {} })) +
    blockDelta(index, `{"type":"input_json_delta","partial_json":${json}}`) +
    blockStop(index)
  );
}

export const pingFrame = namedFrame("ping", '{"type":"ping"}');
