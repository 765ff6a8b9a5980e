import { codecs, type ProtocolName } from "@interlingua/protocols";
import type { ChannelSetting, ModelEntry, ProviderChannel } from "../config/config.ts";
import type { ChannelHealth } from "./channel-health.ts";
import type { UpstreamClient } from "./upstream-client.ts";

/** Where a channel was made. What stands in the configuration is changed there alone. */
type ChannelOrigin = "configuration" | "console";

/** One connection to a provider, ready for calls. Never changed: another setting is another value. */
export interface Channel {
  name: string;
  origin: ChannelOrigin;
  protocols: readonly ProtocolName[];
  models: readonly ModelEntry[];
  setting: ChannelSetting;
  /** Higher ones are tried first. */
  priority: number;
  /** Its share among equal ones; undefined: 1 where another one has one, else they keep their order. */
  weight: number | undefined;
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

/** A channel whose address is known: from the file or the database, or the sandbox once it runs. */
export type AddressedChannel = Omit<ProviderChannel, "sandbox"> & { sandbox?: boolean; origin?: ChannelOrigin };

/** The channel of an entry, over connections to its origin. */
export function createChannel(entry: AddressedChannel, client: UpstreamClient, health: ChannelHealth): Channel {
  const headers = new Map(entry.protocols.map((protocol) => [protocol, identity(entry, protocol)]));
  return {
    name: entry.name,
    origin: entry.origin ?? "configuration",
    protocols: entry.protocols,
    models: entry.models,
    setting: entry.status,
    priority: entry.priority ?? 0,
    weight: entry.weight,
    sandbox: entry.sandbox ?? false,
    onDisconnect: entry.onDisconnect,
    health,
    client,
    basePath: new URL(entry.baseUrl).pathname.replace(/\/+$/, ""),
    headers: (protocol) => headers.get(protocol) ?? identity(entry, protocol),
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
