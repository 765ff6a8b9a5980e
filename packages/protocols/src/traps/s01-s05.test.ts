import { describe, expect, test } from "vitest";
import type { JsonObject } from "../canonical/index.ts";
import { at, broken, streamed, wire } from "../peer-bugs/scene.ts";
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
} from "../peer-bugs/wire-frames.ts";
import { carry, runStream, utf8 } from "../testing/carrying.ts";
import { type Letter, letters, protocolOf } from "../testing/letters.ts";
import { sides } from "../testing/protocol-sides.ts";
import { endWords, seenOf } from "./seen.ts";
import { ended, path } from "./streams.ts";

const hi = chunk({ role: "assistant", content: "Hi" });

/** What the client gets of each piece by itself, in order. */
function live(client: Letter, upstream: Letter, frames: readonly (JsonObject | string)[]): string[] {
  const [to, from] = [sides[protocolOf[client]], sides[protocolOf[upstream]]];
  const stream = carry(to, from, to.body(1, true), { stream: true }).createStream();
  return wire(frames).map((frame) => stream.push(utf8(frame)).text);
}

describe.each(letters)("to a client of %s", (client) => {
  const wholeCall: readonly [Letter, (JsonObject | string)[]][] = [
    ["C", [hi, fragment(0, "c1", "Bash", '{"command":"ls"}'), ...ended("tool_calls")]],
    ["R", responseFrames([responseMessage("msg_1", "Hi"), responseCall("c1", "Bash", '{"command":"ls"}')])],
    [
      "M",
      [
        messageStart(),
        ...textBlock(0, "Hi"),
        ...[
          {
            type: "content_block_start",
            index: 1,
            content_block: { type: "tool_use", id: "c1", name: "Bash", input: { command: "ls" } },
          },
          { type: "content_block_stop", index: 1 },
        ],
        ...messageEnd("tool_use"),
      ],
    ],
    ["G", [candidate([{ text: "Hi" }, callPart("Bash", { command: "ls" })], "STOP")]],
  ];
  test.each(wholeCall)(
    "S1: from %s, a whole call in the piece that changes the kind of block keeps its arguments",
    (upstream, frames) => {
      const got = streamed(path(client, upstream), frames);
      expect(seenOf(client, got)).toMatchObject({
        text: "Hi",
        calls: [["Bash", { command: "ls" }]],
        end: endWords[client].tool,
      });
      if (client !== "M") return;
      const blocks = got.frames.filter(({ index }) => index === 1);
      expect(at(blocks[0], "content_block")).toMatchObject({ type: "tool_use", input: {} });
      expect(blocks.slice(1).map((frame) => at(frame, "delta", "partial_json") ?? frame.type)).toEqual([
        '{"command":"ls"}',
        "content_block_stop",
      ]);
    },
  );

  test("S2: from C, interleaved parallel calls come one after another, each with its own arguments", () => {
    const frames = [
      fragment(0, "c0", "a", '{"a"'),
      fragment(1, "c1", "b", '{"b"'),
      fragment(0, undefined, undefined, ":1}"),
      fragment(1, undefined, undefined, ":2}"),
      ...ended("tool_calls"),
    ];
    expect(seenOf(client, streamed(path(client, "C"), frames)).calls).toEqual([
      ["a", { a: 1 }],
      ["b", { b: 2 }],
    ]);
  });

  test("S2: from M and R, interleaved blocks and items come one after another", () => {
    const [one, two] = [toolBlock(0, "c0", "a", '{"a":1}'), toolBlock(1, "c1", "b", '{"b":2}')];
    const mixed = [0, 1, 2].flatMap((step) => [one[step] ?? {}, two[step] ?? {}]);
    const blocks = [messageStart(), ...mixed, ...messageEnd("tool_use")];
    const items = responseFrames([responseCall("c0", "a", '{"a":1}'), responseCall("c1", "b", '{"b":2}')]);
    const [created, a1, a2, a3, a4, b1, b2, b3, b4, done] = items;
    const shuffled = [created, a1, b1, a2, b2, a3, b3, a4, b4, done].map((frame) => frame ?? {});
    for (const [upstream, frames] of [["M", blocks] as const, ["R", shuffled] as const]) {
      expect(seenOf(client, streamed(path(client, upstream), frames)).calls).toEqual([
        ["a", { a: 1 }],
        ["b", { b: 2 }],
      ]);
    }
  });

  test("S2: a call that parses is not over for that: more of it may come", () => {
    const frames = [
      fragment(0, "c0", "a", "{}"),
      fragment(0, undefined, undefined, " \n"),
      fragment(1, "c1", "b", "1"),
      fragment(1, undefined, undefined, "2"),
      ...ended("tool_calls"),
    ];
    const { calls } = seenOf(client, streamed(path(client, "C"), frames));
    // Arguments that are no object are wrapped for clients that want one (T14).
    expect(calls).toEqual([
      ["a", {}],
      ["b", client === "M" || client === "G" ? { value: 12 } : 12],
    ]);
  });

  test("S2: text behind a whole call is not lost, and text behind half a call waits for its rest", () => {
    const whole = [fragment(0, "c0", "a", "{}"), chunk({ content: "Then." }), ...ended("tool_calls")];
    expect(seenOf(client, streamed(path(client, "C"), whole))).toMatchObject({ text: "Then.", calls: [["a", {}]] });
    const half = [
      fragment(0, "c0", "a", '{"x"'),
      chunk({ content: "Then." }),
      fragment(0, undefined, undefined, ":1}"),
      ...ended("tool_calls"),
    ];
    expect(seenOf(client, streamed(path(client, "C"), half))).toMatchObject({
      text: "Then.",
      calls: [["a", { x: 1 }]],
    });
  });

  test("S3: calls without an index are told apart by id, a tail goes to the only open call, a name opens another", () => {
    const byId = [
      fragment(undefined, "c0", "a", '{"a":'),
      fragment(undefined, "c1", "b", '{"b":2}'),
      fragment(undefined, "c0", undefined, "1}"),
      ...ended("tool_calls"),
    ];
    const byName = [
      fragment(undefined, undefined, "a", '{"a":'),
      fragment(undefined, undefined, undefined, "1}"),
      fragment(undefined, undefined, "b", '{"b":2}'),
      ...ended("tool_calls"),
    ];
    for (const frames of [byId, byName]) {
      expect(seenOf(client, streamed(path(client, "C"), frames)).calls).toEqual([
        ["a", { a: 1 }],
        ["b", { b: 2 }],
      ]);
    }
  });

  test("S3: a piece that belongs to none of several open calls is an error, never a guess", () => {
    const frames = [
      fragment(0, "c0", "a", '{"a":'),
      fragment(1, "c1", "b", '{"b":'),
      fragment(7, undefined, undefined, "1}"),
    ];
    broken(path(client, "C"), wire([...frames, ...ended("tool_calls")]));
    broken(path(client, "C"), wire([fragment(undefined, undefined, undefined, "{}"), ...ended("tool_calls")]));
  });

  test("S4: a new id on a known index is a new call, the same id again is the same call", () => {
    const frames = [
      fragment(0, "a", "read", '{"p":1}'),
      fragment(0, "b", "read", '{"p":'),
      fragment(0, "b", undefined, "2}"),
      ...ended("tool_calls"),
    ];
    const got = seenOf(client, streamed(path(client, "C"), frames));
    expect(got.calls).toEqual([
      ["read", { p: 1 }],
      ["read", { p: 2 }],
    ]);
    expect(got.ids).toEqual(["a", "b"]);
  });

  test("S5: a tail under another index than its head goes to the one call that is not whole", () => {
    const frames = [
      fragment(0, "a", "read", '{"p":1}'),
      fragment(0, "b", "read", '{"p"'),
      fragment(1, undefined, undefined, ":2}"),
      ...ended("tool_calls"),
    ];
    expect(seenOf(client, streamed(path(client, "C"), frames)).calls).toEqual([
      ["read", { p: 1 }],
      ["read", { p: 2 }],
    ]);
  });

  test("S5: a call that does not parse at the end is never told as one that could run", () => {
    const frames = [fragment(0, "a", "read", '{"p":'), ...ended("tool_calls")];
    if (client === "G") {
      expect(seenOf(client, streamed(path(client, "C"), frames)).end).toBe("MALFORMED_FUNCTION_CALL");
      return;
    }
    const { text } = broken(path(client, "C"), wire(frames));
    expect(text).toContain("not JSON");
  });
});

test("S2: the first call streams at once, the second waits; text waits while a call is open", () => {
  const pieces = live("M", "C", [
    fragment(0, "c0", "a", '{"a"'),
    fragment(1, "c1", "b", '{"b"'),
    chunk({ content: "Then." }),
    fragment(0, undefined, undefined, ":1}"),
    fragment(1, undefined, undefined, ":2}"),
  ]);
  expect(pieces[0]).toContain('{\\"a\\"');
  expect(pieces[1]).toBe("");
  expect(pieces[2]).toBe("");
  expect(pieces[3]).toContain(":1}");
  expect(pieces.join("")).not.toContain("Then.");
});

test("S1: no byte of a payload is lost at any change of the kind of block", () => {
  const kinds: JsonObject[] = [
    { reasoning_content: "R" },
    { content: "T" },
    { tool_calls: [{ index: 0, id: "c", type: "function", function: { name: "f", arguments: "{}" } }] },
  ];
  for (const first of kinds) {
    for (const second of kinds) {
      if (first === second) continue;
      const { text, ended: how } = runStream(
        carry(sides.messages, sides["chat-completions"], sides.messages.body(1, true), { stream: true }).createStream(),
        wire([chunk({ ...first, ...second }), ...ended("stop")]).map(utf8),
      );
      expect(how).toBe("good");
      for (const mark of [first, second]) {
        const shown = mark.content ?? mark.reasoning_content ?? '"name":"f"';
        expect(text).toContain(shown);
      }
    }
  }
});
