import { describe, expect, test } from "vitest";
import type { JsonObject } from "../canonical/index.ts";
import { decode, hello, vault, withBlock } from "../testing/messages-body-fixture.ts";

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
