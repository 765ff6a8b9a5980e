import { describe, expect, test } from "vitest";
import type { CanonicalResponse } from "../canonical/index.ts";
import { carry, readStream, runStream, utf8, wireAnswer, wireFrames } from "../testing/carrying.ts";
import { pairs } from "../testing/protocol-sides.ts";
import { answered, at, list, refused, sent, streamed } from "./scene.ts";
import {
  callPart,
  candidate,
  chunk,
  completion,
  fragment,
  messageEnd,
  messageStart,
  responseCall,
  responseFrames,
  responseMessage,
  textBlock,
  thinkingBlock,
  toolBlock,
  toolCall,
} from "./wire-frames.ts";

const tool = { name: "read", input_schema: { type: "object", properties: { path: { type: "string" } } } };
const image = { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" };
const pdf = { type: "base64", media_type: "application/pdf", data: "JVBERi0xLjQ=" };
const done = "[DONE]";

/** A call of a tool and a result with the content, as a Messages client replays it. */
function resultTurns(content: readonly object[]) {
  return JSON.parse(
    JSON.stringify([
      { role: "user", content: "Look." },
      { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "read", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content }] },
    ]),
  );
}

test("peer bug 1 S1: a call that comes whole in one chunk streams its whole input", () => {
  const answer = candidate([callPart("read", { path: "a.txt" })], "STOP");
  const { whole } = streamed("M->G", [answer]);
  expect(list(whole, "content")).toMatchObject([{ type: "tool_use", name: "read", input: { path: "a.txt" } }]);
  expect(list(answered("M->G", answer), "content")[0]?.input).toEqual({ path: "a.txt" });
});

test("peer bug 2 S1: the chunk that opens a block keeps the arguments that it brings", () => {
  const text = '{"path":"a.txt"}';
  const { whole } = streamed("M->C", [
    chunk({ content: "Hm." }),
    fragment(0, "c1", "read", text),
    chunk({}, "tool_calls"),
    done,
  ]);
  expect(list(whole, "content")).toMatchObject([
    { type: "text", text: "Hm." },
    { type: "tool_use", input: { path: "a.txt" } },
  ]);
});

describe("peer bug 3 L8: a stream holds the same parameters as the whole answer", () => {
  const call = { type: "tool-call", toolKind: "function" } as const;
  const answer: CanonicalResponse = {
    id: "r",
    model: "m",
    candidates: [
      {
        index: 0,
        parts: [
          { type: "text", text: "Two calls." },
          { ...call, callId: "c1", name: "read", arguments: '{"path":"a.txt","lines":[1,2]}' },
          { ...call, callId: "c2", name: "read", arguments: '{"path":"b.txt"}' },
        ],
        finish: { reason: "tool" },
      },
    ],
  };
  for (const { name, client, upstream } of pairs("crossing")) {
    test(name, () => {
      const whole = carry(client, upstream, client.body(1, false)).convertResponse(wireAnswer(upstream, answer));
      const conversion = carry(client, upstream, client.body(1, true), { stream: true });
      const { text } = runStream(conversion.createStream(), wireFrames(upstream, answer, 3).map(utf8));
      const inputs = (parts: CanonicalResponse["candidates"][0]["parts"] = []) =>
        parts.flatMap((part) => (part.type === "tool-call" ? [[part.name, JSON.parse(part.arguments)]] : []));
      const told = inputs(client.codec.decodeResponse(whole.body).candidates[0]?.parts);
      expect(told).toEqual([
        ["read", { path: "a.txt", lines: [1, 2] }],
        ["read", { path: "b.txt" }],
      ]);
      expect(inputs(readStream(client.codec, text).candidates[0]?.parts)).toEqual(told);
    });
  }
});

test("peer bug 4 S8: an answer that only calls has no empty text block and stops for the tool", () => {
  const { whole } = streamed("M->C", [
    chunk({ role: "assistant", content: "" }),
    fragment(0, "c1", "read", "{}"),
    chunk({}, "stop"),
    done,
  ]);
  expect(list(whole, "content").map(({ type }) => type)).toEqual(["tool_use"]);
  expect(whole.stop_reason).toBe("tool_use");
});

test("peer bug 5 S8: an empty list of calls beside a text is text", () => {
  const said = ["He", "llo"].map((content) => chunk({ content, tool_calls: [] }));
  const { whole, text } = streamed("M->C", [...said, chunk({ tool_calls: [] }, "stop"), done]);
  expect(list(whole, "content")).toMatchObject([{ type: "text", text: "Hello" }]);
  expect(text).not.toContain("input_json_delta");
});

test("peer bug 6 S2: calls that follow each other directly are blocks of their own", () => {
  const { whole } = streamed("M->C", [
    fragment(0, "c1", "read", '{"path":'),
    fragment(0, undefined, undefined, '"a"}'),
    fragment(1, "c2", "read", '{"path":"b"}'),
    chunk({}, "tool_calls"),
    done,
  ]);
  expect(list(whole, "content")).toMatchObject([
    { id: "c1", input: { path: "a" } },
    { id: "c2", input: { path: "b" } },
  ]);
});

test("peer bug 7: a call behind thinking and text is there, and is what the answer stopped for", () => {
  const { whole } = streamed("C->M", [
    messageStart(),
    ...thinkingBlock(0, "Hm.", "c2ln"),
    ...textBlock(1, "I read."),
    ...toolBlock(2, "toolu_1", "read", '{"path":"a"}'),
    ...messageEnd("tool_use"),
  ]);
  expect(at(whole, "choices", 0)).toMatchObject({
    finish_reason: "tool_calls",
    message: {
      content: "I read.",
      reasoning_content: "Hm.",
      tool_calls: [{ id: "toolu_1", function: { name: "read", arguments: '{"path":"a"}' } }],
    },
  });
});

test("peer bug 8 S17: reasoning that comes first is a thinking block before the text", () => {
  const { whole } = streamed("M->C", [
    chunk({ role: "assistant", reasoning_content: "Let me " }),
    chunk({ reasoning_content: "see." }),
    chunk({ content: "Yes." }, "stop"),
    done,
  ]);
  expect(list(whole, "content")).toMatchObject([
    { type: "thinking", thinking: "Let me see." },
    { type: "text", text: "Yes." },
  ]);
});

test("peer bug 9: calls count from 0 without gaps, wherever their items stand", () => {
  const items = [responseMessage("msg_1", "Hm."), responseCall("c1", "read", "{}"), responseCall("c2", "read", "{}")];
  const { frames } = streamed("C->R", responseFrames(items));
  const heads = frames.flatMap((frame) => list(frame, "choices", 0, "delta", "tool_calls")).filter(({ id }) => id);
  expect(heads.map(({ id, index }) => [id, index])).toEqual([
    ["c1", 0],
    ["c2", 1],
  ]);
});

test("peer bug 10 S31: every chunk bears the same id", () => {
  const { frames } = streamed(
    "C->R",
    responseFrames([responseMessage("msg_1", "a"), responseCall("c1", "read", "{}")]),
  );
  expect(frames.length).toBeGreaterThan(3);
  expect(new Set(frames.map(({ id }) => id)).size).toBe(1);
});

test("peer bug 11 S31: items have ids of their own kind, the same at every mention", () => {
  const { frames, whole } = streamed("R->C", [
    chunk({ reasoning_content: "a" }),
    chunk({ reasoning_content: "b" }),
    chunk({ content: "c" }),
    fragment(0, "c1", "read", "{}"),
    chunk({}, "tool_calls"),
    done,
  ]);
  const items = list(whole, "output");
  expect(items.map(({ id }) => String(id).split("_")[0])).toEqual(["rs", "msg", "fc"]);
  expect(String(whole.id)).toMatch(/^resp_/);
  const told = frames.map((frame) => frame.item_id ?? at(frame, "item", "id")).filter((id) => id !== undefined);
  expect(new Set(told)).toEqual(new Set(items.map(({ id }) => id)));
});

test("peer bug 12 R1: an answer has one id in all events, and a turn that builds on it is refused, not guessed", () => {
  const { frames, whole } = streamed("R->M", [messageStart(), ...textBlock(0, "Hi"), ...messageEnd("end_turn")]);
  const ids = frames.flatMap((frame) => at(frame, "response", "id") ?? []);
  expect(ids.length).toBeGreaterThan(2);
  expect(new Set(ids)).toEqual(new Set([whole.id]));
  const error = refused("R->M", { input: [{ role: "user", content: "On" }], previous_response_id: String(whole.id) });
  expect(error).toMatchObject({ status: 400, param: "previous_response_id" });
});

test("peer bug 13 R1: a turn whose history the upstream cannot see is refused", () => {
  const error = refused("R->G", { previous_response_id: "resp_1" });
  expect(error).toMatchObject({ status: 400, param: "previous_response_id" });
});

test("peer bug 14 S14: a text that is told by deltas, by its end and by the answer's end comes once", () => {
  const { whole } = streamed("C->R", responseFrames([responseMessage("msg_1", "Only once.")]));
  expect(at(whole, "choices", 0, "message", "content")).toBe("Only once.");
});

test("peer bug 15: a thought signature that came in a stream goes back with its call", () => {
  const { whole } = streamed("C->G", [candidate([callPart("read", { path: "a" }, "c2lnLTE=")], "STOP")]);
  const assistant = at(whole, "choices", 0, "message");
  const id = at(assistant, "tool_calls", 0, "id");
  const { body } = sent("C->G", {
    messages: [
      { role: "user", content: "Hi" },
      assistant ?? null,
      { role: "tool", tool_call_id: id ?? null, content: "text" },
    ],
  });
  expect(at(body, "contents", 1, "parts", 0)).toMatchObject({
    functionCall: { name: "read" },
    thoughtSignature: "c2lnLTE=",
  });
});

test("peer bug 16 S18: a signature on the last text of an answer without calls goes back with it", () => {
  const parts = [{ text: "Yes." }, { text: "", thoughtSignature: "c2lnLTI=" }];
  const { whole } = streamed("C->G", [candidate(parts, "STOP")]);
  const { text } = sent("C->G", {
    messages: [
      { role: "user", content: "Hi" },
      at(whole, "choices", 0, "message") ?? null,
      { role: "user", content: "Go on" },
    ],
  });
  expect(text).toContain('"text":"Yes.","thoughtSignature":"c2lnLTI="');
});

test("peer bug 17 T15: a screenshot in a tool's result stays a picture", () => {
  for (const model of ["gemini-3-flash", "gemini-2.5-pro"]) {
    const { text } = sent(
      "M->G",
      { messages: resultTurns([{ type: "image", source: image }]), tools: [tool] },
      { model },
    );
    expect(text.match(/"inlineData":\{"mimeType":"image\/png","data":"iVBORw0KGgo="\}/g)).toHaveLength(1);
    expect(text.match(/iVBORw0KGgo=/g)).toHaveLength(1);
  }
});

test("peer bug 18 T15: a PDF in a tool's result stays a document", () => {
  const { body } = sent("M->R", { messages: resultTurns([{ type: "document", source: pdf }]), tools: [tool] });
  const output = list(body, "input").find(({ type }) => type === "function_call_output");
  expect(output?.output).toMatchObject([{ type: "input_file", file_data: "data:application/pdf;base64,JVBERi0xLjQ=" }]);
});

test("peer bug 19 T5: a free-text tool goes round with its raw input, in the history too", () => {
  const patch = "*** Begin Patch\n*** End Patch";
  const more = {
    tools: [{ type: "custom", name: "apply_patch", description: "Edits files." }],
    input: [
      { role: "user", content: "Edit." },
      { type: "custom_tool_call", call_id: "c0", name: "apply_patch", input: patch },
      { type: "custom_tool_call_output", call_id: "c0", output: "ok" },
    ],
  };
  const { body } = sent("R->C", more, { model: "deepseek-chat" });
  expect(at(body, "tools", 0, "function", "name")).toBe("apply_patch");
  expect(at(body, "messages", 1, "tool_calls", 0, "function", "arguments")).toBe(JSON.stringify({ input: patch }));
  const calls = [toolCall("c1", "apply_patch", JSON.stringify({ input: patch }))];
  const answer = answered("R->C", completion({ tool_calls: calls }, "tool_calls"), more, { model: "deepseek-chat" });
  expect(list(answer, "output")).toMatchObject([
    { type: "custom_tool_call", call_id: "c1", name: "apply_patch", input: patch },
  ]);
});

test("peer bug 20: tools and choices in the flat form of another protocol are taken beside nested ones", () => {
  const parameters = { type: "object", properties: {} };
  const { body } = sent("C->M", {
    tools: [
      { type: "function", name: "flat", parameters },
      { type: "function", function: { name: "nested", parameters } },
    ],
    tool_choice: { type: "function", name: "flat" },
  });
  expect(list(body, "tools").map(({ name }) => name)).toEqual(["flat", "nested"]);
  expect(body.tool_choice).toMatchObject({ type: "tool", name: "flat" });
});
