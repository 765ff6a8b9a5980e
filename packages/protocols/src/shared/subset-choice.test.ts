import { expect, test } from "vitest";
import { type CanonicalRequest, ProtocolError, type Tool, type ToolChoice } from "../canonical/index.ts";
import { Report } from "./report.ts";
import { filterTools } from "./subset-choice.ts";

const tools: Tool[] = ["a", "b", "c"].map((name) => ({ type: "function", name }));

function request(toolChoice?: ToolChoice): CanonicalRequest {
  return {
    model: "m",
    stream: false,
    turns: [],
    tools,
    sampling: {},
    stopSequences: [],
    ...(toolChoice ? { toolChoice } : {}),
  };
}

test("T9 a subset cuts the list, in the client's order, and is never widened", () => {
  const report = new Report();
  const filtered = filterTools(request({ mode: "subset", names: ["c", "a"], required: true }), report);
  expect(filtered).toEqual({ tools: [tools[0], tools[2]], choice: { mode: "required" } });
  expect(report.notices).toMatchObject([{ field: "tool_choice", verdict: "emulated" }]);
  expect(filterTools(request({ mode: "subset", names: ["b"], required: false }), report).choice).toEqual({
    mode: "auto",
  });
});

test("T9 a subset of all tools changes nothing that a cache would see", () => {
  const report = new Report();
  filterTools(request({ mode: "subset", names: ["a", "b", "c"], required: false }), report);
  expect(report.notices).toEqual([]);
});

test("T9 a subset without any offered tool is refused", () => {
  const choice: ToolChoice = { mode: "subset", names: ["x"], required: true };
  expect(() => filterTools(request(choice), new Report())).toThrow(ProtocolError);
});

test("any other choice passes with all tools", () => {
  const report = new Report();
  expect(filterTools(request(), report)).toEqual({ tools, choice: undefined });
  expect(filterTools(request({ mode: "tool", name: "a" }), report)).toEqual({
    tools,
    choice: { mode: "tool", name: "a" },
  });
});
