import { describe, expect, test } from "vitest";
import { type JsonObject, ProtocolError, type ProtocolName } from "../../canonical/index.ts";
import { offeredNames } from "../../testing/calling-upstreams.ts";
import { carry } from "../../testing/carrying.ts";
import { sides } from "../../testing/protocol-sides.ts";
import { type ToolKind, toolKinds } from "./tool-kinds.ts";

const models = {
  "chat-completions": "deepseek-chat",
  messages: "claude-sonnet-4-5",
  "generate-content": "gemini-2.5-pro",
  responses: "gpt-5.6",
} as const;
const foreign = ["chat-completions", "messages", "generate-content"] as const;

function sent(protocol: ProtocolName, more: JsonObject, model: string = models[protocol]) {
  const body = { model: "m", store: false, input: [{ role: "user", content: "Go." }], ...more };
  return carry(sides.responses, sides[protocol], body, { model });
}

function refusal(protocol: ProtocolName, more: JsonObject): unknown {
  try {
    return sent(protocol, more).upstreamBody;
  } catch (cause) {
    if (cause instanceof ProtocolError) return [cause.error.status, cause.error.param];
    throw cause;
  }
}

function forced(protocol: ProtocolName, name: string): JsonObject {
  if (protocol === "chat-completions") return { tool_choice: { type: "function", function: { name } } };
  if (protocol === "messages") return { tool_choice: { type: "tool", name } };
  return { toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: [name] } } };
}

function withTool(kind: ToolKind, more: JsonObject): JsonObject {
  const input = [{ role: "user", content: "Go." }, ...(kind.bring ?? [])];
  return { tools: [...kind.tools, { type: "function", name: "other" }], input, ...more };
}

describe("a forced tool of every kind", () => {
  for (const kind of toolKinds) {
    test.each(foreign)(`${kind.kind}, %s`, (protocol) => {
      const { upstreamBody } = sent(protocol, withTool(kind, { tool_choice: kind.choice }));
      const name = offeredNames(protocol, upstreamBody).find((one) => one.startsWith(kind.name)) ?? "";
      expect(name).not.toBe("");
      expect(upstreamBody).toMatchObject(forced(protocol, name));
    });

    test(`${kind.kind}, responses`, () => {
      const { upstreamBody } = sent("responses", withTool(kind, { tool_choice: kind.choice }));
      expect(upstreamBody.tool_choice).toEqual(kind.choice);
    });
  }

  test("a custom tool stays one where the model takes it as it is", () => {
    const tools = [{ type: "custom", name: "apply_patch" }];
    const { upstreamBody } = sent(
      "chat-completions",
      { tools, tool_choice: { type: "custom", name: "apply_patch" } },
      "gpt-5.6",
    );
    expect(upstreamBody.tool_choice).toEqual({ type: "custom", custom: { name: "apply_patch" } });
  });

  test("the vendor's reference without a namespace finds the one tool of that name", () => {
    const find = { type: "function", name: "find" };
    const tools = [{ type: "namespace", name: "crm", tools: [find] }];
    const { upstreamBody } = sent("messages", { tools, tool_choice: find });
    expect(upstreamBody.tool_choice).toEqual({ type: "tool", name: "crm__find" });
  });
});

describe("T9 a choice among tools of every kind", () => {
  const members = toolKinds.filter(({ kind }) => kind !== "apply_patch" && !kind.startsWith('shell {"env'));
  const tools = [...members.flatMap((kind) => kind.tools), { type: "function", name: "other" }];
  const input = [{ role: "user", content: "Go." }, ...members.flatMap((kind) => kind.bring ?? [])];

  test.each(foreign)("%s is left those tools and no other", (protocol) => {
    const choice = { type: "allowed_tools", mode: "required", tools: members.map((kind) => kind.choice) };
    const { upstreamBody } = sent(protocol, { tools, input, tool_choice: choice });
    if (protocol === "generate-content") {
      const names = offeredNames(protocol, upstreamBody).filter((name) => name !== "other");
      const config = { mode: "ANY", allowedFunctionNames: expect.arrayContaining(names) };
      expect(upstreamBody.toolConfig).toEqual({ functionCallingConfig: config });
      return;
    }
    expect(offeredNames(protocol, upstreamBody)).toHaveLength(members.length);
    expect(offeredNames(protocol, upstreamBody)).not.toContain("other");
    expect(upstreamBody.tool_choice).toEqual(protocol === "messages" ? { type: "any" } : "required");
  });

  test("a whole namespace can be chosen", () => {
    const one = { type: "function", name: "a" };
    const given = [{ type: "namespace", name: "crm", tools: [one, { type: "custom", name: "b" }] }, one];
    const choice = { type: "allowed_tools", mode: "auto", tools: [{ type: "namespace", name: "crm" }] };
    const { upstreamBody } = sent("messages", { tools: given, tool_choice: choice });
    expect(offeredNames("messages", upstreamBody)).toEqual(["crm__a", "crm__b"]);
  });

  test("responses gets the choice as it was written, also where it names the provider's tools", () => {
    const choice = { type: "allowed_tools", mode: "auto", tools: [{ type: "web_search" }, { type: "local_shell" }] };
    const given = [{ type: "web_search" }, { type: "local_shell" }];
    expect(sent("responses", { tools: given, tool_choice: choice }).upstreamBody.tool_choice).toEqual(choice);
  });
});

describe("T7 tools that nobody else knows", () => {
  const unknown = { type: "brand_new_tool", x: 1 };
  const other = { type: "function", name: "other" };

  test.each(foreign)("%s: optional ones go with a notice", (protocol) => {
    const { upstreamBody, notices } = sent(protocol, { tools: [unknown, other] });
    expect(offeredNames(protocol, upstreamBody)).toEqual(["other"]);
    expect(notices.map((notice) => [notice.field, notice.verdict])).toContainEqual(["tools[0]", "dropped"]);
  });

  test.each(foreign)("%s: optional ones of a subset go with a notice", (protocol) => {
    const choice = { type: "allowed_tools", mode: "required", tools: [{ type: "brand_new_tool" }, other] };
    const { upstreamBody, notices } = sent(protocol, { tools: [unknown, other], tool_choice: choice });
    expect(offeredNames(protocol, upstreamBody)).toEqual(["other"]);
    expect(notices.map((notice) => [notice.field, notice.verdict])).toContainEqual(["tools[0]", "dropped"]);
  });

  test.each(foreign)("%s: forced ones are refused", (protocol) => {
    const choice = { type: "brand_new_tool" };
    expect(refusal(protocol, { tools: [unknown, other], tool_choice: choice })).toEqual([
      400,
      expect.stringMatching(/^tool/),
    ]);
    expect(refusal(protocol, { tools: [unknown], tool_choice: "required" })).toEqual([
      400,
      expect.stringMatching(/^tool/),
    ]);
    const subset = { type: "allowed_tools", mode: "required", tools: [choice] };
    expect(refusal(protocol, { tools: [unknown, other], tool_choice: subset })).toEqual([
      400,
      expect.stringMatching(/^tool/),
    ]);
  });
});
