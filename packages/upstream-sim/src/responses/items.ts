import { createHash } from "node:crypto";
import type { Answer, Part } from "../answer.ts";
import { arrayOf, type JsonObject, parseObject } from "../json.ts";
import { issueProof } from "../proof.ts";

type TextPart = Part & { kind: "text" | "refusal" };
type ReasoningPart = Part & { kind: "reasoning" | "redacted-reasoning" };

/** One output item: the parts it is made of and its wire id. */
export type Item =
  | { kind: "message"; id: string; parts: TextPart[] }
  | { kind: "reasoning"; id: string; part: ReasoningPart }
  | { kind: "call"; id: string; part: Part & { kind: "tool-call" } }
  | { kind: "image"; id: string; part: Part & { kind: "image" } };

/**
 * Groups an answer's parts into output items. Ids of items that a reasoning item led to carry a mark of it,
 * so that any instance can demand the reasoning back with them (responses.md 4, pairing rules).
 */
export function itemsOf(answer: Answer): Item[] {
  const items: Item[] = [];
  let mark = "";
  for (const part of answer.parts) {
    switch (part.kind) {
      case "text":
      case "refusal": {
        const last = items.at(-1);
        if (last?.kind === "message") last.parts.push(part);
        else items.push({ kind: "message", id: `msg_${part.id}${mark}`, parts: [part] });
        break;
      }
      case "reasoning":
      case "redacted-reasoning": {
        const id = `rs_${part.id}`;
        mark = `_r${reasoningMark(id)}`;
        items.push({ kind: "reasoning", id, part });
        break;
      }
      case "tool-call":
        items.push({
          kind: "call",
          id: part.search ? `tsc_${part.id}` : `${part.custom ? "ctc" : "fc"}_${part.id}${mark}`,
          part,
        });
        break;
      case "image":
        items.push({ kind: "image", id: `ig_${part.id}`, part });
        break;
    }
  }
  return items;
}

/** The mark that items led to by this reasoning item carry at the end of their ids. */
export function reasoningMark(reasoningId: string): string {
  return createHash("sha256").update(reasoningId).digest("hex").slice(0, 10);
}

/** The mark in an item id, or nothing where the item needs no reasoning item. */
export function markOf(itemId: string): string | undefined {
  return /^(?:fc|ctc|msg)_.*_r([0-9a-f]{10})$/.exec(itemId)?.[1];
}

/** Encrypted reasoning comes when asked for, and always where nothing is stored. */
export function wantsEncrypted(body: JsonObject): boolean {
  return body.store === false || arrayOf(body.include).includes("reasoning.encrypted_content");
}

/** An item in its final form. */
export function finalItem(item: Item, status: string, encrypted: boolean): JsonObject {
  switch (item.kind) {
    case "message":
      return { id: item.id, type: "message", status, role: "assistant", content: item.parts.map(contentPart) };
    case "reasoning":
      return {
        id: item.id,
        type: "reasoning",
        summary:
          summaryText(item.part) === undefined ? [] : [{ type: "summary_text", text: summaryText(item.part) ?? "" }],
        ...(encrypted ? { encrypted_content: encryptedContent(item.id) } : {}),
      };
    case "call":
      return callItem(item, item.part.arguments, status);
    case "image":
      return {
        id: item.id,
        type: "image_generation_call",
        status: "completed",
        output_format: item.part.mimeType.split("/")[1] ?? "png",
        result: item.part.data,
      };
  }
}

/** An item as `response.output_item.added` shows it: begun and empty. */
export function emptyItem(item: Item, encrypted: boolean): JsonObject {
  switch (item.kind) {
    case "message":
      return { id: item.id, type: "message", status: "in_progress", role: "assistant", content: [] };
    case "reasoning":
      return {
        id: item.id,
        type: "reasoning",
        summary: [],
        ...(encrypted ? { encrypted_content: encryptedContent(item.id) } : {}),
      };
    case "call":
      return callItem(item, "", "in_progress");
    case "image":
      return { id: item.id, type: "image_generation_call", status: "in_progress", result: null };
  }
}

/** A content part in its final form. */
export function contentPart(part: TextPart): JsonObject {
  if (part.kind === "refusal") return { type: "refusal", refusal: part.text };
  return { type: "output_text", annotations: annotations(part), logprobs: [], text: part.text };
}

/** The flat citations of a text part (responses.md 7). */
export function annotations(part: TextPart): JsonObject[] {
  if (part.kind === "refusal") return [];
  return part.citations.map(({ url, title, start, end }) => ({
    type: "url_citation",
    url,
    title,
    start_index: start,
    end_index: end,
  }));
}

/** The summary that a reasoning item shows, or nothing where it is hidden. */
export function summaryText(part: ReasoningPart): string | undefined {
  return part.kind === "reasoning" && !part.hidden && part.text !== "" ? part.text : undefined;
}

const ENCRYPTED_PREFIX = "gAAAA";

/** The proof of a reasoning item, bound to its id. */
function encryptedContent(reasoningId: string): string {
  return ENCRYPTED_PREFIX + issueProof("encrypted", reasoningId);
}

/** The proof inside an `encrypted_content`, or an empty text where it is not of this provider. */
export function proofIn(encrypted: string): string {
  return encrypted.startsWith(ENCRYPTED_PREFIX) ? encrypted.slice(ENCRYPTED_PREFIX.length) : "";
}

function callItem(item: Item & { kind: "call" }, text: string, status: string): JsonObject {
  const { part } = item;
  const call = { id: item.id, status, call_id: part.callId ?? `call_${part.id}` };
  if (part.search)
    return { ...call, type: "tool_search_call", execution: "client", arguments: parseObject(text || "{}") };
  const { namespace, name } = part;
  const base = { ...call, name, ...(namespace === undefined ? {} : { namespace }) };
  if (part.custom) return { ...base, type: "custom_tool_call", input: text };
  return { ...base, type: "function_call", arguments: text };
}
