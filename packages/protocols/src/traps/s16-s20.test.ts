import { describe, expect, test } from "vitest";
import type { JsonObject } from "../canonical/index.ts";
import { at, list, sent, streamed, wire } from "../peer-bugs/scene.ts";
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
import { replayed } from "../testing/replay.ts";
import { seenOf } from "./seen.ts";
import { ended, path } from "./streams.ts";

describe.each(letters)("to a client of %s", (client) => {
  test("S17: reasoning alone opens reasoning, text closes it, and later reasoning is a new part", () => {
    const frames = [
      chunk({ role: "assistant", reasoning_content: "One." }),
      chunk({ content: "Text." }),
      chunk({ reasoning_content: "Two." }),
      fragment(0, "c0", "read", "{}"),
      ...ended("tool_calls"),
    ];
    const got = streamed(path(client, "C"), frames);
    expect(seenOf(client, got)).toMatchObject({ text: "Text.", calls: [["read", {}]] });
    // Chat completions has one slot for all of it, with a gap between its parts.
    expect(seenOf(client, got).reasoning.replace("\n\n", "")).toBe("One.Two.");
    if (client === "M") {
      expect(list(got.whole, "content").map(({ type }) => type)).toEqual(["thinking", "text", "thinking", "tool_use"]);
      const starts = got.frames.filter(({ type }) => type === "content_block_start");
      expect(starts.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
      for (const block of list(got.whole, "content"))
        if (block.type === "thinking") expect(block.signature).not.toBe("");
    }
    const alone = [chunk({ reasoning_content: "Hm." }), ...ended("stop")];
    expect(seenOf(client, streamed(path(client, "C"), alone)).reasoning).toBe("Hm.");
  });

  /** Where Gemini gets its signature back on the next turn: the part that bears it. */
  function signedBack(frames: JsonObject[]): JsonObject[] {
    const side = sides[protocolOf[client]];
    const next = replayed(side.name, side.body(1, true), streamed(path(client, "G"), frames).whole);
    const { body } = sent(path(client, "G"), next);
    return list(body, "contents")
      .flatMap((content) => list(content, "parts"))
      .filter(({ thoughtSignature }) => thoughtSignature === "c2ln");
  }

  test("S18: a signature on an empty part goes to the next call, else to the last text", () => {
    const empty = { text: "", thoughtSignature: "c2ln" };
    const thought = { ...empty, thought: true };
    for (const part of [empty, thought]) {
      const call = [candidate([part]), candidate([callPart("read", {})], "STOP")];
      expect(signedBack(call)).toMatchObject([{ functionCall: { name: "read" } }]);
    }
    const [text, ...others] = signedBack([candidate([{ text: "Hi" }]), candidate([empty], "STOP")]);
    expect(text).toBeDefined();
    expect(text).not.toHaveProperty("functionCall");
    expect(others).toEqual([]);
  });

  test("S19: arguments that come by path are one object, told whole", () => {
    const piece = (fields: JsonObject) => candidate([{ functionCall: fields }]);
    const frames = [
      piece({ name: "read", willContinue: true }),
      piece({ partialArgs: [{ jsonPath: "$.a", stringValue: "x", willContinue: true }], willContinue: true }),
      piece({
        partialArgs: [
          { jsonPath: "$.a", stringValue: "y" },
          { jsonPath: "$.b[0].c", numberValue: 2 },
        ],
        willContinue: true,
      }),
      piece({}),
      candidate([], "STOP"),
    ];
    expect(seenOf(client, streamed(path(client, "G"), frames)).calls).toEqual([["read", { a: "xy", b: [{ c: 2 }] }]]);
  });

  test("S20: an upstream that streams one JSON array, in pieces, is read like events", () => {
    const chunks = [candidate([{ text: "größer " }]), candidate([{ text: "🌍" }], "STOP")];
    const text = `[${chunks.map((each) => JSON.stringify(each)).join(",\r\n")}\n]`;
    const side = sides[protocolOf[client]];
    for (const size of [1, 5, text.length * 4]) {
      const bytes = utf8(text);
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      const conversion = carry(side, sides["generate-content"], side.body(1, true), { stream: true });
      const carried = runStream(conversion.createStream(), pieces);
      expect(carried.ended).toBe("good");
      expect(side.verdict(carried.text, 1)).toBe("good");
      expect(JSON.stringify(side.whole(carried.text, 1))).toContain("größer 🌍");
    }
  });
});

test.each(["C", "M", "G", "R"] as const)(
  "S16: from %s, no delta of a text or a call comes before its item was added",
  (upstream) => {
    const cases: Record<Letter, (JsonObject | string)[]> = {
      C: [chunk({ content: "Hi" }), fragment(0, "c1", "read", "{}"), ...ended("tool_calls")],
      M: [messageStart(), ...textBlock(0, "Hi"), ...toolBlock(1, "c1", "read", "{}"), ...messageEnd("tool_use")],
      G: [candidate([{ text: "Hi" }]), candidate([callPart("read", {})], "STOP")],
      R: responseFrames([responseMessage("msg_1", "Hi"), responseCall("c1", "read", "{}")]),
    };
    const open = new Set<unknown>();
    let deltas = 0;
    for (const frame of streamed(path("R", upstream), cases[upstream]).frames) {
      if (frame.type === "response.output_item.added") open.add(at(frame, "item", "id"));
      if (!String(frame.type).endsWith(".delta")) continue;
      deltas += 1;
      expect(open.has(frame.item_id), String(frame.type)).toBe(true);
    }
    expect(deltas).toBe(2);
  },
);

test.each(letters)(
  "S20: from %s, a Gemini client without alt=sse gets one JSON array, whole elements at a time",
  (upstream) => {
    const cases: Record<Letter, (JsonObject | string)[]> = {
      C: [chunk({ content: "Hi" }), chunk({ content: " there" }), ...ended("stop")],
      M: [messageStart(), ...textBlock(0, "Hi"), ...textBlock(1, " there"), ...messageEnd("end_turn")],
      G: [candidate([{ text: "Hi" }]), candidate([{ text: " there" }], "STOP")],
      R: responseFrames([responseMessage("msg_1", "Hi"), responseMessage("msg_2", " there")]),
    };
    const [client, from] = [sides["generate-content"], sides[protocolOf[upstream]]];
    const conversion = carry(client, from, client.body(1, true), { stream: true, framing: "json-array" });
    const stream = conversion.createStream();
    let text = "";
    for (const frame of wire(cases[upstream])) {
      const step = stream.push(utf8(frame));
      text += step.text + (step.final?.text ?? "");
      if (text !== "" && !step.final) expect(() => JSON.parse(`${text}]`)).not.toThrow();
    }
    const last = stream.close();
    text += last.text + (last.final?.text ?? "");
    const elements: JsonObject[] = JSON.parse(text);
    expect(
      elements.flatMap((each) => list(each, "candidates", 0, "content", "parts").map((part) => part.text)).join(""),
    ).toContain("Hi there");
    expect(client.verdict(text, 1)).toBe("good");
  },
);
