import { describe, expect, test } from "vitest";
import type { Part } from "../canonical/index.ts";
import { customAsFunction, customToolNames, stripFence } from "./custom-tools.ts";

describe("T5 a custom tool as a function", () => {
  test("has one required text, and the grammar and an example in its description", () => {
    const tool = customAsFunction({
      type: "custom",
      name: "apply_patch",
      description: "Edits files.",
      grammar: { syntax: "lark", definition: "start: begin" },
      at: "tools[0]",
    });
    expect(tool.parameters).toMatchObject({ required: ["input"], additionalProperties: false });
    expect(tool.description).toContain("Edits files.");
    expect(tool.description).toContain("start: begin");
    expect(tool.description).toContain('{"input":');
    expect(tool.at).toBe("tools[0]");
  });
});

test("a fence that is only a part of the text stays", () => {
  const markdown = "```js\na\n```\nand\n```js\nb\n```";
  expect(stripFence(markdown)).toBe(markdown);
  expect(stripFence("see ```x```")).toBe("see ```x```");
});

test("names of custom tools are those on offer, and those of earlier calls that are offered no more", () => {
  const call = (name: string, toolKind: "custom" | "function"): Part => {
    return { type: "tool-call", callId: name, name, toolKind, arguments: "{}" };
  };
  const names = customToolNames({
    model: "m",
    stream: false,
    sampling: {},
    stopSequences: [],
    tools: [
      { type: "custom", name: "now" },
      { type: "function", name: "changed" },
    ],
    turns: [
      { role: "assistant", parts: [call("gone", "custom"), call("changed", "custom"), call("plain", "function")] },
    ],
  });
  expect([...names]).toEqual(["now", "gone"]);
});
