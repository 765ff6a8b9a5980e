import { expect, test } from "vitest";
import type { JsonObject } from "../canonical/index.ts";
import { budgetOfEffort, effortOfBudget } from "../shared/effort.ts";
import { answered, at, list, refused, sent, streamed } from "./scene.ts";
import {
  callPart,
  candidate,
  chunk,
  completion,
  fragment,
  message,
  messageEnd,
  messageStart,
  responseCall,
  responseFrames,
  responseObject,
  textBlock,
  toolBlock,
  toolCall,
} from "./wire-frames.ts";

const done = "[DONE]";
const parameters = { type: "object", properties: {} };
const hello = [{ role: "user", content: "Hi" }];
const functions = (...names: string[]) => names.map((name) => ({ type: "function", function: { name, parameters } }));

test("peer bug 41 S3: calls from Gemini have an index each", () => {
  const parts = [callPart("read", { a: 1 }), callPart("read", { a: 2 })];
  const { frames } = streamed("C->G", [candidate(parts, "STOP")]);
  const calls = frames.flatMap((frame) => list(frame, "choices", 0, "delta", "tool_calls"));
  expect(calls.every(({ index }) => typeof index === "number")).toBe(true);
  expect(new Set(calls.map(({ index }) => index))).toEqual(new Set([0, 1]));
});

test("peer bug 42 E5: a dialect that wants its reasoning back gets it on the second turn", () => {
  const model = "deepseek-reasoner";
  const first = answered(
    "M->C",
    completion({ reasoning_content: "Hm.", tool_calls: [toolCall("c1", "read", "{}")] }, "tool_calls"),
    {},
    { model },
  );
  const messages = [
    ...hello,
    { role: "assistant", content: first.content ?? [] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "x" }] },
  ];
  const { body } = sent("M->C", { messages }, { model });
  expect(at(body, "messages", 1)).toMatchObject({
    role: "assistant",
    reasoning_content: "Hm.",
    tool_calls: [{ id: "c1" }],
  });
});

test("peer bug 43: a thinking block always has the field signature", () => {
  const whole = answered("M->C", completion({ reasoning_content: "Hm.", content: "Yes." }));
  expect(typeof at(whole, "content", 0, "signature")).toBe("string");
  const { frames } = streamed("M->C", [chunk({ reasoning_content: "Hm." }), chunk({ content: "Yes." }, "stop"), done]);
  const start = frames.find(({ type }) => type === "content_block_start");
  expect(typeof at(start, "content_block", "signature")).toBe("string");
  expect(frames.some((frame) => at(frame, "delta", "type") === "signature_delta")).toBe(true);
});

test("peer bug 44 T6: tools of a namespace are offered, and called by the client's names", () => {
  const tool = { type: "function", name: "find", parameters, strict: false };
  const more = { tools: [{ type: "namespace", name: "mail", description: "Mail.", tools: [tool] }] };
  const { body } = sent("R->C", more);
  const name = String(at(body, "tools", 0, "function", "name"));
  expect(name).toMatch(/mail.*find/);
  const answer = answered("R->C", completion({ tool_calls: [toolCall("c1", name, "{}")] }, "tool_calls"), more);
  expect(list(answer, "output")).toMatchObject([{ type: "function_call", namespace: "mail", name: "find" }]);
});

test("peer bug 45 S2: three calls whose pieces are mixed come as blocks that never overlap", () => {
  const { whole } = streamed("M->C", [
    fragment(0, "c1", "a", '{"x":'),
    fragment(1, "c2", "b", '{"x":'),
    fragment(2, "c3", "c", '{"x":'),
    fragment(1, undefined, undefined, "2}"),
    fragment(0, undefined, undefined, "1}"),
    fragment(2, undefined, undefined, "3}"),
    chunk({}, "tool_calls"),
    done,
  ]);
  expect(list(whole, "content").map(({ name, input }) => [name, input])).toEqual([
    ["a", { x: 1 }],
    ["b", { x: 2 }],
    ["c", { x: 3 }],
  ]);
  expect(whole.stop_reason).toBe("tool_use");
});

test("peer bug 46: one message_start, also where the upstream says it twice", () => {
  const frames = [messageStart(), messageStart(), ...textBlock(0, "Hi"), ...messageEnd("end_turn")];
  const { frames: got } = streamed("M->M", frames);
  expect(got.filter(({ type }) => type === "message_start")).toHaveLength(1);
});

test("peer bug 47 S37: blocks of a provider-run tool and of text have indexes of their own, without gaps", () => {
  const use = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} };
  const result = { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] };
  const frames = [
    messageStart(),
    { type: "content_block_start", index: 0, content_block: use },
    { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: '{"query":"x"}' } },
    { type: "content_block_stop", index: 0 },
    { type: "content_block_start", index: 1, content_block: result },
    { type: "content_block_stop", index: 1 },
    ...textBlock(2, "Found."),
    ...messageEnd("end_turn"),
  ];
  const { whole } = streamed("M->M", frames);
  expect(list(whole, "content").map(({ type }) => type)).toEqual(["server_tool_use", "web_search_tool_result", "text"]);
  expect(at(streamed("C->M", frames).whole, "choices", 0, "message", "content")).toBe("Found.");
});

test("peer bug 48 2.4: an id of another family that comes back is made legal, alike for call and result", () => {
  for (const id of ["functions.Bash:0", "call_1|fc_1", "a b", `call_${"x".repeat(120)}\n`]) {
    const { body } = sent("C->M", {
      messages: [
        ...hello,
        { role: "assistant", content: null, tool_calls: [toolCall(id, "read", "{}")] },
        { role: "tool", tool_call_id: id, content: "x" },
      ],
    });
    const sentId = at(body, "messages", 1, "content", 0, "id");
    expect(sentId).toMatch(/^[a-zA-Z0-9_-]+$/);
    expect(at(body, "messages", 2, "content", 0, "tool_use_id")).toBe(sentId);
  }
});

test("peer bug 49 T9 T10 T12: strictness, subsets and serial calls are kept or told, and a subset never grows", () => {
  const tools = functions("a", "b").map((tool) => ({ ...tool, function: { ...tool.function, strict: true } }));
  const subset = functions("a").map(({ function: { name } }) => ({ type: "function", function: { name } }));
  const more = {
    tools,
    parallel_tool_calls: false,
    tool_choice: { type: "allowed_tools", allowed_tools: { mode: "required", tools: subset } },
  };
  const m = sent("C->M", more, { model: "claude-opus-5-5" });
  expect(list(m.body, "tools").map(({ name }) => name)).toEqual(["a"]);
  expect(m.body.tool_choice).toMatchObject({ disable_parallel_tool_use: true });
  expect(
    at(m.body, "tools", 0, "strict") === true || m.text.includes("strict") || m.fields.join().includes("strict"),
  ).toBe(true);
  const g = sent("C->G", more);
  expect(at(g.body, "toolConfig", "functionCallingConfig")).toMatchObject({ mode: "ANY", allowedFunctionNames: ["a"] });
  expect(g.fields).toContain("parallel_tool_calls");
});

test("peer bug 50 H5: the results of one batch are one user turn", () => {
  const { body } = sent("C->M", {
    messages: [
      ...hello,
      { role: "assistant", content: null, tool_calls: [toolCall("c1", "read", "{}"), toolCall("c2", "read", "{}")] },
      { role: "tool", tool_call_id: "c1", content: "one" },
      { role: "tool", tool_call_id: "c2", content: "two" },
    ],
  });
  expect(list(body, "messages")).toHaveLength(3);
  expect(list(body, "messages", 2, "content")).toMatchObject([{ tool_use_id: "c1" }, { tool_use_id: "c2" }]);
});

test("peer bug 51: what a host of chat completions does to a stream never breaks the grammar of Messages", () => {
  const { whole } = streamed("M->C", [
    chunk({ role: "assistant", content: "" }),
    chunk({ role: "assistant", content: "a", tool_calls: [] }),
    fragment(0, "c1", "", ""),
    fragment(0, undefined, "read", '{"p":1}'),
    chunk({ content: "b" }),
    chunk({}, "stop"),
    chunk({ content: null }, "tool_calls"),
    done,
    chunk({ content: "late" }),
  ]);
  expect(whole.stop_reason).toBe("tool_use");
  expect(list(whole, "content").filter(({ type }) => type === "tool_use")).toMatchObject([
    { name: "read", input: { p: 1 } },
  ]);
});

test("peer bug 52 H2: a system turn in mid-conversation stays in its place and never goes on top", () => {
  const messages = [
    ...hello,
    { role: "assistant", content: "Yes?" },
    ...hello,
    { role: "system", content: "Be short." },
  ];
  for (const model of ["claude-3-5-haiku", "claude-opus-5-5"]) {
    const { body } = sent("M->M", { system: "Base.", messages }, { model });
    expect(JSON.stringify(body.system)).not.toContain("Be short.");
    expect(JSON.stringify(list(body, "messages").slice(2))).toContain("Be short.");
  }
});

test("peer bug 54 P20: of six cache marks the latest four are sent", () => {
  const cache_control = { type: "ephemeral" };
  const content = [1, 2, 3, 4, 5, 6].map((n) => ({ type: "text", text: `part ${n}`, cache_control }));
  const { body } = sent("C->M", { messages: [{ role: "user", content }] });
  const marked = list(body, "messages", 0, "content").filter((part) => part.cache_control);
  expect(marked.map(({ text }) => text)).toEqual(["part 3", "part 4", "part 5", "part 6"]);
});

test("peer bug 55 2.2: effort to budget and back is the same effort, and more effort is never less budget", () => {
  const efforts = ["minimal", "low", "medium", "high", "xhigh", "max"] as const;
  const budgets = efforts.map((effort) => budgetOfEffort(effort));
  expect(budgets.map((budget) => effortOfBudget(budget))).toEqual(efforts);
  expect([...budgets].sort((a, b) => a - b)).toEqual(budgets);
});

test("peer bug 56: reasoning on a turn that calls goes to responses before its call", () => {
  const item = {
    type: "reasoning",
    id: "rs_1",
    summary: [{ type: "summary_text", text: "Hm." }],
    encrypted_content: "ZW5j",
  };
  const { whole } = streamed("M->R", [
    ...responseFrames([]).slice(0, 1),
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.output_item.done", output_index: 1, item: responseCall("c1", "read", "{}") },
    { type: "response.completed", response: responseObject([item, responseCall("c1", "read", "{}")]) },
  ]);
  const messages = [
    ...hello,
    { role: "assistant", content: whole.content ?? [] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "x" }] },
  ];
  expect(list(sent("M->R", { messages }).body, "input").map(({ type }) => type ?? "message")).toEqual([
    "message",
    "reasoning",
    "function_call",
    "function_call_output",
  ]);
});

test("peer bug 57 T18: a tool's schema goes as an object with its properties, whatever it holds", () => {
  const schemas: JsonObject[] = [
    { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
    { type: "object", properties: { a: { $ref: "#/$defs/a" } }, $defs: { a: { type: "string" } } },
    { anyOf: [{ type: "object", properties: { a: { type: "string" } } }] },
    {},
  ];
  for (const schema of schemas) {
    const { body } = sent("C->M", { tools: [{ type: "function", function: { name: "t", parameters: schema } }] });
    const got = at(body, "tools", 0, "input_schema");
    expect(got).toMatchObject({ type: "object" });
    if (Object.keys(schema).length > 0) expect(at(got, "properties", "a")).toBeDefined();
  }
  const bare = sent("C->M", { tools: [{ type: "function", function: { name: "t" } }] });
  expect(at(bare.body, "tools", 0, "input_schema", "type")).toBe("object");
});

test("peer bug 58 H13: a chat history with empty texts has no empty block for Messages", () => {
  const { text } = sent("C->M", {
    messages: [
      { role: "system", content: "" },
      ...hello,
      { role: "assistant", content: "", tool_calls: [toolCall("c1", "read", "{}")] },
      { role: "tool", tool_call_id: "c1", content: "" },
      { role: "assistant", content: [{ type: "text", text: "" }] },
      ...hello,
    ],
  });
  expect(text).not.toContain('"text":""');
  expect(refused("C->M", { messages: [{ role: "user", content: "" }] }).status).toBe(400);
});

test("peer bug 59 T20: tools keep the caller's order, and a hundred runs give the same bytes", () => {
  const names = ["zeta", "alpha", "m.1", "10", "2", "beta"];
  for (const path of ["C->M", "C->R", "C->G", "C->C"] as const) {
    const { text } = sent(path, { tools: functions(...names) });
    const found = names.map((name) => text.indexOf(`"name":"${name.replace(".", "_")}`));
    if (path !== "C->G") expect([...found].sort((a, b) => a - b)).toEqual(found);
    for (let run = 0; run < 100; run += 1) expect(sent(path, { tools: functions(...names) }).text).toBe(text);
  }
});

test("peer bug 60: an answer that was cut by its limit is incomplete", () => {
  const expected = { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
  expect(answered("R->M", message([{ type: "text", text: "Hi" }], "max_tokens"))).toMatchObject(expected);
  const { whole, text } = streamed("R->M", [messageStart(), ...textBlock(0, "Hi"), ...messageEnd("max_tokens")]);
  expect(whole).toMatchObject(expected);
  expect(text).toContain("event: response.incomplete");
  const { whole: other } = streamed("R->M", [
    messageStart(),
    ...toolBlock(0, "t1", "read", "{}"),
    ...messageEnd("tool_use"),
  ]);
  expect(other.status).toBe("completed");
});
