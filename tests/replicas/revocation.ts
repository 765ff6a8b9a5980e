import { pause } from "./gateway-process.ts";

/** How soon a disabled key is refused, on every member. */
export interface RevocationReport {
  repeats: number;
  /** For each repeat: from the acknowledged change to the start of the last request that was accepted; 0: none was. */
  delays: readonly number[];
  /** Requests accepted on a member that had refused the key before; must be 0. */
  revived: number;
  /** Requests that were neither accepted nor refused for the key, by status; 0: no answer. */
  others: ReadonlyMap<number, number>;
  /** Requests sent, over all. */
  requests: number;
}

export interface RevocationOptions {
  /** Base addresses of all members. */
  members: readonly string[];
  key: string;
  /** Disables or enables the key; resolves when the change is acknowledged. */
  change(state: "enabled" | "disabled"): Promise<unknown>;
  repeats: number;
}

/** A request every so often on each member. */
const everyMs = 10;

/** A member takes the key for refused after so many refusals in a row. */
const settledAfter = 30;

/** T10: a key in steady use on every member is disabled and enabled again and again. */
export async function measureRevocation(options: RevocationOptions): Promise<RevocationReport> {
  const { members, key, change, repeats } = options;
  const delays: number[] = [];
  const others = new Map<number, number>();
  let revived = 0;
  let requests = 0;
  for (let repeat = 0; repeat < repeats; repeat++) {
    let acknowledged = Number.POSITIVE_INFINITY;
    let lastStart = 0;
    const refused = members.map(() => 0);
    /** When the first refusal of each member had come. */
    const refusedAt = members.map(() => Number.POSITIVE_INFINITY);
    let over = false;
    const running = new Set<Promise<void>>();
    const judge = async (member: number) => {
      const start = performance.now();
      requests += 1;
      const status = await ask(members[member] ?? "", key);
      if (status === 200) {
        if (start > (refusedAt[member] ?? 0)) revived += 1;
        refused[member] = 0;
        if (start > acknowledged) lastStart = Math.max(lastStart, start);
      } else if (status !== 401) {
        others.set(status, (others.get(status) ?? 0) + 1);
      } else if (start > acknowledged) {
        refused[member] = (refused[member] ?? 0) + 1;
        refusedAt[member] = Math.min(refusedAt[member] ?? 0, performance.now());
      }
    };
    const load = members.map(async (_, member) => {
      while (!over) {
        const one = judge(member).finally(() => running.delete(one));
        running.add(one);
        await pause(everyMs);
      }
    });
    await pause(200);
    await change("disabled");
    acknowledged = performance.now();
    while (!refused.every((count) => count >= settledAfter)) await pause(everyMs);
    over = true;
    await Promise.all([...load, ...running]);
    delays.push(Math.max(0, lastStart - acknowledged));
    await change("enabled");
    await untilAccepted(members, key);
  }
  return { repeats, delays, revived, others, requests };
}

/** The status of a listing, which asks for the key and for nothing else. */
async function ask(address: string, key: string): Promise<number> {
  try {
    const answer = await fetch(`${address}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}

async function untilAccepted(members: readonly string[], key: string): Promise<void> {
  for (const member of members) while ((await ask(member, key)) !== 200) await pause(everyMs);
}

/** The greatest and the 99th hundredth of durations, whole milliseconds. */
export function extremes(durations: readonly number[]): { max: number; p99: number } {
  const sorted = durations.toSorted((a, b) => a - b);
  const at = (place: number) => Math.round(sorted[place] ?? 0);
  return { max: at(sorted.length - 1), p99: at(Math.ceil(sorted.length * 0.99) - 1) };
}
