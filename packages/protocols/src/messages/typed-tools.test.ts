import { expect, test } from "vitest";
import type { JsonObject } from "../canonical/index.ts";
import { carry } from "../testing/carrying.ts";
import { sides } from "../testing/protocol-sides.ts";

const bash = { type: "bash_20250124", name: "bash", cache_control: { type: "ephemeral" } };
const editor = { type: "text_editor_20250728", name: "str_replace_based_edit_tool", max_characters: 9000 };
const memory = { type: "memory_20250818", name: "memory" };

function bodyWith(more: JsonObject): JsonObject {
  return { model: "m", max_tokens: 100, messages: [{ role: "user", content: "Hi" }], ...more };
}

test("T8 Claude gets the tools that it knows as the client wrote them", () => {
  const tools = [bash, editor, memory];
  const choice = { type: "tool", name: "memory" };
  const { upstreamBody, notices } = carry(sides.messages, sides.messages, bodyWith({ tools, tool_choice: choice }), {
    model: "claude-sonnet-4-5",
  });
  expect(upstreamBody).toMatchObject({ tools, tool_choice: choice });
  expect(notices).toEqual([]);
});

const file = ["path", "view_range", "file_text", "old_str", "new_str", "insert_line"];

test.each([
  { tool: bash, fields: ["command", "restart"] },
  {
    tool: editor,
    fields: ["command", ...file, "insert_text"],
    commands: ["view", "create", "str_replace", "insert"],
  },
  {
    tool: { type: "text_editor_20250124", name: "str_replace_editor" },
    fields: ["command", ...file],
    commands: ["view", "create", "str_replace", "insert", "undo_edit"],
  },
  {
    tool: memory,
    fields: ["command", ...file, "insert_text", "old_path", "new_path"],
    commands: ["view", "create", "str_replace", "insert", "delete", "rename"],
  },
])("T8 others get a function with the published arguments: $tool.type", ({ tool, fields, commands }) => {
  const { upstreamBody, notices } = carry(sides.messages, sides.responses, bodyWith({ tools: [tool] }));
  const properties = Object.fromEntries(fields.map((field) => [field, expect.any(Object)]));
  const command = commands ? { type: "string", enum: commands } : properties.command;
  const parameters = expect.objectContaining({ properties: { ...properties, command } });
  expect(upstreamBody.tools).toEqual([
    expect.objectContaining({ type: "function", name: tool.name, description: expect.any(String), parameters }),
  ]);
  expect(notices).toContainEqual(expect.objectContaining({ field: "tools[0]", verdict: "emulated" }));
});

test("T8 what a function has no place for is told by its field", () => {
  const { notices } = carry(sides.messages, sides["chat-completions"], bodyWith({ tools: [editor] }));
  expect(notices).toContainEqual(expect.objectContaining({ field: "tools[0].max_characters", verdict: "dropped" }));
});

test("T8 such a tool can be forced like any function", () => {
  const { upstreamBody } = carry(
    sides.messages,
    sides["chat-completions"],
    bodyWith({ tools: [bash], tool_choice: { type: "tool", name: "bash" } }),
  );
  expect(upstreamBody.tool_choice).toEqual({ type: "function", function: { name: "bash" } });
});

test("T8 a tool that the client runs and that has no published arguments is left out", () => {
  const computer = { type: "computer_20250124", name: "computer", display_width_px: 800, display_height_px: 600 };
  const { upstreamBody, notices } = carry(sides.messages, sides.responses, bodyWith({ tools: [computer] }));
  expect(upstreamBody.tools).toBeUndefined();
  expect(notices).toContainEqual(expect.objectContaining({ field: "tools[0]", verdict: "dropped" }));
});
