import type { Json, JsonObject } from "./json.ts";
import type { Protocol } from "./protocol.ts";

/** What a request asks for, read from any protocol: what the sandbox needs to answer sensibly. */
export interface Ask {
  protocol: Protocol;
  model: string;
  lastTurn: LastTurn;
  tools: OfferedTool[];
  /** Tools of kinds that Responses alone has: those in namespaces, the caller's search of tools, and what it found. */
  ownTools?: OfferedTool[];
  toolChoice: ToolChoice;
  /** False where at most one call a turn is allowed. */
  parallel: boolean;
  format: AnswerFormat;
  reasoning: ReasoningAsk;
  /** The output cap in tokens, reasoning included. */
  maxOutput: number | undefined;
  stops: string[];
  /** Tokens of the whole input. */
  inputTokens: number;
  /** How many answers are wanted at once (`n`, `candidateCount`). */
  candidates: number;
}

export type LastTurn = { kind: "user"; text: string } | { kind: "tool-results"; results: ToolResultSeen[] };

interface ToolResultSeen {
  name: string;
  text: string;
}

export interface OfferedTool {
  name: string;
  /** JSON Schema or Gemini's upper-case form; `undefined` where the tool takes none. */
  schema: Json | undefined;
  /** A free-text tool (OpenAI `custom`). */
  custom: boolean;
  /** Where it stands in one. */
  namespace?: string;
  /** It is the search of tools. */
  search?: boolean;
}

export type ToolChoice =
  | { kind: "auto" }
  | { kind: "none" }
  /** At least one call, of one of `names`, or of any tool where there are no names. */
  | { kind: "required"; names: string[] };

export type AnswerFormat = { kind: "text" } | { kind: "json" } | { kind: "schema"; schema: JsonObject };

export interface ReasoningAsk {
  on: boolean;
  /** The text may be shown; otherwise only its proof and its tokens are. */
  visible: boolean;
}
