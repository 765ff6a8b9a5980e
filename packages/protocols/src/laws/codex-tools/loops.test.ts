import { describe, expect, test } from "vitest";
import type { JsonObject, ProtocolName } from "../../canonical/index.ts";
import {
  callingAnswer,
  callingStream,
  offeredNames,
  type SeenPart,
  seenHistory,
  type UpstreamCall,
} from "../../testing/calling-upstreams.ts";
import { carry, runStream, utf8 } from "../../testing/carrying.ts";
import { readCodexAnswer, readCodexStream, replayedItems } from "../../testing/codex-client.ts";
import { sides } from "../../testing/protocol-sides.ts";
import { type ToolKind, toolKinds } from "./tool-kinds.ts";

/** Every family, and both kinds of models behind chat completions. */
const upstreams: readonly { at: string; protocol: ProtocolName; model: string; custom: boolean }[] = [
  { at: "chat completions", protocol: "chat-completions", model: "deepseek-chat", custom: false },
  { at: "chat completions of the vendor", protocol: "chat-completions", model: "gpt-5.6", custom: true },
  { at: "messages", protocol: "messages", model: "claude-sonnet-4-5", custom: false },
  { at: "generateContent", protocol: "generate-content", model: "gemini-2.5-pro", custom: false },
  { at: "responses", protocol: "responses", model: "gpt-5.6", custom: true },
];
type Upstream = (typeof upstreams)[number];

function request(tools: JsonObject[], input: JsonObject[], stream: boolean, more: JsonObject = {}): JsonObject {
  return {
    model: "m",
    instructions: "You are an agent.",
    store: false,
    parallel_tool_calls: true,
    include: ["reasoning.encrypted_content"],
    tools,
    input,
    stream,
    ...more,
  };
}

const asks: JsonObject = { type: "message", role: "user", content: [{ type: "input_text", text: "Go." }] };

/** How this upstream makes the call. */
function callOf(kind: ToolKind, upstream: Upstream, name: string, id: string): UpstreamCall {
  if (upstream.protocol === "responses") return { id, item: kind.native };
  if (kind.input !== undefined && upstream.custom) return { id, name, input: kind.input };
  return { id, name, json: kind.json };
}

/** The items that the client gets of an answer of these calls, and the request that led to it. */
function turn(upstream: Upstream, body: JsonObject, calls: readonly UpstreamCall[], size: number) {
  const stream = body.stream === true;
  const conversion = carry(sides.responses, sides[upstream.protocol], body, { model: upstream.model, stream });
  if (!stream) {
    const answer = conversion.convertResponse(callingAnswer(upstream.protocol, calls));
    return { items: readCodexAnswer(answer.body), sent: conversion.upstreamBody, notices: conversion.notices };
  }
  const bytes = utf8(callingStream(upstream.protocol, calls, size));
  const { text } = runStream(conversion.createStream(), [bytes]);
  return { items: readCodexStream(text), sent: conversion.upstreamBody, notices: conversion.notices };
}

/** The name under which an upstream has the tool. */
function offeredAs(kind: ToolKind, upstream: Upstream, sent: JsonObject): string {
  const names = offeredNames(upstream.protocol, sent);
  return names.find((name) => name.startsWith(kind.name)) ?? "";
}

function argumentsOf(part: SeenPart | undefined, kind: ToolKind, upstream: Upstream): unknown {
  if (upstream.protocol === "responses" || (kind.input !== undefined && upstream.custom)) return part?.text;
  return JSON.parse(part?.text ?? "null");
}

describe("T5, T6, T8 a tool of every kind goes through two turns", () => {
  for (const upstream of upstreams) {
    for (const kind of toolKinds) {
      test.each([
        ["whole", false, 0],
        ["streamed in single characters", true, 1],
        ["streamed in pieces", true, 7],
      ])(`${kind.kind}, ${upstream.at}, %s`, (_way, stream, size) => {
        const input = [asks, ...(kind.bring ?? [])];
        const probe = turn(upstream, request(kind.tools, input, stream), [], 1);
        const name = offeredAs(kind, upstream, probe.sent);
        if (upstream.protocol !== "responses") expect(name).not.toBe("");
        expect(probe.notices.filter((notice) => notice.verdict === "dropped")).toEqual([]);

        const first = turn(
          upstream,
          request(kind.tools, input, stream),
          [callOf(kind, upstream, name, "call_a")],
          size,
        );
        expect(first.items).toMatchObject([{ ...kind.item, call_id: "call_a" }]);

        const next = [...input, ...replayedItems(first.items), kind.output("call_a")];
        const second = turn(
          upstream,
          request(kind.tools, next, stream),
          [callOf(kind, upstream, name, "call_b")],
          size,
        );
        expect(second.items).toMatchObject([{ ...kind.item, call_id: "call_b" }]);

        const { calls, results } = seenHistory(upstream.protocol, second.sent);
        expect([calls.length, results.length]).toEqual([1, 1]);
        expect(results[0]?.id).toBe(calls[0]?.id);
        expect(results[0]?.text).toContain(kind.shown);
        if (upstream.protocol === "responses") {
          expect(JSON.parse(calls[0]?.text ?? "")).toMatchObject(kind.native);
        } else {
          expect(calls[0]?.name).toBe(name);
          const wanted = kind.input !== undefined && upstream.custom ? kind.input : JSON.parse(kind.json);
          expect(argumentsOf(calls[0], kind, upstream)).toEqual(wanted);
          expect(offeredNames(upstream.protocol, second.sent).slice(0, 1)).toEqual(
            offeredNames(upstream.protocol, first.sent).slice(0, 1),
          );
        }
      });
    }
  }
});

describe("calls of mixed kinds", () => {
  const mixed = toolKinds.filter((kind, at) => toolKinds.findIndex(({ name }) => name === kind.name) === at);
  const tools = mixed.flatMap((kind) => kind.tools);
  const input = [asks, ...mixed.flatMap((kind) => kind.bring ?? [])];

  for (const upstream of upstreams) {
    for (const stream of [false, true]) {
      test(`in one answer, ${upstream.at}, ${stream ? "streamed" : "whole"}`, () => {
        const body = request(tools, input, stream);
        const { sent } = turn(upstream, body, [], 1);
        const calls = mixed.map((kind, at) => callOf(kind, upstream, offeredAs(kind, upstream, sent), `call_${at}`));
        const first = turn(upstream, body, calls, 5);
        expect(first.items).toMatchObject(mixed.map((kind, at) => ({ ...kind.item, call_id: `call_${at}` })));
        const next = [...input, ...replayedItems(first.items), ...mixed.map((kind, at) => kind.output(`call_${at}`))];
        const seen = seenHistory(upstream.protocol, turn(upstream, request(tools, next, stream), [], 1).sent);
        expect(seen.calls).toHaveLength(mixed.length);
        expect(seen.results.map((result) => result.id)).toEqual(seen.calls.map((call) => call.id));
      });
    }
  }
});

describe("a tool that the history holds and the request declares no more", () => {
  for (const upstream of upstreams) {
    for (const kind of toolKinds) {
      test(`is called in its own kind: ${kind.kind}, ${upstream.at}`, () => {
        const history = [asks, ...(kind.bring ?? [])];
        const named = offeredAs(kind, upstream, turn(upstream, request(kind.tools, history, true), [], 1).sent);
        const { items } = turn(
          upstream,
          request(kind.tools, history, true),
          [callOf(kind, upstream, named, "call_a")],
          3,
        );
        const left = [asks, ...replayedItems(items), kind.output("call_a")];
        const other = [{ type: "function", name: "other", parameters: { type: "object", properties: {} } }];
        const body = request(other, left, true);
        const seen = seenHistory(upstream.protocol, turn(upstream, body, [], 1).sent);
        expect([seen.calls.length, seen.results.length]).toEqual([1, 1]);
        const name = seen.calls[0]?.name ?? "";
        const again = turn(upstream, body, [callOf(kind, upstream, name, "call_b")], 3);
        expect(again.items).toMatchObject([{ ...kind.item, call_id: "call_b" }]);
      });
    }
  }
});

describe("T6 what a search of the client found", () => {
  const search = toolKinds.find((kind) => kind.name === "tool_search");
  const called = { type: "function_call", name: "create", namespace: "calendar", arguments: '{"q":"noon"}' };

  test.each(upstreams)("can be called: $at", (upstream) => {
    expect(search).toBeDefined();
    if (!search) return;
    const history = [asks, { ...search.item, call_id: "call_a", status: "completed" }, search.output("call_a")];
    const body = request(search.tools, history, true);
    const { sent } = turn(upstream, body, [], 1);
    const name = upstream.protocol === "responses" ? "" : "calendar__create";
    if (name !== "") expect(offeredNames(upstream.protocol, sent)).toEqual(["tool_search", name]);
    else expect(sent.input).toMatchObject([{}, { type: "tool_search_call" }, search.output("call_a")]);
    const call = name === "" ? { id: "call_b", item: called } : { id: "call_b", name, json: '{"q":"noon"}' };
    expect(turn(upstream, body, [call], 3).items).toMatchObject([{ ...called, call_id: "call_b" }]);
  });
});

describe("S25 a custom call that breaks off", () => {
  test.each(upstreams)("is never shown as whole: $at", (upstream) => {
    const custom = toolKinds.filter((kind) => kind.input !== undefined).slice(0, 1);
    for (const kind of custom) {
      const body = request(kind.tools, [asks], true);
      const conversion = carry(sides.responses, sides[upstream.protocol], body, {
        model: upstream.model,
        stream: true,
      });
      const name = offeredAs(kind, upstream, conversion.upstreamBody);
      const whole = callingStream(upstream.protocol, [callOf(kind, upstream, name, "call_a")], 4);
      const frames = whole.split(/(?<=\n\n)/);
      const { text, ended } = runStream(conversion.createStream(), frames.slice(0, frames.length >> 1).map(utf8));
      expect(ended).toBe("error");
      expect(text).toContain("response.failed");
      expect(text).not.toContain("response.completed");
      // Gemini tells a call at once, so that one is whole.
      if (upstream.protocol !== "generate-content") expect(text).not.toContain("response.output_item.done");
    }
  });
});
