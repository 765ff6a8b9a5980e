import { describe, expect, test } from "vitest";
import type { JsonObject } from "../canonical/index.ts";
import { at, broken, framesOf, list, streamed, wire } from "../peer-bugs/scene.ts";
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
  responseObject,
  usageChunk,
} from "../peer-bugs/wire-frames.ts";
import { type Letter, letters } from "../testing/letters.ts";
import { endWords, seenOf } from "./seen.ts";
import { ended, path } from "./streams.ts";

describe("S11: message_start tells no made-up input, and message_delta tells the true one", () => {
  const told = {
    prompt_tokens: 120,
    completion_tokens: 4,
    total_tokens: 124,
    prompt_tokens_details: { cached_tokens: 100 },
  };
  const usageMetadata = {
    promptTokenCount: 120,
    cachedContentTokenCount: 100,
    candidatesTokenCount: 4,
    totalTokenCount: 124,
  };
  const usage = {
    input_tokens: 120,
    input_tokens_details: { cached_tokens: 100 },
    output_tokens: 4,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 124,
  };
  test.each<[Letter, (JsonObject | string)[]]>([
    ["C", [chunk({ content: "Hi" }), chunk({}, "stop"), usageChunk(told), "[DONE]"]],
    ["R", responseFrames([responseMessage("msg_1", "Hi")], "completed", { usage })],
    ["G", [candidate([{ text: "Hi" }]), candidate([{ text: "!" }], "STOP", usageMetadata)]],
  ])("S11: from %s", (upstream, frames) => {
    const got = streamed(path("M", upstream), frames);
    const [start] = got.frames;
    expect(at(start, "message", "usage")).toMatchObject({ input_tokens: 0, output_tokens: 0 });
    const delta = got.frames.find(({ type }) => type === "message_delta");
    expect(delta?.usage).toMatchObject({ input_tokens: 20, cache_read_input_tokens: 100, output_tokens: 4 });
  });
});

describe.each(letters)("to a client of %s", (client) => {
  test("S12: content behind the finish is kept, and of two finishes the stronger counts", () => {
    const late = [chunk({ content: "Hi" }), chunk({}, "stop"), chunk({ content: " there" }), "[DONE]"];
    expect(seenOf(client, streamed(path(client, "C"), late))).toMatchObject({
      text: "Hi there",
      end: endWords[client].stop,
    });
    const call = fragment(0, "c0", "a", "{}");
    for (const finishes of [["stop", "tool_calls"], ["tool_calls", "stop"], ["stop"]]) {
      const frames = [call, ...finishes.map((finish) => chunk({}, finish)), "[DONE]"];
      expect(seenOf(client, streamed(path(client, "C"), frames)).end).toBe(endWords[client].tool);
    }
    for (const finishes of [
      ["stop", "length"],
      ["length", "stop"],
    ]) {
      const frames = [chunk({ content: "Hi" }), ...finishes.map((finish) => chunk({}, finish)), "[DONE]"];
      expect(seenOf(client, streamed(path(client, "C"), frames)).end).toBe(endWords[client].length);
    }
    for (const finishes of [
      ["length", "content_filter"],
      ["content_filter", "length"],
    ]) {
      const frames = [chunk({ content: "Hi" }), ...finishes.map((finish) => chunk({}, finish)), "[DONE]"];
      expect(seenOf(client, streamed(path(client, "C"), frames)).end).toBe(endWords[client].filter);
    }
    broken(path(client, "C"), wire([chunk({ content: "Hi" }), chunk({}, "stop"), chunk({}, "error"), "[DONE]"]));
  });

  const items = [responseMessage("msg_1", "Hi"), responseCall("c1", "read", '{"a":1}')];
  const all = { text: "Hi", calls: [["read", { a: 1 }]], ids: ["c1"] };
  test("S14: what the done events and the terminal event repeat comes once", () => {
    expect(seenOf(client, streamed(path(client, "R"), responseFrames(items)))).toMatchObject(all);
  });

  test("S14: a host that tells everything by its terminal event, or by its done events alone, is heard", () => {
    const created = { type: "response.created", response: responseObject([], "in_progress") };
    const terminal = { type: "response.completed", response: responseObject(items) };
    expect(seenOf(client, streamed(path(client, "R"), [created, terminal]))).toMatchObject(all);
    const done = items.map((item, output_index) => ({ type: "response.output_item.done", output_index, item }));
    expect(seenOf(client, streamed(path(client, "R"), [created, ...done, terminal]))).toMatchObject(all);
  });

  test("S15: deltas before their item, a call without call_id and mixed items find their place", () => {
    const frames = responseFrames(items);
    const isAdded = ({ type }: JsonObject) => type === "response.output_item.added";
    const early = [...frames.filter((frame) => !isAdded(frame))];
    expect(seenOf(client, streamed(path(client, "R"), early))).toMatchObject(all);
    const { call_id: _gone, ...nameless } = responseCall("c1", "read", '{"a":1}');
    expect(seenOf(client, streamed(path(client, "R"), responseFrames([nameless]))).calls).toEqual([["read", { a: 1 }]]);
  });
});

describe.each(["C", "R"] as const)("S13: to a client of %s, a free-text tool that ran as a function", (client) => {
  const tools = {
    C: [{ type: "custom", custom: { name: "apply_patch" } }],
    R: [{ type: "custom", name: "apply_patch" }],
  };
  const raw = '*** Begin Patch\n+"größer" 😀 \\ \u2028\n*** End Patch';
  // Escapes are cut in their middle, the two halves of a character too.
  const json = JSON.stringify({ input: raw }).replace("😀", "\\uD83D\\uDE00");
  const pieces = [...json];
  const cases: [Letter, (JsonObject | string)[]][] = [
    [
      "C",
      [
        fragment(0, "c1", "apply_patch", ""),
        ...pieces.map((piece) => fragment(0, undefined, undefined, piece)),
        ...ended("tool_calls"),
      ],
    ],
    [
      "M",
      [
        messageStart(),
        {
          type: "content_block_start",
          index: 0,
          content_block: { type: "tool_use", id: "c1", name: "apply_patch", input: {} },
        },
        ...pieces.map((partial_json) => ({
          type: "content_block_delta",
          index: 0,
          delta: { type: "input_json_delta", partial_json },
        })),
        { type: "content_block_stop", index: 0 },
        ...messageEnd("tool_use"),
      ],
    ],
    ["G", [candidate([callPart("apply_patch", { input: raw })], "STOP")]],
  ];
  test.each(cases)("S13: from %s, is a custom call from its first frame, with its raw text", (upstream, frames) => {
    const model = upstream === "C" ? "deepseek-chat" : undefined;
    const got = streamed(path(client, upstream), frames, { tools: tools[client] }, model ? { model } : {});
    expect(got.text).not.toMatch(/"type":"function"|"type":"function_call"/);
    if (client === "R") {
      const [item] = list(got.whole, "output");
      expect(item).toMatchObject({
        type: "custom_tool_call",
        name: "apply_patch",
        input: raw,
        call_id: expect.any(String),
      });
      const added = got.frames.find(({ type }) => type === "response.output_item.added");
      expect(at(added, "item", "type")).toBe("custom_tool_call");
      const deltas = got.frames.filter(({ type }) => type === "response.custom_tool_call_input.delta");
      expect(deltas.map(({ delta }) => delta).join("")).toBe(raw);
      return;
    }
    const calls = framesOf(got.text).flatMap((frame) => list(frame, "choices", 0, "delta", "tool_calls"));
    expect(calls[0]).toMatchObject({ type: "custom", custom: { name: "apply_patch" } });
    expect(calls.map((call) => at(call, "custom", "input") ?? "").join("")).toBe(raw);
  });
});
