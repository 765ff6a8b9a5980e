import { expect, it } from "vitest";
import { type AgentTask, agentScript } from "./agent-script.ts";
import { type JsonObject, objectOf, objectsOf } from "./json.ts";
import { post, testSim } from "./testing/test-sim.ts";

const task: AgentTask = {
  directory: "/work",
  read: ["notes.txt"],
  find: /word-\d+/,
  write: "answer.txt",
  command: "wc -l answer.txt",
  finalText: "Done.",
};

const parameters = (...names: string[]): JsonObject => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
  required: names,
});

const offered: Record<string, JsonObject> = {
  Read: parameters("file_path"),
  Write: parameters("file_path", "content"),
  Bash: parameters("command", "description"),
};

it("files are read by parallel calls, and what was found in each is written in their order", async () => {
  const sim = await testSim({ script: agentScript({ ...task, read: ["notes.txt", "more.txt"] }) });
  const tools = Object.entries(offered).map(([name, input_schema]) => ({ name, input_schema }));
  const messages: JsonObject[] = [{ role: "user", content: "Go." }];
  const ask = async () => {
    const { body } = await post(sim, "/v1/messages", { model: "m", max_tokens: 999, messages, tools });
    messages.push({ role: "assistant", content: objectsOf(body.content) });
    return objectsOf(body.content).filter(({ type }) => type === "tool_use");
  };
  const reads = await ask();
  expect(reads.map(({ input }) => input)).toEqual([{ file_path: "/work/notes.txt" }, { file_path: "/work/more.txt" }]);
  const words = ["word-1", "word-2"];
  const found = reads.map(({ id }, at) => ({ type: "tool_result", tool_use_id: id, content: words[at] }));
  messages.push({ role: "user", content: found });
  expect((await ask()).map(({ input }) => input)).toMatchObject([{ content: "word-1\nword-2\n" }]);
});

it("results that come in the order in which the reads ended are told apart by their ids, a picture's among them", async () => {
  const sim = await testSim({
    script: agentScript({ ...task, read: ["notes.txt", "more.txt"], look: "picture.png" }),
  });
  const tools = Object.entries(offered).map(([name, input_schema]) => ({ name, input_schema }));
  const uses = ["notes", "more", "picture"].map((id) => ({ type: "tool_use", id, name: "Read", input: {} }));
  const picture = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
  const results = Object.entries({ picture: [picture], more: "word-2", notes: "word-1" }).map(([id, content]) => ({
    type: "tool_result",
    tool_use_id: id,
    content,
  }));
  const messages = [
    { role: "user", content: "Go." },
    { role: "assistant", content: uses },
    { role: "user", content: results },
  ];
  const { body } = await post(sim, "/v1/messages", { model: "m", max_tokens: 999, messages, tools });
  const write = objectsOf(body.content).find(({ type }) => type === "tool_use");
  expect(write?.input).toEqual({ file_path: "/work/answer.txt", content: "word-1\nword-2\n" });
});

it("reads, writes what it read, runs a command and ends, by the tools of a client of Messages", async () => {
  const sim = await testSim({ script: agentScript(task) });
  const messages: JsonObject[] = [{ role: "user", content: "Go." }];
  const tools = Object.entries(offered).map(([name, input_schema]) => ({ name, input_schema }));
  const calls: JsonObject[] = [];
  for (const result of ["here is word-42.", "written", "1 answer.txt", undefined]) {
    const { body } = await post(sim, "/v1/messages", { model: "m", max_tokens: 999, messages, tools });
    const use = objectsOf(body.content).find(({ type }) => type === "tool_use");
    if (result === undefined) expect(body.content).toMatchObject([{ type: "text", text: "Done." }]);
    if (!use) break;
    calls.push({ [String(use.name)]: use.input });
    messages.push({ role: "assistant", content: objectsOf(body.content) });
    messages.push({ role: "user", content: [{ type: "tool_result", tool_use_id: use.id, content: result }] });
  }
  expect(calls).toEqual([
    { Read: { file_path: "/work/notes.txt" } },
    { Write: { file_path: "/work/answer.txt", content: "word-42\n" } },
    { Bash: { command: "wc -l answer.txt", description: "simulated" } },
  ]);
});

const results: Record<string, JsonObject> = {
  "/v1/chat/completions": {
    messages: [
      { role: "user", content: "Go." },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c1", type: "function", function: { name: "exec_command", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "c1", content: "word-7" },
    ],
    tools: [{ type: "function", function: { name: "exec_command", parameters: parameters("cmd") } }],
  },
  "/v1/responses": {
    input: [
      { role: "user", content: "Go." },
      { type: "function_call", call_id: "c1", name: "exec_command", arguments: "{}" },
      { type: "function_call_output", call_id: "c1", output: "word-7" },
    ],
    tools: [{ type: "function", name: "exec_command", parameters: parameters("cmd") }],
  },
  "/v1beta/models/m:generateContent": {
    contents: [
      { role: "user", parts: [{ text: "Go." }] },
      { role: "model", parts: [{ functionCall: { name: "exec_command", args: {} } }] },
      { role: "user", parts: [{ functionResponse: { name: "exec_command", response: { output: "word-7" } } }] },
    ],
    tools: [{ functionDeclarations: [{ name: "exec_command", parameters: parameters("cmd") }] }],
  },
};

it.each(Object.entries(results))(
  "%s: where an agent has nothing but a shell, the shell writes the file",
  async (path, body) => {
    const sim = await testSim({ script: agentScript(task) });
    const answer = await post(sim, path, { ...(path.includes("models") ? {} : { model: "m" }), ...body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(JSON.stringify(answer.body)).toContain("'word-7' > answer.txt");
  },
);

it("a tool for patches that takes free text gets a patch", async () => {
  const sim = await testSim({ script: agentScript(task) });
  const { input, tools } = objectOf(results["/v1/responses"]);
  const { body } = await post(sim, "/v1/responses", {
    model: "m",
    input,
    tools: [...objectsOf(tools), { type: "custom", name: "apply_patch" }],
  });
  const call = objectsOf(body.output).find(({ type }) => type === "custom_tool_call");
  expect(call?.input).toBe("*** Begin Patch\n*** Add File: answer.txt\n+word-7\n*** End Patch");
});

it("a list of words gets the shell that runs the line, and a request without tools an answer of the sandbox", async () => {
  const sim = await testSim({ script: agentScript(task) });
  const shell = { type: "object", properties: { command: { type: "array", items: { type: "string" } } } };
  const tools = [{ type: "function", name: "shell", parameters: shell }];
  const { body } = await post(sim, "/v1/responses", { model: "m", input: "Go.", tools });
  const call = objectsOf(body.output).find(({ type }) => type === "function_call");
  expect(call?.arguments).toBe(JSON.stringify({ command: ["bash", "-c", "cat notes.txt"] }));
  const plain = await post(sim, "/v1/responses", { model: "m", input: "A title, please." });
  expect(JSON.stringify(plain.body.output)).toContain("simulated answer");
});

it("Codex's fields beyond the reference are taken, and no others", async () => {
  const sim = await testSim();
  const own = {
    client_metadata: { session_id: "s" },
    tools: [{ type: "web_search", search_content_types: ["text"] }],
  };
  expect((await post(sim, "/v1/responses", { model: "m", input: "x", ...own })).status).toBe(200);
  expect((await post(sim, "/v1/responses", { model: "m", input: "x", client_meta: {} })).status).toBe(400);
});

it("the beta of Claude Code, whose date has no dashes, is one, and a word without a date is none", async () => {
  const sim = await testSim();
  const body = { model: "m", max_tokens: 9, messages: [{ role: "user", content: "x" }] };
  const status = async (beta: string) => (await post(sim, "/v1/messages", body, { "anthropic-beta": beta })).status;
  expect(await status("claude-code-20250219,context-1m-2025-08-07")).toBe(200);
  expect(await status("claude-code")).toBe(400);
});

it("the result of a chat tool may bear the tool's name", async () => {
  const sim = await testSim();
  const { messages, tools } = objectOf(results["/v1/chat/completions"]);
  const named = objectsOf(messages).map((message) => (message.role === "tool" ? { ...message, name: "t" } : message));
  expect((await post(sim, "/v1/chat/completions", { model: "m", messages: named, tools })).status).toBe(200);
  const wrong = objectsOf(messages).map((message) => (message.role === "tool" ? { ...message, title: "t" } : message));
  expect((await post(sim, "/v1/chat/completions", { model: "m", messages: wrong, tools })).status).toBe(400);
});

const server: AgentTask = {
  directory: "/work",
  read: ["notes.txt"],
  ask: { tool: "secret_word", arguments: { topic: "house" } },
  find: /word-\d+/,
  write: "answer.txt",
  finalText: "Done.",
};
const secret = { type: "function", name: "secret_word", parameters: parameters("topic") };

it("the tool of a user's server is called beside the reads, under whatever name the agent offers it", async () => {
  const sim = await testSim({ script: agentScript(server) });
  const tools = [...Object.keys(offered), "mcp__house__secret_word"].map((name) => ({
    name,
    input_schema: offered[name] ?? parameters("topic"),
  }));
  const messages: JsonObject[] = [{ role: "user", content: "Go." }];
  const ask = async () => {
    const { body } = await post(sim, "/v1/messages", { model: "m", max_tokens: 999, messages, tools });
    messages.push({ role: "assistant", content: objectsOf(body.content) });
    return objectsOf(body.content).filter(({ type }) => type === "tool_use");
  };
  const calls = await ask();
  expect(calls.map(({ name, input }) => [name, input])).toEqual([
    ["Read", { file_path: "/work/notes.txt" }],
    ["mcp__house__secret_word", { topic: "house" }],
  ]);
  const [read, told] = calls.map(({ id }) => id);
  messages.push({
    role: "user",
    content: [
      { type: "tool_result", tool_use_id: told, content: "word-2" },
      { type: "tool_result", tool_use_id: read, content: "word-1" },
    ],
  });
  expect((await ask()).map(({ input }) => input)).toMatchObject([{ content: "word-1\nword-2\n" }]);
});

it("a tool in a namespace is called with it, and one that has been put off is searched for first, once", async () => {
  const sim = await testSim({ script: agentScript(server) });
  const shell = { type: "function", name: "exec_command", parameters: parameters("cmd") };
  const namespace = { type: "namespace", name: "mcp__house", tools: [secret] };
  const search = { type: "tool_search", execution: "client", parameters: parameters("query") };
  const calls = async (tools: JsonObject[], input: JsonObject[] = []) => {
    const items = [{ role: "user", content: "Go." }, ...input];
    const { status, body } = await post(sim, "/v1/responses", { model: "m", input: items, tools });
    expect(status, JSON.stringify(body)).toBe(200);
    return objectsOf(body.output).filter(({ type }) => String(type).endsWith("_call"));
  };
  const called = {
    type: "function_call",
    namespace: "mcp__house",
    name: "secret_word",
    arguments: '{"topic":"house"}',
  };
  expect((await calls([shell, namespace]))[1]).toMatchObject(called);

  const [read, searched] = await calls([shell, search]);
  const wanted = { type: "tool_search_call", execution: "client", arguments: { query: "secret word" } };
  expect(searched).toMatchObject(wanted);
  const answered = [
    { type: "function_call", call_id: read?.call_id, name: "exec_command", arguments: "{}" },
    { type: "tool_search_call", call_id: searched?.call_id, execution: "client", arguments: {} },
    { type: "function_call_output", call_id: read?.call_id, output: "word-1" },
  ];
  const output = { type: "tool_search_output", call_id: searched?.call_id, execution: "client" };
  expect(await calls([shell, search], [...answered, { ...output, tools: [namespace] }])).toMatchObject([called]);
  const none = await calls([shell, search], [...answered, { ...output, tools: [] }]);
  expect(none).toMatchObject([{ name: "exec_command", arguments: expect.stringContaining("nothing was found") }]);
});

it("a task that goes on from another one counts its own results", async () => {
  const next = { directory: "/work", read: ["next.txt"], find: /word-\d+/, finalText: "Turn 2.", before: 1 };
  const sim = await testSim({ script: agentScript(next) });
  const tools = [{ type: "function", name: "exec_command", parameters: parameters("cmd") }];
  const result = (id: string) => [
    { type: "function_call", call_id: id, name: "exec_command", arguments: "{}" },
    { type: "function_call_output", call_id: id, output: `word-${id}` },
  ];
  const answer = async (input: JsonObject[]) => {
    const { body } = await post(sim, "/v1/responses", { model: "m", input, tools });
    return JSON.stringify(body.output);
  };
  expect(await answer([...result("1"), { role: "user", content: "Go on." }])).toContain("cat next.txt");
  const both = [...result("1"), { role: "user", content: "Go on." }, ...result("2")];
  expect(await answer(both)).toContain("Turn 2.");
});
