import { codecs, type ProtocolName } from "@interlingua/protocols";
import type { ChannelSetting, Config, ModelEntry, ProviderChannel } from "../config/config.ts";
import { type ChannelHealth, createChannelHealth } from "./channel-health.ts";
import { createUndiciClient } from "./undici-client.ts";
import type { UpstreamClient } from "./upstream-client.ts";

/** One connection to a provider, ready for calls. */
export interface Channel {
  name: string;
  protocols: readonly ProtocolName[];
  models: readonly ModelEntry[];
  setting: ChannelSetting;
  /** The simulated provider: its calls cost nothing. */
  sandbox: boolean;
  /** What a caller pays that leaves before the end, where it is not as the configuration says for all. */
  onDisconnect: "received" | "drain" | "free" | undefined;
  health: ChannelHealth;
  client: UpstreamClient;
  /** What stands before a protocol's own path: the base address without its origin. */
  basePath: string;
  /** Headers that say who we are, by protocol. Never shown anywhere. */
  headers(protocol: ProtocolName): Record<string, string>;
}

/** A channel whose address is known: from the file, or the sandbox once it runs. */
export type AddressedChannel = Omit<ProviderChannel, "sandbox"> & { sandbox?: boolean };

export interface Channels {
  /** In the order of the configuration. */
  all: readonly Channel[];
  close(): Promise<void>;
}

/** Opens the channels: one pool of connections an origin, shared by the channels that point there. */
export function createChannels(
  configured: readonly AddressedChannel[],
  settings: Pick<Config, "upstream" | "limits">,
  random: () => number,
): Channels {
  const clients = new Map<string, UpstreamClient>();
  const all = configured.map((entry): Channel => {
    const base = new URL(entry.baseUrl);
    let client = clients.get(base.origin);
    if (!client) {
      const { connectTimeoutMs } = settings.upstream;
      client = createUndiciClient(base.origin, { connectTimeoutMs, headerBytes: settings.limits.headerBytes });
      clients.set(base.origin, client);
    }
    const headers = new Map(entry.protocols.map((protocol) => [protocol, identity(entry, protocol)]));
    return {
      name: entry.name,
      protocols: entry.protocols,
      models: entry.models,
      setting: entry.status,
      sandbox: entry.sandbox ?? false,
      onDisconnect: entry.onDisconnect,
      health: createChannelHealth(random),
      client,
      basePath: base.pathname.replace(/\/+$/, ""),
      headers: (protocol) => headers.get(protocol) ?? identity(entry, protocol),
    };
  });
  return {
    all,
    async close() {
      await Promise.all([...clients.values()].map((client) => client.close()));
    },
  };
}

/** A value that no credential has, to find where a protocol writes it. */
const placeholder = "credential-goes-here";

function identity(entry: AddressedChannel, protocol: ProtocolName): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(codecs[protocol].headers(placeholder))) {
    const key = name.toLowerCase();
    if (!value.includes(placeholder)) headers[key] = value;
    else if (entry.apiKey !== undefined && entry.credentialHeader === undefined) {
      headers[key] = value.replace(placeholder, () => entry.apiKey ?? "");
    }
  }
  if (entry.credentialHeader !== undefined && entry.apiKey !== undefined) {
    headers[entry.credentialHeader] = entry.apiKey;
  }
  return { ...headers, ...entry.headers };
}
