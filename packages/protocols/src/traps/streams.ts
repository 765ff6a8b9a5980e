import type { JsonObject } from "../canonical/index.ts";
import type { Path } from "../peer-bugs/scene.ts";
import {
  callPart,
  candidate,
  chunk,
  fragment,
  messageEnd,
  messageStart,
  responseCall,
  responseFrames,
  responseMessage,
  textBlock,
  toolBlock,
} from "../peer-bugs/wire-frames.ts";
import { type Letter, letters } from "../testing/letters.ts";

/** Frames of an upstream, `[DONE]` among them. */
export type Frames = readonly (JsonObject | string)[];

export function path(client: Letter, upstream: Letter): Path {
  return `${client}->${upstream}`;
}

/** Client and upstream, all sixteen. */
export const pairs = letters.flatMap((client) => letters.map((upstream) => [client, upstream] as const));

/** Chat completions: the end of an answer. */
export function ended(finish: string): (JsonObject | string)[] {
  return [chunk({}, finish), "[DONE]"];
}

/** A text and a call of `read`, as each family streams them. */
export function textAndCall(text: string, input: JsonObject): Readonly<Record<Letter, (JsonObject | string)[]>> {
  const raw = JSON.stringify(input);
  return {
    C: [chunk({ role: "assistant", content: text }), fragment(0, "c1", "read", raw), ...ended("tool_calls")],
    R: responseFrames([responseMessage("msg_1", text), responseCall("c1", "read", raw)]),
    M: [messageStart(), ...textBlock(0, text), ...toolBlock(1, "c1", "read", raw), ...messageEnd("tool_use")],
    G: [candidate([{ text }]), candidate([callPart("read", input)], "STOP")],
  };
}
