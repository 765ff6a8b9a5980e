import { describe, expect, test } from "vitest";
import { encode } from "../testing/responses-request-fixture.ts";
import { assistant, call, result, text, user } from "../testing/turns-fixture.ts";

describe("responses tools of a request", () => {
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

  test("T1 an illegal tool name goes by an alias everywhere, and the plan leads back", () => {
    const name = "mcp.server/read file";
    const { body, plan } = encode({
      tools: [{ type: "function", name }],
      toolChoice: { mode: "tool", name },
      turns: [user(text("a")), assistant(call("1", { name })), user(result("1", text("x")))],
    });
    const [[alias, original] = ["", ""]] = [...plan.toolNames];
    expect(original).toBe(name);
    expect(alias).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(body.tools).toMatchObject([{ name: alias }]);
    expect(body.tool_choice).toEqual({ type: "function", name: alias });
    expect(body.input).toMatchObject([{}, { type: "function_call", name: alias }, {}]);
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
});
