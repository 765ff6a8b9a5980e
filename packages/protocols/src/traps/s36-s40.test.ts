import { describe, expect, test } from "vitest";
import type { JsonObject } from "../canonical/index.ts";
import { at, framesOf, list, streamed } from "../peer-bugs/scene.ts";
import {
  callPart,
  candidate,
  chunk,
  messageEnd,
  messageStart,
  responseCall,
  responseFrames,
  responseMessage,
  textBlock,
  toolBlock,
} from "../peer-bugs/wire-frames.ts";
import { utf8 } from "../testing/carrying.ts";
import { type Letter, letters } from "../testing/letters.ts";
import { endWords, seen, seenOf } from "./seen.ts";
import { path, textAndCall } from "./streams.ts";

const streams = textAndCall("Hi", { a: 1 });

describe.each(letters)("to a client of %s", (client) => {
  test("S36: a source of M and of Gemini stands where the client looks for it, counted in its own units", () => {
    const said = "Größe 🌍 hier";
    const cited = {
      type: "web_search_result_location",
      url: "https://a.example/",
      title: "A",
      cited_text: "Größe",
      encrypted_index: "x",
    };
    const block = [...textBlock(0, said)];
    block.splice(2, 0, { type: "content_block_delta", index: 0, delta: { type: "citations_delta", citation: cited } });
    const fromMessages = streamed(path(client, "M"), [messageStart(), ...block, ...messageEnd("end_turn")]);
    const segment = { startIndex: 0, endIndex: utf8("Größe 🌍").length, text: "Größe 🌍" };
    const groundingMetadata = {
      groundingChunks: [{ web: { uri: "https://a.example/", title: "A" } }],
      groundingSupports: [{ segment, groundingChunkIndices: [0] }],
    };
    const [last] = list(candidate([{ text: " hier" }], "STOP"), "candidates");
    const grounded = [
      candidate([{ text: "Größe 🌍" }]),
      { ...candidate([]), candidates: [{ ...last, groundingMetadata }] },
    ];
    const fromGemini = streamed(path(client, "G"), grounded);
    for (const { text, whole } of [fromMessages, fromGemini]) {
      expect(seen(client, whole).text).toBe(said);
      expect(text).toContain("https://a.example/");
    }
    if (client !== "R") return;
    const names = fromGemini.frames.map(({ type }) => type);
    expect(names.indexOf("response.output_text.annotation.added")).toBeGreaterThan(
      names.indexOf("response.output_text.delta"),
    );
    expect(names.indexOf("response.output_text.annotation.added")).toBeLessThan(
      names.indexOf("response.output_text.done"),
    );
    const added = fromGemini.frames.find(({ type }) => type === "response.output_text.annotation.added");
    expect(at(added, "annotation")).toMatchObject({ start_index: 0, end_index: "Größe 🌍".length });
  });

  test("S37: what a provider's own tool did leaves no hole in the client's places", () => {
    const search = [
      {
        type: "content_block_start",
        index: 0,
        content_block: { type: "server_tool_use", id: "srv_1", name: "web_search", input: {} },
      },
      { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: '{"query":"x"}' } },
      { type: "content_block_stop", index: 0 },
      {
        type: "content_block_start",
        index: 1,
        content_block: { type: "web_search_tool_result", tool_use_id: "srv_1", content: [] },
      },
      { type: "content_block_stop", index: 1 },
    ];
    const cases: [Letter, (JsonObject | string)[]][] = [
      [
        "M",
        [
          messageStart(),
          ...search,
          ...textBlock(2, "Hi"),
          ...toolBlock(3, "c1", "read", "{}"),
          ...messageEnd("tool_use"),
        ],
      ],
      [
        "R",
        responseFrames([
          { type: "code_interpreter_call", id: "ci_1", status: "completed", code: "1", container_id: "x", outputs: [] },
          responseMessage("msg_1", "Hi"),
          responseCall("c1", "read", "{}"),
        ]),
      ],
      [
        "G",
        [
          candidate([
            { executableCode: { language: "PYTHON", code: "1" } },
            { codeExecutionResult: { outcome: "OUTCOME_OK", output: "1" } },
          ]),
          candidate([{ text: "Hi" }, callPart("read", {})], "STOP"),
        ],
      ],
    ];
    // The client's own parser demands indexes without a hole.
    for (const [upstream, frames] of cases) {
      expect(seenOf(client, streamed(path(client, upstream), frames)), upstream).toMatchObject({
        text: "Hi",
        calls: [["read", {}]],
      });
    }
  });

  test("S38: padding of R is not content and goes no further", () => {
    const padded = streams.R.map((frame) =>
      typeof frame === "object" && String(frame.type).endsWith(".delta") ? { ...frame, obfuscation: "padPAD" } : frame,
    );
    const got = streamed(path(client, "R"), padded);
    expect(got.text).toBe(streamed(path(client, "R"), streams.R).text);
    expect(got.text).not.toContain("padPAD");
  });

  test("S39: a text that looks like an error is a text", () => {
    const words = "upstream error: 500 overloaded";
    const frames = [chunk({ role: "assistant", content: words }), chunk({}, "stop"), "[DONE]"];
    expect(seenOf(client, streamed(path(client, "C"), frames))).toMatchObject({
      text: words,
      end: endWords[client].stop,
    });
  });
});

test.each(letters)("S40: from %s, the numbers of R are our own, from 0 without a gap", (upstream) => {
  const shifted = streams[upstream].map((frame) =>
    typeof frame === "object" && "sequence_number" in frame ? { ...frame, sequence_number: 1000 } : frame,
  );
  const numbers = framesOf(streamed(path("R", upstream), shifted).text).map(({ sequence_number }) => sequence_number);
  expect(numbers).toEqual(numbers.map((_, index) => index));
});
