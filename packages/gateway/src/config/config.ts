import type { Dialect, ProtocolName } from "@interlingua/protocols";
import type { PriceVersion } from "../catalogue/prices/price-version.ts";
import type { CapabilityEntry } from "./capability-entry.ts";

/** How a channel is offered. `disabled` takes no calls; `under_observation` takes them and says so wherever it is shown. */
export type ChannelSetting = "operational" | "under_observation" | "disabled";

/** One entry of a channel's model list. */
export interface ModelEntry {
  /** The identifier callers use. `*` stands for any run of characters: `claude-*`. */
  id: string;
  /** The upstream's own identifier, where it differs. Never set on an entry with `*`. */
  upstreamId?: string;
  /** Narrows the channel's protocols for this model, preferred first. */
  protocols?: readonly ProtocolName[];
}

interface ChannelBase {
  name: string;
  /** What the upstream speaks, preferred first. Never empty. */
  protocols: readonly ProtocolName[];
  models: readonly ModelEntry[];
  status: ChannelSetting;
  /** Channels of a higher one are tried first; 0 where it is absent. */
  priority?: number;
  /** Its share of the calls among channels of the same priority; they keep their order where none of them has one. */
  weight?: number;
}

/** The highest priority, and as a negative number the lowest. */
export const highestPriority = 1_000_000;

/** The highest weight. */
export const highestWeight = 1_000_000;

/** A connection to a provider. */
export interface ProviderChannel extends ChannelBase {
  sandbox: false;
  /** As the vendor's own SDK writes it, without a trailing slash. */
  baseUrl: string;
  /** The provider's credential. Absent for servers that want none. */
  apiKey?: string;
  /** Sent on every request to this upstream, names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Where the upstream wants its key, lower case, when it is not the protocol's own header. The key is sent bare. */
  credentialHeader?: string;
  /** Where it is not as `billing` says for all channels. */
  onDisconnect?: "received" | "drain" | "free";
  /** The make of the server; absent: as its address or the model's name tells. */
  dialect?: Dialect;
}

/** The simulated provider for a first try; the gateway starts it in its own process and so knows its address only then. */
export interface SandboxChannel extends ChannelBase {
  sandbox: true;
}

export type ChannelConfig = ProviderChannel | SandboxChannel;

/** The highest limit that can be set: beyond it the counters of a key would not be exact any more. */
export const highestLimit = 1_000_000_000;

/** What one access key may use (C13). */
export interface KeyLimits {
  requestsPerMinute: number;
  /** Input and output together. */
  tokensPerMinute: number;
  /** Calls at once. */
  concurrency: number;
}

/**
 * What holds while the shared counters cannot be asked (D7): each gateway gives its share of the limits, refuses every call,
 * or lets every call pass.
 */
export type RedisDown = "local" | "deny" | "allow";

/** The highest quota of a key, in nano-dollars: nine million dollars, so that a number holds it exactly. */
export const highestQuota = 9_000_000_000_000_000n;

/** The highest factor on list prices, in parts per million: a thousandfold. */
export const highestMarkupPpm = 1_000_000_000;

/** An account declared for an unattended install. */
export interface AccountConfig {
  name: string;
  billing: "prepaid" | "postpaid";
  /** How far below zero a postpaid balance may go, in nano-dollars; null: without bound. */
  creditLimit: bigint | null;
  /** Parts per million of the list price: 1,000,000 is the price itself. */
  markupPpm: number;
  /** Limits that its keys share. */
  limits: Partial<KeyLimits>;
}

/** An access key declared for an unattended install. `key` is the secret itself. */
export interface AccessKeyConfig {
  name: string;
  key: string;
  /** Name or id of the account that it belongs to: the default one unless told otherwise. */
  account?: string;
  /** What happens when a conversion would lose something: `allow` it with a notice, or `refuse` the call. */
  lossy: "allow" | "refuse";
  /** Its own limits, where they are not those of `limits`. */
  limits?: Partial<KeyLimits>;
  /** Unix milliseconds from which on it is refused. */
  expiresAt?: number;
  /** Names, or patterns with `*`, that it may call; absent: all. */
  models?: readonly string[];
  /** Addresses or ranges that it may be used from; absent: all. */
  addresses?: readonly string[];
  /** Nano-dollars that it may spend in a period. */
  quota?: { amount: bigint; period: "total" | "day" | "week" | "month" };
  /** Whether prompts and answers are kept. */
  contentLogging?: boolean;
}

/** The listener (reliability.md 2). Times in milliseconds. */
interface ServerSettings {
  headersTimeoutMs: number;
  /** Longest pause within a request body. */
  bodyIdleMs: number;
  /** Longest time for a whole body: this, and one second more for each MiB. */
  bodyTotalMs: number;
  keepAliveMs: number;
  maxConnections: number;
  maxConnectionsPerAddress: number;
  /** Silence after which a stream gets a keep-alive frame. */
  pingIntervalMs: number;
  /** Addresses or ranges of proxies whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly string[];
}

/**
 * Bounds of what is read, from callers and from upstreams, sizes in bytes; and what a key may use that has no limits of
 * its own.
 */
interface LimitSettings extends KeyLimits {
  headerBytes: number;
  headerCount: number;
  urlBytes: number;
  bodyBytes: number;
  jsonDepth: number;
  jsonValues: number;
  /** One event of an upstream's stream. */
  sseEventBytes: number;
  streamBytes: number;
  /** A whole answer that is no stream. */
  responseBytes: number;
  /** What waits for a slow client before the upstream is paused. */
  streamBufferPauseBytes: number;
  redisDown: RedisDown;
}

/** Where channels that are made in the console, and addresses of media, may lead beside public addresses by https (S3). */
export interface OutboundSettings {
  /** Host names, addresses or ranges, a host also with its port: `ollama.lan:11434`, `10.1.0.0/16`. */
  allow: readonly string[];
}

/** Whether media that callers name by addresses are fetched for models that want the bytes (M2), and how far. Sizes in bytes. */
interface MediaSettings {
  fetch: boolean;
  fileBytes: number;
  /** All files of a call together. */
  callBytes: number;
  /** The files of all running calls together. */
  heldBytes: number;
  /** Different addresses of a call. */
  files: number;
  /** For one address, its redirects included; milliseconds. */
  timeoutMs: number;
}

/** How long an upstream may take. Times in milliseconds. */
interface UpstreamSettings {
  connectTimeoutMs: number;
  firstByteStreamMs: number;
  firstByteOtherMs: number;
  /** Silence on a stream. */
  idleMs: number;
  totalStreamMs: number;
  totalOtherMs: number;
}

interface AuthSettings {
  /** How often changes of access keys are looked for. */
  pollMs: number;
  /** A cached key is not trusted when the last successful look is older. */
  maxStaleMs: number;
  /** Failed authentications of one address in a minute, after which it gets 429. */
  failuresPerMinute: number;
}

interface DrainSettings {
  /** Still accepting, already not ready. */
  delayMs: number;
  /** How long running calls may take to finish. */
  timeoutMs: number;
}

/** How calls are paid. */
interface BillingSettings {
  /**
   * What a caller pays that leaves before the end: what was produced until then (`received`), what the upstream goes on to
   * produce (`drain`: it is read to its end), or nothing (`free`) (M11).
   */
  onDisconnect: "received" | "drain" | "free";
  /** Whether models without a price may be called: they cost nothing. */
  unpriced: "allow" | "postpaid_only" | "refuse";
  /** Tokens that an answer is taken to have at most, where neither the caller nor the price data sets a bound. */
  assumedOutputTokens: number;
}

interface RecordSettings {
  /** How long the end of an answer waits for its record to be durable. */
  commitTimeoutMs: number;
}

interface ConsoleSettings {
  /** Where browsers reach the console: `https://gateway.example.com`. Null: on this machine alone, by http. */
  url: string | null;
  /** A line that every page of the console shows; empty for none. */
  notice: string;
}

/** What the public pages show. */
export interface StatusSettings {
  /** Channels by their names, by numbers alone, or not at all. */
  channels: "names" | "numbers" | "hidden";
}

/** A provider at which users sign in, by OpenID Connect. */
export interface OidcProvider {
  /** Stands in the callback's address: `/api/auth/callback/<id>`. */
  id: string;
  /** As users read it. */
  name: string;
  /** Without a trailing slash; `/.well-known/openid-configuration` is read below it. */
  issuer: string;
  clientId: string;
  /** Absent for a public client. A secret. */
  clientSecret?: string;
  scopes: readonly string[];
  /** Take the provider's word for an e-mail address also where it does not say that it has verified it. */
  trustEmail: boolean;
}

interface SignInSettings {
  oidc: readonly OidcProvider[];
  /** Whether users may sign in by e-mail and password. */
  password: boolean;
  /** Whether operators without a second factor are taken for ordinary users until they have one. */
  operatorTwoFactor: boolean;
}

/** How a provider signs and words what it tells: as Stripe does, or in our own plain form. */
export type PaymentScheme = "stripe" | "hmac";

/** A provider that tells of payments at `/webhooks/<name>`. */
export interface PaymentProvider {
  name: string;
  scheme: PaymentScheme;
  /** What it signs with. A secret. */
  secret: string;
  /** How old, or how far in the future, a signature may be. */
  toleranceMs: number;
}

interface PaymentSettings {
  providers: readonly PaymentProvider[];
}

/** A file for one gateway, or a server for any number. */
export type DatabaseConfig = SqliteConfig | PostgresConfig;

interface SqliteConfig {
  kind: "sqlite";
  path: string;
}

interface PostgresConfig {
  kind: "postgres";
  /** `postgres://user:password@host:port/name`: a secret where it holds a password. */
  url: string;
  /** Start over a server that may lose acknowledged commits, too (`INTERLINGUA_ALLOW_UNSAFE_DATABASE=1`). */
  allowUnsafe: boolean;
}

interface CallSettings {
  /** How long calls and their attempts are kept, milliseconds. Sums and the ledger stay. */
  retentionMs: number;
}

/** Whether prompts and answers are kept, of the access keys that want it (S2). */
interface ContentLoggingSettings {
  enabled: boolean;
  /** How long, milliseconds. */
  retentionMs: number;
  /** How much of each body. */
  maxBytes: number;
}

/** Answers of the responses protocol that are kept for later turns (conversion.md R2). */
interface StoredResponseSettings {
  /** Of calls that ask for it, also of those that say nothing, or of none. */
  keep: "asked" | "default" | "never";
  ttlMs: number;
  /** The largest that is kept, with its input. */
  maxBytes: number;
}

/** The effective configuration: checked, complete, with every default filled in. Never changed after loading. */
export interface Config {
  /** The file it came from, or null when there is none. */
  file: string | null;
  listen: { host: string; port: number };
  database: DatabaseConfig;
  /** `redis://` or `rediss://`, a secret where it holds a password; null for a gateway that counts alone. */
  redis: string | null;
  channels: readonly ChannelConfig[];
  accounts: readonly AccountConfig[];
  accessKeys: readonly AccessKeyConfig[];
  /** `INTERLINGUA_SECRET` of the environment; null when the secret is kept in a file beside the database. */
  secret: string | null;
  /** `INTERLINGUA_FORMER_SECRETS` of the environment: what was made under them is still good. */
  formerSecrets: readonly string[];
  /** Prices that go before those of known models. */
  prices: readonly PriceVersion[];
  /** Of several entries that fit a model the first one counts for each capability. */
  capabilities: readonly CapabilityEntry[];
  billing: BillingSettings;
  payments: PaymentSettings;
  server: ServerSettings;
  limits: LimitSettings;
  upstream: UpstreamSettings;
  outbound: OutboundSettings;
  media: MediaSettings;
  auth: AuthSettings;
  drain: DrainSettings;
  record: RecordSettings;
  calls: CallSettings;
  contentLogging: ContentLoggingSettings;
  storedResponses: StoredResponseSettings;
  console: ConsoleSettings;
  status: StatusSettings;
  signIn: SignInSettings;
  /** Dotted paths of what the file sets, `calls.retention`: what it names is not changed anywhere else. */
  named: readonly string[];
  /** What the operator should know: settings that are accepted and have no effect yet, and what was found by itself. */
  notices: readonly string[];
}
