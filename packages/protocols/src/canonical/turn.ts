import type { Part } from "./part.ts";
import type { Located } from "./protocol.ts";

/**
 * One turn of the conversation. Tool results are parts of a user turn; tool calls are parts of an assistant turn.
 * All output of one model answer is one assistant turn; the results of its calls are one user turn.
 */
export interface Turn extends Located {
  role: "system" | "developer" | "user" | "assistant";
  parts: Part[];
  /** The participant's name (chat completions). */
  name?: string;
  /** Responses: whether an assistant message is commentary or the final answer. */
  phase?: "commentary" | "final_answer";
}
