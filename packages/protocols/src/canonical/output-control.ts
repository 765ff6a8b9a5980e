import type { JsonSchema } from "./json.ts";

/** The form of the answer's text. */
export type OutputFormat =
  | { type: "text" }
  | { type: "json" }
  | { type: "schema"; schema: JsonSchema; name?: string; description?: string; strict?: boolean };

/** The one ladder of reasoning effort (conversion.md 2.2). */
export type Effort = "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";

/** What the caller wishes of the model's reasoning. */
export interface ReasoningControl {
  /** Absent: not named by effort. */
  effort?: Effort;
  /** Budget in tokens (messages: budget_tokens; Gemini 2.5: thinkingBudget). 0 means off. */
  budgetTokens?: number;
  /** The model decides by itself (messages: adaptive; Gemini: thinkingBudget -1). */
  adaptive?: boolean;
  /** Whether the caller wants to see reasoning. Absent: the family's default. */
  show?: "none" | "summary" | "full";
  /** Responses: the style of summary asked for (`auto`, `concise`, `detailed`). */
  summaryStyle?: string;
}

/** Sampling knobs, absent where the caller left the family's default. */
export interface Sampling {
  temperature?: number;
  topP?: number;
  topK?: number;
  seed?: number;
  frequencyPenalty?: number;
  presencePenalty?: number;
  logitBias?: Record<string, number>;
  /** Log probabilities are wanted, with this many alternatives a token. */
  logprobs?: { top: number };
}
