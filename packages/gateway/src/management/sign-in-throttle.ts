import { isIPv6 } from "node:net";
import { BoundedMap } from "../accounts/bounded-map.ts";

/** Slows down who guesses passwords and codes (S8). */
export interface SignInThrottle {
  /**
   * Takes one try, or says how many whole seconds there are to wait. `account` is whatever the caller names, known or
   * not; undefined where a try names none. Ask before anything is looked up.
   */
  take(address: string, account: string | undefined): number | undefined;
  /** Gives the try back: it was a good one. */
  succeeded(address: string, account: string | undefined): void;
}

const windowMs = 60_000;
const perWindow = { account: 5, address: 20 };
const firstDelayMs = 60_000;
const longestDelayMs = 15 * 60_000;
/** Accounts and addresses that are watched at once. */
const maxWatched = 10_000;

interface Watched {
  start: number;
  tries: number;
  blockedUntil: number;
  /** How often in a row it was blocked: each time is twice as long. */
  blocks: number;
}

/**
 * Counts tries in windows of a minute. An address from which a user has signed in before has a count of its own for that
 * user, so that strangers who guess cannot lock the user out.
 */
export function createSignInThrottle(monotonic: () => number): SignInThrottle {
  const watched = new BoundedMap<string, Watched>(maxWatched);
  const familiar = new BoundedMap<string, true>(maxWatched);

  const keysOf = (address: string, account: string | undefined) => {
    const network = networkOf(address);
    const keys = [{ key: `address ${network}`, limit: perWindow.address }];
    if (account === undefined) return keys;
    const user = account.trim().toLowerCase().slice(0, 320);
    const pair = `account ${user} from ${network}`;
    return [...keys, { key: familiar.has(pair) ? pair : `account ${user}`, limit: perWindow.account }];
  };

  const current = (key: string, now: number): Watched => {
    const entry = watched.get(key) ?? { start: now, tries: 0, blockedUntil: 0, blocks: 0 };
    if (now - entry.start >= windowMs && now >= entry.blockedUntil) {
      // After as long a rest as the longest delay, the next one is short again.
      if (now - Math.max(entry.start, entry.blockedUntil) >= longestDelayMs) entry.blocks = 0;
      entry.start = now;
      entry.tries = 0;
    }
    watched.set(key, entry);
    return entry;
  };

  return {
    take(address, account) {
      const now = Math.floor(monotonic());
      const entries = keysOf(address, account).map(({ key, limit }) => ({ entry: current(key, now), limit }));
      for (const { entry, limit } of entries) {
        if (entry.blockedUntil > now || entry.tries < limit) continue;
        entry.blockedUntil = now + Math.min(longestDelayMs, firstDelayMs * 2 ** entry.blocks);
        entry.blocks += 1;
      }
      const until = Math.max(...entries.map(({ entry }) => entry.blockedUntil));
      if (until > now) return Math.ceil((until - now) / 1000);
      for (const { entry } of entries) entry.tries += 1;
      return undefined;
    },
    succeeded(address, account) {
      for (const { key } of keysOf(address, account)) {
        const entry = watched.get(key);
        if (entry && entry.tries > 0) entry.tries -= 1;
      }
      if (account !== undefined)
        familiar.set(`account ${account.trim().toLowerCase()} from ${networkOf(address)}`, true);
    },
  };
}

/** What one person usually has: an address, or the first half of one of version 6. */
export function networkOf(address: string): string {
  const plain = address.startsWith("::ffff:") && address.includes(".") ? address.slice(7) : address;
  if (!isIPv6(plain)) return plain;
  const [head = "", tail = ""] = (plain.split("%")[0] ?? "").split("::");
  const first = head === "" ? [] : head.split(":");
  const last = tail === "" ? [] : tail.split(":");
  const zeros = plain.includes("::")
    ? Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => "0")
    : [];
  return [...first, ...zeros, ...last].slice(0, 4).join(":");
}
