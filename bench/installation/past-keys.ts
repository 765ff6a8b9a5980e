import type { PastAccount } from "./accounts.ts";
import type { BulkLoad } from "./bulk-load.ts";
import { createDraw, type Draw } from "./random.ts";

/** The keys of the past, by their numbers, and what they have done so far. */
export interface PastKeys {
  count: number;
  id(number: number): string;
  /** A key of the account, some of them more often than others. */
  draw(account: PastAccount, draw: Draw): number;
  /** The window of the key's quota at a time; null for a key without a quota. */
  windowAt(number: number, at: number): string | null;
  /** Notes a call, and what it adds to the key's quota. */
  note(number: number, at: number, window: string | null, charge: number): void;
  /** Unix milliseconds; 0: never. */
  lastUsed(number: number): number;
  /** What was used in each window, in nano-dollars. */
  windows(number: number): { window: string; used: number }[];
}

const dollar = 1_000_000_000;
const dayMs = 86_400_000;

export function createPastKeys(count: number): PastKeys {
  const used = new Map<string, Float64Array>();
  const last = new Float64Array(count);
  const hasQuota = (number: number) => number % 7 === 3;
  return {
    count,
    id: (number) => `key_01made${String(number).padStart(20, "0")}`,
    draw(account, draw) {
      if (draw.next() < 0.05) return account.firstKey;
      return account.firstKey + Math.floor(account.keys * draw.next() ** 2.2);
    },
    windowAt: (number, at) => (hasQuota(number) ? new Date(at).toISOString().slice(0, 7) : null),
    note(number, at, window, charge) {
      last[number] = at;
      if (window === null) return;
      let sums = used.get(window);
      if (!sums) {
        sums = new Float64Array(count);
        used.set(window, sums);
      }
      sums[number] = (sums[number] ?? 0) + charge;
    },
    lastUsed: (number) => last[number] ?? 0,
    windows: (number) =>
      hasQuota(number)
        ? [...used].map(([window, sums]) => ({ window, used: sums[number] ?? 0 })).filter((entry) => entry.used > 0)
        : [],
  };
}

const teams = ["search", "support", "billing", "research", "mobile", "growth", "platform", "vision", "docs", "sales"];
const uses = ["agent", "ci", "batch", "notebook", "assistant", "eval", "crawler", "backend", "cli", "review"];
const quotas = [1, 5, 20, 50, 100, 250, 1000, 5000, 50_000, 1_000_000];

/** Writes the keys and what they have used of their quotas. `digest`: no key is known that would have it. */
export function writePastKeys(load: BulkLoad, accounts: readonly PastAccount[], keys: PastKeys, now: number): void {
  const draw = createDraw(keys.count);
  const digest = new Uint8Array(32);
  const insertKey = load.insert("access_key", [
    "id",
    "public_id",
    "name",
    "digest",
    "pepper_version",
    "state",
    "origin",
    "lossy",
    "created_at",
    "expires_at",
    "last_used_at",
    "requests_per_minute",
    "account_id",
    "models",
    "quota",
    "quota_period",
    "content_logging",
  ]);
  const insertUsage = load.insert("quota_usage", ["access_key_id", "quota_window", "used", "reserved"]);
  for (const account of accounts) {
    const createdFrom = now - account.ageDays * dayMs;
    const createdFor = Math.max(dayMs / 2, account.ageDays * dayMs - 31 * dayMs);
    for (let index = 0; index < account.keys; index += 1) {
      const number = account.firstKey + index;
      const id = keys.id(number);
      const windows = keys.windows(number);
      for (const { window, used } of windows) insertUsage(id, window, used, 0);
      const most = Math.max(0, ...windows.map(({ used }) => used));
      const quota =
        keys.windowAt(number, now) === null ? null : (quotas.find((step) => step * dollar >= most) ?? 0) * dollar;
      const state = draw.below(1000);
      insertKey(
        id,
        `m${number.toString(36).padStart(9, "0")}`,
        `${teams[index % 10]}-${uses[Math.floor(index / 10) % 10]}-${String(index + 1).padStart(4, "0")}`,
        digest,
        1,
        index === 0 || state < 930 ? "enabled" : state < 970 ? "disabled" : "revoked",
        "command",
        state % 9 === 0 ? "refuse" : "allow",
        Math.floor(createdFrom + draw.next() * createdFor),
        index > 0 && state % 20 === 5 ? now + draw.below(90) * dayMs - 10 * dayMs : null,
        keys.lastUsed(number) || null,
        state % 11 === 0 ? 120 : null,
        account.id,
        state % 13 === 0 ? '["claude-*","gpt-5-mini"]' : null,
        quota,
        quota === null ? null : "month",
        0,
      );
    }
  }
}
