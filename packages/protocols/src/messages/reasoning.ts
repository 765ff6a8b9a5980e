import { type JsonObject, type Proof, type ReasoningControl, type ReasoningPart, refuse } from "../canonical/index.ts";
import type { ProofVault } from "../codec.ts";
import {
  budgetOfEffort,
  effortOfBudget,
  reasoningField,
  steppedEffort,
  wantsNoThinking,
  wantsSight,
  wantsThinking,
} from "../shared/effort.ts";
import { noProof, openProof } from "../shared/no-proof.ts";
import { readEnum, readNumber, readObject, readString, requireString, unknownFields } from "../shared/read.ts";
import type { Report } from "../shared/report.ts";
import type { MessagesCapabilities } from "./capabilities.ts";

/** The family whose proofs this protocol carries in the clear. */
const family = "anthropic";

/** The text of a signature for a client: the vendor's own as it is, any other sealed (conversion.md 2.5). */
export function signatureOf(proof: Proof | undefined, vault: ProofVault): string {
  if (proof?.family === family) return proof.value;
  return vault.seal(proof ?? noProof);
}

/** A `thinking` block; `vault` is there where a client sent it. An empty text is the vendor's way to omit it. */
export function decodeThinking(block: JsonObject, at: string, vault?: ProofVault): ReasoningPart {
  const text = requireString(block, "thinking", at);
  const signature = readString(block, "signature", at);
  const part: ReasoningPart = { type: "reasoning" };
  if (text !== "") part.text = text;
  const proof = signature ? openProof(signature, ownProof(signature, "signature"), vault) : undefined;
  if (proof) part.proof = proof;
  return part;
}

/** A `redacted_thinking` block: a proof without text. */
export function decodeRedactedThinking(block: JsonObject, at: string, vault?: ProofVault): ReasoningPart {
  const part: ReasoningPart = { type: "reasoning" };
  const data = requireString(block, "data", at);
  const proof = openProof(data, ownProof(data, "redacted"), vault);
  if (proof) part.proof = proof;
  return part;
}

function ownProof(value: string, kind: Proof["kind"]): Proof {
  return { family, kind, value };
}

/** The one text of a reasoning part, for the one slot that this protocol has. */
export function reasoningText(part: ReasoningPart): string {
  return part.text ?? part.summary?.join("\n\n") ?? "";
}

/** A block for the upstream, which reads only what it signed itself; undefined for all other reasoning (L20). */
export function encodeThinking(part: ReasoningPart): JsonObject | undefined {
  return part.proof ? encodeProof(part.proof, reasoningText(part)) : undefined;
}

/** A block that holds this proof and its text, where it is the vendor's own. */
export function encodeProof(proof: Proof, text: string): JsonObject | undefined {
  if (proof.family !== family) return undefined;
  if (proof.kind === "redacted") return { type: "redacted_thinking", data: proof.value };
  return { type: "thinking", thinking: text, signature: proof.value };
}

const thinkingTypes = ["enabled", "adaptive", "disabled", "between_tools"] as const;
const thinkingKeys = new Set(["type", "budget_tokens", "display"]);
const efforts = ["low", "medium", "high", "xhigh", "max"] as const;

export interface DecodedThinking {
  reasoning?: ReasoningControl;
  /** Keys of `thinking` and `output_config` that have no canonical form. */
  thinkingRest?: JsonObject;
  configRest?: JsonObject;
}

/** `thinking` and `output_config.effort`. */
export function decodeReasoning(body: JsonObject): DecodedThinking {
  const result: DecodedThinking = {};
  const config = readObject(body, "output_config");
  const effort = config && readEnum(config, "effort", efforts, "output_config");
  const thinking = readObject(body, "thinking");
  if (!thinking) {
    if (effort) result.reasoning = { effort };
    return result;
  }
  const type =
    readEnum(thinking, "type", thinkingTypes, "thinking") ??
    refuse("thinking.type", "Missing required parameter: 'thinking.type'.", "missing_required_parameter");
  const budget = readNumber(thinking, "budget_tokens", { min: 1024, integer: true }, "thinking");
  const display = readString(thinking, "display", "thinking");
  const rest = unknownFields(thinking, thinkingKeys);
  if (rest) result.thinkingRest = rest;
  const reasoning: ReasoningControl = {};
  switch (type) {
    case "enabled":
      if (budget === undefined)
        refuse(
          "thinking.budget_tokens",
          "Missing required parameter: 'thinking.budget_tokens'.",
          "missing_required_parameter",
        );
      reasoning.budgetTokens = budget;
      break;
    case "adaptive":
      reasoning.adaptive = true;
      break;
    case "disabled":
    case "between_tools":
      result.reasoning = { effort: "none" };
      // The effort also steers the answer itself, so it is kept beside the wish for no thinking.
      if (effort) result.configRest = { effort };
      return result;
  }
  if (effort) reasoning.effort = effort;
  if (display === "summarized") reasoning.show = "summary";
  else if (display === "omitted") reasoning.show = "none";
  else if (display !== undefined) {
    result.thinkingRest = { ...result.thinkingRest, display };
    // What Claude Code asks for: to be told of the thinking while it goes on. Elsewhere the summary is nearest to it.
    if (display === "updates") reasoning.show = "summary";
  }
  result.reasoning = reasoning;
  return result;
}

export interface EncodedReasoning {
  thinking?: JsonObject;
  effort?: string;
}

/** `thinking` and `output_config.effort` for one model (conversion.md 2.2, E8). Never raises the caller's output limit. */
export function encodeReasoning(
  reasoning: ReasoningControl | undefined,
  capabilities: MessagesCapabilities,
  maxTokens: number,
  report: Report,
): EncodedReasoning {
  if (!reasoning) return {};
  if (wantsNoThinking(reasoning)) return thinkingOff(capabilities, reasoningField(reasoning), report);
  const { budgetTokens, adaptive, show } = reasoning;
  const asks = wantsThinking(reasoning);
  if (capabilities.thinking === "none") {
    if (asks || wantsSight(reasoning))
      report.dropped(reasoningField(reasoning), "This model has no thinking that could be controlled.");
    return {};
  }
  if (!asks && (!wantsSight(reasoning) || capabilities.omittedThinking === "off")) {
    // A wish to see or to hide reasoning does not turn it on.
    if (wantsSight(reasoning)) {
      report.dropped("thinking.display", "The model does not think unless it is asked to: there is nothing to show.");
    }
    if (show === "none" && capabilities.omittedThinking === "adaptive" && capabilities.display) {
      return { thinking: { type: "adaptive", display: "omitted" } };
    }
    return {};
  }
  const encoded: EncodedReasoning =
    capabilities.thinking === "budget" || (capabilities.thinking === "both" && budgetTokens !== undefined && !adaptive)
      ? byBudget(reasoning, capabilities, maxTokens, report)
      : byEffort(reasoning, capabilities, report);
  if (encoded.thinking && show !== undefined && capabilities.display) {
    encoded.thinking.display = show === "none" ? "omitted" : "summarized";
  } else if (encoded.thinking && wantsSight(reasoning)) {
    report.dropped("thinking.display", "The model does not let the caller choose what is shown of its thinking.");
  }
  return encoded;
}

/** The model's own form of "do not think". `field`: the wish that it takes the place of. */
export function thinkingOff(capabilities: MessagesCapabilities, field: string, report: Report): EncodedReasoning {
  switch (capabilities.thinkingOff) {
    case "omit":
      return {};
    case "disabled":
      return { thinking: { type: "disabled" } };
    case "between_tools":
      return { thinking: { type: "between_tools" } };
    case "low-effort":
      report.approximated(field, "This model cannot stop thinking; it thinks at its lowest effort.");
      return { thinking: { type: "adaptive" }, effort: "low" };
  }
}

function byEffort(reasoning: ReasoningControl, capabilities: MessagesCapabilities, report: Report): EncodedReasoning {
  const encoded: EncodedReasoning = {};
  const step = capabilities.efforts.length > 0 ? steppedEffort(reasoning, capabilities.efforts, report) : undefined;
  if (step) encoded.effort = step;
  // Where thinking is on by itself an effort alone says it all.
  const needed = capabilities.omittedThinking === "off" || reasoning.adaptive || reasoning.show !== undefined;
  if (needed) encoded.thinking = { type: "adaptive" };
  return encoded;
}

const leastBudget = 1024;

/** A fixed budget: at least 1024 tokens, and as many must be left of the output limit for the answer. */
function byBudget(
  reasoning: ReasoningControl,
  capabilities: MessagesCapabilities,
  maxTokens: number,
  report: Report,
): EncodedReasoning {
  const { effort, budgetTokens } = reasoning;
  const wished = Math.max(leastBudget, budgetTokens ?? budgetOfEffort(effort ?? "high"));
  const budget = wished < maxTokens ? wished : maxTokens - leastBudget;
  if (budget < leastBudget) {
    report.dropped(
      reasoningField(reasoning),
      "The output limit leaves no room for thinking (at least 1024 tokens and 1024 for the answer).",
    );
    return {};
  }
  if (budgetTokens !== undefined) {
    if (budget !== budgetTokens)
      report.approximated(
        "thinking.budget_tokens",
        `The budget of ${budgetTokens} tokens became ${budget} to fit between 1024 and the output limit.`,
      );
  } else if (effort === undefined) {
    report.approximated(reasoningField(reasoning), "This model does not think adaptively; it got a fixed budget.");
  } else if (effortOfBudget(budget) !== effort) {
    report.approximated(
      reasoningField(reasoning),
      `The effort '${effort}' is a budget of ${budget} tokens here, because the output limit leaves no more.`,
    );
  }
  const encoded: EncodedReasoning = { thinking: { type: "enabled", budget_tokens: budget } };
  const known = effort !== undefined && capabilities.efforts.length > 0;
  const step = known ? steppedEffort({ effort }, capabilities.efforts, report) : undefined;
  if (step) encoded.effort = step;
  return encoded;
}
