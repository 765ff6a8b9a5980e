import type {
  CanonicalRequest,
  Effort,
  JsonObject,
  JsonValue,
  Proof,
  ReasoningControl,
  ReasoningPart,
} from "../canonical/index.ts";
import type { ProofVault } from "../codec.ts";
import { reasoningField, steppedEffort, wantsSight, wantsThinking } from "../shared/effort.ts";
import { noProof, openProof } from "../shared/no-proof.ts";
import {
  isObject,
  path,
  readArray,
  readEnum,
  readObject,
  readString,
  requireObject,
  requireString,
} from "../shared/read.ts";
import type { Report } from "../shared/report.ts";
import type { ResponsesCapabilities } from "./capabilities.ts";
import { keepUnknown, ownExtra, withExtra, writeExtras } from "./extras.ts";

const family = "openai";
const efforts: readonly Effort[] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];
const controlKeys = new Set(["effort", "summary", "generate_summary"]);
const itemKeys = new Set(["type", "id", "status", "summary", "content", "encrypted_content"]);

/** `reasoning` -> control, and the keys of it that have no canonical meaning. */
export function decodeReasoningControl(body: JsonObject): { control?: ReasoningControl; rest?: JsonObject } {
  const wire = readObject(body, "reasoning");
  if (!wire) return {};
  const effort = readEnum(wire, "effort", efforts, "reasoning");
  const summary = readString(wire, "summary", "reasoning") ?? readString(wire, "generate_summary", "reasoning");
  const rest = keepUnknown(wire, controlKeys).extras?.responses;
  const control: ReasoningControl = {};
  if (effort) control.effort = effort;
  if (summary !== undefined) {
    control.show = summary === "none" ? "none" : "summary";
    if (summary !== "none") control.summaryStyle = summary;
  }
  return { ...(effort || summary !== undefined ? { control } : {}), ...(rest ? { rest } : {}) };
}

/** Control -> `reasoning` (conversion.md 2.2), or undefined where nothing is to be said. */
export function encodeReasoningControl(
  control: ReasoningControl | undefined,
  capabilities: ResponsesCapabilities,
  report: Report,
): JsonObject | undefined {
  if (!control) return undefined;
  if (!capabilities.reasoning) {
    if (wantsThinking(control) || wantsSight(control)) {
      report.dropped(reasoningField(control), "This model does not reason.");
    }
    return undefined;
  }
  const wire: JsonObject = {};
  const effort = steppedEffort(control, capabilities.efforts, report);
  if (effort !== undefined) wire.effort = effort;
  const summary = summaryWish(control);
  if (summary !== undefined) wire.summary = summary;
  return Object.keys(wire).length > 0 ? wire : undefined;
}

/** A caller that switched thinking on by budget sees it in its own family unless it says no; an effort alone shows nothing. */
function summaryWish(control: ReasoningControl): string | undefined {
  if (control.show === "none") return undefined;
  if (control.show !== undefined) return control.summaryStyle ?? "auto";
  const thinks = control.adaptive === true || (control.budgetTokens ?? 0) > 0;
  return thinks ? "auto" : undefined;
}

/**
 * A reasoning item of the client's history. A sealed proof comes out as the foreign proof it holds. Without a proof the
 * item's id is kept as a mark: it points at what the provider stored.
 */
export function decodeReasoningInput(item: JsonObject, at: string, vault: ProofVault): ReasoningPart {
  const id = readString(item, "id", at);
  const summary = (readArray(item, "summary", at) ?? []).map((entry, index) => {
    const inner = path(path(at, "summary"), index);
    return requireString(requireObject(entry, inner), "text", inner);
  });
  const texts = (readArray(item, "content", at) ?? []).map((entry, index) => {
    const inner = path(path(at, "content"), index);
    return requireString(requireObject(entry, inner), "text", inner);
  });
  const sealed = readString(item, "encrypted_content", at);
  const part: ReasoningPart = { type: "reasoning", summary, at, ...keepUnknown(item, itemKeys) };
  if (texts.length > 0) part.text = texts.join("");
  if (sealed !== undefined && sealed !== "") {
    const proof = openProof(sealed, ownProof(sealed, id), vault);
    if (proof) part.proof = proof;
  } else if (id !== undefined) {
    part.extras = withExtra(part.extras, "$id", id);
  }
  return part;
}

/** A reasoning item of an upstream's answer; undefined where it says and proves nothing. */
export function decodeReasoningOutput(item: JsonObject, model: string | undefined): ReasoningPart | undefined {
  const summary = textsOf(item.summary);
  const texts = textsOf(item.content);
  const proof = outputProof(item, model);
  if (summary.length === 0 && texts.length === 0 && !proof) return undefined;
  return {
    type: "reasoning",
    ...(summary.length > 0 ? { summary } : {}),
    ...(texts.length > 0 ? { text: texts.join("") } : {}),
    ...(proof ? { proof } : {}),
  };
}

/** The proof on a finished reasoning item, with the id that the family ties it to. */
export function outputProof(item: JsonObject, model: string | undefined): Proof | undefined {
  const value = item.encrypted_content;
  if (typeof value !== "string" || value === "") return undefined;
  const proof = ownProof(value, typeof item.id === "string" ? item.id : undefined);
  return model === undefined ? proof : { ...proof, model };
}

/**
 * Reasoning part -> history item, or undefined where this family could not take it: only its own proof, or the id of a
 * stored item, gives old reasoning a meaning upstream (laws L19, L20).
 */
export function encodeReasoningInput(part: ReasoningPart): JsonObject | undefined {
  const proof = part.proof?.family === family ? part.proof : undefined;
  const storedId = ownExtra(part.extras, "$id");
  if (!proof && storedId === undefined) return undefined;
  const item: JsonObject = { type: "reasoning" };
  const id = proof ? proof.itemId : storedId;
  if (id !== undefined) item.id = id;
  item.summary = summaryItems(part);
  const content = reasoningContent(part);
  if (content) item.content = content;
  if (proof) item.encrypted_content = proof.value;
  return writeExtras(item, part.extras);
}

/** Summary paragraphs on the wire. Reasoning text of a family without summaries takes the summary's place (pair 5). */
export function summaryItems(part: ReasoningPart): JsonObject[] {
  const texts = part.summary ?? (part.text ? [part.text] : []);
  return texts.map((text) => ({ type: "summary_text", text }));
}

/** Reasoning text beside summaries, as servers of open models give it. */
export function reasoningContent(part: ReasoningPart): JsonObject[] | undefined {
  if (part.summary === undefined || !part.text) return undefined;
  return [{ type: "reasoning_text", text: part.text }];
}

/** The proof for a client's reasoning item; one that asked for encrypted reasoning gets a stand-in where there is none (E7). */
export function clientProof(proof: Proof | undefined, request: CanonicalRequest): Proof | undefined {
  return proof ?? (request.includeEncryptedReasoning ? noProof : undefined);
}

/** What a client gets as `encrypted_content`: its own family's proof plain, a foreign one sealed (2.5). */
export function encryptedContent(proof: Proof, vault: ProofVault): string {
  return proof.family === family && proof.kind === "encrypted" ? proof.value : vault.seal(proof);
}

function ownProof(value: string, itemId: string | undefined): Proof {
  return { family, kind: "encrypted", value, ...(itemId === undefined ? {} : { itemId }) };
}

function textsOf(value: JsonValue | undefined): string[] {
  if (!Array.isArray(value)) return [];
  const texts: string[] = [];
  for (const entry of value) if (isObject(entry) && typeof entry.text === "string") texts.push(entry.text);
  return texts.filter((text) => text !== "");
}
