import type { Turn } from "../../canonical/index.ts";

/**
 * Joins neighbours of one role (H4): all of them where the protocol demands it, else only what follows an assistant turn
 * that still waits for its results, because one answer is one turn.
 */
export function mergeTurns(turns: Turn[], all: boolean): Turn[] {
  const first = turns.findIndex((turn, at) => at > 0 && joins(turns[at - 1], turn, all));
  if (first === -1) return turns;
  const merged = turns.slice(0, first);
  for (const turn of turns.slice(first)) {
    const last = merged.at(-1);
    if (last && joins(last, turn, all)) merged[merged.length - 1] = join(last, turn);
    else merged.push(turn);
  }
  return merged;
}

function joins(earlier: Turn | undefined, later: Turn, all: boolean): boolean {
  if (!earlier || earlier.role !== later.role) return false;
  return all || (later.role === "assistant" && earlier.parts.some((part) => part.type === "tool-call"));
}

function join(earlier: Turn, later: Turn): Turn {
  const { name, phase, extras, ...kept } = earlier;
  return {
    ...kept,
    ...(name !== undefined && name === later.name ? { name } : {}),
    ...(phase !== undefined && phase === later.phase ? { phase } : {}),
    ...(extras || later.extras ? { extras: { ...later.extras, ...extras } } : {}),
    parts: [...earlier.parts, ...later.parts],
  };
}
