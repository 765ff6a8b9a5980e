import { describe, expect, it } from "vitest";
import type { ToolChoice } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";
import {
  body,
  call,
  calling,
  encode,
  fields,
  messages,
  refusedParam,
  result,
} from "../testing/chat-completions-request-fixture.ts";

describe("tools", () => {
  const tool = { type: "function", name: "f", at: "tools[0]" } as const;
  const custom = { type: "custom", name: "patch", at: "tools[0]" } as const;

  it("T1 an illegal name is replaced everywhere, and the plan undoes it", () => {
    const name = "mcp__server.tool/with:everything";
    const written = encode({
      tools: [{ ...tool, name }],
      toolChoice: { mode: "tool", name },
      turns: calling([call("a", { name })], [result("a")]),
    });
    const [wire] = [...written.plan.toolNames.keys()];
    expect(wire).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(written.plan.toolNames.get(wire ?? "")).toBe(name);
    expect(JSON.stringify(written.body).split(`"${wire}"`)).toHaveLength(4);
    expect(JSON.stringify(written.body)).not.toContain(name);
  });

  it("2.4 long ids are cut with a hash, on call and result alike", () => {
    const id = `toolu_${"x".repeat(60)}`;
    const [, assistant, answer] = messages({ turns: calling([call(id)], [result(id)]) });
    const calls = assistant?.tool_calls;
    const written = Array.isArray(calls) && isObject(calls[0]) ? calls[0].id : undefined;
    expect(written).toMatch(/^call_.{1,35}$/);
    expect(answer?.tool_call_id).toBe(written);
  });

  it("2.4 Mistral gets ids of nine letters and digits", () => {
    const [, , answer] = messages({ turns: calling([call("call_1")], [result("call_1")]) }, "mistral-large-latest");
    expect(answer?.tool_call_id).toMatch(/^[a-zA-Z0-9]{9}$/);
  });

  it("T5 a custom tool goes as a function where the model takes none, in the history too", () => {
    const turns = calling([call("a", { name: "patch", toolKind: "custom", arguments: "x\ny" })], [result("a")]);
    const written = encode({ tools: [custom], turns }, "gpt-4.1");
    expect(written.plan.customTools).toEqual(new Set(["patch"]));
    expect(written.body.tools).toMatchObject([{ type: "function", function: { name: "patch" } }]);
    expect(JSON.stringify(written.body.messages)).toContain(JSON.stringify('{"input":"x\\ny"}'));
    const kept = encode({ tools: [custom], turns }, "gpt-5");
    expect(kept.plan.customTools.size).toBe(0);
    expect(kept.body.tools).toEqual([{ type: "custom", custom: { name: "patch" } }]);
  });

  it("T7 a provider's tool is dropped, refused when forced, and kept by meaning where the model searches", () => {
    const search = { type: "server", tool: "web_search", protocol: "messages", payload: {}, at: "tools[0]" } as const;
    expect(fields({ tools: [search] })).toEqual([["tools[0]", "dropped"]]);
    const toolChoice = { mode: "server", protocol: "messages", payload: {} } as const;
    expect(refusedParam({ tools: [search], toolChoice })).toBe("tools[0]");
    expect(body({ tools: [search] }, "gpt-4o-search-preview").web_search_options).toEqual({});
  });

  it("T9 a subset is named to the vendor and cut down elsewhere", () => {
    const tools = [tool, { ...tool, name: "g" }];
    const toolChoice: ToolChoice = { mode: "subset", names: ["g"], required: true };
    expect(body({ tools, toolChoice }).tool_choice).toEqual({
      type: "allowed_tools",
      allowed_tools: { mode: "required", tools: [{ type: "function", function: { name: "g" } }] },
    });
    const cut = body({ tools, toolChoice }, "llama-3.3-70b");
    expect(cut.tools).toHaveLength(1);
    expect(cut.tool_choice).toBe("required");
  });

  it("T10 parallel off needs tools, and the o-series does not know it", () => {
    expect(body({ parallelToolCalls: false })).not.toHaveProperty("parallel_tool_calls");
    expect(body({ parallelToolCalls: false, tools: [tool] }).parallel_tool_calls).toBe(false);
    expect(fields({ parallelToolCalls: false, tools: [tool] }, "o3")).toEqual([["parallel_tool_calls", "dropped"]]);
  });

  it("T19 more tools than the vendor takes are refused", () => {
    const tools = Array.from({ length: 129 }, (_, at) => ({ ...tool, name: `f${at}` }));
    expect(refusedParam({ tools })).toBe("tools");
  });

  it("a choice without tools is not sent", () => {
    expect(body({ toolChoice: { mode: "required" } })).not.toHaveProperty("tool_choice");
    expect(fields({ toolChoice: { mode: "required" } })).toEqual([["tool_choice", "dropped"]]);
  });
});
