import { describe, expect, test } from "vitest";
import { isObject } from "../shared/read.ts";
import { write } from "../testing/messages-events-fixture.ts";
import { checkStream } from "../testing/messages-grammar.ts";
import {
  block,
  callBlock,
  frame,
  read,
  started,
  stream,
  textBlock,
  whole,
} from "../testing/messages-stream-fixture.ts";

describe("L13 an error frame at any position is one error and no success", () => {
  const error = frame("error", { error: { type: "overloaded_error", message: "Overloaded" } });
  const frames = stream(textBlock(0, ["a", "b"]), callBlock(1, "t", ["{}"])).split(/(?<=\n\n)/);
  test.each(frames.map((_, index) => [index]))("in front of frame %i", (index) => {
    const text = [...frames.slice(0, index), error, ...frames.slice(index)].join("");
    const written = write(read(text));
    expect(checkStream(written).error).toEqual({ type: "overloaded_error", message: "Overloaded" });
    expect(written.match(/event: error/g)).toHaveLength(1);
    expect(written).not.toContain("message_stop");
  });

  test("123 an unnamed error frame counts, and a later [DONE] does not make it a success", () => {
    const text = `${frame("message_start", { message: started() })}data: {"error":{"message":"boom"}}\n\ndata: [DONE]\n\n`;
    expect(read(text).at(-1)).toMatchObject({ type: "error", error: { message: "boom" } });
  });

  test("a web page in the place of a stream", () => {
    expect(read("<html><body>Bad gateway</body></html>").at(-1)).toMatchObject({ error: { kind: "upstream_bad" } });
  });

  test("broken JSON in a frame", () => {
    expect(read(`event: message_start\ndata: {oops\n\n${stream()}`).at(-1)).toMatchObject({
      error: { kind: "upstream_bad" },
    });
  });
});

describe("traps of an upstream stream", () => {
  test("S35 a call without a fragment is {}", () => {
    expect(whole(read(stream(callBlock(0, "a", []))))).toMatchObject({
      candidates: [{ parts: [{ arguments: "{}" }], finish: { reason: "tool" } }],
    });
  });

  test("S1 a call whose input stands whole in its opening", () => {
    expect(whole(read(stream(callBlock(0, "a", [], { x: 1 }))))).toMatchObject({
      candidates: [{ parts: [{ arguments: '{"x":1}' }] }],
    });
  });

  test("S8 an empty text block is no part", () => {
    expect(whole(read(stream(textBlock(0, [""]), callBlock(1, "a", []))))).toMatchObject({
      candidates: [{ parts: [{ type: "tool-call" }] }],
    });
  });

  test("145 input tokens told only at the end count", () => {
    const text = [
      frame("message_start", { message: started({ input_tokens: 0, output_tokens: 0 }) }),
      frame("message_delta", { delta: { stop_reason: "end_turn" }, usage: { input_tokens: 1200, output_tokens: 3 } }),
      frame("message_stop", {}),
    ].join("");
    expect(whole(read(text)).usage).toEqual({ input: { uncached: 1200 }, output: { total: 3 } });
  });

  test("S10 a zero at the end does not take a true number back", () => {
    const text = stream(textBlock(0, ["a"])).replace(
      '"usage":{"output_tokens":5}',
      '"usage":{"input_tokens":0,"output_tokens":5}',
    );
    expect(whole(read(text)).usage).toEqual({ input: { uncached: 10 }, output: { total: 5 } });
  });

  test("S2 interleaved blocks come out one after another", () => {
    const open = (index: number) =>
      frame("content_block_start", {
        index,
        content_block: { type: "tool_use", id: `t${index}`, name: "f", input: {} },
      });
    const piece = (index: number, text: string) =>
      frame("content_block_delta", { index, delta: { type: "input_json_delta", partial_json: text } });
    const stop = (index: number) => frame("content_block_stop", { index });
    const text = stream(
      open(0),
      open(1),
      piece(0, '{"a"'),
      piece(1, '{"b"'),
      piece(0, ":1}"),
      piece(1, ":2}"),
      stop(1),
      stop(0),
    ).replace('"end_turn"', '"tool_use"');
    const { message } = checkStream(write(read(text)));
    expect(message?.content).toMatchObject([{ input: { a: 1 } }, { input: { b: 2 } }]);
  });

  test("S34 a whole answer where a stream was asked for becomes a stream", () => {
    const body = { ...started(), content: [{ type: "text", text: "Hi" }], stop_reason: "end_turn" };
    expect(checkStream(write(read(JSON.stringify(body)))).message?.content).toEqual([{ type: "text", text: "Hi" }]);
  });

  test("a lone error body is an error", () => {
    const body = JSON.stringify({ type: "error", error: { type: "rate_limit_error", message: "Slow." } });
    expect(read(body).at(-1)).toMatchObject({ type: "error", error: { kind: "rate_limit", message: "Slow." } });
  });

  test("85, 88 a signature that comes last is kept, and thinking that was omitted too (L19)", () => {
    const omitted = block(0, { type: "thinking", thinking: "", signature: "" }, [
      { type: "signature_delta", signature: "EqoB" },
    ]);
    const text = write(read(stream(omitted, textBlock(1, ["Hi"]))));
    expect(checkStream(text).message?.content).toEqual([
      { type: "thinking", thinking: "", signature: "EqoB" },
      { type: "text", text: "Hi" },
    ]);
  });

  test("compaction grows by its own deltas and stays whole, and its text is not shown as the answer", () => {
    const compaction = block(0, { type: "compaction", content: null }, [
      { type: "compaction_delta", content: "They said hello.", encrypted_content: "xx" },
    ]);
    expect(whole(read(stream(compaction))).candidates[0]?.parts).toEqual([
      {
        type: "opaque",
        protocol: "messages",
        nativeType: "compaction",
        payload: { type: "compaction", content: "They said hello.", encrypted_content: "xx" },
      },
    ]);
  });

  test("unknown events and pings are skipped", () => {
    const text = stream(textBlock(0, ["Hi"]));
    const noisy = text.replaceAll(/(?<=\n\n)/g, `${frame("ping", {})}${frame("aurora", { colour: "green" })}`);
    expect(whole(read(noisy))).toEqual(whole(read(text)));
  });

  test("L15 a usage that is told twice counts once", () => {
    const delta = frame("message_delta", { delta: { stop_reason: null }, usage: { output_tokens: 5 } });
    const text = stream(textBlock(0, ["Hi"]));
    expect(whole(read(text.replace("event: message_delta", `${delta}event: message_delta`))).usage).toEqual(
      whole(read(text)).usage,
    );
  });

  test("L6.6 the reader never throws on arbitrary bytes", () => {
    for (const text of [
      "",
      "\n\n",
      "data: 5\n\n",
      "data: null\n\n",
      "[1,2]",
      "{}",
      "event: content_block_delta\ndata: {}\n\n",
    ]) {
      expect(read(text).at(-1)?.type).toBe("error");
    }
  });

  test("a search keeps its blocks, and dense indexes, on the way back to its own protocol (S37)", () => {
    const use = block(0, { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} }, [
      { type: "input_json_delta", partial_json: '{"query":' },
      { type: "input_json_delta", partial_json: '"cats"}' },
    ]);
    const result = block(1, { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] }, []);
    const { message } = checkStream(write(read(stream(use, result, textBlock(2, ["Cats."])))));
    const content = message?.content;
    expect(Array.isArray(content) && content.map((item) => isObject(item) && item.type)).toEqual([
      "server_tool_use",
      "web_search_tool_result",
      "text",
    ]);
    expect(content).toMatchObject([{ input: { query: "cats" } }, {}, {}]);
  });
});
