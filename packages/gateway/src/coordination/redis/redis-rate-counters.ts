import type { Redis } from "ioredis";
import type { KeyLimits } from "../../config/config.ts";
import type { Every, Platform } from "../../platform.ts";
import { chargeFor, reserveFor } from "../call-tokens.ts";
import { stateOf, tighter } from "../meter.ts";
import type {
  CallAdmission,
  CallDemand,
  CallPermit,
  LimitName,
  LimitRefusal,
  LimitScope,
  LimitStates,
  RateCounters,
  ReadAdmission,
  ReadDemand,
} from "../rate-counters.ts";
import { runScript } from "./lua-script.ts";
import { admitScript, readScript, renewScript } from "./rate-scripts.ts";
import type { RedisLink } from "./redis-link.ts";
import { createSettlements } from "./settlements.ts";

export interface RedisRateCountersOptions {
  link: RedisLink;
  /** Counts while the link is down. */
  fallback: RateCounters;
  platform: Pick<Platform, "id" | "monotonic">;
  every: Every;
  /** Milliseconds, in the place of the server's own clock. For tests. */
  time?: () => number;
}

/** Counters that all gateways of one Redis or Valkey server share. */
export interface RedisRateCounters extends RateCounters {
  /** Resolves when every settlement so far has been taken, or could not be. */
  idle(): Promise<void>;
  /** Ends the renewal of places and waits for what is under way. The link is its owner's to close. */
  close(): Promise<void>;
}

/** A key or an account, as the scripts know it. */
interface Subject {
  scope: LimitScope;
  limits: Partial<KeyLimits>;
  meters: string;
  places: string;
}

/** A place outlives a gateway that does not renew it by so long. */
const lifetimeMs = 30_000;
const renewMs = 5000;

const limitNames = [undefined, "concurrency", "requests", "tokens"] as const;

export function createRedisRateCounters(options: RedisRateCountersOptions): RedisRateCounters {
  const { link, fallback, platform, every } = options;
  const time = () => (options.time ? String(Math.floor(options.time())) : "");
  const settlements = createSettlements({ link, monotonic: platform.monotonic, lifetimeMs, time });
  /** The places of this gateway's running calls. */
  const held = new Map<string, readonly Subject[]>();
  const own = platform.id("gateway");
  let count = 0;

  const permitFor = (subjects: readonly Subject[], place: string, reserved: number): CallPermit => {
    let settled = false;
    held.set(place, subjects);
    return {
      reserved,
      settle(tokens) {
        if (settled) return;
        settled = true;
        held.delete(place);
        settlements.send({ keys: bothKeys(subjects), place, tokens: chargeFor(tokens), undone: false });
      },
    };
  };

  const admitCall = async (demand: CallDemand): Promise<CallAdmission> => {
    const subjects = subjectsOf(demand);
    const tokenLimits = subjects.map(({ limits }) => limits.tokensPerMinute);
    const reserve = reserveFor(demand.tokens, tokenLimits);
    const place = `${own}.${count++}:${reserve}`;
    const keys = bothKeys(subjects);
    const args = [time(), String(lifetimeMs), place, String(reserve), ...subjects.flatMap(callLimits)];
    try {
      const answer = await link.run((redis) => runScript(redis, admitScript, keys, args));
      const [reached = 0, whose = 0, wait = 0, ...levels] = answer;
      const state = callStates(subjects, levels);
      const refused = refusalOf(limitNames[reached], subjects[whose - 1], wait);
      return refused ? { ok: false, refused, state } : { ok: true, permit: permitFor(subjects, place, reserve), state };
    } catch {
      // Told by the link. The server may have let the call in all the same, or may do so yet.
      settlements.send({ keys, place, tokens: 0, undone: true });
      return fallback.admitCall(demand);
    }
  };

  const admitRead = async (demand: ReadDemand): Promise<ReadAdmission> => {
    const subjects = subjectsOf(demand);
    const keys = subjects.map(({ meters }) => meters);
    const args = [time(), ...subjects.flatMap(readLimits)];
    try {
      const answer = await link.run((redis) => runScript(redis, readScript, keys, args));
      const [whose = 0, wait = 0, ...levels] = answer;
      const state = readStates(subjects, levels);
      const refused = refusalOf("requests", subjects[whose - 1], wait);
      return refused ? { ok: false, refused, state } : { ok: true, state };
    } catch {
      // Told by the link.
      return fallback.admitRead(demand);
    }
  };

  /** Renews all places of this gateway in one go. */
  const renew = async (redis: Redis) => {
    const bySubject = new Map<string, { subject: Subject; places: string[] }>();
    for (const [place, subjects] of held) {
      for (const subject of subjects) {
        const entry = bySubject.get(subject.meters);
        if (entry) entry.places.push(place);
        else bySubject.set(subject.meters, { subject, places: [place] });
      }
    }
    const pipeline = redis.pipeline();
    // A server that has forgotten the script forgot the places, too.
    pipeline.script("LOAD", renewScript.source);
    for (const { subject, places } of bySubject.values()) {
      const args = [time(), String(lifetimeMs), ...readLimits(subject), ...places];
      pipeline.evalsha(renewScript.sha, 2, subject.meters, subject.places, ...args);
    }
    const failure = (await pipeline.exec())?.find(([error]) => error)?.[0];
    if (failure) throw failure;
  };

  const again = () => {
    settlements.again();
    // What fails is done again at the next turn.
    if (held.size > 0) link.tryRun(renew);
  };
  link.onUp(again);
  const stop = every(renewMs, () => {
    if (link.up) again();
  });

  return {
    admitCall: (demand) => (link.up ? admitCall(demand) : fallback.admitCall(demand)),
    admitRead: (demand) => (link.up ? admitRead(demand) : fallback.admitRead(demand)),
    idle: () => settlements.idle(),
    async close() {
      stop();
      await settlements.idle();
    },
  };
}

/**
 * The key, and its account where it limits anything. The tag in braces puts a key and its account onto the same node of a
 * cluster, which one script needs.
 */
function subjectsOf({ keyId, limits, account }: ReadDemand): Subject[] {
  const tag = `interlingua:{${account?.id ?? keyId}}`;
  const key: Subject = { scope: "key", limits, meters: `${tag}:key:${keyId}`, places: `${tag}:key:${keyId}:places` };
  if (!account || Object.values(account.limits).every((limit) => limit === undefined)) return [key];
  return [key, { scope: "account", limits: account.limits, meters: `${tag}:account`, places: `${tag}:account:places` }];
}

const bothKeys = (subjects: readonly Subject[]) => subjects.flatMap(({ meters, places }) => [meters, places]);

/** As the scripts take limits: 0 for none. */
const readLimits = ({ limits }: Subject) => [
  String(limits.requestsPerMinute ?? 0),
  String(limits.tokensPerMinute ?? 0),
];
const callLimits = (subject: Subject) => [...readLimits(subject), String(subject.limits.concurrency ?? 0)];

function refusalOf(limit: LimitName | undefined, subject: Subject | undefined, wait: number): LimitRefusal | undefined {
  if (!limit || !subject) return undefined;
  const { scope, limits } = subject;
  const { concurrency = 0, requestsPerMinute = 0, tokensPerMinute = 0 } = limits;
  const allowed = { concurrency, requests: requestsPerMinute, tokens: tokensPerMinute }[limit];
  return { kind: "limit", scope, limit, allowed, retryAfterMs: wait };
}

/** `levels`: of each subject requests, tokens and what is held. */
function callStates(subjects: readonly Subject[], levels: readonly number[]): LimitStates {
  const states: LimitStates = {};
  for (const [index, { limits }] of subjects.entries()) {
    const [requests = 0, tokens = 0, reserved = 0] = levels.slice(3 * index);
    if (limits.requestsPerMinute !== undefined)
      states.requests = tighter(stateOf({ level: requests }, limits.requestsPerMinute), states.requests);
    if (limits.tokensPerMinute !== undefined)
      states.tokens = tighter(stateOf({ level: tokens }, limits.tokensPerMinute, reserved), states.tokens);
  }
  return states;
}

/** `levels`: of each subject that of its reads. */
function readStates(subjects: readonly Subject[], levels: readonly number[]): LimitStates {
  const states: LimitStates = {};
  for (const [index, { limits }] of subjects.entries()) {
    const level = levels[index] ?? 0;
    if (limits.requestsPerMinute !== undefined)
      states.requests = tighter(stateOf({ level }, limits.requestsPerMinute), states.requests);
  }
  return states;
}
