import type { ResponseInputItem, ResponseOutputItem } from "openai/resources/responses/responses";

/** The vendor's own item types. A kind that the vendor adds fails the table below at type check. */
type WireItemType = NonNullable<(ResponseInputItem | ResponseOutputItem)["type"]>;

/**
 * What an item is to a conversation. `server-call`: the model or the provider speaks (assistant side).
 * `client-output`: what a client-run typed tool or a person gave back (user side). `tools`: more tools. `opaque`: only this protocol's.
 */
export type ItemClass =
  | "message"
  | "call"
  | "result"
  | "reasoning"
  | "server-call"
  | "server-result"
  | "client-output"
  | "tools"
  | "opaque";

const itemClasses: Readonly<Record<WireItemType, ItemClass>> = {
  message: "message",
  function_call: "call",
  custom_tool_call: "call",
  function_call_output: "result",
  custom_tool_call_output: "result",
  reasoning: "reasoning",
  web_search_call: "server-call",
  file_search_call: "server-call",
  code_interpreter_call: "server-call",
  image_generation_call: "server-call",
  mcp_list_tools: "server-call",
  mcp_call: "server-call",
  mcp_approval_request: "server-call",
  computer_call: "server-call",
  local_shell_call: "server-call",
  shell_call: "server-call",
  apply_patch_call: "server-call",
  tool_search_call: "server-call",
  program: "server-call",
  program_output: "server-result",
  tool_search_output: "server-result",
  computer_call_output: "client-output",
  local_shell_call_output: "client-output",
  shell_call_output: "client-output",
  apply_patch_call_output: "client-output",
  mcp_approval_response: "client-output",
  additional_tools: "tools",
  compaction: "opaque",
  compaction_trigger: "opaque",
  configuration_update: "opaque",
  item_reference: "opaque",
};

/** The class of an item type; undefined for a type that the vendor did not know when this was written. */
export function itemClassOf(type: string): ItemClass | undefined {
  // Object.hasOwn proves the key, so the lookup is one of the table's own.
  return Object.hasOwn(itemClasses, type) ? itemClasses[type as WireItemType] : undefined;
}

/** The field's word for the provider-run tool behind an item or tool type (`web_search_preview_2025_03_11` -> `web_search`). */
export function serverToolName(type: string): string {
  if (type.startsWith("web_search")) return "web_search";
  if (type.startsWith("code_interpreter")) return "code_execution";
  if (type.startsWith("computer")) return "computer";
  if (type.startsWith("mcp")) return "mcp";
  return type.replace(/_call(_output)?$|_output$/, "");
}
