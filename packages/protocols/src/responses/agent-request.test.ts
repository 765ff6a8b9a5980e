import { describe, expect, test } from "vitest";
import type { JsonObject } from "../canonical/index.ts";
import { plainVault } from "../shared/vault.ts";
import { decodeRequest } from "./request-decoder.ts";
import { encodeRequest } from "./request-encoder.ts";

const vault = plainVault();

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
      { name: "local_shell", arguments: '{"command":["ls"]}' },
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
