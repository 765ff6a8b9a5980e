import type { JsonObject } from "../../canonical/index.ts";

/** A kind of tool as Codex and the vendor's own agents send it, and one call of it from end to end. */
export interface ToolKind {
  kind: string;
  tools: JsonObject[];
  /** Items of the input that bring tools along. */
  bring?: JsonObject[];
  /** How a choice names it. */
  choice: JsonObject;
  /** Its name where all tools are functions. */
  name: string;
  /** The arguments that a model writes there. */
  json: string;
  /** The text that a model writes where custom tools go as they are. */
  input?: string;
  /** The item of a responses upstream, less ids and status. */
  native: JsonObject;
  /** What the client must get of it. */
  item: JsonObject;
  /** What the client gives back. */
  output(callId: string): JsonObject;
  /** Words of that which the model must be shown. */
  shown: string;
}

const patch = '*** Begin Patch\n*** Add File: größe.ts\n+const a = "🙂\\u00e4\\n";\n+\tb\n*** End Patch';

const lark = `start: begin_patch hunk+ end_patch
begin_patch: "*** Begin Patch" LF
end_patch: "*** End Patch" LF?
hunk: "*** Add File: " filename LF ("+" /(.*)/ LF)+
filename: /(.+)/
%import common.LF`;

const object = { type: "object", properties: { q: { type: "string" } }, required: ["q"], additionalProperties: false };

const functionOutput = (callId: string): JsonObject => ({
  type: "function_call_output",
  call_id: callId,
  output: "exit 0: done",
});
const customOutput = (callId: string): JsonObject => ({ ...functionOutput(callId), type: "custom_tool_call_output" });

export const toolKinds: readonly ToolKind[] = [
  {
    kind: "a function",
    tools: [{ type: "function", name: "exec_command", parameters: object, strict: false }],
    choice: { type: "function", name: "exec_command" },
    name: "exec_command",
    json: '{"q":"ls"}',
    native: { type: "function_call", name: "exec_command", arguments: '{"q":"ls"}' },
    item: { type: "function_call", name: "exec_command", arguments: '{"q":"ls"}' },
    output: functionOutput,
    shown: "exit 0: done",
  },
  {
    kind: "a custom tool with a Lark grammar",
    tools: [
      {
        type: "custom",
        name: "apply_patch",
        description: "Edits files.",
        format: { type: "grammar", syntax: "lark", definition: lark },
      },
    ],
    choice: { type: "custom", name: "apply_patch" },
    name: "apply_patch",
    json: JSON.stringify({ input: patch }),
    input: patch,
    native: { type: "custom_tool_call", name: "apply_patch", input: patch },
    item: { type: "custom_tool_call", name: "apply_patch", input: patch },
    output: customOutput,
    shown: "exit 0: done",
  },
  {
    kind: "a custom tool with a regular expression",
    tools: [
      { type: "custom", name: "when", format: { type: "grammar", syntax: "regex", definition: "^\\d{4}-\\d\\d$" } },
    ],
    choice: { type: "custom", name: "when" },
    name: "when",
    json: '{"input":"2026-08"}',
    input: "2026-08",
    native: { type: "custom_tool_call", name: "when", input: "2026-08" },
    item: { type: "custom_tool_call", name: "when", input: "2026-08" },
    output: customOutput,
    shown: "exit 0: done",
  },
  {
    kind: "a function of a namespace",
    tools: [
      {
        type: "namespace",
        name: "mcp__crm",
        description: "Customers.",
        tools: [{ type: "function", name: "find", description: "Finds.", parameters: object, strict: false }],
      },
    ],
    choice: { type: "function", name: "find", namespace: "mcp__crm" },
    name: "mcp__crm__find",
    json: '{"q":"a"}',
    native: { type: "function_call", name: "find", namespace: "mcp__crm", arguments: '{"q":"a"}' },
    item: { type: "function_call", name: "find", namespace: "mcp__crm", arguments: '{"q":"a"}' },
    output: functionOutput,
    shown: "exit 0: done",
  },
  {
    kind: "a custom tool of a namespace whose names other families refuse",
    tools: [{ type: "namespace", name: "a.b", description: "D", tools: [{ type: "custom", name: "run/sql" }] }],
    choice: { type: "custom", name: "run/sql", namespace: "a.b" },
    name: "a_b__run_sql_",
    json: '{"input":"SELECT 1"}',
    input: "SELECT 1",
    native: { type: "custom_tool_call", name: "run/sql", namespace: "a.b", input: "SELECT 1" },
    item: { type: "custom_tool_call", name: "run/sql", namespace: "a.b", input: "SELECT 1" },
    output: customOutput,
    shown: "exit 0: done",
  },
  {
    kind: "a function that the input brings",
    tools: [],
    bring: [
      {
        type: "additional_tools",
        role: "developer",
        tools: [{ type: "function", name: "late", parameters: object, strict: false }],
      },
    ],
    choice: { type: "function", name: "late" },
    name: "late",
    json: '{"q":"b"}',
    native: { type: "function_call", name: "late", arguments: '{"q":"b"}' },
    item: { type: "function_call", name: "late", arguments: '{"q":"b"}' },
    output: functionOutput,
    shown: "exit 0: done",
  },
  {
    kind: "a search for tools that the client runs",
    tools: [{ type: "tool_search", execution: "client", description: "Searches.", parameters: object }],
    choice: { type: "tool_search" },
    name: "tool_search",
    json: '{"q":"calendar"}',
    native: { type: "tool_search_call", execution: "client", arguments: { q: "calendar" } },
    item: { type: "tool_search_call", execution: "client", arguments: { q: "calendar" } },
    output: (call_id) => ({
      type: "tool_search_output",
      call_id,
      status: "completed",
      execution: "client",
      tools: [
        {
          type: "namespace",
          name: "calendar",
          description: "Dates.",
          tools: [{ type: "function", name: "create", description: "Adds.", parameters: object, defer_loading: true }],
        },
      ],
    }),
    shown: "calendar",
  },
  {
    kind: "local_shell",
    tools: [{ type: "local_shell" }],
    choice: { type: "local_shell" },
    name: "local_shell",
    json: '{"command":["ls","-a"],"timeout_ms":1000}',
    native: { type: "local_shell_call", action: { type: "exec", command: ["ls", "-a"], timeout_ms: 1000, env: {} } },
    item: { type: "local_shell_call", action: { type: "exec", command: ["ls", "-a"], timeout_ms: 1000, env: {} } },
    output: functionOutput,
    shown: "exit 0: done",
  },
  ...shells(),
  {
    kind: "apply_patch",
    tools: [{ type: "apply_patch" }],
    choice: { type: "apply_patch" },
    name: "apply_patch",
    json: JSON.stringify({ type: "update_file", path: "a.ts", diff: "@@\n-a\n+🙂\n" }),
    native: { type: "apply_patch_call", operation: { type: "update_file", path: "a.ts", diff: "@@\n-a\n+🙂\n" } },
    item: { type: "apply_patch_call", operation: { type: "update_file", path: "a.ts", diff: "@@\n-a\n+🙂\n" } },
    output: (call_id) => ({ type: "apply_patch_call_output", call_id, status: "completed", output: "patched a.ts" }),
    shown: "patched a.ts",
  },
];

/** Without an environment and with the client's. */
function shells(): ToolKind[] {
  return [{}, { environment: { type: "local" } }].map((environment) => ({
    kind: `shell ${JSON.stringify(environment)}`,
    tools: [{ type: "shell", ...environment }],
    choice: { type: "shell" },
    name: "shell",
    json: '{"commands":["ls","pwd"]}',
    native: {
      type: "shell_call",
      action: { commands: ["ls", "pwd"], timeout_ms: null, max_output_length: null },
      environment: { type: "local" },
    },
    item: {
      type: "shell_call",
      action: { commands: ["ls", "pwd"], timeout_ms: null, max_output_length: null },
      environment: { type: "local" },
    },
    output: (call_id) => ({
      type: "shell_call_output",
      call_id,
      max_output_length: null,
      output: [{ stdout: "a.ts", stderr: "", outcome: { type: "exit", exit_code: 3 } }],
    }),
    shown: "a.ts",
  }));
}
