import type { JsonObject, JsonValue, ProtocolName } from "../canonical/index.ts";
import {
  candidate,
  chunk,
  completion,
  message,
  messageEnd,
  messageStart,
  responseObject,
} from "../peer-bugs/wire-frames.ts";
import { isObject } from "../shared/read.ts";

/** A call as an upstream makes it: a function with JSON, a custom tool with free text, or an item of responses. */
export type UpstreamCall =
  | { id: string; name: string; json: string }
  | { id: string; name: string; input: string }
  | { id: string; item: JsonObject };

/** A call or a result in an upstream's own history. `text`: arguments, input, item or output as JSON or text. */
export interface SeenPart {
  id: string;
  name: string;
  text: string;
}

/** An answer of these calls, written by hand as the family writes it. */
export function callingAnswer(protocol: ProtocolName, calls: readonly UpstreamCall[]): JsonObject {
  switch (protocol) {
    case "chat-completions":
      return completion({ tool_calls: calls.map(chatCall) }, "tool_calls");
    case "responses":
      return responseObject(calls.map(responsesItem));
    case "messages":
      return message(calls.map(messagesBlock), "tool_use");
    case "generate-content":
      return candidate(calls.map(geminiPart), "STOP");
  }
}

/** The same as a stream; arguments in pieces of `size`, calls of chat completions interleaved. */
export function callingStream(protocol: ProtocolName, calls: readonly UpstreamCall[], size: number): string {
  const frames = framesOf(protocol, calls, size);
  if (protocol === "chat-completions") return [...frames.map(dataFrame), "data: [DONE]\n\n"].join("");
  if (protocol === "generate-content") return frames.map(dataFrame).join("");
  return frames.map((frame) => `event: ${frame.type}\n${dataFrame(frame)}`).join("");
}

function framesOf(protocol: ProtocolName, calls: readonly UpstreamCall[], size: number): JsonObject[] {
  switch (protocol) {
    case "chat-completions":
      return [chunk({ role: "assistant", content: null }), ...chatFragments(calls, size), chunk({}, "tool_calls")];
    case "responses":
      return responsesFrames(calls.map(responsesItem), size);
    case "messages":
      return [
        messageStart(),
        ...calls.flatMap((call, at) => messagesFrames(call, at, size)),
        ...messageEnd("tool_use"),
      ];
    case "generate-content":
      return [...calls.map((call) => candidate([geminiPart(call)])), candidate([{ text: "" }], "STOP")];
  }
}

/** The names that an upstream was offered, in order. */
export function offeredNames(protocol: ProtocolName, body: JsonObject): string[] {
  const tools = list(body.tools);
  switch (protocol) {
    case "chat-completions":
      return tools.map((tool) =>
        text(isObject(tool.function) ? tool.function.name : isObject(tool.custom) && tool.custom.name),
      );
    case "messages":
      return tools.map((tool) => text(tool.name));
    case "generate-content":
      return tools.flatMap((tool) => list(tool.functionDeclarations)).map((tool) => text(tool.name));
    case "responses":
      return tools.flatMap((tool) => [
        text(tool.name ?? tool.type),
        ...list(tool.tools).map((inner) => text(inner.name)),
      ]);
  }
}

/** The calls and results in an upstream's body. */
export function seenHistory(protocol: ProtocolName, body: JsonObject): { calls: SeenPart[]; results: SeenPart[] } {
  switch (protocol) {
    case "chat-completions": {
      const messages = list(body.messages);
      const calls = messages
        .flatMap((one) => list(one.tool_calls))
        .map((call) => {
          const holder = isObject(call.function) ? call.function : isObject(call.custom) ? call.custom : {};
          return { id: text(call.id), name: text(holder.name), text: text(holder.arguments ?? holder.input) };
        });
      const results = messages.filter((one) => one.role === "tool");
      return {
        calls,
        results: results.map((one) => ({ id: text(one.tool_call_id), name: "", text: text(one.content) })),
      };
    }
    case "messages": {
      const blocks = list(body.messages).flatMap((one) => list(one.content));
      const calls = blocks.filter((block) => block.type === "tool_use");
      const results = blocks.filter((block) => block.type === "tool_result");
      return {
        calls: calls.map((call) => ({ id: text(call.id), name: text(call.name), text: JSON.stringify(call.input) })),
        results: results.map((one) => ({
          id: text(one.tool_use_id),
          name: "",
          text: list(one.content)
            .map((part) => text(part.text))
            .join(""),
        })),
      };
    }
    case "generate-content": {
      const parts = list(body.contents).flatMap((content) => list(content.parts));
      const pick = (key: string) => parts.flatMap((part) => (isObject(part[key]) ? [part[key]] : []));
      return {
        calls: pick("functionCall").map((call) => ({
          id: text(call.id),
          name: text(call.name),
          text: JSON.stringify(call.args),
        })),
        results: pick("functionResponse").map((one) => {
          const response = isObject(one.response) ? one.response : {};
          return { id: text(one.id), name: text(one.name), text: text(response.output ?? JSON.stringify(response)) };
        }),
      };
    }
    case "responses": {
      const items = list(body.input).filter((item) => item.call_id !== undefined);
      const seen = (item: JsonObject) => ({
        id: text(item.call_id),
        name: text(item.name),
        text: JSON.stringify(item),
      });
      const isResult = (item: JsonObject) => text(item.type).endsWith("_output");
      return { calls: items.filter((item) => !isResult(item)).map(seen), results: items.filter(isResult).map(seen) };
    }
  }
}

function chatCall(call: UpstreamCall): JsonObject {
  if ("item" in call) throw new Error("Items belong to responses.");
  if ("input" in call) return { id: call.id, type: "custom", custom: { name: call.name, input: call.input } };
  return { id: call.id, type: "function", function: { name: call.name, arguments: call.json } };
}

function chatFragments(calls: readonly UpstreamCall[], size: number): JsonObject[] {
  const rows = calls.map((call, index): JsonObject[] => {
    const whole = chatCall(call);
    const key = "input" in call ? "custom" : "function";
    const slot = "input" in call ? "input" : "arguments";
    const holder = isObject(whole[key]) ? whole[key] : {};
    const head = { ...whole, index, [key]: { ...holder, [slot]: "" } };
    const pieces = (slot === "input" ? cutText : cut)(text(holder[slot]), size);
    const tails = pieces.map((piece): JsonObject => ({ index, [key]: { [slot]: piece } }));
    return [head, ...tails].map((entry) => chunk({ tool_calls: [entry] }));
  });
  const longest = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: longest }, (_none, at) => rows.flatMap((row) => row.slice(at, at + 1))).flat();
}

function messagesBlock(call: UpstreamCall): JsonObject {
  if (!("json" in call)) throw new Error("This family has functions only.");
  return { type: "tool_use", id: call.id, name: call.name, input: JSON.parse(call.json) };
}

function messagesFrames(call: UpstreamCall, index: number, size: number): JsonObject[] {
  if (!("json" in call)) throw new Error("This family has functions only.");
  const content_block = { type: "tool_use", id: call.id, name: call.name, input: {} };
  const deltas = cut(call.json, size).map((partial_json) => ({ type: "input_json_delta", partial_json }));
  return [
    { type: "content_block_start", index, content_block },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}

function geminiPart(call: UpstreamCall): JsonObject {
  if (!("json" in call)) throw new Error("This family has functions only.");
  return { functionCall: { id: call.id, name: call.name, args: JSON.parse(call.json) } };
}

function responsesItem(call: UpstreamCall): JsonObject {
  if ("item" in call) return { id: `it_${call.id}`, call_id: call.id, status: "completed", ...call.item };
  if ("input" in call)
    return { id: `ctc_${call.id}`, type: "custom_tool_call", call_id: call.id, name: call.name, input: call.input };
  return { id: `fc_${call.id}`, type: "function_call", call_id: call.id, name: call.name, arguments: call.json };
}

function responsesFrames(items: readonly JsonObject[], size: number): JsonObject[] {
  const frames: JsonObject[] = [{ type: "response.created", response: responseObject([], "in_progress") }];
  items.forEach((item, output_index) => {
    const slot = item.type === "custom_tool_call" ? "input" : item.type === "function_call" ? "arguments" : undefined;
    const kind = slot === "input" ? "custom_tool_call_input" : "function_call_arguments";
    const place = { item_id: text(item.id), output_index };
    const opened = slot === undefined ? item : { ...item, [slot]: "" };
    frames.push({ type: "response.output_item.added", output_index, item: { ...opened, status: "in_progress" } });
    if (slot !== undefined) {
      const pieces = (slot === "input" ? cutText : cut)(text(item[slot]), size);
      for (const delta of pieces) frames.push({ type: `response.${kind}.delta`, ...place, delta });
      frames.push({ type: `response.${kind}.done`, ...place, [slot]: text(item[slot]) });
    }
    frames.push({ type: "response.output_item.done", output_index, item });
  });
  frames.push({ type: "response.completed", response: responseObject([...items]) });
  return frames.map((frame, sequence_number) => ({ ...frame, sequence_number }));
}

/** JSON is cut anywhere, also within a character. */
function cut(whole: string, size: number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < whole.length; at += size) pieces.push(whole.slice(at, at + size));
  return pieces;
}

/** Plain text is cut between characters, as providers cut it. */
function cutText(whole: string, size: number): string[] {
  const characters = [...whole];
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += size) pieces.push(characters.slice(at, at + size).join(""));
  return pieces;
}

function dataFrame(frame: JsonObject): string {
  return `data: ${JSON.stringify(frame)}\n\n`;
}

function list(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter((entry) => isObject(entry)) : [];
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
