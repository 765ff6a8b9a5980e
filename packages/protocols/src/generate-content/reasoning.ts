import type {
  CanonicalRequest,
  Effort,
  JsonObject,
  Proof,
  ReasoningControl,
  ReasoningPart,
} from "../canonical/index.ts";
import { refuse } from "../canonical/index.ts";
import type { ProofVault } from "../codec.ts";
import { reasoningField, steppedEffort, wantsSight, wantsThinking } from "../shared/effort.ts";
import { path, readBoolean, readString } from "../shared/read.ts";
import type { Report } from "../shared/report.ts";
import type { GenerateContentCapabilities } from "./capabilities.ts";
import { readConstant, readFields, readNumeric } from "./fields.ts";
import { isAbsentSignature } from "./wire.ts";

const levels: readonly Effort[] = ["minimal", "low", "medium", "high"];

/** `thinkingConfig` -> the caller's wish. The default, no thoughts shown and nothing else said, is no wish. */
export function decodeThinking(config: JsonObject, at: string): ReasoningControl | undefined {
  const thinking = readFields(config, "thinkingConfig", at);
  if (!thinking) return undefined;
  const field = path(at, "thinkingConfig");
  const control: ReasoningControl = {};
  const budget = readNumeric(thinking, "thinkingBudget", { integer: true, min: -1, max: 1_000_000 }, field);
  if (budget === -1) control.adaptive = true;
  else if (budget !== undefined) control.budgetTokens = budget;
  const word = readConstant(thinking, "thinkingLevel", field);
  if (word !== undefined) {
    const level = levels.find((known) => known === word.toLowerCase());
    const at = path(field, "thinkingLevel");
    if (!level) refuse(at, `'${at}' must be one of MINIMAL, LOW, MEDIUM, HIGH, got '${word}'.`);
    control.effort = level;
  }
  if (readBoolean(thinking, "includeThoughts", field)) control.show = "summary";
  return Object.keys(control).length > 0 ? control : undefined;
}

/** What this family's 2.5 models get for an effort (conversion.md 2.2). */
const budgets: Readonly<Record<Exclude<Effort, "xhigh" | "max">, number>> = {
  none: 0,
  minimal: 512,
  low: 1024,
  medium: 8192,
  high: 24576,
};

/** The wish as `thinkingConfig`, in the way the model is steered (conversion.md 2.2, E8). */
export function encodeThinking(
  request: CanonicalRequest,
  capabilities: GenerateContentCapabilities,
  report: Report,
): JsonObject | undefined {
  const control = request.reasoning;
  if (!control) return undefined;
  const config: JsonObject = {};
  switch (capabilities.thinking) {
    case "none":
      if (wantsThinking(control) || wantsSight(control)) {
        report.dropped(reasoningField(control), "This model does not reason.");
      }
      return undefined;
    case "level": {
      // Where an effort and a budget are given the effort wins: it is what these models are steered by.
      const level = steppedEffort(control, capabilities.efforts, report);
      if (level !== undefined) config.thinkingLevel = level.toUpperCase();
      break;
    }
    case "budget": {
      const budget = budgetOf(control, capabilities, report);
      if (budget !== undefined) config.thinkingBudget = budget;
      break;
    }
  }
  if (control.show === "summary" || control.show === "full") config.includeThoughts = true;
  return Object.keys(config).length > 0 ? config : undefined;
}

/** Where both are given the budget wins. -1 lets the model decide. */
function budgetOf(
  control: ReasoningControl,
  capabilities: GenerateContentCapabilities,
  report: Report,
): number | undefined {
  const field = control.budgetTokens === undefined ? "reasoning_effort" : "thinking.budget_tokens";
  const wish =
    control.budgetTokens ??
    (control.effort === undefined ? undefined : budgetOfEffort(control.effort, capabilities.maxBudget));
  if (wish === undefined) return control.adaptive ? -1 : undefined;
  if (wish === 0 && capabilities.thinkingOff) return 0;
  const budget = Math.min(capabilities.maxBudget, Math.max(capabilities.minBudget, wish));
  if (budget !== wish) report.approximated(field, `This model's nearest reasoning budget is ${budget} tokens.`);
  return budget;
}

function budgetOfEffort(effort: Effort, cap: number): number {
  return effort === "xhigh" || effort === "max" ? cap : Math.min(cap, budgets[effort]);
}

/** The one text of a reasoning part, where a writer has one slot. */
export function reasoningText(part: ReasoningPart): string {
  return part.text ?? part.summary?.join("\n\n") ?? "";
}

/** Whether the client asked to see thoughts: this protocol shows none unasked. */
export function showsThoughts(request: CanonicalRequest): boolean {
  const show = request.reasoning?.show;
  return show === "summary" || show === "full";
}

/** `thoughtSignature` of a client's history: an envelope gives the foreign proof inside, any other value is Gemini's own. */
export function openSignature(body: JsonObject, at: string, vault: ProofVault): Proof | undefined {
  const value = readString(body, "thoughtSignature", at);
  if (value === undefined || value === "" || isAbsentSignature(value)) return undefined;
  return vault.open(value) ?? ownProof(value);
}

export function ownProof(value: string): Proof {
  return { family: "gemini", kind: "signature", value };
}

/** What a client gets as `thoughtSignature`: our family's proof as it is, any other sealed (conversion.md 2.5). */
export function sealSignature(proof: Proof, vault: ProofVault): string {
  return proof.family === "gemini" ? proof.value : vault.seal(proof);
}

/** What the upstream may get: only its own family's proof (law L20). */
export function upstreamSignature(proof: Proof | undefined): string | undefined {
  return proof?.family === "gemini" ? proof.value : undefined;
}
