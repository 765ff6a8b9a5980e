import type { Redis } from "ioredis";
import { runScript } from "./lua-script.ts";
import { settleScript } from "./rate-scripts.ts";
import type { RedisLink } from "./redis-link.ts";

/** How a place ends. */
interface Ending {
  /** The keys of the scripts: hash and places of each subject. */
  keys: readonly string[];
  place: string;
  tokens: number;
  /** The admission was not answered, but may have taken place: its request is given back, too. */
  undone: boolean;
}

/** Carries the ends of calls to Redis without anybody waiting for it. */
export interface Settlements {
  send(ending: Ending): void;
  /** Sends again what could not be sent. An end counts once, however often it is sent. */
  again(): void;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

export interface SettlementsOptions {
  link: RedisLink;
  monotonic: () => number;
  /** How long a place outlives its gateway: what waits for longer has been given back by itself. */
  lifetimeMs: number;
  /** The script's time argument. */
  time: () => string;
}

/** Beyond that the oldest are left to the lifetime of their places. */
const mostWaiting = 10_000;

export function createSettlements({ link, monotonic, lifetimeMs, time }: SettlementsOptions): Settlements {
  const waiting = new Map<Ending, number>();
  const underWay = new Set<Promise<void>>();

  const wait = (ending: Ending, since: number) => {
    waiting.set(ending, since);
    if (waiting.size <= mostWaiting) return;
    for (const oldest of waiting.keys()) {
      waiting.delete(oldest);
      break;
    }
  };

  const send = (ending: Ending, since: number) => {
    if (!link.up) {
      wait(ending, since);
      return;
    }
    const { keys, place, tokens, undone } = ending;
    const settle = (redis: Redis) =>
      runScript(redis, settleScript, keys, [time(), place, String(tokens), undone ? "1" : "0"]);
    const work = link.tryRun(settle).then((done) => {
      if (!done) wait(ending, since);
    });
    underWay.add(work);
    work.then(() => underWay.delete(work));
  };

  return {
    send: (ending) => send(ending, monotonic()),
    again() {
      const entries = [...waiting];
      waiting.clear();
      const now = monotonic();
      for (const [ending, since] of entries) if (now - since < lifetimeMs) send(ending, since);
    },
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
