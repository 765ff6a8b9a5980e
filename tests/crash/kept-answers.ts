import type { BilledAttempt } from "../support/provider.ts";
import type { Acknowledged } from "../support/swarm.ts";
import type { Violation } from "./check.ts";

export interface ReadKeptOptions {
  /** Base address of a gateway. */
  target: string;
  key: string;
  acknowledged: readonly Acknowledged[];
  bill: ReadonlyMap<string, readonly BilledAttempt[]>;
}

/** Reads every acknowledged answer that was to be kept as its caller would, and tells those that are not whole. */
export async function readKept({ target, key, acknowledged, bill }: ReadKeptOptions): Promise<Violation[]> {
  const violations: Violation[] = [];
  const get = async (path: string): Promise<string> => {
    const answer = await fetch(`${target}/v1/responses/${path}`, { headers: { authorization: `Bearer ${key}` } });
    return `${answer.status} ${await answer.text()}`;
  };
  for (const { marker, kept } of acknowledged) {
    if (!kept) continue;
    const tokens = bill.get(marker)?.at(-1)?.outputTokens ?? 0;
    const said = await get(kept.id);
    if (!said.startsWith("200 ") || !said.includes(`"${"four".repeat(tokens)}"`) || !said.includes('"completed"')) {
      violations.push({ invariant: "R2", what: "kept, and not the answer that was given", ids: [kept.id, said] });
    }
    const items = await get(`${kept.id}/input_items?limit=100`);
    // The newest comes first: the turn's own prompt, and before it the prompt and the answer of each turn.
    const count = items.match(/"type":\s?"message"/g)?.length;
    if (count !== kept.turn * 2 - 1 || /mark-[-\w]+/.exec(items)?.[0] !== marker) {
      violations.push({ invariant: "R2", what: "kept without the conversation before it", ids: [kept.id, items] });
    }
  }
  return violations;
}
