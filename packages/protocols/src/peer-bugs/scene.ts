import { type JsonObject, type JsonValue, type Notice, ProtocolError } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";
import { type Carried, type CarryOptions, carry, json, runStream, utf8 } from "../testing/carrying.ts";
import { type Letter, type Path, protocolOf } from "../testing/letters.ts";
import { type Side, sides } from "../testing/protocol-sides.ts";

export type { Path } from "../testing/letters.ts";

function ends(path: Path): { client: Side; upstream: Side } {
  // `Path` is two letters with an arrow between them.
  const [client, upstream] = path.split("->") as [Letter, Letter];
  return { client: sides[protocolOf[client]], upstream: sides[protocolOf[upstream]] };
}

/** Fields of a client's body beside the smallest one that asks to see everything; `messages` and their like replace. */
function clientBody(path: Path, more: JsonObject, stream: boolean): JsonObject {
  return { ...ends(path).client.body(1, stream), ...more };
}

/** What an upstream would be sent. */
export function sent(
  path: Path,
  more: JsonObject,
  options: CarryOptions = {},
): { body: JsonObject; notices: readonly Notice[]; fields: string[]; text: string } {
  const { client, upstream } = ends(path);
  const { upstreamBody, notices } = carry(client, upstream, clientBody(path, more, false), options);
  return { body: upstreamBody, notices, fields: notices.map(({ field }) => field), text: JSON.stringify(upstreamBody) };
}

/** The error by which a request is refused. */
export function refused(path: Path, more: JsonObject, options: CarryOptions = {}) {
  try {
    sent(path, more, options);
  } catch (error) {
    if (error instanceof ProtocolError) return error.error;
    throw error;
  }
  throw new Error("The request was not refused.");
}

/** What the client gets of a whole answer. */
export function answered(path: Path, answer: JsonValue, more: JsonObject = {}, options: CarryOptions = {}): JsonObject {
  const { client, upstream } = ends(path);
  return json(carry(client, upstream, clientBody(path, more, false), options).convertResponse(answer).body);
}

/** What is told of the losses of a whole answer. */
export function answerNotices(path: Path, answer: JsonValue, more: JsonObject = {}): readonly Notice[] {
  const { client, upstream } = ends(path);
  const conversion = carry(client, upstream, clientBody(path, more, false));
  conversion.convertResponse(answer);
  return conversion.notices;
}

/** Frames as an upstream writes them; a text stands as it is, `[DONE]` among them. */
export function wire(frames: readonly (JsonObject | string)[]): string[] {
  return frames.map((frame) => {
    if (typeof frame === "string") return `data: ${frame}\n\n`;
    const event = typeof frame.type === "string" ? `event: ${frame.type}\n` : "";
    return `${event}data: ${JSON.stringify(frame)}\n\n`;
  });
}

/** What the client gets of a stream: its bytes, how it ended, and the answer that they make (C: its choices alone). */
export interface Streamed extends Carried {
  whole: JsonObject;
  /** The JSON of its frames, in order. */
  frames: JsonObject[];
}

export function streamed(
  path: Path,
  frames: readonly (JsonObject | string)[],
  more: JsonObject = {},
  options: CarryOptions = {},
): Streamed {
  const carried = carriedOf(path, wire(frames), more, options);
  demand(carried.ended, "good", carried.text);
  const { client } = ends(path);
  const answers = typeof more.n === "number" ? more.n : 1;
  demand(client.verdict(carried.text, answers), "good", carried.text);
  return { ...carried, whole: client.whole(carried.text, answers), frames: framesOf(carried.text) };
}

/** A stream that the client is shown to have failed. */
export function broken(
  path: Path,
  frames: readonly string[],
  more: JsonObject = {},
): Carried & { frames: JsonObject[] } {
  const carried = carriedOf(path, frames, more, {});
  demand(carried.ended, "error", carried.text);
  demand(ends(path).client.verdict(carried.text, 1), "error", carried.text);
  return { ...carried, frames: framesOf(carried.text) };
}

function demand(found: string, wanted: string, text: string): void {
  if (found !== wanted) throw new Error(`The stream is '${found}' instead of '${wanted}': ${text}`);
}

function carriedOf(path: Path, frames: readonly string[], more: JsonObject, options: CarryOptions): Carried {
  const { client, upstream } = ends(path);
  const conversion = carry(client, upstream, clientBody(path, more, true), { ...options, stream: true });
  return runStream(conversion.createStream(), frames.map(utf8));
}

export function framesOf(text: string): JsonObject[] {
  return text.split("\n").flatMap((line) => {
    if (!line.startsWith("data: {")) return [];
    const frame: unknown = JSON.parse(line.slice("data: ".length));
    return isObject(frame) ? [json(frame)] : [];
  });
}

/** The value at a path of keys and places; undefined where there is none. */
export function at(value: JsonValue | undefined, ...keys: (string | number)[]): JsonValue | undefined {
  let here = value;
  for (const key of keys) {
    if (Array.isArray(here) && typeof key === "number") here = here.at(key);
    else if (isObject(here) && typeof key === "string") here = here[key];
    else return undefined;
  }
  return here;
}

/** A list of objects at a path; empty where there is none. */
export function list(value: JsonValue | undefined, ...keys: (string | number)[]): JsonObject[] {
  const found = at(value, ...keys);
  return Array.isArray(found) ? found.filter(isObject) : [];
}
