import { strict as assert } from "node:assert";
import type { Script, Step } from "@interlingua/upstream-sim";
import fc from "fast-check";
import type { JsonObject, JsonValue, ProtocolName } from "../../packages/protocols/src/canonical/index.ts";
import type { Conversion } from "../../packages/protocols/src/conversion.ts";
import { isObject } from "../../packages/protocols/src/shared/read.ts";
import { countingIds, json, standingClock } from "../../packages/protocols/src/testing/carrying.ts";
import { sides } from "../../packages/protocols/src/testing/protocol-sides.ts";
import { composeAnswer } from "../../packages/upstream-sim/src/answer.ts";
import { FACES } from "../../packages/upstream-sim/src/face.ts";
import { createThreadStore } from "../../packages/upstream-sim/src/messages/threads.ts";
import { createResponseStore } from "../../packages/upstream-sim/src/responses/store.ts";
import { conversations } from "../loops/next-turn.ts";

/* A strict provider and a client that replays what it was answered, perhaps with damage. */

/** Models that prove their reasoning; Gemini's demands its signatures back. */
export const upstreamModels: Readonly<Record<ProtocolName, string>> = {
  "chat-completions": "gpt-5.2",
  responses: "gpt-5.2",
  messages: "claude-sonnet-4-6",
  "generate-content": "sandbox-gemini-3",
};

const word = fc.constantFrom("Snow.", "雪 and 🌨", "a\nb", '{"a": 1}', " ");
const city = fc.constantFrom("Oslo", "Rome", '"', "\u0000", "🌨");
const call = city.map((drawn): Step => ({ kind: "tool-call", name: "get_weather", arguments: { city: drawn } }));
const patch = word.map((text): Step => ({ kind: "tool-call", name: "apply_patch", arguments: text, custom: true }));
const thought: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(word, fc.boolean()).map(([text, hidden]): Step => ({ kind: "reasoning", text, hidden })),
  fc.constant<Step>({ kind: "redacted-reasoning" }),
);
const citations = [{ url: "https://example.com/snow", title: "Snow", start: 0, end: 2 }];
const said: fc.Arbitrary<Step> = fc.oneof(
  word.map((text): Step => ({ kind: "text", text })),
  fc.constant<Step>({ kind: "text", text: "Snow in Oslo.", citations }),
  word.map((text): Step => ({ kind: "refusal", text })),
  fc.constant<Step>({ kind: "image", mimeType: "image/png", data: "iVBORw0KGgo=" }),
);

/** What a model answers: thoughts, texts, refusals, images and calls, in the order in which they come. */
export const scripts: fc.Arbitrary<Script> = fc
  .tuple(
    fc.array(thought, { maxLength: 2 }),
    fc.array(said, { maxLength: 2 }),
    fc.array(fc.oneof({ weight: 3, arbitrary: call }, { weight: 1, arbitrary: patch }), { maxLength: 3 }),
  )
  .filter((parts) => parts.flat().length > 0)
  .map((parts) => ({ steps: parts.flat(), chatReasoning: "reasoning_content" }));

/** The first body of a client, with a free-text tool where its protocol has them. */
export function firstBody(client: ProtocolName, stream: boolean): JsonObject {
  const body: JsonObject = { ...conversations[client].first("Weather in Oslo and Rome?") };
  if (client !== "generate-content") Object.assign(body, { model: "m" }, stream ? { stream } : {});
  if (!Array.isArray(body.tools)) return body;
  if (client === "responses") body.tools = [...body.tools, { type: "custom", name: "apply_patch" }];
  if (client === "chat-completions") {
    body.tools = [...body.tools, { type: "custom", custom: { name: "apply_patch" } }];
  }
  return body;
}

/** A provider that judges as the vendor does, and has no memory. */
function judge(protocol: ProtocolName) {
  return {
    headers: { "anthropic-version": "2023-06-01" },
    model: upstreamModels[protocol],
    store: createResponseStore(),
    threads: createThreadStore(),
    demandSignatures: false,
    jsonArray: false,
  };
}

/** What the strict provider says against a body; undefined where it takes it. */
export function refusalOf(protocol: ProtocolName, body: JsonObject) {
  return FACES[protocol].validate(json(body), judge(protocol));
}

/** A body without the proofs for which the provider refused it, as the gateway sends it once more. */
export function mended(protocol: ProtocolName, body: JsonObject) {
  const failure = refusalOf(protocol, body);
  if (!failure) return undefined;
  const face = FACES[protocol];
  const told = { status: face.errorStatus(failure), headers: {}, body: json(face.errorBody(failure, "req_1")) };
  return sides[protocol].codec.repair.withoutProofs(json(body), told);
}

/** The provider's answer to a body that it takes, whole or as the frames of a stream. */
export function answered(protocol: ProtocolName, body: JsonObject, script: Script) {
  const face = FACES[protocol];
  const context = judge(protocol);
  const tools = JSON.stringify(body.tools ?? []);
  const steps = (script.steps ?? []).map((step) => fitting(step, tools));
  const ids = countingIds("up");
  const composed = composeAnswer({ ...script, steps }, face.read(json(body), context), standingClock(), () => ids("x"));
  return {
    whole: () => json(face.render(composed, json(body))),
    frames: () => face.stream(composed, json(body), context).map(({ text }) => text),
  };
}

/** Where a free-text tool was offered as a function, the model calls the function. */
function fitting(step: Step, tools: string): Step {
  if (step.kind !== "tool-call" || !step.custom || tools.includes('"custom"')) return step;
  return tools.includes("apply_patch")
    ? { kind: "tool-call", name: step.name, arguments: { input: step.arguments } }
    : { kind: "tool-call", name: "get_weather", arguments: { city: "Bergen" } };
}

const histories = {
  "chat-completions": "messages",
  responses: "input",
  messages: "messages",
  "generate-content": "contents",
} as const satisfies Record<ProtocolName, string>;

/** What goes wrong with a history on the client's side. */
type Damage =
  | { kind: "drop" | "double" | "swap" | "say"; at: number }
  /** Within the parts of one entry. */
  | { kind: "drop part" | "double part" | "reverse parts"; at: number; part: number }
  /** Compaction: the oldest entries are gone. */
  | { kind: "cut"; at: number };

const at = fc.nat({ max: 30 });
export const damages: fc.Arbitrary<Damage[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constantFrom("drop" as const, "double" as const, "swap" as const, "say" as const), at }),
    fc.record({
      kind: fc.constantFrom("drop part" as const, "double part" as const, "reverse parts" as const),
      at,
      part: at,
    }),
    fc.record({ kind: fc.constant("cut" as const), at }),
  ),
  { maxLength: 3 },
);

/** The client's body with that damage in its history. */
export function damaged(client: ProtocolName, body: JsonObject, made: readonly Damage[]): JsonObject {
  const key = histories[client];
  const history = made.reduce((entries, each) => spoilt(client, entries, each), objects(body[key]));
  return { ...body, [key]: history };
}

function spoilt(client: ProtocolName, entries: JsonObject[], damage: Damage): JsonObject[] {
  const place = damage.at % Math.max(1, entries.length);
  const entry = entries[place];
  if (!entry) return entries;
  const before = entries.slice(0, place);
  const after = entries.slice(place + 1);
  switch (damage.kind) {
    case "drop":
      return entries.length > 1 ? [...before, ...after] : entries;
    case "double":
      return [...before, entry, entry, ...after];
    case "swap":
      return [...before.slice(0, -1), entry, ...before.slice(-1), ...after];
    case "say":
      return [...before, entry, userSays(client, "By the way."), ...after];
    case "cut":
      return entries.slice(place);
    default:
      return [...before, withSpoiltParts(client, entry, damage.kind, damage.part), ...after];
  }
}

function userSays(client: ProtocolName, text: string): JsonObject {
  return client === "generate-content" ? { role: "user", parts: [{ text }] } : { role: "user", content: text };
}

function withSpoiltParts(client: ProtocolName, entry: JsonObject, kind: string, part: number): JsonObject {
  const key = client === "generate-content" ? "parts" : entry.tool_calls ? "tool_calls" : "content";
  const parts = entry[key];
  if (!Array.isArray(parts) || parts.length < 2) return entry;
  if (kind === "reverse parts") return { ...entry, [key]: parts.toReversed() };
  const place = part % parts.length;
  return {
    ...entry,
    [key]: parts.toSpliced(
      place,
      1,
      ...(kind === "drop part" ? [] : parts.slice(place, place + 1).flatMap((each) => [each, each])),
    ),
  };
}

/** Whether a call has no result of its own, or a result no call. */
export function isBroken(client: ProtocolName, body: JsonObject): boolean {
  const balance = new Map<string, number>();
  const count = (id: JsonValue | undefined, by: number) => {
    if (id !== undefined) balance.set(String(id), (balance.get(String(id)) ?? 0) + by);
  };
  for (const entry of objects(body[histories[client]])) {
    for (const each of objects(entry.tool_calls)) count(each.id, 1);
    count(entry.tool_call_id, -1);
    if (client === "responses") count(entry.call_id, String(entry.type).endsWith("_output") ? -1 : 1);
    for (const block of objects(entry.content)) {
      if (block.type === "tool_use") count(block.id, 1);
      count(block.tool_use_id, -1);
    }
    for (const part of objects(entry.parts)) {
      if (isObject(part.functionCall)) count(part.functionCall.id ?? part.functionCall.name, 1);
      if (isObject(part.functionResponse)) count(part.functionResponse.id ?? part.functionResponse.name, -1);
    }
  }
  return [...balance.values()].some((sum) => sum !== 0);
}

function objects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter((each) => isObject(each)) : [];
}

/** What a client has of an answer that came by a conversion, whole or put together from the stream. */
export function received(
  client: ProtocolName,
  conversion: Conversion,
  answer: ReturnType<typeof answered>,
  stream: boolean,
) {
  const side = sides[client];
  if (!stream) {
    const { body } = conversion.convertResponse(answer.whole());
    assert.ok(isObject(body));
    return body;
  }
  const running = conversion.createStream();
  let text = "";
  for (const step of [...answer.frames().map((frame) => running.push(Buffer.from(frame))), running.close()]) {
    if (step.final?.cause !== undefined) throw step.final.cause;
    text += step.text + (step.final?.text ?? "");
  }
  return side.whole(text, 1);
}
