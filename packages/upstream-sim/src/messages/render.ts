import type { Answer, Part } from "../answer.ts";
import { type JsonObject, parseObject } from "../json.ts";
import { issueProof } from "../proof.ts";
import type { Citation } from "../script.ts";
import { shapeUsage } from "../usage-form.ts";

/** Parts that this protocol has a content block for. */
export type BlockPart = Exclude<Part, { kind: "refusal" | "image" }>;

/** The unary answer (messages.md 9). */
export function render(answer: Answer): JsonObject {
  return {
    ...messageShell(answer),
    content: blockParts(answer).map(block),
    ...ending(answer),
    container: null,
    ...(answer.usage ? { usage: usageObject(answer) } : {}),
  };
}

/** The parts that become blocks: a refusal is told by the stop reason, images cannot be generated here. */
export function blockParts(answer: Answer): BlockPart[] {
  return answer.parts.filter((part): part is BlockPart => part.kind !== "refusal" && part.kind !== "image");
}

/** What stands in `message_start` and in the unary answer alike. */
export function messageShell(answer: Answer): JsonObject {
  return { id: `msg_${answer.id}`, type: "message", role: "assistant", model: answer.model };
}

/** A content block in its final form. */
export function block(part: BlockPart): JsonObject {
  switch (part.kind) {
    case "text": {
      const citations = part.citations.map((citation) => citationOf(citation, part.text));
      return { type: "text", text: part.text, ...(citations.length > 0 ? { citations } : {}) };
    }
    case "reasoning":
      return { type: "thinking", thinking: part.hidden ? "" : part.text, signature: signature(part) };
    case "redacted-reasoning":
      return { type: "redacted_thinking", data: issueProof("redacted", part.id) };
    case "tool-call":
      return { type: "tool_use", id: toolUseId(part), name: part.name, input: parseObject(part.arguments) };
  }
}

/** The id of a `tool_use` block. */
export function toolUseId(part: Part & { kind: "tool-call" }): string {
  return part.callId ?? `toolu_${part.id}`;
}

/** The signature of a thinking block, bound to its text. */
export function signature(part: Part & { kind: "reasoning" }): string {
  return issueProof("thinking", part.text);
}

/** A web citation of a text block. */
export function citationOf(citation: Citation, text: string): JsonObject {
  return {
    type: "web_search_result_location",
    cited_text: text.slice(citation.start, citation.end),
    url: citation.url,
    title: citation.title,
    encrypted_index: issueProof("redacted", citation.url),
  };
}

/** `stop_reason` and what goes with it. */
export function ending(answer: Answer): JsonObject {
  switch (answer.finish) {
    case "stop":
      return { stop_reason: "end_turn", stop_sequence: null };
    case "length":
      return { stop_reason: "max_tokens", stop_sequence: null };
    case "tool":
      return { stop_reason: "tool_use", stop_sequence: null };
    case "stop_sequence":
      return { stop_reason: "stop_sequence", stop_sequence: answer.stopSequence ?? null };
    case "filter":
    case "refusal": {
      const refusal = answer.parts.find((part) => part.kind === "refusal");
      const explanation = refusal?.text ?? null;
      return {
        stop_reason: "refusal",
        stop_sequence: null,
        stop_details: { type: "refusal", category: null, explanation },
      };
    }
  }
}

/** The usage object with all counters the provider gives; `input_tokens` is the uncached rest. */
export function usageObject(answer: Answer, outputSoFar?: number): JsonObject {
  const { input, cacheRead, cacheWrite, output, reasoning } = answer.usage ?? ZERO;
  return shapeUsage(answer, {
    input_tokens: Math.max(0, input - cacheRead - cacheWrite),
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    cache_creation: { ephemeral_5m_input_tokens: cacheWrite, ephemeral_1h_input_tokens: 0 },
    output_tokens: outputSoFar ?? output,
    output_tokens_details: outputSoFar === undefined && reasoning > 0 ? { thinking_tokens: reasoning } : null,
    server_tool_use: null,
    service_tier: "standard",
  });
}

const ZERO = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 };
