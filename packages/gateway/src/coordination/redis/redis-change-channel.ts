import { Redis } from "ioredis";
import { errorFields } from "../../telemetry/error-fields.ts";
import type { Log } from "../../telemetry/log.ts";
import type { ChangeChannel } from "../change-channel.ts";
import { connectionOptions, type RedisLink } from "./redis-link.ts";

export interface RedisChangeChannelOptions {
  url: string;
  /** For what is published; a connection that listens can do nothing else. */
  link: RedisLink;
  log: Log;
}

export interface RedisChangeChannel extends ChangeChannel {
  /** Resolves when hints are heard. Never does as long as the server is away. */
  listening: Promise<void>;
  close(): void;
}

const channel = "interlingua:changes";

/** The hints by publish and subscribe. After each new connection there is one more: what was told meanwhile is lost. */
export function createRedisChangeChannel({ url, link, log }: RedisChangeChannelOptions): RedisChangeChannel {
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  const subscriber = new Redis(url, { ...connectionOptions, maxRetriesPerRequest: null, autoResubscribe: false });
  subscriber.on("error", (cause) => log.debug("the redis connection for changes failed", errorFields(cause)));
  subscriber.on("message", tell);
  const listening = new Promise<void>((resolve) => {
    subscriber.on("ready", async () => {
      try {
        await subscriber.subscribe(channel);
        resolve();
        tell();
      } catch (cause) {
        log.debug("the redis connection for changes failed", errorFields(cause));
      }
    });
  });
  // A failure is told by the connection's own event, and it is tried again.
  subscriber.connect().catch(() => undefined);
  return {
    listening,
    publish() {
      if (link.up) link.tryRun((redis) => redis.publish(channel, "1"));
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => subscriber.disconnect(),
  };
}
