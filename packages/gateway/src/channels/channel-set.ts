import { isDeepStrictEqual } from "node:util";
import type { Config } from "../config/config.ts";
import { errorFields } from "../telemetry/error-fields.ts";
import type { Log } from "../telemetry/log.ts";
import { type AddressedChannel, type Channel, createChannel } from "./channel.ts";
import { createChannelHealth } from "./channel-health.ts";
import type { OutboundGuard } from "./outbound-guard.ts";
import { createRoutes, type Routes } from "./routes.ts";
import type { RoutingRule } from "./routing-rule.ts";
import { createUndiciClient } from "./undici-client.ts";
import type { UpstreamClient } from "./upstream-client.ts";

/** Routes that stay usable until they are released, whatever is changed meanwhile (O1). */
interface HeldRoutes {
  readonly routes: Routes;
  /** To be called once, when nothing is sent by them any more. */
  release(): void;
}

/** The channels and rules of this moment. They are replaced as a whole. */
export interface ChannelSet {
  /** For a look. What is sent by them needs `hold`. */
  readonly current: Routes;
  hold(): HeldRoutes;
  /**
   * Calls that begin from now on go by these. Connections to an origin that is not among them any more are closed when the
   * last call that may use them has ended. What was measured of a channel stays where it leads to the same place as before.
   */
  replace(entries: readonly AddressedChannel[], rules: readonly RoutingRule[]): void;
  /** Cuts what still runs and frees all sockets. */
  close(): Promise<void>;
}

export interface ChannelSetOptions {
  settings: Pick<Config, "upstream" | "limits" | "capabilities">;
  guard: OutboundGuard;
  /** [0, 1). */
  random: () => number;
  log: Pick<Log, "warn">;
}

/** Connections to one origin, and how many sets of routes may use them. */
interface SharedClient {
  key: string;
  client: UpstreamClient;
  users: number;
}

interface Generation {
  routes: Routes;
  clients: ReadonlySet<SharedClient>;
  /** Calls that hold it, and one more while it is the current one. */
  users: number;
}

/** A set without channels. */
export function createChannelSet({ settings, guard, random, log }: ChannelSetOptions): ChannelSet {
  const clients = new Map<string, SharedClient>();
  let known = new Map<string, { entry: AddressedChannel; channel: Channel }>();
  let current: Generation = { routes: createRoutes([], [], random), clients: new Set(), users: 1 };

  const clientOf = (entry: AddressedChannel): SharedClient => {
    const { origin } = new URL(entry.baseUrl);
    const guarded = entry.origin === "console";
    const key = `${guarded ? "guarded" : "open"} ${origin}`;
    const there = clients.get(key);
    if (there) return there;
    const { connectTimeoutMs } = settings.upstream;
    const options = { connectTimeoutMs, headerBytes: settings.limits.headerBytes };
    const connect = guarded ? { connect: guard.connector(origin, connectTimeoutMs) } : {};
    const made = { key, client: createUndiciClient(origin, { ...options, ...connect }), users: 0 };
    clients.set(key, made);
    return made;
  };

  const leave = (generation: Generation) => {
    generation.users--;
    if (generation.users > 0) return;
    for (const shared of generation.clients) {
      shared.users--;
      if (shared.users > 0) continue;
      clients.delete(shared.key);
      shared.client.close().catch((cause: unknown) => {
        log.warn("connections to a channel that is gone could not be closed", errorFields(cause));
      });
    }
  };

  return {
    get current() {
      return current.routes;
    },
    hold() {
      const held = current;
      held.users++;
      return { routes: held.routes, release: () => leave(held) };
    },
    replace(entries, rules) {
      const before = known;
      const used = new Set<SharedClient>();
      known = new Map();
      const channels = entries.map((entry) => {
        const shared = clientOf(entry);
        used.add(shared);
        const old = before.get(entry.name);
        const health = old && leadsToTheSame(old.entry, entry) ? old.channel.health : createChannelHealth(random);
        const channel = createChannel(entry, shared.client, health, settings.capabilities);
        known.set(entry.name, { entry, channel });
        return channel;
      });
      for (const shared of used) shared.users++;
      const replaced = current;
      current = { routes: createRoutes(channels, rules, random), clients: used, users: 1 };
      leave(replaced);
    },
    async close() {
      await Promise.all([...clients.values()].map(({ client }) => client.close()));
    },
  };
}

function leadsToTheSame(a: AddressedChannel, b: AddressedChannel): boolean {
  return (
    a.origin === b.origin &&
    a.baseUrl === b.baseUrl &&
    a.apiKey === b.apiKey &&
    a.credentialHeader === b.credentialHeader &&
    isDeepStrictEqual(a.headers, b.headers)
  );
}
