import type { JsonObject, StreamEvent } from "../canonical/index.ts";
import { isCompleteJsonObject } from "../shared/json-text.ts";
import { isObject } from "../shared/read.ts";
import { decodeThoughtSignature } from "./reasoning.ts";
import { numberOf, textOf } from "./wire.ts";

type Emit = (event: StreamEvent) => void;

/** One tool call that comes in. */
interface StreamCall {
  /** Order within the candidate, dense. */
  order: number;
  key: string;
  id: string | undefined;
  wireIndex: number | undefined;
  custom: boolean;
  started: boolean;
  closed: boolean;
  /** Text that came before the name; after the start, text that was emitted. */
  text: string;
}

/**
 * Sorts the fragments of one candidate's tool calls to the right call, whatever the server does with `index` and `id`
 * (conversion.md S1 to S7). Calls may interleave in its events.
 */
export class StreamCalls {
  readonly #candidate: number;
  readonly #mintId: (order: number, name: string) => string;
  readonly #calls: StreamCall[] = [];

  constructor(candidate: number, mintId: (order: number, name: string) => string) {
    this.#candidate = candidate;
    this.#mintId = mintId;
  }

  get any(): boolean {
    return this.#calls.length > 0;
  }

  /** One entry of `delta.tool_calls`. Gives an error text where the fragment belongs to no call. */
  push(entry: JsonObject, emit: Emit): string | undefined {
    const holder = isObject(entry.function) ? entry.function : isObject(entry.custom) ? entry.custom : {};
    const name = textOf(holder.name);
    const call = this.#route(textOf(entry.id), numberOf(entry.index), name);
    if (!call) return "The upstream sent a piece of a tool call that belongs to none.";
    if (entry.type === "custom" || (isObject(entry.custom) && !isObject(entry.function))) call.custom = true;
    const text = textOf(call.custom ? holder.input : holder.arguments) ?? objectText(holder.arguments);
    if (!call.started && name !== undefined) {
      this.#closeComplete(call, emit);
      this.#start(call, name, entry, emit);
    } else if (call.started && entry.extra_content !== undefined) {
      const proof = decodeThoughtSignature(entry.extra_content);
      if (proof) this.#delta(call, { type: "proof", proof }, emit);
    }
    if (text !== undefined) this.#append(call, text, emit);
    return undefined;
  }

  /** Text or reasoning arrives: calls that are provably complete are done (S2). */
  settle(emit: Emit): void {
    this.#closeComplete(undefined, emit);
  }

  /** The end of the answer. Gives an error text for a call that never got a name (S6). */
  close(emit: Emit): string | undefined {
    for (const call of this.#calls) {
      if (!call.started) return "The upstream sent a tool call without a name.";
      this.#stop(call, emit);
    }
    return undefined;
  }

  #route(id: string | undefined, index: number | undefined, name: string | undefined): StreamCall | undefined {
    const last = this.#calls.at(-1);
    if (id !== undefined) {
      const known = this.#calls.findLast((call) => call.id === id);
      if (known && !this.#repeatsId(known, index, name)) return known;
      const nameless = known
        ? undefined
        : this.#calls.findLast((call) => call.id === undefined && call.wireIndex === index);
      if (nameless && !nameless.started) {
        nameless.id = id;
        return nameless;
      }
      return this.#open(known ? undefined : id, index);
    }
    if (index !== undefined) {
      const known = this.#calls.findLast((call) => call.wireIndex === index);
      if (
        known &&
        !(name !== undefined && known.id === undefined && known.started && isCompleteJsonObject(known.text))
      ) {
        return known;
      }
      if (name !== undefined) return this.#open(undefined, index);
      const unfinished = this.#calls.filter((call) => !call.closed && !isCompleteJsonObject(call.text));
      return unfinished.length === 1 ? unfinished[0] : undefined;
    }
    if (name === undefined) return last;
    const waits = last && (!last.started || (!last.closed && last.text !== "" && !isCompleteJsonObject(last.text)));
    return waits ? last : this.#open(undefined, undefined);
  }

  /** A second whole call under an id that is taken: some servers give all calls of an answer one id. */
  #repeatsId(known: StreamCall, index: number | undefined, name: string | undefined): boolean {
    if (name === undefined || index === undefined || known.wireIndex === undefined) return false;
    return index !== known.wireIndex && known.started && isCompleteJsonObject(known.text);
  }

  #open(id: string | undefined, wireIndex: number | undefined): StreamCall {
    const order = this.#calls.length;
    const call: StreamCall = {
      order,
      key: `call${order}`,
      id,
      wireIndex,
      custom: false,
      started: false,
      closed: false,
      text: "",
    };
    this.#calls.push(call);
    return call;
  }

  #start(call: StreamCall, name: string, entry: JsonObject, emit: Emit): void {
    call.started = true;
    call.id ??= this.#mintId(call.order, name);
    const proof = decodeThoughtSignature(entry.extra_content);
    emit({
      type: "part-start",
      candidate: this.#candidate,
      key: call.key,
      part: {
        type: "tool-call",
        callId: call.id,
        name,
        toolKind: call.custom ? "custom" : "function",
        ...(proof ? { proof } : {}),
      },
    });
    const held = call.text;
    call.text = "";
    if (held !== "") this.#append(call, held, emit);
  }

  #append(call: StreamCall, text: string, emit: Emit): void {
    // A closed call is a whole JSON object; only blanks can follow.
    if (call.closed) return;
    call.text += text;
    if (call.started) this.#delta(call, { type: "arguments", text }, emit);
  }

  #delta(call: StreamCall, delta: Extract<StreamEvent, { type: "part-delta" }>["delta"], emit: Emit): void {
    if (!call.closed) emit({ type: "part-delta", candidate: this.#candidate, key: call.key, delta });
  }

  /** Another call or another kind of content began: what parses as a whole is done and need not wait for the end. */
  #closeComplete(except: StreamCall | undefined, emit: Emit): void {
    for (const call of this.#calls) {
      if (call === except || call.closed || !call.started || call.custom) continue;
      if (isCompleteJsonObject(call.text)) this.#stop(call, emit);
    }
  }

  #stop(call: StreamCall, emit: Emit): void {
    if (call.closed) return;
    call.closed = true;
    emit({ type: "part-stop", candidate: this.#candidate, key: call.key });
  }
}

/** Arguments that a server sends parsed. */
function objectText(value: JsonObject[string]): string | undefined {
  return isObject(value) ? JSON.stringify(value) : undefined;
}
