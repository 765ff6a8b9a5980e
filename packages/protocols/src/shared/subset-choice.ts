import { type CanonicalRequest, refuse, type Tool, type ToolChoice } from "../canonical/index.ts";
import type { Report } from "./report.ts";

/**
 * The tools and the choice for a protocol that cannot say "only these tools" (conversion.md T9): the list itself is cut
 * down. Never widened to a choice among all tools. Any other choice passes as it is.
 */
export function filterTools(
  request: CanonicalRequest,
  report: Report,
): { tools: Tool[]; choice: ToolChoice | undefined } {
  const choice = request.toolChoice;
  if (choice?.mode !== "subset") return { tools: request.tools, choice };
  const tools = request.tools.filter((tool) =>
    tool.type === "server" ? choice.server?.tools.includes(tool.tool) : choice.names.includes(tool.name),
  );
  if (tools.length === 0) {
    refuse("tool_choice", "'tool_choice' allows only tools that are not in 'tools'.");
  }
  if (tools.length < request.tools.length) {
    report.emulated("tool_choice", "The tool list was cut down to the allowed tools, which can miss the prompt cache.");
  }
  return { tools, choice: { mode: choice.required ? "required" : "auto" } };
}
