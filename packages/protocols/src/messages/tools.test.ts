import { describe, expect, test } from "vitest";
import type { CanonicalRequest, Tool } from "../canonical/index.ts";
import { encode, newest, refusal, told, tool } from "../testing/messages-request-fixture.ts";
import { assistant, call, result, text, user } from "../testing/turns-fixture.ts";

describe("tools", () => {
  const choose = (more: Partial<CanonicalRequest>, model = newest) => encode({ tools: [tool], ...more }, model);

  test("T10, 93 serial calls need a choice object", () => {
    expect(choose({ parallelToolCalls: false }).body.tool_choice).toEqual({
      type: "auto",
      disable_parallel_tool_use: true,
    });
    expect(choose({ parallelToolCalls: false, toolChoice: { mode: "required" } }).body.tool_choice).toEqual({
      type: "any",
      disable_parallel_tool_use: true,
    });
    expect(choose({ parallelToolCalls: false, toolChoice: { mode: "none" } }).body.tool_choice).toEqual({
      type: "none",
    });
  });

  test("T9, 49 a subset is cut out of the list and never widened", () => {
    const tools: Tool[] = [tool, { ...tool, name: "g" }];
    const { body } = encode({ tools, toolChoice: { mode: "subset", names: ["g"], required: true } });
    expect(body).toMatchObject({ tools: [{ name: "g" }], tool_choice: { type: "any" } });
    expect(body.tools).toHaveLength(1);
  });

  test("a model that takes no force decides by itself, with a notice", () => {
    const encoded = choose({ toolChoice: { mode: "tool", name: "f" } }, "claude-opus-5-5");
    expect(encoded.body).not.toHaveProperty("tool_choice");
    expect(told(encoded)).toEqual(["approximated tool_choice"]);
  });

  test("T1 an illegal name is aliased alike everywhere and mapped back", () => {
    const name = "mcp.server/tool";
    const { body, plan } = encode({
      tools: [{ ...tool, name }],
      toolChoice: { mode: "tool", name },
      turns: [user(text("a")), assistant(call("t", { name })), user(result("t", text("ok")))],
    });
    const [alias] = [...plan.toolNames.keys()];
    expect(alias).toMatch(/^[a-zA-Z0-9_-]{1,128}$/);
    expect(plan.toolNames.get(alias ?? "")).toBe(name);
    expect(body).toMatchObject({ tools: [{ name: alias }], tool_choice: { name: alias } });
    expect(JSON.stringify(body.messages)).toContain(`"name":"${alias}"`);
  });

  test("T5, 19 a custom tool is a function with one text, in history too", () => {
    const custom: Tool = { type: "custom", name: "patch", description: "Applies." };
    const { body, plan, notices } = encode({
      tools: [custom],
      turns: [
        user(text("a")),
        assistant(call("t", { name: "patch", toolKind: "custom", arguments: "*** Begin" })),
        user(result("t", text("ok"))),
      ],
    });
    expect(body).toMatchObject({ tools: [{ name: "patch", input_schema: { required: ["input"] } }] });
    expect(body.messages).toMatchObject([{}, { content: [{ input: { input: "*** Begin" } }] }, {}]);
    expect(plan.customTools).toEqual(new Set(["patch"]));
    expect(notices).toMatchObject([{ verdict: "emulated" }]);
  });

  test("T7 web search maps by meaning, other provider-run tools are told or refused", () => {
    const search: Tool = {
      type: "server",
      tool: "web_search",
      protocol: "responses",
      payload: {
        type: "web_search",
        user_location: { type: "approximate", city: "Oslo" },
        filters: { allowed_domains: ["a.no"] },
      },
    };
    expect(encode({ tools: [search] }).body.tools).toEqual([
      {
        type: "web_search_20250305",
        name: "web_search",
        allowed_domains: ["a.no"],
        user_location: { type: "approximate", city: "Oslo" },
      },
    ]);
    const files: Tool = {
      type: "server",
      tool: "file_search",
      protocol: "responses",
      payload: { type: "file_search" },
      at: "tools[0]",
    };
    expect(told(encode({ tools: [files] }))).toEqual(["dropped tools[0]"]);
    const force = { mode: "server", protocol: "responses", payload: { type: "file_search" } } as const;
    expect(refusal({ tools: [files, tool], toolChoice: force }).param).toBe("tool_choice");
  });

  test("T12, 72 strict stays where the schema allows it, else it is told", () => {
    const closed = {
      type: "object",
      properties: { a: { type: "string" } },
      required: ["a"],
      additionalProperties: false,
    };
    expect(encode({ tools: [{ ...tool, strict: true, parameters: closed }] }).body.tools).toMatchObject([
      { strict: true },
    ]);
    const loose = encode({ tools: [{ ...tool, strict: true, at: "tools[0]" }] });
    expect(loose.body.tools).not.toMatchObject([{ strict: true }]);
    expect(told(loose)).toEqual(["dropped tools[0].strict"]);
  });

  test("131 an absent description is an absent key; a missing schema is an empty object's", () => {
    expect(encode({ tools: [{ type: "function", name: "f" }] }).body.tools).toEqual([
      { name: "f", input_schema: { type: "object", properties: {} } },
    ]);
  });

  test("alternatives at the top of a schema become one object", () => {
    const parameters = {
      anyOf: [
        { type: "object", properties: { a: { type: "string" }, c: { type: "string" } }, required: ["a", "c"] },
        { type: "object", properties: { b: { type: "number" }, c: { type: "string" } }, required: ["b", "c"] },
      ],
    };
    const encoded = encode({ tools: [{ ...tool, parameters }] });
    expect(encoded.body.tools).toMatchObject([
      { input_schema: { type: "object", properties: { a: {}, b: {}, c: {} }, required: ["c"] } },
    ]);
    expect(told(encoded)).toEqual(["approximated tools"]);
  });
});
