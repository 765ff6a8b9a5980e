import type { CanonicalResponse, Part } from "../canonical/index.ts";

/**
 * Ids of the calls of one candidate. Some servers give every call of an answer the same id; a client that finds its calls
 * by id would answer one of them twice and the other never, so that a later call gets an id of its own. Ids that are
 * distinct already stay as they are.
 */
export class DistinctCallIds {
  readonly #taken = new Set<string>();

  of(callId: string): string {
    let distinct = callId;
    for (let count = 2; this.#taken.has(distinct); count += 1) distinct = `${callId}_${count}`;
    this.#taken.add(distinct);
    return distinct;
  }
}

/** The same for a whole answer. */
export function withDistinctCallIds(response: CanonicalResponse): CanonicalResponse {
  return {
    ...response,
    candidates: response.candidates.map((candidate) => {
      const ids = new DistinctCallIds();
      const parts = candidate.parts.map((part): Part => {
        if (part.type !== "tool-call") return part;
        const callId = ids.of(part.callId);
        return callId === part.callId ? part : { ...part, callId };
      });
      return { ...candidate, parts };
    }),
  };
}
