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
  textBlock,
  toolBlock,
  usageChunk,
} from "../peer-bugs/wire-frames.ts";
import { type Letter, letters, protocolOf } from "../testing/letters.ts";
import { sides } from "../testing/protocol-sides.ts";
import { withTools } from "../testing/replay.ts";
import { seenOf } from "./seen.ts";
import { ended, path } from "./streams.ts";

const hi = chunk({ role: "assistant", content: "Hi" });

describe.each(letters)("to a client of %s", (client) => {
  test("S6: a name that comes late, or is empty first, is the call's name", () => {
    const late = [fragment(0, "a", undefined, '{"x"'), fragment(0, undefined, "bash", ":1}")];
    const empty = [fragment(0, "a", "", '{"x"'), fragment(0, undefined, "bash", ":1}")];
    for (const frames of [late, empty]) {
      expect(seenOf(client, streamed(path(client, "C"), [...frames, ...ended("tool_calls")])).calls).toEqual([
        ["bash", { x: 1 }],
      ]);
    }
  });

  test("S6: a name that comes in pieces is that of the tool that was offered, and of no other", () => {
    const side = sides[protocolOf[client]];
    const { tools = [] } = withTools(side.name, side.body(1, true), ["read_file"]);
    const called = (...names: string[]) => {
      const pieces = names.map((name, index) => fragment(0, index === 0 ? "a" : undefined, name, ""));
      const frames = [...pieces, fragment(0, undefined, undefined, '{"x":1}'), ...ended("tool_calls")];
      return seenOf(client, streamed(path(client, "C"), frames, { tools })).calls;
    };
    expect(called("read", "_file")).toEqual([["read_file", { x: 1 }]]);
    expect(called("read", "_", "file")).toEqual([["read_file", { x: 1 }]]);
    expect(called("read", "_mail")).toEqual([["read", { x: 1 }]]);
    expect(called("read_file", "read_file")).toEqual([["read_file", { x: 1 }]]);
  });

  test("S6: a call that never gets a name is an error", () => {
    broken(path(client, "C"), wire([fragment(0, "a", undefined, "{}"), ...ended("tool_calls")]));
    broken(path(client, "C"), wire([fragment(0, "a", "", "{}"), ...ended("tool_calls")]));
  });

  test("S7: nulls in a later piece are absent, and no null reaches the client's pieces", () => {
    const tail = chunk({
      tool_calls: [{ index: 0, id: null, type: null, function: { name: null, arguments: ":1}" } }],
    });
    const got = streamed(path(client, "C"), [fragment(0, "a", "bash", '{"x"'), tail, ...ended("tool_calls")]);
    expect(seenOf(client, got)).toMatchObject({ calls: [["bash", { x: 1 }]], ids: ["a"] });
    for (const frame of got.frames) {
      for (const call of list(frame, "choices", 0, "delta", "tool_calls")) {
        expect(JSON.stringify(call)).not.toContain("null");
      }
    }
  });

  test("S8: empty things open nothing and close nothing", () => {
    const empties = [
      chunk({}),
      chunk({ content: "" }),
      chunk({ content: null }),
      chunk({ tool_calls: [] }),
      chunk({ content: "", tool_calls: [], reasoning_content: "" }),
      usageChunk({}),
    ];
    const around = (inner: (JsonObject | string)[]) => inner.flatMap((frame) => [...empties, frame]);
    const frames = [
      ...around([
        hi,
        chunk({ content: " there", tool_calls: [] }),
        fragment(0, "a", "bash", '{"x"'),
        fragment(0, undefined, undefined, ":1}"),
      ]),
      ...empties,
      ...ended("tool_calls"),
    ];
    const got = seenOf(client, streamed(path(client, "C"), frames));
    expect(got).toMatchObject({ text: "Hi there", calls: [["bash", { x: 1 }]], reasoning: "" });
    const only = streamed(path(client, "C"), [...empties, fragment(0, "a", "bash", "{}"), ...ended("tool_calls")]);
    expect(only.text).not.toMatch(/"content_block":\{"type":"text"|output_text|content_part/);
  });

  test("S8: empty blocks, items and parts of the other families leave no part either", () => {
    const emptyBlock = [
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_stop", index: 0 },
    ];
    const cases = [
      ["M", [messageStart(), ...emptyBlock, ...toolBlock(1, "c1", "bash", "{}"), ...messageEnd("tool_use")]],
      ["R", responseFrames([responseMessage("msg_1", ""), responseCall("c1", "bash", "{}")])],
      ["G", [candidate([{ text: "" }, callPart("bash", {})], "STOP")]],
    ] as const;
    for (const [upstream, frames] of cases) {
      const got = streamed(path(client, upstream), frames);
      expect(seenOf(client, got)).toMatchObject({ text: "", calls: [["bash", {}]] });
      expect(got.text, upstream).not.toMatch(/"content_block":\{"type":"text"|output_text|content_part/);
    }
  });

  test.each([
    ["late", [chunk({ content: "Hi" }), chunk({ role: "assistant" })]],
    ["in every chunk", [chunk({ role: "assistant", content: "H" }), chunk({ role: "assistant", content: "i" })]],
    ["null", [chunk({ role: null, content: "Hi" })]],
    ["never", [chunk({ content: "Hi" })]],
  ])("S9: a role that comes %s is told once and first", (_when, frames) => {
    const got = streamed(path(client, "C"), [...frames, ...ended("stop")]);
    expect(seenOf(client, got).text).toBe("Hi");
    if (client !== "C") return;
    expect(got.frames.map((frame) => at(frame, "choices", 0, "delta", "role"))).toEqual([
      "assistant",
      ...got.frames.slice(1).map(() => undefined),
    ]);
  });

  const told = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 };
  const finished = chunk({}, "stop");
  test.each<[string, (JsonObject | string)[], number | undefined]>([
    ["in a chunk behind the finish (b)", [hi, finished, usageChunk(told), "[DONE]"], 13],
    ["in the finish chunk (c)", [hi, { ...finished, usage: told }, "[DONE]"], 13],
    [
      "on every chunk, cumulative (d)",
      [{ ...hi, usage: { ...told, completion_tokens: 1, total_tokens: 10 } }, { ...finished, usage: told }, "[DONE]"],
      13,
    ],
    ["never (e)", [hi, finished, "[DONE]"], undefined],
    ["behind the end mark (f)", [hi, finished, "[DONE]", usageChunk(told)], undefined],
    ["before an empty chunk (g)", [hi, finished, usageChunk(told), usageChunk({}), "[DONE]"], 13],
  ])("S10: from C, usage that is told %s counts once", (_place, frames, total) => {
    expect(totalOf(client, streamed(path(client, "C"), frames))).toBe(total ?? (client === "M" ? 0 : undefined));
  });

  test("S10: usage of the terminal event (a), of start and end, and of every chunk counts once", () => {
    expect(totalOf(client, streamed(path(client, "R"), responseFrames([responseMessage("msg_1", "Hi")])))).toBe(12);
    const blocks = [
      messageStart({ input_tokens: 9, output_tokens: 1 }),
      ...textBlock(0, "Hi"),
      ...messageEnd("end_turn", { output_tokens: 4 }),
    ];
    expect(totalOf(client, streamed(path(client, "M"), blocks))).toBe(13);
    const usage = (candidatesTokenCount: number) => ({
      promptTokenCount: 9,
      candidatesTokenCount,
      totalTokenCount: 9 + candidatesTokenCount,
    });
    const chunks = [candidate([{ text: "H" }], undefined, usage(1)), candidate([{ text: "i" }], "STOP", usage(4))];
    expect(totalOf(client, streamed(path(client, "G"), chunks))).toBe(13);
  });
});

/** Input and output as the client's stream tells them; undefined where it tells none. */
function totalOf(client: Letter, { whole, text }: { whole: JsonObject; text: string }): number | undefined {
  const counters =
    client === "C" ? framesOf(text).findLast(({ usage }) => usage)?.usage : (whole.usage ?? whole.usageMetadata);
  const count = (key: string): number => {
    const value = at(counters, key);
    return typeof value === "number" ? value : 0;
  };
  if (counters === undefined || counters === null) return undefined;
  if (client === "M") return count("input_tokens") + count("output_tokens");
  return count(client === "G" ? "totalTokenCount" : "total_tokens");
}

test("S10: the last word of each counter counts, also where the end tells less than the start", () => {
  const start = messageStart({ input_tokens: 9, cache_read_input_tokens: 100, output_tokens: 1 });
  const { whole } = streamed("G->M", [start, ...textBlock(0, "Hi"), ...messageEnd("end_turn", { output_tokens: 4 })]);
  expect(whole.usageMetadata).toMatchObject({
    promptTokenCount: 109,
    cachedContentTokenCount: 100,
    candidatesTokenCount: 4,
  });
});
