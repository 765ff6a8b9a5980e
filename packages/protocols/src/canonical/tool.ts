import type { JsonObject, JsonSchema } from "./json.ts";
import type { CacheMark } from "./part.ts";
import type { Located, ProtocolName } from "./protocol.ts";

/** A tool that the client runs, described by a JSON Schema. */
export interface FunctionTool extends Located {
  type: "function";
  name: string;
  description?: string;
  /** Absent: the function takes no arguments. */
  parameters?: JsonSchema;
  /** Absent: the caller did not say. */
  strict?: boolean;
  /** The protocol that has a kind of its own for this tool; elsewhere this function stands for it (T8). */
  standsIn?: ProtocolName;
  cache?: CacheMark;
}

/** A tool that the client runs and that takes free text (OpenAI custom tools). */
export interface CustomTool extends Located {
  type: "custom";
  name: string;
  description?: string;
  grammar?: { syntax: "lark" | "regex"; definition: string };
  cache?: CacheMark;
}

/** A tool that the provider runs. Only the protocol that spelt it can send it as it is. */
export interface ServerTool extends Located {
  type: "server";
  /** The tool in the field's words: `web_search`, `code_execution`, `file_search`, `mcp`, … */
  tool: string;
  protocol: ProtocolName;
  payload: JsonObject;
  cache?: CacheMark;
}

export type Tool = FunctionTool | CustomTool | ServerTool;

/** Which tools the model may or must call. Names are the client's tool names. */
export type ToolChoice =
  | { mode: "auto" }
  | { mode: "none" }
  | { mode: "required" }
  | { mode: "tool"; name: string }
  /**
   * Only these tools; `required`: one of them must be called. `server`: the choice names provider-run tools, too; they, in
   * the field's words, and all of it as its protocol wrote it.
   */
  | {
      mode: "subset";
      names: string[];
      required: boolean;
      server?: { tools: string[]; protocol: ProtocolName; payload: JsonObject };
    }
  /** A provider-run tool is forced. */
  | { mode: "server"; protocol: ProtocolName; payload: JsonObject };
