import { type MediaPart, type Part, refuse, type ToolResultPart, type Turn } from "../../canonical/index.ts";
import { isMedia } from "../media-kind.ts";
import type { Report } from "../report.ts";

const noun = { image: "image", audio: "sound", video: "video", document: "document" } as const;

/** Media that the model once answered, for protocols that take none in assistant turns: shown by the next user turn (M10). */
export function moveAssistantMedia(turns: Turn[], report: Report): Turn[] {
  if (!turns.some((turn) => turn.role === "assistant" && turn.parts.some(isMedia))) return turns;
  const result: Turn[] = [];
  let waiting: Part[] = [];
  for (const turn of turns) {
    if (turn.role === "assistant") {
      const media = turn.parts.filter(isMedia);
      for (const part of media) {
        report.approximated(
          part.at ?? turn.at ?? "messages",
          "Media in an assistant message was moved to the next user message.",
        );
        waiting.push({ type: "text", text: `The assistant's ${noun[part.type]}:` }, part);
      }
      const kept = media.length === 0 ? turn : { ...turn, parts: turn.parts.filter((part) => !isMedia(part)) };
      if (kept.parts.length > 0) result.push(kept);
      continue;
    }
    if (turn.role !== "user" || waiting.length === 0) {
      result.push(turn);
      continue;
    }
    const results = leadingResults(turn.parts);
    result.push({ ...turn, parts: [...turn.parts.slice(0, results), ...waiting, ...turn.parts.slice(results)] });
    waiting = [];
  }
  const lost = waiting.find(isMedia);
  if (lost)
    refuse(
      lost.at ?? turns.at(-1)?.at,
      "The last message is the assistant's and holds media, which this model does not take.",
    );
  return result;
}

function leadingResults(parts: readonly Part[]): number {
  const at = parts.findIndex((part) => part.type !== "tool-result");
  return at === -1 ? parts.length : at;
}

/** Media in tool results, for protocols whose results are text only: shown behind all results of the batch (T15). */
export function moveResultMedia(turns: Turn[], report: Report): Turn[] {
  if (!turns.some(holdsResultMedia)) return turns;
  return turns.map((turn) => (holdsResultMedia(turn) ? moveWithin(turn, report) : turn));
}

function holdsResultMedia(turn: Turn): boolean {
  return turn.parts.some((part) => part.type === "tool-result" && part.content.some(isForeign));
}

/** Text documents can stay: they are written as text. */
function isForeign(part: Part): part is MediaPart {
  return isMedia(part) && !(part.type === "document" && part.source.type === "text");
}

function moveWithin(turn: Turn, report: Report): Turn {
  const results: ToolResultPart[] = [];
  const shown: Part[] = [];
  const rest: Part[] = [];
  for (const part of turn.parts) {
    if (part.type !== "tool-result") {
      rest.push(part);
      continue;
    }
    const media = part.content.filter(isForeign);
    if (media.length === 0) {
      results.push(part);
      continue;
    }
    report.approximated(
      part.at ?? turn.at ?? "messages",
      "Media in a tool result was moved to a user message behind the results.",
    );
    const left = part.content.filter((inner) => !isForeign(inner));
    const note: Part = { type: "text", text: "The output is shown in the next user message." };
    results.push({ ...part, content: left.length > 0 ? left : [note] });
    shown.push({ type: "text", text: `Output of tool call ${part.callId}:` }, ...media);
  }
  return { ...turn, parts: [...results, ...shown, ...rest] };
}
