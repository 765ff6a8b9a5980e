import { describe, expect, test } from "vitest";
import { type JsonObject, ProtocolError } from "../canonical/index.ts";
import { plainVault } from "../shared/vault.ts";
import { decodeRequest } from "./request-decoder.ts";

const vault = plainVault();
const hello: JsonObject = {
  model: "claude-sonnet-4-5",
  max_tokens: 16,
  messages: [{ role: "user", content: "Hello" }],
};

function decode(body: JsonObject) {
  return decodeRequest(body, {}, { vault });
}

function refusal(body: JsonObject): ProtocolError["error"] {
  try {
    decode(body);
  } catch (error) {
    if (error instanceof ProtocolError) return error.error;
    throw error;
  }
  throw new Error("The request was taken.");
}

function withBlock(block: JsonObject, role = "user"): JsonObject {
  return { ...hello, messages: [{ role, content: [block] }] };
}

describe("bad input is refused by the field's path", () => {
  const cases: [string, JsonObject][] = [
    ["model", { ...hello, model: undefined }],
    ["model", { ...hello, model: "" }],
    ["model", { ...hello, model: 7 }],
    ["max_tokens", { ...hello, max_tokens: undefined }],
    ["max_tokens", { ...hello, max_tokens: null }],
    ["max_tokens", { ...hello, max_tokens: "16" }],
    ["max_tokens", { ...hello, max_tokens: -1 }],
    ["max_tokens", { ...hello, max_tokens: 1.5 }],
    ["messages", { ...hello, messages: undefined }],
    ["messages", { ...hello, messages: [] }],
    ["messages", { ...hello, messages: "Hello" }],
    ["messages[0]", { ...hello, messages: ["Hello"] }],
    ["messages[0].role", { ...hello, messages: [{ content: "Hello" }] }],
    ["messages[0].role", { ...hello, messages: [{ role: "tool", content: "Hello" }] }],
    ["messages[0].content", { ...hello, messages: [{ role: "user" }] }],
    ["messages[0].content", { ...hello, messages: [{ role: "user", content: 1 }] }],
    ["messages[0].content[0]", { ...hello, messages: [{ role: "user", content: ["x"] }] }],
    ["messages[0].content[0].type", withBlock({ text: "x" })],
    ["messages[0].content[0].text", withBlock({ type: "text" })],
    ["messages[0].content[0].source", withBlock({ type: "image" })],
    ["messages[0].content[0].source.type", withBlock({ type: "image", source: { type: "cloud" } })],
    [
      "messages[0].content[0].source.media_type",
      withBlock({ type: "image", source: { type: "base64", data: "aGk=" } }),
    ],
    [
      "messages[0].content[0].source.data",
      withBlock({ type: "image", source: { type: "base64", media_type: "image/png", data: "%%%" } }),
    ],
    ["messages[0].content[0].source.url", withBlock({ type: "document", source: { type: "url" } })],
    ["messages[0].content[0].id", withBlock({ type: "tool_use", name: "f", input: {} }, "assistant")],
    ["messages[0].content[0].id", withBlock({ type: "tool_use", id: "", name: "f", input: {} }, "assistant")],
    ["messages[0].content[0].name", withBlock({ type: "tool_use", id: "a", input: {} }, "assistant")],
    ["messages[0].content[0].input", withBlock({ type: "tool_use", id: "a", name: "f", input: "{}" }, "assistant")],
    ["messages[0].content[0].tool_use_id", withBlock({ type: "tool_result", content: "x" })],
    ["messages[0].content[0].is_error", withBlock({ type: "tool_result", tool_use_id: "a", is_error: "yes" })],
    ["messages[0].content[0].thinking", withBlock({ type: "thinking", signature: "s" }, "assistant")],
    ["messages[0].content[0].data", withBlock({ type: "redacted_thinking" }, "assistant")],
    [
      "messages[0].content[0].cache_control.type",
      withBlock({ type: "text", text: "x", cache_control: { type: "forever" } }),
    ],
    [
      "messages[0].content[0].cache_control.ttl",
      withBlock({ type: "text", text: "x", cache_control: { type: "ephemeral", ttl: "2h" } }),
    ],
    ["system", { ...hello, system: 5 }],
    ["system[0].text", { ...hello, system: [{ type: "text" }] }],
    ["stream", { ...hello, stream: "yes" }],
    ["temperature", { ...hello, temperature: 2.1 }],
    ["temperature", { ...hello, temperature: -0.1 }],
    ["temperature", { ...hello, temperature: "hot" }],
    ["top_p", { ...hello, top_p: 1.2 }],
    ["top_k", { ...hello, top_k: 1.5 }],
    ["stop_sequences", { ...hello, stop_sequences: "END" }],
    ["stop_sequences[1]", { ...hello, stop_sequences: ["END", 3] }],
    ["metadata", { ...hello, metadata: "me" }],
    ["metadata.user_id", { ...hello, metadata: { user_id: 5 } }],
    ["service_tier", { ...hello, service_tier: "fastest" }],
    ["tools", { ...hello, tools: {} }],
    ["tools[0].name", { ...hello, tools: [{ input_schema: {} }] }],
    ["tools[0].input_schema", { ...hello, tools: [{ name: "f" }] }],
    ["tools[0].description", { ...hello, tools: [{ name: "f", input_schema: {}, description: 5 }] }],
    ["tools[0].strict", { ...hello, tools: [{ name: "f", input_schema: {}, strict: 1 }] }],
    ["tool_choice", { ...hello, tool_choice: "auto" }],
    ["tool_choice.type", { ...hello, tool_choice: {} }],
    ["tool_choice.type", { ...hello, tool_choice: { type: "some" } }],
    ["tool_choice.name", { ...hello, tool_choice: { type: "tool" } }],
    ["thinking.type", { ...hello, thinking: {} }],
    ["thinking.type", { ...hello, thinking: { type: "deep" } }],
    ["thinking.budget_tokens", { ...hello, thinking: { type: "enabled" } }],
    ["thinking.budget_tokens", { ...hello, thinking: { type: "enabled", budget_tokens: 1023 } }],
    ["output_config.effort", { ...hello, output_config: { effort: "huge" } }],
    ["output_config.format.type", { ...hello, output_config: { format: { schema: {} } } }],
    ["output_config.format.schema", { ...hello, output_config: { format: { type: "json_schema" } } }],
    ["output_format.schema", { ...hello, output_format: { type: "json_schema" } }],
  ];
  test.each(cases)("%s", (field, body) => {
    expect(refusal(body)).toMatchObject({ kind: "bad_request", status: 400, param: field });
    expect(refusal(body).message).toContain(field);
  });
});

describe("what counts as not said", () => {
  test("null and default values", () => {
    const defaults = {
      system: null,
      stream: false,
      temperature: null,
      top_k: null,
      stop_sequences: null,
      metadata: null,
      tools: null,
      tool_choice: { type: "auto" },
      thinking: null,
      service_tier: "auto",
      output_config: null,
      betas: ["effort-2025-11-24"],
    };
    expect(decode({ ...hello, ...defaults })).toEqual(decode(hello));
  });

  test("temperature up to 2 is taken, as in every protocol", () => {
    expect(decode({ ...hello, temperature: 2 }).sampling).toEqual({ temperature: 2 });
  });

  test("max_tokens of 0 is a lawful warm-up", () => {
    expect(decode({ ...hello, max_tokens: 0 }).maxOutputTokens).toBe(0);
  });
});

describe("nothing unknown is lost", () => {
  test("fields of the request, a turn, a block and a tool wait at their level", () => {
    const request = decode({
      ...hello,
      container: "c1",
      metadata: { user_id: "u", team: "t" },
      output_config: { effort: "low", task_budget: 5 },
      thinking: { type: "adaptive", block_binding: { prefix_mismatch_behavior: "error" } },
      tools: [{ name: "f", input_schema: {}, defer_loading: true }],
      messages: [{ role: "user", clear_at: 3, content: [{ type: "text", text: "x", colour: "red" }] }],
    });
    expect(request.extras).toEqual({
      messages: {
        container: "c1",
        metadata: { team: "t" },
        output_config: { task_budget: 5 },
        thinking: { block_binding: { prefix_mismatch_behavior: "error" } },
      },
    });
    expect(request.tools[0]?.extras).toEqual({ messages: { defer_loading: true } });
    expect(request.turns[0]?.extras).toEqual({ messages: { clear_at: 3 } });
    expect(request.turns[0]?.parts[0]).toMatchObject({
      at: "messages[0].content[0]",
      extras: { messages: { colour: "red" } },
    });
  });

  test("an unknown block is kept whole, with its text", () => {
    const block = { type: "hologram", text: "a cat", depth: 3 };
    expect(decode(withBlock(block)).turns[0]?.parts).toEqual([
      {
        type: "opaque",
        protocol: "messages",
        nativeType: "hologram",
        payload: block,
        text: "a cat",
        at: "messages[0].content[0]",
      },
    ]);
  });

  test("an unknown result block counts as a provider-run tool's", () => {
    const block = { type: "quantum_tool_result", tool_use_id: "srvtoolu_1", content: [] };
    expect(decode(withBlock(block, "assistant")).turns[0]?.parts[0]).toMatchObject({
      type: "server-tool",
      role: "result",
      tool: "quantum",
      payload: block,
    });
  });

  test("a document of content blocks shows its text to other families", () => {
    const block = {
      type: "document",
      title: "Notes",
      source: { type: "content", content: [{ type: "text", text: "line" }] },
    };
    expect(decode(withBlock(block)).turns[0]?.parts[0]).toMatchObject({
      type: "opaque",
      payload: block,
      text: "Notes\nline",
    });
  });
});

describe("system", () => {
  test("107 the attribution line is kept out of the prompt and marked for the vendor only", () => {
    const line = { type: "text", text: "x-anthropic-billing-header: cc_version=2.1.329; cch=abc;" };
    const request = decode({ ...hello, system: [line, { type: "text", text: "Be brief." }] });
    expect(request.turns[0]).toMatchObject({ role: "system", parts: [{ text: "Be brief.", at: "system[1]" }] });
    expect(request.extras).toEqual({ messages: { $attribution: line } });
  });

  test("a text that merely mentions the line stays", () => {
    const text = "x-anthropic-billing-header: explained\nIt is a header.";
    expect(decode({ ...hello, system: text }).turns[0]?.parts).toEqual([{ type: "text", text, at: "system" }]);
  });

  test("92 system turns between messages stay in place", () => {
    const request = decode({ ...hello, messages: [...turns(), { role: "system", content: "Now in French." }] });
    expect(request.turns.map((turn) => turn.role)).toEqual(["user", "system"]);
  });
});

function turns(): JsonObject[] {
  return [{ role: "user", content: "Hello" }];
}

describe("thinking", () => {
  const cases: [JsonObject, object | undefined][] = [
    [{}, undefined],
    [{ thinking: { type: "enabled", budget_tokens: 2048 } }, { budgetTokens: 2048 }],
    [{ thinking: { type: "enabled", budget_tokens: 2048, display: "omitted" } }, { budgetTokens: 2048, show: "none" }],
    [{ thinking: { type: "adaptive" } }, { adaptive: true }],
    [
      { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "max" } },
      { adaptive: true, effort: "max", show: "summary" },
    ],
    [{ thinking: { type: "disabled" } }, { effort: "none" }],
    [{ thinking: { type: "between_tools" } }, { effort: "none" }],
    [{ output_config: { effort: "high" } }, { effort: "high" }],
  ];
  test.each(cases)("%j", (fields, reasoning) => {
    expect(decode({ ...hello, ...fields }).reasoning).toEqual(reasoning);
  });
});

describe("proofs", () => {
  test("an envelope of ours opens to the foreign proof; anything else is the vendor's own", () => {
    const foreign = { family: "openai", kind: "encrypted", value: "gAAAA", itemId: "rs_1" } as const;
    const request = decode({
      ...hello,
      messages: [
        { role: "user", content: "Hi" },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "Hm.", signature: vault.seal(foreign) },
            { type: "redacted_thinking", data: vault.seal(foreign) },
            { type: "thinking", thinking: "", signature: "EqoB" },
            { type: "redacted_thinking", data: "Emwx" },
            { type: "text", text: "Yes." },
          ],
        },
        { role: "user", content: "Go on" },
      ],
    });
    expect(request.turns[1]?.parts.slice(0, 4)).toMatchObject([
      { type: "reasoning", text: "Hm.", proof: foreign },
      { type: "reasoning", proof: foreign },
      { type: "reasoning", proof: { family: "anthropic", kind: "signature", value: "EqoB" } },
      { type: "reasoning", proof: { family: "anthropic", kind: "redacted", value: "Emwx" } },
    ]);
  });
});

describe("tool choice", () => {
  const tools = [
    { name: "f", input_schema: { type: "object" } },
    { type: "web_search_20250305", name: "web_search" },
  ];
  const cases: [JsonObject, object][] = [
    [{ type: "any" }, { toolChoice: { mode: "required" } }],
    [{ type: "none" }, { toolChoice: { mode: "none" } }],
    [{ type: "tool", name: "f" }, { toolChoice: { mode: "tool", name: "f" } }],
    [{ type: "auto", disable_parallel_tool_use: true }, { parallelToolCalls: false }],
    [
      { type: "tool", name: "web_search" },
      { toolChoice: { mode: "server", protocol: "messages", payload: { type: "tool", name: "web_search" } } },
    ],
  ];
  test.each(cases)("%j", (choice, expected) => {
    expect(decode({ ...hello, tools, tool_choice: choice })).toMatchObject(expected);
  });
});

test("37, 67 cache marks stay on every kind of block, and a mark of the whole request means its last block", () => {
  const mark = { type: "ephemeral", ttl: "1h" };
  const request = decode({
    ...hello,
    cache_control: { type: "ephemeral" },
    system: [{ type: "text", text: "s", cache_control: mark }],
    tools: [{ name: "f", input_schema: {}, cache_control: mark }],
    messages: [
      { role: "user", content: "go" },
      { role: "assistant", content: [{ type: "tool_use", id: "a", name: "f", input: {}, cache_control: mark }] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "a", cache_control: mark },
          { type: "text", text: "end" },
        ],
      },
    ],
  });
  expect(request.turns.map((turn) => turn.parts.map((part) => part.cache))).toEqual([
    [{ ttl: "1h" }],
    [undefined],
    [{ ttl: "1h" }],
    [{ ttl: "1h" }, {}],
  ]);
  expect(request.tools[0]?.cache).toEqual({ ttl: "1h" });
});
