import type { Citation, PartHead, Proof } from "../canonical/index.ts";
import type { AnswerContext } from "../codec.ts";
import { Report } from "../shared/report.ts";
import { argumentsObject } from "../shared/tool-arguments.ts";

/** The part that is being written. */
export interface OpenPart {
  key: string;
  head: PartHead;
  /** Start of every delta frame of its block; undefined while the block is not opened. */
  deltaStart: string | undefined;
  /** What came to be written behind the block (a proof) or with its first text (citations). */
  proof?: Proof;
  citations: Citation[];
  /** Reasoning: the one of its two forms that is written, and the paragraph it is in. */
  form?: "reasoning" | "summary";
  paragraph: number;
  /** Arguments that wait, because it is not sure yet that they are a JSON object. */
  held: string | undefined;
  /** Whether the arguments wait to the end: free text, or JSON that is no object. */
  waits: boolean;
}

export function openPart(key: string, head: PartHead): OpenPart {
  const isCall = head.type === "tool-call";
  return {
    key,
    head,
    deltaStart: undefined,
    citations: [],
    paragraph: 0,
    held: isCall ? "" : undefined,
    waits: isCall && head.toolKind === "custom",
  };
}

/** The JSON of arguments that waited to the end; undefined where none are left to write. */
export function heldArguments(part: OpenPart, context: AnswerContext): string | undefined {
  if (part.head.type !== "tool-call" || part.held === undefined) return undefined;
  if (part.head.toolKind === "custom") return JSON.stringify({ input: part.held });
  if (part.held.trim() === "") return undefined;
  const report = new Report();
  const input = argumentsObject(part.held, "content", report);
  for (const notice of report.notices) context.notice(notice);
  return JSON.stringify(input);
}
