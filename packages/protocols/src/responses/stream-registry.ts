import type { JsonObject, JsonValue } from "../canonical/index.ts";

/** A content part of a message. It opens at its first text, so an empty one never shows. */
export interface Content {
  key: string;
  type: "text" | "refusal";
  state: "new" | "open" | "closed";
  citations: number;
  hasLogprobs: boolean;
}

/** An output item as far as it is known. Items may interleave; the event gate sorts them. */
export interface Item {
  key: string;
  type: string;
  state: "new" | "open" | "closed";
  /** Argument text that came before the call's name. */
  early: string;
  hasArguments: boolean;
  contents: Map<number, Content>;
  /** A message's `phase`. */
  phase: string | undefined;
  /** The upstream's index of a summary paragraph -> its place among those that came. */
  summaries: Map<number, number>;
  hasText: boolean;
}

/** Finds items by id, by call id or by place, never by "the current one" (S15). */
export class ItemRegistry {
  /** In the order of their first sight. */
  readonly all: Item[] = [];
  readonly #byId = new Map<string, Item>();
  readonly #byCall = new Map<string, Item>();
  readonly #byIndex = new Map<number, Item>();

  /** The item of an entry of the terminal event's list, if it was seen. */
  known(wire: JsonObject, index: number): Item | undefined {
    const there = this.#byIndex.get(index);
    return this.#named(wire) ?? (there?.type === wire.type ? there : undefined);
  }

  /** A call and its output share the call id, so the type must agree too. */
  #named(wire: JsonObject): Item | undefined {
    const byId = typeof wire.id === "string" ? this.#byId.get(wire.id) : undefined;
    return byId?.type === wire.type ? byId : this.#called(wire);
  }

  #called(wire: JsonObject): Item | undefined {
    const byCall = typeof wire.call_id === "string" ? this.#byCall.get(wire.call_id) : undefined;
    return byCall?.type === wire.type ? byCall : undefined;
  }

  /** The item of an `added` event. Some hosts give every call one call id: behind a finished one it begins another. */
  open(wire: JsonObject, type: string, index: JsonValue | undefined): Item {
    const isKnown = typeof wire.id === "string" && this.#byId.has(wire.id);
    if (!isKnown && typeof wire.call_id === "string" && this.#called(wire)?.state === "closed") {
      this.#byCall.delete(wire.call_id);
    }
    return this.register(wire, type, index);
  }

  /** The item of an `added` or `done` event. Some hosts give an item a new id in every event: then its place tells. */
  register(wire: JsonObject, type: string, index: JsonValue | undefined): Item {
    const place = typeof index === "number" ? index : undefined;
    const item = this.#named(wire) ?? this.#inPlace(place, type) ?? this.create(type);
    if (typeof wire.id === "string" && wire.id !== "") this.#byId.set(wire.id, item);
    if (typeof wire.call_id === "string" && wire.call_id !== "") this.#byCall.set(wire.call_id, item);
    if (place !== undefined) this.#byIndex.set(place, item);
    return item;
  }

  /** A finished item gives its place away: hosts that number every item 0 start the next one there. */
  #inPlace(place: number | undefined, type: string): Item | undefined {
    const item = place === undefined ? undefined : this.#byIndex.get(place);
    return item && item.state !== "closed" && item.type === type ? item : undefined;
  }

  /** The item that an event within an item is for; a provisional one where none was added yet. */
  find(event: JsonObject, type: string): Item {
    const id = typeof event.item_id === "string" && event.item_id !== "" ? event.item_id : undefined;
    const byId = id === undefined ? undefined : this.#byId.get(id);
    if (byId?.type === type) return byId;
    const place = typeof event.output_index === "number" ? event.output_index : undefined;
    const item = this.#inPlace(place, type) ?? this.create(type);
    if (id !== undefined) this.#byId.set(id, item);
    if (place !== undefined) this.#byIndex.set(place, item);
    return item;
  }

  /** A fresh item. */
  create(type: string): Item {
    const item: Item = {
      key: `item${this.all.length}`,
      type,
      state: "new",
      early: "",
      hasArguments: false,
      contents: new Map(),
      phase: undefined,
      summaries: new Map(),
      hasText: false,
    };
    this.all.push(item);
    return item;
  }
}
