import type { Cluster } from "../replicas/cluster.ts";
import { pause } from "../replicas/gateway-process.ts";
import { makeKeys } from "../support/keys.ts";
import { markedRequest } from "../support/marked-request.ts";
import { setMoneyScene } from "../support/money-scene.ts";
import type { PlainSql } from "../support/plain-sql.ts";
import { volley } from "../support/volley.ts";
import { requestPrice } from "./prices.ts";

/** N callers at once on one key whose quota, or whose account's balance, pays exactly k calls. */
export interface Race {
  callers: number;
  pays: number;
  what: "quota" | "balance";
}

export interface RaceResult extends Race {
  /** Answers by status. */
  statuses: ReadonlyMap<number, number>;
  /** Nano-dollars beyond what was there; must be 0. */
  overshoot: bigint;
  /** Calls that the quota or the account was charged for. */
  charged: bigint;
}

/** The races that a run makes, in the order of a table. */
export const races: readonly Race[] = [2, 10, 100, 500].flatMap((callers) =>
  (["quota", "balance"] as const).map((what) => ({ callers, pays: Math.ceil(callers / 3), what })),
);

/** Runs each race once, each on a key of its own that nobody has used before. All of the cluster's members must be up. */
export async function runRaces(
  cluster: Pick<Cluster, "configFile" | "members">,
  sql: PlainSql,
  series: string,
  list: readonly Race[] = races,
): Promise<RaceResult[]> {
  const names = list.map(({ callers, what }) => `race-${series}-${what}-${callers}`);
  const keys = await makeKeys(cluster.configFile, names);
  for (const [place, { pays, what }] of list.entries()) {
    const enough = BigInt(pays) * requestPrice;
    const scene = what === "quota" ? { balance: plenty, quota: enough } : { balance: enough };
    await setMoneyScene(sql, { key: names[place] ?? "", ...scene });
  }
  // The gateways learn of the keys' accounts at their next look.
  await pause(lookMs);
  const addresses = cluster.members().filter((address) => address !== undefined);
  const results: RaceResult[] = [];
  for (const [place, race] of list.entries()) {
    const key = keys[place] ?? "";
    const requests = Array.from({ length: race.callers }, (_, caller) => ({
      ...markedRequest({
        protocol: "chat-completions",
        model: "per-request",
        stream: false,
        marker: `mark-${names[place]}-${caller}`,
        key,
      }),
      address: addresses[caller % addresses.length] ?? "",
    }));
    const statuses = new Map<number, number>();
    for (const status of await volley(requests)) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    results.push({ ...race, statuses, ...(await moneyOf(sql, names[place] ?? "", race)) });
  }
  return results;
}

/** Ten times what a race may cost at most. */
const plenty = 5000n * requestPrice;

/** A little more than `auth.poll` and the query. */
const lookMs = 700;

async function moneyOf(sql: PlainSql, name: string, { pays, what }: Race) {
  const [row] = await sql.all(`
    select a.balance as balance, a.reserved as reserved, coalesce(u.used, 0) as used, coalesce(u.reserved, 0) as held
    from access_key k join account a on a.id = k.account_id left join quota_usage u on u.access_key_id = k.id
    where k.name = '${name}'`);
  const money = (column: string) => (typeof row?.[column] === "bigint" ? row[column] : 0n);
  const enough = BigInt(pays) * requestPrice;
  const spent = what === "quota" ? money("used") + money("held") : enough - money("balance") + money("reserved");
  return { overshoot: spent > enough ? spent - enough : 0n, charged: spent / requestPrice };
}
