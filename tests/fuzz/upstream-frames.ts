import type { ProtocolName } from "../../packages/protocols/src/canonical/index.ts";
import type { Wire } from "../compatibility/request-features/feature.ts";

/* A second reading of an upstream's stream, that shares no code with the one it judges. Slow and plain. */

/** The bytes cut behind each blank line, one string of Latin-1 a frame; the last one may lack its blank line. */
export function cutFrames(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes).toString("latin1");
  return text === "" ? [] : text.split(/(?<=\n\n|\n\r\n|\r\r)/);
}

/** Whether a keep-alive or an error may be written behind these bytes. */
export const endsFrame = (bytes: Uint8Array): boolean =>
  bytes.length === 0 || /(?:\n\n|\n\r\n|\r\r)$/.test(Buffer.from(bytes.subarray(-3)).toString("latin1"));

/** One event: the name of its `event:` line, and its data. */
interface UpstreamEvent {
  name: string;
  data: string;
}

/** The events in bytes: lines end by CRLF, LF or CR; one byte order mark at the start counts for nothing. */
export function eventsIn(bytes: Uint8Array): UpstreamEvent[] {
  const events: UpstreamEvent[] = [];
  let name = "";
  let data: string[] = [];
  const dispatch = () => {
    if (data.length > 0) events.push({ name, data: data.join("\n") });
    name = "";
    data = [];
  };
  for (const line of new TextDecoder().decode(bytes).split(/\r\n|\n|\r/)) {
    if (line === "") dispatch();
    else if (line.startsWith("event: ")) name = line.slice(7);
    else if (line === "data") data.push("");
    else if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
  }
  dispatch();
  return events;
}

const objectOf = (text: string): Wire => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    // Not JSON: it says nothing, whatever its name is.
    return { type: "broken" };
  }
};
const list = (value: unknown): Wire[] => (Array.isArray(value) ? value.filter((each) => each instanceof Object) : []);

/** What an event is: by its data, or by its name where the data does not tell. */
const typeOf = ({ name }: UpstreamEvent, value: Wire): unknown => (typeof value.type === "string" ? value.type : name);

/** Whether a frame says that the answer is whole. generateContent has none that does. */
export function hasMark(protocol: ProtocolName, events: readonly UpstreamEvent[]): boolean {
  const types = events.map((event) => typeOf(event, objectOf(event.data)));
  if (protocol === "chat-completions") return events.some(({ data }) => data.trim() === "[DONE]");
  if (protocol === "messages") return types.includes("message_stop");
  return types.includes("response.completed") || types.includes("response.incomplete");
}

/** Whether the frames before the upstream's close are a whole answer (conversion.md 3.3). */
export function isWhole(protocol: ProtocolName, events: readonly UpstreamEvent[]): boolean {
  if (hasMark(protocol, events)) return true;
  const values = events.map(({ data }) => objectOf(data));
  switch (protocol) {
    case "chat-completions": {
      const choices = values.flatMap((value) => list(value.choices));
      const indexOf = ({ index }: Wire) => (Number.isSafeInteger(index) && index >= 0 ? index : 0);
      const finished = new Set(choices.filter((each) => each.finish_reason).map(indexOf));
      return choices.length > 0 && choices.every((each) => finished.has(indexOf(each)));
    }
    case "messages":
      return values.some((value) => value.type === "message_delta" && value.delta?.stop_reason);
    case "responses":
      return false;
    case "generate-content":
      return values.some(
        (value) =>
          typeof value.promptFeedback?.blockReason === "string" ||
          list(value.candidates).some((each) => each.finishReason),
      );
  }
}

/** Whether an event tells that the answer failed. */
export function tellsFailure(protocol: ProtocolName, event: UpstreamEvent): boolean {
  const value = objectOf(event.data);
  const type = typeOf(event, value);
  if (protocol === "responses") return type === "error" || type === "response.failed";
  if (protocol === "messages") return type === "error";
  return value.error instanceof Object;
}

/** Whether a frame is the extra chunk of a chat-completions stream that tells the usage and nothing else. */
export function isUsageFrame(frame: string): boolean {
  return eventsIn(Buffer.from(frame, "latin1")).some(({ data }) => {
    const value = objectOf(data);
    return Array.isArray(value.choices) && value.choices.length === 0 && "usage" in value && value.usage !== null;
  });
}
