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
