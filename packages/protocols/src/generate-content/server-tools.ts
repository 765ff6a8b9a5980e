import type { JsonObject, PartBase, ServerToolPart } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";
import { camelFields } from "./fields.ts";

/** Provider-run tools that `toolCall` and `toolResponse` name, in the field's words. */
const toolTypes: Readonly<Record<string, string>> = {
  GOOGLE_SEARCH_WEB: "web_search",
  GOOGLE_SEARCH_IMAGE: "web_search",
  URL_CONTEXT: "web_fetch",
  GOOGLE_MAPS: "maps",
  FILE_SEARCH: "file_search",
};

const kinds = [
  { key: "executableCode", role: "call" },
  { key: "codeExecutionResult", role: "result" },
  { key: "toolCall", role: "call" },
  { key: "toolResponse", role: "result" },
] as const;

/** The call or result of a provider-run tool; undefined for any other part. The payload is kept as it was written. */
export function serverPart(part: JsonObject, base: PartBase): ServerToolPart | undefined {
  for (const { key, role } of kinds) {
    const data = part[key];
    if (!isObject(data)) continue;
    return {
      type: "server-tool",
      role,
      tool: toolOf(key, data),
      protocol: "generate-content",
      payload: { [key]: data },
      ...base,
    };
  }
  return undefined;
}

function toolOf(key: string, data: JsonObject): string {
  if (key === "executableCode" || key === "codeExecutionResult") return "code_execution";
  const type = camelFields(data).toolType;
  if (typeof type !== "string") return "unknown";
  return toolTypes[type] ?? type.toLowerCase();
}
