import { codecs, type ProtocolName, type UpstreamTraits } from "@interlingua/protocols";
import type { CapabilityEntry } from "../config/capability-entry.ts";
import type { ChannelSetting, ModelEntry, ProviderChannel } from "../config/config.ts";
import type { ChannelHealth } from "./channel-health.ts";
import { guessDialect } from "./guess-dialect.ts";
import { matchesModel } from "./model-pattern.ts";
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
  /** What is known of a model there besides its name, by the upstream's own name of it. */
  traits(protocol: ProtocolName, upstreamModel: string): UpstreamTraits;
}

/** A channel whose address is known: from the file or the database, or the sandbox once it runs. */
export type AddressedChannel = Omit<ProviderChannel, "sandbox"> & { sandbox?: boolean; origin?: ChannelOrigin };

/** The channel of an entry, over connections to its origin. `capabilities`: what operators say of models. */
export function createChannel(
  entry: AddressedChannel,
  client: UpstreamClient,
  health: ChannelHealth,
  capabilities: readonly CapabilityEntry[],
): Channel {
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
    traits: traitsOf(entry, capabilities),
  };
}

/** Most models of a channel whose traits are kept; patterns let callers name any number. */
const keptTraits = 1000;

/** Looks up what is known of a model once for as long as the channel is of this setting. */
function traitsOf(entry: AddressedChannel, capabilities: readonly CapabilityEntry[]): Channel["traits"] {
  const dialect = entry.sandbox ? undefined : (entry.dialect ?? guessDialect(entry.baseUrl));
  const told = capabilities.filter(({ channel }) => channel === undefined || channel === entry.name);
  if (told.length === 0) return () => ({ dialect });
  const known = new Map<string, UpstreamTraits>();
  return (protocol, upstreamModel) => {
    const key = `${protocol} ${upstreamModel}`;
    const there = known.get(key);
    if (there) return there;
    const fitting = told.filter((each) => each.protocol === protocol && matchesModel(each.model, upstreamModel));
    // Of several that set one capability the first counts.
    const set = Object.assign({}, ...fitting.map((each) => each.set).reverse());
    const traits = fitting.length === 0 ? { dialect } : { dialect, capabilities: set };
    if (known.size < keptTraits) known.set(key, traits);
    return traits;
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
