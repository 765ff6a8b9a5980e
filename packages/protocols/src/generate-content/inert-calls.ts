import type { Part, ToolCallPart, Turn } from "../canonical/index.ts";
import { isMedia } from "../shared/media-kind.ts";
import type { Report } from "../shared/report.ts";
import { resultText } from "../shared/tool-results.ts";
import { placeSignatures } from "./signatures.ts";

/**
 * For hosts that demand signatures and refuse the stand-in for one: calls without a signature are told in words, together
 * with their results, where the results stood (conversion.md 2.5). Signed calls stay what they are.
 */
export function withInertCalls(turns: readonly Turn[], report: Report): Turn[] {
  const inert = new Map<string, ToolCallPart>();
  let told = false;
  return turns.map((turn) => {
    if (turn.role !== "assistant") return { ...turn, parts: turn.parts.flatMap((part) => inWords(part, inert)) };
    const first = turn.parts.findIndex((part) => part.type === "tool-call");
    if (first === -1 || placeSignatures(turn.parts, false).has(first)) return turn;
    for (const part of turn.parts) if (part.type === "tool-call") inert.set(part.callId, part);
    if (!told) {
      report.approximated(
        turn.parts[first]?.at ?? turn.at ?? "messages",
        "Earlier tool calls that this model did not sign are told to it in words.",
      );
    }
    told = true;
    return { ...turn, parts: turn.parts.filter((part) => part.type !== "tool-call") };
  });
}

function inWords(part: Part, inert: ReadonlyMap<string, ToolCallPart>): Part[] {
  const call = part.type === "tool-result" ? inert.get(part.callId) : undefined;
  if (part.type !== "tool-result" || !call) return [part];
  const verb = part.isError ? "failed" : "answered";
  const text = `The tool '${call.name}' was called with ${call.arguments} and ${verb}: ${resultText(part)}`;
  return [{ type: "text", text }, ...part.content.filter(isMedia)];
}
