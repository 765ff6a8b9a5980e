import type { Ask } from "./ask.ts";
import type { Citation, Finish, Script, Step, Usage } from "./script.ts";
import { countTokens } from "./tokens.ts";

/** A script with everything decided that unary and streaming must agree on: ids, tokens, why it ends. */
export interface Answer {
  /** Opaque; each family puts its own prefix before it. */
  id: string;
  /** Unix seconds. */
  created: number;
  model: string;
  parts: Part[];
  finish: Finish;
  stopSequence: string | undefined;
  /** `undefined` where the upstream reports none. */
  usage: Usage | undefined;
  usageForm: "exact" | "twice" | "negative" | "huge" | "not-a-number";
  /** The answer's reasoning carries a proof that later turns must bring back. */
  signed: boolean;
  candidates: number;
  chunkSize: number | undefined;
  chatReasoning: "hidden" | "reasoning_content" | "reasoning";
}

/** A step with its id. `id` is opaque, `callId` is a tool call's id as the client sees it, without prefix. */
export type Part =
  | { kind: "text"; id: string; text: string; citations: Citation[] }
  | { kind: "reasoning"; id: string; text: string; hidden: boolean }
  | { kind: "redacted-reasoning"; id: string }
  | ToolCallPart
  | { kind: "refusal"; id: string; text: string }
  | { kind: "image"; id: string; mimeType: string; data: string };

/** A tool call with its ids; `arguments` is what the model wrote. */
interface ToolCallPart {
  kind: "tool-call";
  id: string;
  callId: string | undefined;
  name: string;
  arguments: string;
  custom: boolean;
  namespace: string | undefined;
  search: boolean;
}

/** Decides a script's open points. `now` in milliseconds. */
export function composeAnswer(script: Script, ask: Ask, now: number, ids: () => string): Answer {
  const parts = (script.steps ?? []).map((step) => partOf(step, ids));
  const hasCall = parts.some((part) => part.kind === "tool-call");
  const reasons = parts.some((part) => part.kind === "reasoning" || part.kind === "redacted-reasoning");
  const form = typeof script.usage === "string" ? script.usage : "exact";
  return {
    id: ids(),
    created: Math.floor(now / 1000),
    model: ask.model,
    parts,
    finish: script.finish ?? defaultFinish(parts, hasCall),
    stopSequence: script.stopSequence,
    usage: form === "none" ? undefined : usageOf(script, parts, ask),
    usageForm: form === "none" ? "exact" : form,
    signed: reasons || signsAlways(ask.model),
    candidates: ask.candidates,
    chunkSize: script.chunkSize,
    chatReasoning: script.chatReasoning ?? "hidden",
  };
}

/** Models that play the newest Gemini generation: every step is signed, and signatures are demanded back. */
export function signsAlways(model: string): boolean {
  return model.startsWith("sandbox-gemini-3");
}

function defaultFinish(parts: Part[], hasCall: boolean): Finish {
  if (hasCall) return "tool";
  return parts.some((part) => part.kind === "refusal") ? "refusal" : "stop";
}

function partOf(step: Step, ids: () => string): Part {
  switch (step.kind) {
    case "text":
      return { kind: "text", id: ids(), text: step.text, citations: step.citations ?? [] };
    case "tool-call": {
      const text = typeof step.arguments === "string" ? step.arguments : JSON.stringify(step.arguments);
      return {
        kind: "tool-call",
        id: ids(),
        callId: step.id,
        name: step.name,
        arguments: text,
        custom: step.custom ?? false,
        namespace: step.namespace,
        search: step.search ?? false,
      };
    }
    case "reasoning":
      return { ...step, hidden: step.hidden ?? false, id: ids() };
    case "redacted-reasoning":
    case "refusal":
    case "image":
      return { ...step, id: ids() };
  }
}

function usageOf(script: Script, parts: Part[], ask: Ask): Usage {
  const given = typeof script.usage === "object" ? script.usage : {};
  const reasoning = given.reasoning ?? sum(parts, isReasoning) * ask.candidates;
  const visible = sum(parts, (part) => !isReasoning(part)) * ask.candidates;
  return {
    input: given.input ?? ask.inputTokens,
    cacheRead: given.cacheRead ?? 0,
    cacheWrite: given.cacheWrite ?? 0,
    output: given.output ?? reasoning + visible,
    reasoning,
  };
}

function isReasoning(part: Part): boolean {
  return part.kind === "reasoning" || part.kind === "redacted-reasoning";
}

function sum(parts: Part[], wanted: (part: Part) => boolean): number {
  return parts.filter(wanted).reduce((total, part) => total + partTokens(part), 0);
}

/** Tokens of one part by the provider's rule. */
function partTokens(part: Part): number {
  switch (part.kind) {
    case "text":
    case "reasoning":
    case "refusal":
      return countTokens(part.text);
    case "tool-call":
      return countTokens(part.name) + countTokens(part.arguments);
    case "redacted-reasoning":
      return 16;
    case "image":
      return 256;
  }
}
