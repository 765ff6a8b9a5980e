import type { JsonObject, Proof, StreamEvent } from "../canonical/index.ts";
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
  /** As the server gives it. */
  id: string | undefined;
  /** As far as it has come (S6). */
  name: string | undefined;
  proof: Proof | undefined;
  wireIndex: number | undefined;
  custom: boolean;
  started: boolean;
  closed: boolean;
  /** Text that came before the start; after the start, text that was emitted. */
  text: string;
}

/**
 * Sorts the fragments of one candidate's tool calls to the right call, whatever the server does with `index` and `id`
 * (conversion.md S1 to S7). Calls may interleave in its events.
 */
export class StreamCalls {
  readonly #candidate: number;
  readonly #mintId: (order: number, name: string) => string;
  readonly #toolNames: ReadonlySet<string>;
  readonly #calls: StreamCall[] = [];

  /** `toolNames`: the tools that the model was offered, where they are known. */
  constructor(
    candidate: number,
    mintId: (order: number, name: string) => string,
    toolNames: ReadonlySet<string> = new Set(),
  ) {
    this.#candidate = candidate;
    this.#mintId = mintId;
    this.#toolNames = toolNames;
  }

  /** One entry of `delta.tool_calls`. Gives an error text where the fragment belongs to no call. */
  push(entry: JsonObject, emit: Emit): string | undefined {
    const holder = isObject(entry.function) ? entry.function : isObject(entry.custom) ? entry.custom : {};
    const id = textOf(entry.id);
    const index = numberOf(entry.index);
    const name = textOf(holder.name);
    const joined = id === undefined && name !== undefined ? this.#joined(index, name) : undefined;
    const said = textOf(holder.arguments) ?? textOf(holder.input) ?? objectText(holder.arguments);
    const call = joined?.call ?? this.#route(id, index, name, said);
    if (!call) return "The upstream sent a piece of a tool call that belongs to none.";
    if (entry.type === "custom" || (isObject(entry.custom) && !isObject(entry.function))) call.custom = true;
    this.#startNamed(call, emit);
    const proof = decodeThoughtSignature(entry.extra_content);
    if (!call.started) {
      call.name = joined?.name ?? call.name ?? name;
      call.proof = proof ?? call.proof;
      if (name === undefined || !this.#mayGoOn(call.name)) this.#start(call, emit);
    } else if (proof) this.#delta(call, { type: "proof", proof }, emit);
    if (said !== undefined) this.#append(call, said, emit);
    return undefined;
  }

  /** Text or reasoning arrives: calls that are provably complete are done (S2). */
  settle(emit: Emit): void {
    this.#startNamed(undefined, emit);
    this.#closeComplete(undefined, emit);
  }

  /** The end of the answer. Gives an error text for a call that never got a name (S6). */
  close(emit: Emit): string | undefined {
    this.#startNamed(undefined, emit);
    for (const call of this.#calls) {
      if (!call.started) return "The upstream sent a tool call without a name.";
      this.#stop(call, emit);
    }
    return undefined;
  }

  #route(
    id: string | undefined,
    index: number | undefined,
    name: string | undefined,
    said: string | undefined,
  ): StreamCall | undefined {
    const last = this.#calls.at(-1);
    if (id !== undefined) {
      const known = this.#calls.findLast((call) => call.id === id);
      if (known && !this.#repeatsId(known, index, name)) return known;
      const nameless = known
        ? undefined
        : this.#calls.findLast((call) => call.id === undefined && call.wireIndex === index);
      if (nameless && nameless.name === undefined) {
        nameless.id = id;
        return nameless;
      }
      return this.#open(known ? undefined : id, index);
    }
    if (index !== undefined) {
      const known = this.#calls.findLast((call) => call.wireIndex === index);
      if (known && !isAnother(known, name, said)) return known;
      if (name !== undefined) return this.#open(undefined, index);
      const unfinished = this.#calls.filter((call) => !call.closed && !isCompleteJsonObject(call.text));
      return unfinished.length === 1 ? unfinished[0] : undefined;
    }
    if (name === undefined) return last;
    const waits =
      last && (last.name === undefined || (!last.closed && last.text !== "" && !isCompleteJsonObject(last.text)));
    return waits ? last : this.#open(undefined, undefined);
  }

  /** A second whole call under an id that is taken: some servers give all calls of an answer one id. */
  #repeatsId(known: StreamCall, index: number | undefined, name: string | undefined): boolean {
    if (name === undefined || index === undefined || known.wireIndex === undefined) return false;
    return index !== known.wireIndex && known.name !== undefined && isCompleteJsonObject(known.text);
  }

  /** The call whose name goes on with this piece, and the name so far: only towards a tool that was offered (S6). */
  #joined(index: number | undefined, piece: string): { call: StreamCall; name: string } | undefined {
    const call = this.#calls.findLast((each) => index === undefined || each.wireIndex === index);
    if (!call || call.started || call.name === undefined) return undefined;
    const name = call.name + piece;
    return this.#toolNames.has(name) || this.#mayGoOn(name) ? { call, name } : undefined;
  }

  /** Whether a name is none that was offered, but the beginning of one. */
  #mayGoOn(name: string | undefined): boolean {
    if (name === undefined || this.#toolNames.has(name)) return false;
    for (const offered of this.#toolNames) if (offered.startsWith(name)) return true;
    return false;
  }

  #open(id: string | undefined, wireIndex: number | undefined): StreamCall {
    const order = this.#calls.length;
    const call: StreamCall = {
      order,
      key: `call${order}`,
      id,
      name: undefined,
      proof: undefined,
      wireIndex,
      custom: false,
      started: false,
      closed: false,
      text: "",
    };
    this.#calls.push(call);
    return call;
  }

  /** What waits for the rest of its name has all of it, now that something else comes. */
  #startNamed(except: StreamCall | undefined, emit: Emit): void {
    for (const call of this.#calls) if (call !== except && !call.started) this.#start(call, emit);
  }

  /** Without a name a call cannot start. */
  #start(call: StreamCall, emit: Emit): void {
    const { name, proof } = call;
    if (name === undefined) return;
    this.#closeComplete(call, emit);
    call.started = true;
    emit({
      type: "part-start",
      candidate: this.#candidate,
      key: call.key,
      part: {
        type: "tool-call",
        callId: call.id ?? this.#mintId(call.order, name),
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

/** A second call under an index whose first is whole, by a server that gives no ids and may repeat a name (S4). */
function isAnother(known: StreamCall, name: string | undefined, said: string | undefined): boolean {
  if (name === undefined || known.name === undefined || known.id !== undefined) return false;
  return (name !== known.name || Boolean(said?.trim())) && isCompleteJsonObject(known.text);
}
