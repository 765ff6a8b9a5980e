import { describe, expect, test } from "vitest";
import { type JsonObject, ProtocolError } from "../canonical/index.ts";
import { answered, answerNotices, at, broken, list, refused, sent, streamed, wire } from "./scene.ts";
import {
  callPart,
  candidate,
  chunk,
  fragment,
  message,
  messageEnd,
  messageStart,
  responseCall,
  responseFrames,
  responseMessage,
  textBlock,
  thinkingBlock,
  toolBlock,
} from "./wire-frames.ts";

const hello = [{ role: "user", content: "Hi" }];
const spoken = { role: "user", content: "Hi" };
const object = { type: "object", properties: { a: { type: "string" } }, required: ["a"], additionalProperties: false };
const pdf = "JVBERi0xLjQ=";

describe("peer bug 121 S25: half a call is an error in every protocol, never a limit and never a success", () => {
  const upstreams: Record<string, (JsonObject | string)[]> = {
    C: [chunk({ role: "assistant" }), fragment(0, "c1", "read", '{"a":')],
    M: [messageStart(), ...toolBlock(0, "t1", "read", '{"a":').slice(0, 2)],
    R: responseFrames([responseCall("c1", "read", '{"a":1}')]).slice(0, 3),
  };
  for (const client of ["C", "R", "M", "G"] as const) {
    test.each(Object.entries(upstreams))(`${client} of %s`, (upstream, frames) => {
      const path = upstream === "C" ? `${client}->C` : upstream === "M" ? `${client}->M` : `${client}->R`;
      // The three letters of the table above.
      const { text } = broken(path as `${typeof client}->C`, wire(frames));
      expect(text).not.toMatch(
        /"reason":"max_output_tokens"|"max_tokens"|"length"|\[DONE\]|message_stop|response\.completed|"STOP"/,
      );
    });
  }
});

test("peer bug 122: a stream is good by its own protocol's end, not by [DONE]", () => {
  const { text } = streamed("C->M", [messageStart(), ...textBlock(0, "Hi"), ...messageEnd("end_turn")]);
  expect(text.trimEnd().endsWith("data: [DONE]")).toBe(true);
  expect(at(streamed("C->C", [chunk({ content: "Hi" }), chunk({}, "stop")]).whole, "choices", 0, "finish_reason")).toBe(
    "stop",
  );
});

test.each([
  'data: {"type":"error","error":{"type":"overloaded_error","message":"Busy"}}\n\n',
  'data: {"error":{"type":"overloaded_error","message":"Busy"}}\n\n',
])("peer bug 123 S24: an error frame without its event name is an error: %s", (frame) => {
  const start = wire([messageStart(), ...textBlock(0, "Hi")]);
  for (const path of ["M->M", "C->M", "R->M"] as const) expect(broken(path, [...start, frame]).text).toContain("Busy");
});

test("peer bug 124: each thinking block is an item with its own proof, and both return", () => {
  const frames = [
    messageStart(),
    ...thinkingBlock(0, "One.", "c2lnMQ=="),
    ...thinkingBlock(1, "Two.", "c2lnMg=="),
    ...toolBlock(2, "t1", "read", "{}"),
    ...messageEnd("tool_use"),
  ];
  const output = list(streamed("R->M", frames).whole, "output");
  expect(output.map(({ type }) => type)).toEqual(["reasoning", "reasoning", "function_call"]);
  const { body } = sent("R->M", {
    input: [spoken, ...output, { type: "function_call_output", call_id: "t1", output: "x" }],
  });
  expect(list(body, "messages", 1, "content").slice(0, 2)).toMatchObject([
    { type: "thinking", thinking: "One.", signature: "c2lnMQ==" },
    { type: "thinking", thinking: "Two.", signature: "c2lnMg==" },
  ]);
});

test("peer bug 125 H18: the phase of a message in the history goes back", () => {
  for (const phase of ["commentary", "final_answer"]) {
    const { body } = sent("R->R", { input: [spoken, { ...responseMessage("msg_1", "Yes."), phase }, spoken] });
    expect(at(body, "input", 1)).toMatchObject({ role: "assistant", phase });
  }
});

test("peer bug 126: reasoning without an id goes back without one, not with an empty one", () => {
  const item = { type: "reasoning", summary: [], encrypted_content: "ZW5j" };
  const call = { type: "function_call", call_id: "c1", name: "read", arguments: "{}" };
  const { text } = sent("R->R", {
    input: [spoken, item, call, { type: "function_call_output", call_id: "c1", output: "x" }],
  });
  expect(text).toContain("ZW5j");
  expect(text).not.toContain('"id":""');
});

test.each([
  ["end_turn", "stop"],
  ["max_tokens", "length"],
  ["stop_sequence", "stop"],
  ["tool_use", "tool_calls"],
  ["refusal", "content_filter"],
  ["model_context_window_exceeded", "length"],
  ["pause_turn", "stop"],
])("peer bug 127 1.5.7: %s of Messages is %s", (reason, expected) => {
  const calls = reason === "tool_use" ? [{ type: "tool_use", id: "t1", name: "read", input: {} }] : [];
  const answer = message([{ type: "text", text: "Hi" }, ...calls], reason);
  expect(at(answered("C->M", answer), "choices", 0, "finish_reason")).toBe(expected);
  if (reason === "pause_turn") expect(answerNotices("C->M", answer).length).toBeGreaterThan(0);
  if (reason === "tool_use")
    expect(list(answered("C->M", answer), "choices", 0, "message", "tool_calls")).toHaveLength(1);
});

test.each(["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"])(
  "peer bug 128: %s is never an empty success",
  (reason) => {
    const answer = candidate([], reason);
    expect(() => answered("C->G", answer)).toThrow(ProtocolError);
    for (const path of ["C->G", "R->G", "M->G"] as const) broken(path, wire([answer]));
  },
);

test("peer bug 129 T3 R3: ids of Gemini's calls are new in each answer, and a background answer is refused", () => {
  const ids = ["a", "b", "c"].map((responseId) => {
    const body = answered("C->G", { ...candidate([callPart("read", {})], "STOP"), responseId });
    return at(body, "choices", 0, "message", "tool_calls", 0, "id");
  });
  expect(new Set(ids).size).toBe(3);
  expect(refused("R->C", { background: true })).toMatchObject({ status: 400, param: "background" });
});

test("peer bug 130: every knob is kept, told or refused, whatever the target", () => {
  const knobs: JsonObject[] = [
    { n: 2 },
    { top_p: 0.5 },
    { seed: 7 },
    { logit_bias: { "5": 1 } },
    { presence_penalty: 0.5 },
    { modalities: ["text", "audio"], audio: { voice: "alloy", format: "wav" } },
    { messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "https://a.example/a.png" } }] }] },
    { messages: [{ role: "user", content: [{ type: "input_audio", input_audio: { data: "AAAA", format: "wav" } }] }] },
  ];
  for (const path of ["C->M", "C->G"] as const) {
    const plain = sent(path, {}).text;
    for (const knob of knobs) {
      const [name = ""] = Object.keys(knob);
      let outcome: string;
      try {
        const { text, notices } = sent(path, knob);
        outcome = text !== plain ? "kept" : notices.length > 0 ? "told" : "lost";
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error;
        outcome = "refused";
      }
      expect(outcome, `${path} ${name}`).not.toBe("lost");
    }
  }
});

test("peer bug 131 E8: a null description is absent, and thinking has the form that the model takes", () => {
  const tools = [{ name: "t", description: null, input_schema: object }];
  const { body } = sent("M->M", { tools });
  expect(at(body, "tools", 0)).not.toHaveProperty("description");
  const thinking = (model: string, wish: JsonObject) =>
    at(sent("M->M", { thinking: wish }, { model }).body, "thinking", "type");
  expect(thinking("claude-sonnet-4-5", { type: "adaptive" })).not.toBe("adaptive");
  expect(thinking("claude-opus-5-5", { type: "enabled", budget_tokens: 2048 })).not.toBe("enabled");
});

test("peer bug 132 H13: of the empties that Messages refuses, none is sent", () => {
  const blank = { type: "text", text: " " };
  const empty = { type: "text", text: "" };
  const lawful = (content: JsonObject[]) =>
    sent("M->M", { messages: [...hello, { role: "assistant", content }, ...hello] });
  expect(lawful([empty]).text).not.toContain('"text":""');
  expect(list(lawful([blank]).body, "messages").some(({ role }) => role === "assistant")).toBe(false);
  expect(lawful([{ type: "text", text: "a" }, empty]).text).not.toContain('"text":""');
  expect(lawful([{ type: "text", text: "a" }, blank]).text).toContain('"text":" "');
  for (const content of ["", [], [empty]]) {
    expect(refused("M->M", { messages: [{ role: "user", content }] }).status).toBe(400);
  }
});

test("peer bug 134 2.2: the least effort is at least the least budget", () => {
  const { body } = sent("C->M", { reasoning_effort: "minimal", max_tokens: 8000 }, { model: "claude-sonnet-4-5" });
  expect(at(body, "thinking", "budget_tokens")).toBeGreaterThanOrEqual(1024);
});

test("peer bug 136 P20: marks of one hour come before marks of five minutes", () => {
  const mark = (ttl: string) => ({ cache_control: { type: "ephemeral", ttl } });
  const { text } = sent("M->M", {
    tools: [{ name: "t", input_schema: object, ...mark("5m") }],
    system: [{ type: "text", text: "S", ...mark("1h") }],
    messages: [{ role: "user", content: [{ type: "text", text: "Hi", ...mark("1h") }] }],
  });
  const ttls = [...text.matchAll(/"cache_control":\{[^}]*\}/g)].map(([found]) => (found.includes("1h") ? "1h" : "5m"));
  expect(ttls.length).toBeGreaterThan(0);
  expect(ttls.lastIndexOf("1h")).toBeLessThan(ttls.includes("5m") ? ttls.indexOf("5m") : ttls.length);
});

test("peer bug 137: a file goes to responses, tools come in two shapes, and thoughts are counted", () => {
  const content = [{ type: "file", file: { filename: "a.pdf", file_data: `data:application/pdf;base64,${pdf}` } }];
  expect(sent("C->R", { messages: [{ role: "user", content }] }).text).toContain(`"type":"input_file"`);
  const tools = [
    { type: "function", name: "flat", parameters: object },
    { type: "function", function: { name: "nested", parameters: object } },
  ];
  expect(list(sent("C->R", { tools }).body, "tools").map(({ name }) => name)).toEqual(["flat", "nested"]);
  const usage = { promptTokenCount: 1, candidatesTokenCount: 2, thoughtsTokenCount: 30, totalTokenCount: 33 };
  expect(answered("R->G", candidate([{ text: "Hi" }], "STOP", usage)).usage).toMatchObject({ output_tokens: 32 });
});

test.each(["M->C", "M->R", "M->G"] as const)(
  "peer bug 138 M5: %s: documents arrive, at the top and inside a result",
  (path) => {
    const source = { type: "base64", media_type: "application/pdf", data: pdf };
    const document = { type: "document", source, title: "a.pdf" };
    const top = sent(path, { messages: [{ role: "user", content: [document, { type: "text", text: "Read." }] }] });
    expect(top.text).toContain(pdf);
    const inside = sent(path, {
      messages: [
        ...hello,
        { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "read", input: {} }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: [document] }] },
      ],
    });
    expect(inside.text).toContain(pdf);
  },
);

test("peer bug 139 J2: a schema for the answer goes in Messages' own form", () => {
  const response_format = { type: "json_schema", json_schema: { name: "x", schema: object, strict: true } };
  const { body } = sent("C->M", { response_format }, { model: "claude-opus-5-5" });
  expect(body).not.toHaveProperty("response_format");
  expect(at(body, "output_config", "format")).toMatchObject({ type: "json_schema", schema: { required: ["a"] } });
});
