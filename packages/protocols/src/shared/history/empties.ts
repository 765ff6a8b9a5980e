import { type Part, refuse, type Turn } from "../../canonical/index.ts";

/**
 * Takes out what strict protocols refuse (H13, L27): empty texts, blank ones that are a turn's only text, assistant and
 * system turns with nothing in them. An empty user turn is refused, because its place in the conversation means something.
 */
export function dropEmpties(turns: Turn[]): Turn[] {
  if (turns.every((turn) => turn.parts.length > 0 && !turn.parts.some(isSuspect))) return turns;
  const kept: Turn[] = [];
  for (const turn of turns) {
    const full = dropEmptyParts(turn);
    if (full.parts.length > 0) kept.push(full);
    else if (turn.role === "user") {
      refuse(turn.at ?? "messages", `'${turn.at ?? "messages"}' is a user message without content.`, "empty_message");
    }
  }
  return kept;
}

function isSuspect(part: Part): boolean {
  if (part.type === "text") return isBlank(part.text);
  return part.type === "tool-result" && part.content.some(isEmptyText);
}

function isBlank(text: string): boolean {
  return !/\S/.test(text);
}

/** A text that carries a signature is content even when it is empty (S18). */
function isEmptyText(part: Part): boolean {
  return part.type === "text" && part.text === "" && !part.proof;
}

function dropEmptyParts(turn: Turn): Turn {
  if (!turn.parts.some(isSuspect)) return turn;
  const hasText = turn.parts.some((part) => part.type === "text" && !isBlank(part.text));
  const parts: Part[] = [];
  for (const part of turn.parts) {
    if (part.type === "text" && !part.proof && (part.text === "" || (!hasText && isBlank(part.text)))) {
      passMark(parts, part);
      continue;
    }
    if (part.type === "tool-result" && part.content.some(isEmptyText)) {
      parts.push({ ...part, content: part.content.filter((inner) => !isEmptyText(inner)) });
      continue;
    }
    parts.push(part);
  }
  return parts.length === turn.parts.length && parts.every((part, at) => part === turn.parts[at])
    ? turn
    : { ...turn, parts };
}

/** The cache mark of a dropped part still says "cache up to here": it passes to the part before. */
function passMark(parts: Part[], dropped: Part): void {
  const last = parts.at(-1);
  if (!last || !dropped.cache || last.cache || last.type === "reasoning") return;
  parts[parts.length - 1] = { ...last, cache: dropped.cache };
}
