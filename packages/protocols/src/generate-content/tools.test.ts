import { describe, expect, it } from "vitest";
import type { JsonObject, Turn } from "../canonical/index.ts";
import { encode, refused, result, user } from "../testing/generate-content-request-fixture.ts";

describe("tools", () => {
  const tool = (name: string, more: JsonObject = {}) => ({
    type: "function" as const,
    name,
    parameters: { type: "object", properties: { a: { type: "string" } } },
    ...more,
  });
  it("T1 an illegal name gets an alias that the answer undoes", () => {
    const name = `mcp__${"x".repeat(130)}`;
    const { body, plan } = encode({ tools: [tool(name), tool("ok")], toolChoice: { mode: "tool", name } });
    const [alias] = [...plan.toolNames.keys()];
    expect(plan.toolNames.get(alias ?? "")).toBe(name);
    expect(body.toolConfig).toEqual({ functionCallingConfig: { mode: "ANY", allowedFunctionNames: [alias] } });
  });
  it("a function that is offered twice is declared once", () => {
    const { body, notices } = encode({
      tools: [tool("a"), tool("a"), tool("a", { description: "other", at: "tools[2]" })],
    });
    expect(JSON.stringify(body.tools).match(/"name":"a"/g)).toHaveLength(1);
    expect(notices).toEqual(["tools[2] dropped"]);
  });
  it("T9 a subset that must be called keeps its form; one that may be called cuts the list", () => {
    const tools = [tool("a"), tool("b"), tool("c")];
    expect(
      encode({ tools, toolChoice: { mode: "subset", names: ["a", "b"], required: true } }).body.toolConfig,
    ).toEqual({ functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["a", "b"] } });
    const cut = encode({ tools, toolChoice: { mode: "subset", names: ["a"], required: false } });
    expect(JSON.stringify(cut.body.tools)).not.toContain('"b"');
    expect(cut.notices).toEqual(["tool_choice emulated"]);
  });
  it("T12 strict for all is the mode VALIDATED; for some it is a notice", () => {
    expect(encode({ tools: [tool("a", { strict: true })] }).body.toolConfig).toEqual({
      functionCallingConfig: { mode: "VALIDATED" },
    });
    const some = encode({ tools: [tool("a", { strict: true, at: "tools[0]" }), tool("b")] });
    expect(some.body.toolConfig).toBeUndefined();
    expect(some.notices).toEqual(["tools[0].strict dropped"]);
  });
  it("T5 a custom tool is a function with one text, in history too", () => {
    const turns: Turn[] = [
      user,
      {
        role: "assistant",
        parts: [{ type: "tool-call", callId: "a", name: "patch", toolKind: "custom", arguments: "*** Begin" }],
      },
      { role: "user", parts: [result("a")] },
    ];
    const { body, plan } = encode({ turns, tools: [{ type: "custom", name: "patch" }] });
    expect(plan.customTools).toEqual(new Set(["patch"]));
    expect(body.contents).toMatchObject([
      {},
      { parts: [{ functionCall: { name: "patch", args: { input: "*** Begin" } } }] },
      {},
    ]);
  });
  it("T7 web search maps by meaning when it stands alone; a forced foreign tool is refused", () => {
    const search = {
      type: "server" as const,
      tool: "web_search",
      protocol: "messages" as const,
      payload: {},
      at: "tools[0]",
    };
    expect(encode({ tools: [search] }).body.tools).toEqual([{ googleSearch: {} }]);
    const both = encode({ tools: [search, tool("a")] });
    expect(both.notices).toEqual(["tools[0] dropped"]);
    expect(refused({ tools: [search], toolChoice: { mode: "server", protocol: "messages", payload: {} } })).toBe(
      "tool_choice",
    );
  });
  it("older models get the OpenAPI subset, and no parameters for none", () => {
    const tools = [tool("a"), { type: "function" as const, name: "b", parameters: { type: "object", properties: {} } }];
    expect(encode({ tools }, "gemini-2.0-flash").body.tools).toEqual([
      {
        functionDeclarations: [
          { name: "a", parameters: { type: "OBJECT", properties: { a: { type: "STRING" } } } },
          { name: "b" },
        ],
      },
    ]);
  });
});
