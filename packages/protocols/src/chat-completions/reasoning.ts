import {
  type CanonicalRequest,
  type Effort,
  type JsonObject,
  type JsonValue,
  type Proof,
  type ProtocolName,
  type ReasoningControl,
  type ReasoningPart,
  refuse,
} from "../canonical/index.ts";
import type { EncodeRequestContext, ProofVault } from "../codec.ts";
import { reasoningField, steppedEffort, wantsNoThinking, wantsSight, wantsThinking } from "../shared/effort.ts";
import { isObject, readEnum } from "../shared/read.ts";
import type { Report } from "../shared/report.ts";
import { type ChatCapabilities, capabilitiesOf } from "./capabilities.ts";
import { type DialectMessage, detailFamily, numberOf, textOf } from "./wire.ts";

const efforts: readonly Effort[] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

export function decodeReasoningControl(body: JsonObject): ReasoningControl | undefined {
  const effort = readEnum(body, "reasoning_effort", efforts);
  return effort === undefined ? undefined : { effort };
}

/** The upstream's fields for the caller's wish, on the steps that the model has (conversion.md 2.2). */
export function encodeReasoningControl(
  control: ReasoningControl | undefined,
  capabilities: ChatCapabilities,
  report: Report,
): JsonObject {
  if (!control) return {};
  if (!capabilities.showsReasoning && wantsSight(control)) {
    report.dropped("thinking.display", "The upstream does not show its reasoning over chat completions.");
  }
  const { thinkingSwitch: toggle, efforts: steps } = capabilities;
  if (toggle !== "none" && wantsNoThinking(control)) return thinkingOff(toggle, capabilities);
  if (steps.length === 0) {
    if (wantsThinking(control)) report.dropped(reasoningField(control), "The model does not take a reasoning effort.");
    return {};
  }
  const { effort, budgetTokens } = control;
  if (capabilities.reasoningField === "reasoning" && effort === undefined && budgetTokens !== undefined) {
    return { reasoning: budgetTokens > 0 ? { max_tokens: budgetTokens } : { enabled: false } };
  }
  const step = steppedEffort(control, steps, report);
  if (step === undefined) return {};
  return capabilities.reasoningField === "reasoning" ? { reasoning: { effort: step } } : { reasoning_effort: step };
}

/** Whether the model refuses here what the caller wants: tools, and to think while it uses them. */
export function refusesTools({ tools, reasoning }: CanonicalRequest, { toolsNeed }: ChatCapabilities): boolean {
  if (tools.length === 0 || toolsNeed === "nothing") return false;
  if (reasoning && wantsNoThinking(reasoning)) return false;
  return toolsNeed === "effort-none" || (reasoning !== undefined && wantsThinking(reasoning));
}

/** See `ProtocolCodec.betterProtocol`. Several answers are to be had on this protocol alone. */
export function betterProtocol(request: CanonicalRequest, context: EncodeRequestContext): ProtocolName | undefined {
  if (request.tools.length === 0 || (request.candidates ?? 1) > 1) return undefined;
  return refusesTools(request, capabilitiesOf(context)) ? "responses" : undefined;
}

/** The effort for a call whose tools matter more than the reasoning that the model cannot have beside them. */
export function reasoningOffForTools({ reasoning }: CanonicalRequest, report: Report): JsonObject {
  const field = reasoning ? reasoningField(reasoning) : "reasoning_effort";
  report.approximated(field, "Sent as 'none': this model uses tools over chat completions only without reasoning.");
  return { reasoning_effort: "none" };
}

function thinkingOff(toggle: "thinking" | "enable_thinking", { templateSwitches }: ChatCapabilities): JsonObject {
  if (templateSwitches) return { chat_template_kwargs: { [toggle]: false } };
  return toggle === "thinking" ? { thinking: { type: "disabled" } } : { enable_thinking: false };
}

/** One entry of `reasoning_details[]`, read. `rest`: its fields without the readable text. */
interface Detail {
  kind: "text" | "summary" | "encrypted" | "other";
  text: string | undefined;
  proof: Proof | undefined;
  rest: JsonObject;
}

/**
 * Reads an entry. A sealed proof comes out as what it was; the entry's own proof belongs to the server behind this
 * protocol and is kept with all its fields, because it has to go back unchanged.
 */
export function readDetail(entry: JsonObject, vault?: ProofVault): Detail {
  const { text, summary, ...rest } = entry;
  const kind =
    entry.type === "reasoning.text"
      ? "text"
      : entry.type === "reasoning.summary"
        ? "summary"
        : entry.type === "reasoning.encrypted"
          ? "encrypted"
          : "other";
  const value = textOf(entry.signature) ?? textOf(entry.data);
  return { kind, text: textOf(text) ?? textOf(summary), proof: proofOf(value, kind, rest, vault), rest };
}

function proofOf(
  value: string | undefined,
  kind: Detail["kind"],
  rest: JsonObject,
  vault?: ProofVault,
): Proof | undefined {
  if (value === undefined) return undefined;
  const opened = vault?.open(value);
  if (opened) return opened;
  const own: Proof = {
    family: detailFamily,
    kind: kind === "encrypted" ? "encrypted" : "signature",
    value: JSON.stringify(rest),
  };
  return own;
}

/** Reasoning of a message: typed details where they say more, else the plain text under either name. */
export function decodeReasoning(message: DialectMessage, at: string, vault?: ProofVault): ReasoningPart[] {
  const details = Array.isArray(message.reasoning_details) ? message.reasoning_details.filter(isObject) : [];
  const parts: ReasoningPart[] = [];
  let readable = false;
  for (const [index, entry] of details.entries()) {
    const detail = readDetail(entry, vault);
    const before = parts.at(-1);
    if (detail.text !== undefined) readable = true;
    if (joins(detail, before, details[index - 1], entry)) {
      if (before && detail.proof) before.proof = detail.proof;
      continue;
    }
    const part: ReasoningPart = { type: "reasoning", at: `${at}.reasoning_details[${index}]` };
    if (detail.kind === "summary") part.summary = detail.text === undefined ? [] : [detail.text];
    else if (detail.text !== undefined) part.text = detail.text;
    if (detail.proof) part.proof = detail.proof;
    else part.extras = { "chat-completions": detail.rest };
    parts.push(part);
  }
  if (readable) return parts;
  const name = textOf(message.reasoning_content) === undefined ? "reasoning" : "reasoning_content";
  const text = textOf(message[name]);
  return text === undefined ? parts : [{ type: "reasoning", text, at: `${at}.${name}` }, ...parts];
}

/** Our own writer puts the sealed proof of a summary into the entry behind it, under the same index. */
function joins(
  detail: Detail,
  before: ReasoningPart | undefined,
  earlier: JsonObject | undefined,
  entry: JsonObject,
): boolean {
  if (detail.kind !== "encrypted" || !detail.proof || detail.proof.family === detailFamily) return false;
  if (!before?.summary || before.proof) return false;
  return numberOf(entry.index) !== undefined && numberOf(entry.index) === numberOf(earlier?.index);
}

/** The text that this protocol shows for a reasoning part. */
export function reasoningText(part: Pick<ReasoningPart, "text" | "summary">): string {
  return part.text ?? part.summary?.join("\n\n") ?? "";
}

/**
 * Entries of `reasoning_details[]` for a part with a proof: what its server wrote, word for word, or the proof sealed.
 * `index` numbers the entries of one message.
 */
export function encodeDetails(
  part: ReasoningPart,
  index: number,
  seal: (proof: Proof) => string | undefined,
): JsonObject[] {
  const text = reasoningText(part);
  if (!part.proof) {
    const own = part.extras?.["chat-completions"];
    return own?.type === undefined ? [] : [withText(own, text)];
  }
  if (part.proof.family === detailFamily) return [withText(parseOwn(part.proof.value), text)];
  const sealed = seal(part.proof);
  if (sealed === undefined) return [];
  if (text === "") return [{ type: "reasoning.encrypted", data: sealed, index }];
  if (part.text !== undefined) return [{ type: "reasoning.text", text, signature: sealed, index }];
  return [
    { type: "reasoning.summary", summary: text, index },
    { type: "reasoning.encrypted", data: sealed, index },
  ];
}

function withText(entry: JsonObject, text: string): JsonObject {
  if (entry.type === "reasoning.summary") return { ...entry, summary: text };
  if (text === "" && entry.type !== "reasoning.text") return entry;
  return { ...entry, text };
}

/** The value of an own proof is the entry's JSON, written by `readDetail`; a sealed one came back whole. */
function parseOwn(value: string): JsonObject {
  try {
    const entry: unknown = JSON.parse(value);
    if (isObject(entry)) return entry;
  } catch {
    // Falls through to the refusal: the value was not made here.
  }
  return refuse("messages", "A reasoning detail in the history is not intact.");
}

/** The place on a call where Gemini-aware clients keep a thought signature. */
export function decodeThoughtSignature(extra: JsonValue | undefined, vault?: ProofVault): Proof | undefined {
  const google = isObject(extra) ? extra.google : undefined;
  const value = isObject(google) ? textOf(google.thought_signature) : undefined;
  if (value === undefined) return undefined;
  return vault?.open(value) ?? { family: "gemini", kind: "signature", value };
}

export function thoughtSignature(value: string): JsonObject {
  return { google: { thought_signature: value } };
}
