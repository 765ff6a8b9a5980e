import type { JsonObject, JsonValue } from "../canonical/index.ts";
import { demand, object, same, string } from "./responses-demand.ts";

/** An item that has been added and is not done. */
export interface OpenItem {
  id: string;
  type: string;
  callId: JsonValue | undefined;
  index: number;
  /** Finished content or summary parts. */
  parts: JsonObject[];
  part: { texts: string[]; done: boolean; type: string; annotations: JsonValue[] } | undefined;
  arguments: string[];
  argumentsDone: string | undefined;
}

/** Takes a part's opening event. */
export function openPart(open: OpenItem, part: JsonObject): void {
  demand(open.part === undefined, "a part began inside another one");
  const type = string(part.type, "part.type");
  if (type === "output_text") same([part.text, part.annotations], ["", []], "an added text part is not empty");
  else if (type === "refusal") demand(part.refusal === "", "an added refusal part is not empty");
  else demand(type === "summary_text" && part.text === "", `an added part of type '${type}'`);
  open.part = { texts: [], done: false, type, annotations: [] };
}

/** Takes a piece of the open part's text. */
export function addText(open: OpenItem, event: JsonObject, indexKey: string, type: string): void {
  const part = currentPart(open, event, indexKey, type);
  demand(part.annotations.length === 0, "text came after an annotation");
  part.texts.push(string(event.delta, "delta"));
}

/** Takes an annotation of the open part's text. */
export function annotate(open: OpenItem, event: JsonObject): void {
  const part = currentPart(open, event, "content_index", "output_text");
  demand(event.annotation_index === part.annotations.length, "annotation_index is not the next one");
  part.annotations.push(object(event.annotation, "annotation"));
}

/** Takes the end of the open part's text, which must be all its pieces. */
export function endText(
  open: OpenItem,
  event: JsonObject,
  indexKey: string,
  type: string,
  text: JsonValue | undefined,
): void {
  const part = currentPart(open, event, indexKey, type);
  demand(text === part.texts.join(""), "the text deltas do not add up to the done text");
  part.done = true;
}

/** Takes a part's closing event, which must repeat what the part said. */
export function closePart(open: OpenItem, event: JsonObject, indexKey: string): void {
  const { part } = open;
  demand(part?.done === true, "a part ended before its text");
  demand(event[indexKey] === open.parts.length, `${indexKey} is not that of the open part`);
  const wire = object(event.part, "part");
  demand(wire.type === part.type, "the done part is of another type");
  demand(
    (part.type === "refusal" ? wire.refusal : wire.text) === part.texts.join(""),
    "the done part has another text",
  );
  if (part.type === "output_text") same(wire.annotations, part.annotations, "the annotations do not add up");
  open.parts.push(wire);
  open.part = undefined;
}

function currentPart(open: OpenItem, event: JsonObject, indexKey: string, type: string): NonNullable<OpenItem["part"]> {
  demand(open.part !== undefined && !open.part.done, `'${event.type}' came without an open part`);
  demand(event[indexKey] === open.parts.length, `${indexKey} is not that of the open part`);
  demand(open.part.type === type, `'${event.type}' came in a part of type '${open.part.type}'`);
  return open.part;
}

/** Demands that the open item is of the type that an event is for. */
export function expectType(open: OpenItem, type: string): void {
  demand(open.type === type, `an event for a ${type} came in a ${open.type}`);
}
