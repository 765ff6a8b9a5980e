import { describe, expect, test } from "vitest";
import { type CanonicalRequest, type JsonObject, type Part, ProtocolError, type Turn } from "../canonical/index.ts";
import { Report } from "../shared/report.ts";
import { refuseStoredState } from "../shared/state.ts";
import { plainVault } from "../shared/vault.ts";
import { minimalRequest } from "../testing/responses-fixture.ts";
import { decodeRequest } from "./request-decoder.ts";
import { encodeRequest } from "./request-encoder.ts";

const vault = plainVault();

function encode(more: Partial<CanonicalRequest> = {}, model = "gpt-5.6") {
  return encodeRequest(minimalRequest(more), { model, stream: false });
}

function input(...turns: Turn[]): JsonObject["input"] {
  return encode({ turns }).body.input;
}

function refusedField(run: () => unknown): string | undefined {
  try {
    run();
  } catch (cause) {
    if (cause instanceof ProtocolError && cause.error.status === 400) return cause.error.param;
    throw cause;
  }
  throw new Error("Nothing was refused.");
}

const user = (...parts: Part[]): Turn => ({ role: "user", parts });
const assistant = (...parts: Part[]): Turn => ({ role: "assistant", parts });
const text = (value: string): Part => ({ type: "text", text: value });
const call = (callId: string, name = "f"): Part => ({
  type: "tool-call",
  callId,
  name,
  toolKind: "function",
  arguments: "{}",
});
const result = (callId: string, ...content: Part[]): Part => ({
  type: "tool-result",
  callId,
  toolKind: "function",
  content,
});

describe("responses request encoder", () => {
  test("pair 1 nothing is stored and encrypted reasoning is always asked for", () => {
    expect(encode().body).toEqual({
      model: "gpt-5.6",
      input: [{ type: "message", role: "user", content: "Hi" }],
      include: ["reasoning.encrypted_content"],
      store: false,
    });
    expect(encode({ state: { store: true } }).body.store).toBe(true);
  });

  test("a model that does not reason is not asked for reasoning, unless the client asked itself", () => {
    expect(encode({}, "gpt-4.1").body.include).toBeUndefined();
    expect(encode({ includeEncryptedReasoning: true }, "gpt-4.1").body.include).toEqual([
      "reasoning.encrypted_content",
    ]);
    const { body, notices } = encode({ reasoning: { effort: "high" } }, "gpt-4o");
    expect(body.reasoning).toBeUndefined();
    expect(notices).toMatchObject([{ field: "reasoning_effort", verdict: "dropped" }]);
  });

  test("pair 1 system turns of other protocols stay items in their place", () => {
    expect(
      input(
        { role: "system", parts: [text("S")] },
        user(text("a")),
        { role: "developer", parts: [text("D")] },
        user(text("b")),
      ),
    ).toEqual([
      { type: "message", role: "system", content: "S" },
      { type: "message", role: "user", content: "a" },
      { type: "message", role: "developer", content: "D" },
      { type: "message", role: "user", content: "b" },
    ]);
  });

  test("P2 a tiny limit is raised to 16 and said", () => {
    const { body, notices } = encode({ maxOutputTokens: 1 });
    expect(body.max_output_tokens).toBe(16);
    expect(notices).toMatchObject([{ field: "max_tokens", verdict: "approximated" }]);
  });

  test("P8, P9 knobs that this protocol has not are told, each by its name", () => {
    const { body, notices } = encode({
      sampling: { topK: 1, seed: 2, frequencyPenalty: 1, presencePenalty: 1, logitBias: { "1": 2 } },
    });
    expect(notices.map((notice) => [notice.field, notice.verdict])).toEqual(
      ["top_k", "seed", "frequency_penalty", "presence_penalty", "logit_bias"].map((field) => [field, "dropped"]),
    );
    expect(Object.keys(body).sort()).toEqual(["include", "input", "model", "store"]);
  });

  test("P6 a reasoning model's sampling is dropped with a notice, but taken with effort none", () => {
    const sampling = { temperature: 0.2, topP: 0.5 };
    const plain = encode({ sampling }, "gpt-5.1");
    expect(plain.body.temperature).toBeUndefined();
    expect(plain.notices.map((notice) => notice.field)).toEqual(["temperature", "top_p"]);
    expect(encode({ sampling, reasoning: { effort: "none" } }, "gpt-5.1").body).toMatchObject({
      temperature: 0.2,
      top_p: 0.5,
    });
    expect(encode({ sampling }, "some-new-model").body).toMatchObject({ temperature: 0.2, top_p: 0.5 });
    expect(encode({ sampling: { temperature: 1 } }, "gpt-5").notices).toEqual([]);
  });

  test("P10 stop sequences are left to the gateway, and said to be emulated", () => {
    const { body, notices, plan } = encode({ stopSequences: ["END"] });
    expect(plan.stopSequences).toEqual(["END"]);
    expect(JSON.stringify(body)).not.toContain("END");
    expect(notices).toMatchObject([{ field: "stop", verdict: "emulated" }]);
  });

  test.each<[string, Partial<CanonicalRequest>, string]>([
    ["P13 several answers", { candidates: 2 }, "n"],
    ["P17 audio output", { modalities: ["text", "audio"] }, "modalities"],
    ["P17 audio settings", { audioOutput: { voice: "x" } }, "audio"],
    ["P21 a foreign cache handle", { cache: { contentHandle: "cachedContents/1" } }, "cachedContent"],
    [
      "H14 a started answer",
      { turns: [user(text("a")), { ...assistant(text("b")), at: "messages[1]" }] },
      "messages[1]",
    ],
    [
      "M4 a foreign file",
      { turns: [user({ type: "image", source: { type: "file", id: "f", family: "anthropic" }, at: "x[0]" })] },
      "x[0]",
    ],
    [
      "M8 video",
      { turns: [user({ type: "video", source: { type: "url", url: "https://a.test" }, at: "x[1]" })] },
      "x[1]",
    ],
    [
      "M7 audio of another format",
      {
        turns: [user({ type: "audio", source: { type: "base64", mediaType: "audio/flac", data: "AAAA" }, at: "x[2]" })],
      },
      "x[2]",
    ],
    [
      "T7 a forced foreign tool",
      { toolChoice: { mode: "server", protocol: "messages", payload: { name: "x" } } },
      "tool_choice",
    ],
    [
      "T7 a required choice with foreign tools only",
      {
        tools: [{ type: "server", tool: "code_execution", protocol: "messages", payload: {}, at: "tools[0]" }],
        toolChoice: { mode: "required" },
      },
      "tools[0]",
    ],
  ])("%s is refused by its field", (_name, more, field) => {
    expect(refusedField(() => encode(more))).toBe(field);
  });

  test("2.2 budgets and efforts become the nearest effort the model has", () => {
    const effort = (reasoning: CanonicalRequest["reasoning"], model = "gpt-5.6") =>
      encode(reasoning ? { reasoning } : {}, model);
    expect(effort({ budgetTokens: 16384 }).body.reasoning).toEqual({ effort: "high", summary: "auto" });
    expect(effort({ budgetTokens: 0 }).body.reasoning).toEqual({ effort: "none" });
    expect(effort({ adaptive: true }).body.reasoning).toEqual({ summary: "auto" });
    expect(effort({ effort: "low", budgetTokens: 30000 }).body.reasoning).toMatchObject({ effort: "low" });
    expect(effort({ effort: "high" }).body.reasoning).toEqual({ effort: "high" });
    expect(effort({ effort: "none", show: "none" }, "gpt-5").body.reasoning).toEqual({ effort: "minimal" });
    expect(effort({ effort: "max" }, "o3").notices).toMatchObject([
      { field: "reasoning_effort", verdict: "approximated" },
    ]);
    expect(effort({ effort: "high", show: "summary", summaryStyle: "detailed" }).body.reasoning).toEqual({
      effort: "high",
      summary: "detailed",
    });
  });

  test("T13 strictness is always written; J5 a schema outside the subset goes as not strict", () => {
    const loose = { type: "object", properties: { a: { type: "string" } } };
    const { body, notices } = encode({
      tools: [
        { type: "function", name: "a", parameters: loose },
        { type: "function", name: "b", parameters: loose, strict: true, at: "tools[1]" },
        {
          type: "function",
          name: "c",
          parameters: { ...loose, required: ["a"], additionalProperties: false },
          strict: true,
        },
        { type: "function", name: "d" },
      ],
    });
    expect(body.tools).toMatchObject([
      { strict: false },
      { strict: false },
      { strict: true },
      { strict: false, parameters: { type: "object", properties: {} } },
    ]);
    expect(notices).toMatchObject([{ field: "tools[1].strict", verdict: "approximated" }]);
  });

  test("J1, J4 JSON without a schema brings its word along; a schema gets a name", () => {
    const json = encode({ format: { type: "json" } });
    expect(json.body.input).toMatchObject([{ role: "developer", content: "Answer with JSON." }, { role: "user" }]);
    expect(json.notices).toMatchObject([{ verdict: "emulated" }]);
    expect(encode({ format: { type: "json" }, turns: [user(text("as json"))] }).notices).toEqual([]);
    expect(encode({ format: { type: "schema", schema: { type: "object" } } }).body.text).toEqual({
      format: { type: "json_schema", name: "response", schema: { type: "object" }, strict: false },
    });
  });

  test("T1 an illegal tool name goes by an alias everywhere, and the plan leads back", () => {
    const name = "mcp.server/read file";
    const { body, plan } = encode({
      tools: [{ type: "function", name }],
      toolChoice: { mode: "tool", name },
      turns: [user(text("a")), assistant(call("1", name)), user(result("1", text("x")))],
    });
    const [[alias, original] = ["", ""]] = [...plan.toolNames];
    expect(original).toBe(name);
    expect(alias).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(body.tools).toMatchObject([{ name: alias }]);
    expect(body.tool_choice).toEqual({ type: "function", name: alias });
    expect(body.input).toMatchObject([{}, { type: "function_call", name: alias }, {}]);
  });

  test("T2 a call id that is too long is cut alike in call and result", () => {
    const long = `call_${"x".repeat(116)}`;
    const items = input(user(text("a")), assistant(call(long)), user(result(long, text("r"))));
    const ids = Array.isArray(items)
      ? items.slice(1).map((item) => (item && typeof item === "object" && "call_id" in item ? item.call_id : ""))
      : [];
    expect(ids[0]).toBe(ids[1]);
    expect(String(ids[0]).length).toBeLessThanOrEqual(64);
  });

  test("T7 another family's web search maps by meaning, other optional tools go with a notice", () => {
    const { body, notices } = encode({
      tools: [
        {
          type: "server",
          tool: "web_search",
          protocol: "messages",
          payload: { type: "web_search_20250305", allowed_domains: ["a.test"] },
          at: "tools[0]",
        },
        { type: "server", tool: "code_execution", protocol: "generate-content", payload: {}, at: "tools[1]" },
      ],
    });
    expect(body.tools).toEqual([{ type: "web_search", filters: { allowed_domains: ["a.test"] } }]);
    expect(notices.map((notice) => [notice.field, notice.verdict])).toEqual([
      ["tools[0]", "emulated"],
      ["tools[1]", "dropped"],
    ]);
  });

  test("T15 a result keeps its images, T16 an error begins with its word", () => {
    const image: Part = { type: "image", source: { type: "base64", mediaType: "image/png", data: "AAAA" } };
    const error: Part = {
      type: "tool-result",
      callId: "2",
      toolKind: "function",
      content: [text("no")],
      isError: true,
    };
    expect(
      input(user(text("a")), assistant(call("1"), call("2")), user(result("1", text("see"), image), error)),
    ).toMatchObject([
      {},
      {},
      {},
      {
        type: "function_call_output",
        output: [
          { type: "input_text", text: "see" },
          { type: "input_image", image_url: "data:image/png;base64,AAAA", detail: "auto" },
        ],
      },
      { type: "function_call_output", output: "Error: no" },
    ]);
  });

  test("pair 8 own reasoning goes back before its item with its id; without a follower it is dropped", () => {
    const own: Part = {
      type: "reasoning",
      text: "Thought.",
      proof: { family: "openai", kind: "encrypted", value: "enc", itemId: "rs_1" },
    };
    expect(input(user(text("a")), assistant(own, call("1")), user(result("1", text("x"))))).toMatchObject([
      {},
      {
        type: "reasoning",
        id: "rs_1",
        summary: [{ type: "summary_text", text: "Thought." }],
        encrypted_content: "enc",
      },
      { type: "function_call" },
      {},
    ]);
    const { body, notices } = encode({ turns: [user(text("a")), assistant(text("b"), own), user(text("c"))] });
    expect(JSON.stringify(body)).not.toContain('enc"');
    expect(notices).toMatchObject([{ verdict: "dropped" }]);
  });

  test("L20 a foreign proof never leaves in the clear", () => {
    const canary = "CANARY-SIGNATURE";
    const proofs = (["anthropic", "gemini", "deepseek"] as const).map((family) => ({
      family,
      kind: "signature" as const,
      value: canary,
    }));
    const turns = proofs.flatMap((proof, index): Turn[] => [
      user({ type: "text", text: "a", proof }),
      assistant(
        { type: "reasoning", text: "t", proof },
        { type: "text", text: "b", proof },
        { type: "tool-call", callId: `c${index}`, name: "f", toolKind: "function", arguments: "{}", proof },
      ),
      user(result(`c${index}`, text("x"))),
    ]);
    expect(JSON.stringify(encode({ turns }))).not.toContain(canary);
  });

  test("P18 a long end-user id is hashed; P15 tiers map by name", () => {
    const { body } = encode({ caller: { userId: "x".repeat(65) }, serviceTier: "standard_only" });
    expect(body.safety_identifier).toMatch(/^[0-9a-f]{64}$/);
    expect(body.service_tier).toBe("default");
    expect(encode({ serviceTier: "turbo" }).notices).toMatchObject([{ field: "service_tier" }]);
  });

  test("P20 cache marks become breakpoints only where the model takes them", () => {
    const turns = [user({ type: "text", text: "a", cache: {} })];
    expect(encode({ turns }).body.input).toMatchObject([
      { content: [{ prompt_cache_breakpoint: { mode: "explicit" } }] },
    ]);
    expect(encode({ turns }, "gpt-5").body.input).toEqual([{ type: "message", role: "user", content: "a" }]);
  });

  test("M6 a plain-text document is text, headed by its title", () => {
    const document: Part = {
      type: "document",
      title: "T",
      source: { type: "text", text: "body", mediaType: "text/plain" },
    };
    expect(input(user(document))).toEqual([{ type: "message", role: "user", content: "T\n\nbody" }]);
  });

  test("M7 audio goes to models that take it and is refused by the others", () => {
    const audio: Part = { type: "audio", source: { type: "base64", mediaType: "audio/wav", data: "AAAA" }, at: "x[3]" };
    const turns = [user(text("a"), audio)];
    expect(encode({ turns }, "gpt-4o-audio-preview").body.input).toMatchObject([
      { content: [{}, { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } }] },
    ]);
    expect(refusedField(() => encode({ turns }))).toBe("x[3]");
  });

  test("an assistant's message in parts has the vendor's full form, with an id that its place gives", () => {
    const items = input(user(text("a")), assistant(text("b"), text("c")), user(text("d")));
    expect(items).toMatchObject([
      {},
      {
        id: "msg_1",
        status: "completed",
        role: "assistant",
        content: [{ type: "output_text", text: "b", annotations: [] }, { text: "c" }],
      },
      {},
    ]);
  });

  test("T9 a subset is said in this protocol's own words, with each tool's kind", () => {
    const { body } = encode({
      tools: [
        { type: "function", name: "a" },
        { type: "custom", name: "b" },
        { type: "function", name: "c" },
      ],
      toolChoice: { mode: "subset", names: ["a", "b"], required: true },
    });
    expect(body.tool_choice).toEqual({
      type: "allowed_tools",
      mode: "required",
      tools: [
        { type: "function", name: "a" },
        { type: "custom", name: "b" },
      ],
    });
  });

  test("L7 a longer conversation begins with the same items", () => {
    const start = [user(text("a")), assistant(text("t"), call("1")), user(result("1", text("x")))];
    const short = input(...start);
    const long = input(...start, assistant(text("b")), user(text("c")));
    expect(
      Array.isArray(short) &&
        Array.isArray(long) &&
        JSON.stringify(long).startsWith(JSON.stringify(short).slice(0, -1)),
    ).toBe(true);
  });
});

describe("what an agent of this protocol sends", () => {
  const sent: JsonObject = {
    model: "codex-model",
    instructions: "You are an agent.",
    stream: true,
    store: false,
    include: ["reasoning.encrypted_content"],
    prompt_cache_key: "session",
    client_metadata: { a: "b" },
    parallel_tool_calls: false,
    tool_choice: "auto",
    reasoning: { effort: "medium", summary: "auto" },
    tools: [
      { type: "function", name: "exec_command", parameters: { type: "object" }, strict: false },
      { type: "custom", name: "apply_patch", format: { type: "grammar", syntax: "lark", definition: "start: x" } },
      { type: "web_search" },
      { type: "tool_search" },
      {
        type: "namespace",
        name: "crm",
        description: "CRM",
        tools: [
          { type: "function", name: "find", parameters: {} },
          { type: "function", name: "list" },
        ],
      },
      { type: "local_shell" },
      { type: "brand_new_tool", x: 1 },
    ],
    input: [
      { type: "message", role: "developer", content: [{ type: "input_text", text: "Rules" }] },
      { type: "message", role: "user", content: [{ type: "input_text", text: "Go" }] },
      { type: "reasoning", summary: [{ type: "summary_text", text: "S" }], encrypted_content: "enc" },
      { type: "message", role: "assistant", phase: "commentary", content: [{ type: "output_text", text: "Working" }] },
      { type: "function_call", call_id: "c1", name: "exec_command", arguments: "{}" },
      { type: "custom_tool_call", call_id: "c2", name: "apply_patch", input: "*** Begin" },
      { type: "function_call", call_id: "c3", name: "find", namespace: "crm", arguments: '{"q":1.0}' },
      {
        type: "local_shell_call",
        id: "ls_1",
        call_id: "c4",
        status: "completed",
        action: { type: "exec", command: ["ls"], env: {} },
      },
      {
        type: "function_call_output",
        call_id: "c1",
        output: [
          { type: "input_text", text: "done" },
          { type: "input_image", image_url: "https://a.test/x.png" },
        ],
      },
      { type: "custom_tool_call_output", call_id: "c2", output: "ok" },
      { type: "function_call_output", call_id: "c3", output: "[]" },
      { type: "local_shell_call_output", id: "c4", output: "file" },
      { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "x" } },
      { type: "compaction", encrypted_content: "cmp" },
      { type: "additional_tools", role: "developer", tools: [{ type: "function", name: "late", parameters: {} }] },
      { type: "brand_new_item", text: "New words" },
      { role: "user", content: "And now?" },
    ],
  };
  const canonical = decodeRequest(sent, {}, { vault });

  test("one answer of the model is one turn, its results are the next", () => {
    expect(canonical.turns.map((turn) => [turn.role, turn.parts.map((part) => part.type).join(" ")])).toEqual([
      ["system", "text"],
      ["developer", "text"],
      ["user", "text"],
      ["assistant", "reasoning text tool-call tool-call tool-call tool-call"],
      ["user", "tool-result tool-result tool-result tool-result"],
      ["assistant", "server-tool opaque"],
      ["developer", "opaque"],
      ["user", "opaque"],
      ["user", "text"],
    ]);
    expect(canonical.turns[3]?.phase).toBe("commentary");
  });

  test("T5, T6, T8 tools of every kind have one canonical form", () => {
    expect(canonical.tools.map((tool) => [tool.type, tool.type === "server" ? tool.tool : tool.name])).toEqual([
      ["function", "exec_command"],
      ["custom", "apply_patch"],
      ["server", "web_search"],
      ["server", "tool_search"],
      ["function", "crm__find"],
      ["function", "crm__list"],
      ["function", "local_shell"],
      ["server", "brand_new_tool"],
      ["function", "late"],
    ]);
    const calls = canonical.turns[3]?.parts.filter((part) => part.type === "tool-call");
    expect(calls).toMatchObject([
      { name: "exec_command", arguments: "{}" },
      { name: "apply_patch", toolKind: "custom", arguments: "*** Begin" },
      { name: "crm__find", arguments: '{"q":1.0}' },
      { name: "local_shell", arguments: '{"command":["ls"],"env":{}}' },
    ]);
    expect(canonical.turns[4]?.parts[3]).toMatchObject({ callId: "c4", content: [{ text: "file" }] });
    expect(canonical.turns[7]?.parts[0]).toMatchObject({ nativeType: "brand_new_item", text: "New words" });
  });

  test("L2 written back it is the same request", () => {
    const { body, notices } = encodeRequest(canonical, { model: "codex-model", stream: true });
    expect(notices).toEqual([]);
    expect(body.client_metadata).toEqual({ a: "b" });
    expect(body.tools).toMatchObject([
      { type: "function", name: "exec_command" },
      { type: "custom", name: "apply_patch", format: { type: "grammar" } },
      { type: "web_search" },
      { type: "tool_search" },
      { type: "namespace", name: "crm", description: "CRM", tools: [{ name: "find" }, { name: "list" }] },
      { type: "local_shell" },
      { type: "brand_new_tool", x: 1 },
    ]);
    expect(Array.isArray(body.tools) && body.tools.length).toBe(7);
    const types = (list: JsonObject["input"]) =>
      (Array.isArray(list) ? list : []).map((item) =>
        item && typeof item === "object" && "type" in item ? item.type : "message",
      );
    expect(types(body.input)).toEqual(types(sent.input));
    expect(body.input).toMatchObject([
      {},
      {},
      { type: "reasoning", encrypted_content: "enc" },
      { phase: "commentary" },
      {},
      { input: "*** Begin" },
      { name: "find", namespace: "crm", arguments: '{"q":1.0}' },
      { type: "local_shell_call", action: { command: ["ls"] } },
      { output: [{ type: "input_text", text: "done" }, { type: "input_image" }] },
      {},
      {},
      { type: "local_shell_call_output", id: "c4", output: "file" },
      {},
      { encrypted_content: "cmp" },
      {},
      {},
      {},
    ]);
  });

  test("T6 a tool that an item brings again is offered once", () => {
    const brought = { type: "function", name: "exec_command", parameters: {} };
    const again = {
      type: "tool_search_output",
      call_id: null,
      execution: "server",
      status: "completed",
      tools: [brought],
    };
    const { tools } = decodeRequest({ ...sent, input: [again, { role: "user", content: "x" }] }, {}, { vault });
    expect(tools.filter((tool) => tool.type === "function" && tool.name === "exec_command").length).toBe(1);
  });

  test("a choice of a typed or namespaced tool finds it, and is written back in its own words", () => {
    for (const choice of [{ type: "local_shell" }, { type: "function", name: "find", namespace: "crm" }]) {
      const chosen = decodeRequest({ ...sent, tool_choice: choice }, {}, { vault });
      expect(chosen.toolChoice?.mode).toBe("tool");
      expect(encodeRequest(chosen, { model: "m", stream: true }).body.tool_choice).toEqual(choice);
    }
  });

  test("2.5 a sealed foreign proof comes back out of encrypted_content", () => {
    const proof = { family: "anthropic", kind: "signature", value: "sig" } as const;
    const item = { type: "reasoning", summary: [], encrypted_content: vault.seal(proof) };
    const { turns } = decodeRequest({ model: "m", input: [item, { role: "assistant", content: "x" }] }, {}, { vault });
    expect(turns[0]?.parts[0]).toMatchObject({ type: "reasoning", proof });
  });
});

describe("stored state at protocols that keep none", () => {
  const refused = (more: JsonObject) => {
    const canonical = decodeRequest({ model: "m", input: "Hi", ...more }, {}, { vault });
    return refusedField(() => refuseStoredState(canonical, new Report()));
  };

  test.each<[string, JsonObject, string]>([
    ["R1", { previous_response_id: "resp_1" }, "previous_response_id"],
    ["R3 conversation", { conversation: "conv_1" }, "conversation"],
    ["R3 conversation object", { conversation: { id: "conv_1" } }, "conversation"],
    ["R3 background", { background: true }, "background"],
    ["R3 prompt", { prompt: { id: "pmpt_1" } }, "prompt"],
    ["R4", { truncation: "auto" }, "truncation"],
    ["R5", { input: [{ type: "item_reference", id: "msg_1" }] }, "input[0]"],
    ["R5 without a type", { input: [{ id: "msg_1" }] }, "input[0]"],
  ])("%s is refused by its field", (_name, more, field) => {
    expect(refused(more)).toBe(field);
  });

  test("R2 an explicit wish to store is told, silence is not", () => {
    const tell = (more: JsonObject) => {
      const report = new Report();
      refuseStoredState(decodeRequest({ model: "m", input: "Hi", ...more }, {}, { vault }), report);
      return report.notices.map((notice) => notice.field);
    };
    expect(tell({ store: true })).toEqual(["store"]);
    expect(tell({})).toEqual([]);
  });

  test("towards its own protocol stored state goes through, with no repair of what only the provider knows", () => {
    const sent = {
      model: "m",
      previous_response_id: "resp_1",
      store: true,
      input: [{ type: "function_call_output", call_id: "c1", output: "x" }],
    };
    const { body, notices } = encodeRequest(decodeRequest(sent, {}, { vault }), { model: "m", stream: false });
    expect(body).toMatchObject(sent);
    expect(notices).toEqual([]);
  });
});
