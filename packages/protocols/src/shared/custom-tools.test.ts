import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { text } from "../testing/arbitraries.ts";
import { customAsFunction, stripFence, unwrapCustomInput, wrapCustomInput } from "./custom-tools.ts";

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

describe("T5 the way back", () => {
  test("what was wrapped is unwrapped, whatever it holds", () => {
    fc.assert(
      fc.property(text(), (raw) => {
        expect(unwrapCustomInput(wrapCustomInput(raw))).toBe(stripFence(raw));
      }),
    );
  });

  test.each([
    ["the right key", '{"input":"*** Begin"}', "*** Begin"],
    ["a usual wrong key", '{"patch":"*** Begin"}', "*** Begin"],
    ["a bare JSON string", '"*** Begin"', "*** Begin"],
    ["no JSON at all", "*** Begin Patch", "*** Begin Patch"],
    ["an object with other keys is the text itself", '{"q":1,"input":"x"}', '{"q":1,"input":"x"}'],
    ["one fence is stripped", '{"input":"```diff\\n*** Begin\\n```"}', "*** Begin"],
  ])("%s", (_what, wire, expected) => {
    expect(unwrapCustomInput(wire)).toBe(expected);
  });

  test("a fence that is only a part of the text stays", () => {
    const markdown = "```js\na\n```\nand\n```js\nb\n```";
    expect(stripFence(markdown)).toBe(markdown);
    expect(stripFence("see ```x```")).toBe("see ```x```");
  });
});
