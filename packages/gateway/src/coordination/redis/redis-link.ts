import { Redis, type RedisOptions } from "ioredis";
import type { Every } from "../../platform.ts";
import { errorFields } from "../../telemetry/error-fields.ts";
import type { Log } from "../../telemetry/log.ts";
import type { TimerWheel } from "../../timer-wheel.ts";
import { isUnknownScript, type LuaScript } from "./lua-script.ts";

export interface RedisLinkOptions {
  /** `redis://` or `rediss://`; a secret where it holds a password. */
  url: string;
  /** Scripts that the server is told on every new connection. */
  scripts: readonly LuaScript[];
  /** Drives the probes. */
  every: Every;
  /** For the time of commands: must be finer than that. */
  timers: TimerWheel;
  log: Log;
  /** How long one command may take. 50 unless told otherwise. */
  timeoutMs?: number;
}

/**
 * The way to a Redis or Valkey server that may fail at any moment (D7). After five failures in a row it is down: then no
 * command is sent and nobody waits, until a probe (one a second) has succeeded.
 */
export interface RedisLink {
  /** Whether commands are sent. */
  readonly up: boolean;
  /**
   * Runs a command that a call waits for: its success or failure counts. Rejects with the server's or the connection's
   * error, after at most the time one command may take.
   */
  run<Answer>(command: (redis: Redis) => Promise<Answer>): Promise<Answer>;
  /** Runs a command that nobody waits for. Resolves with whether it succeeded; counts for nothing. Never rejects. */
  tryRun(command: (redis: Redis) => Promise<unknown>): Promise<boolean>;
  /** Called whenever commands can be sent again: the link is up anew, or its connection is. */
  onUp(listener: () => void): void;
  close(): void;
}

const timeoutMs = 50;
const failuresUntilDown = 5;
const probeMs = 1000;
/** A name, a connection and its encryption. */
const connectMs = 1000;
/** A connection on which nothing comes back for so long is given up: the other side may be gone without a word. */
const silentMs = 2000;
const reconnectMs = 500;

/** How every connection to the server is made. */
export const connectionOptions: RedisOptions = {
  lazyConnect: true,
  connectTimeout: connectMs,
  retryStrategy: () => reconnectMs,
  // The older form of answers is understood by every server.
  protocol: 2,
  disableClientInfo: true,
};

/** A server may answer a writing command by an error while it reads: a replica, a full memory, a failing disk. */
const probeKey = "interlingua:probe";

/** Makes the link. It is down until the first connection stands: `open` resolves when that is decided. Never rejects. */
export async function openRedisLink(options: RedisLinkOptions): Promise<RedisLink> {
  const { url, scripts, every, timers, log } = options;
  const redis = new Redis(url, {
    ...connectionOptions,
    socketTimeout: silentMs,
    // A command is sent now or never: a late admission helps nobody.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
  });
  const listeners: (() => void)[] = [];
  let up = false;
  let closed = false;
  let probing = false;
  let failures = 0;
  let lastError: unknown;
  redis.on("error", (cause) => {
    lastError = cause;
  });

  const inTime = <Answer>(work: Promise<Answer>): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const deadline = timers.after(options.timeoutMs ?? timeoutMs, () => {
        // This process may have been busy itself: an answer that has come meanwhile is read before the task runs.
        setImmediate(() => reject(new Error("Redis did not answer in time.")));
      });
      work.finally(deadline.cancel).then(resolve, reject);
    });

  const tell = () => {
    for (const listener of listeners) listener();
  };

  const introduce = async () => {
    for (const script of scripts) await inTime(redis.script("LOAD", script.source));
  };

  const told = (cause: unknown) => {
    log.debug("a redis command failed", errorFields(cause));
    if (isUnknownScript(cause)) introduce().catch(told);
  };

  const failed = (cause: unknown) => {
    failures += 1;
    told(cause);
    if (!up || closed || failures < failuresUntilDown) return;
    up = false;
    // A connection's own error says more than that there is none.
    log.warn(
      "redis is not available: limits follow redis_down",
      errorFields(redis.status === "ready" ? cause : (lastError ?? cause)),
    );
  };

  const probe = async () => {
    if (up || probing || closed || redis.status !== "ready") return;
    probing = true;
    try {
      await inTime(redis.set(probeKey, "1", "PX", probeMs));
      await introduce();
      failures = 0;
      lastError = undefined;
      up = true;
      log.info("redis is available");
      tell();
    } catch (cause) {
      lastError = cause;
    } finally {
      probing = false;
    }
  };

  const connected = async () => {
    if (!up) return probe();
    try {
      await introduce();
      tell();
    } catch (cause) {
      failed(cause);
    }
  };

  const connect = async () => {
    try {
      await redis.connect();
      await probe();
    } catch (cause) {
      lastError ??= cause;
    }
    if (!up) log.warn("redis cannot be reached: limits follow redis_down", errorFields(lastError));
  };
  await connect();
  redis.on("ready", connected);
  const stop = every(probeMs, probe);

  return {
    get up() {
      return up;
    },
    async run(command) {
      try {
        const answer = await inTime(command(redis));
        failures = 0;
        return answer;
      } catch (cause) {
        failed(cause);
        throw cause;
      }
    },
    async tryRun(command) {
      try {
        await inTime(command(redis));
        return true;
      } catch (cause) {
        told(cause);
        return false;
      }
    },
    onUp(listener) {
      listeners.push(listener);
    },
    close() {
      closed = true;
      up = false;
      stop();
      redis.disconnect();
    },
  };
}
