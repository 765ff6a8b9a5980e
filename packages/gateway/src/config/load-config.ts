import { readFile } from "node:fs/promises";
import type { ChannelConfig, Config, DatabaseConfig } from "./config.ts";
import { ConfigError, type ConfigIssue } from "./config-error.ts";
import { defaultChannels, sandboxChannel } from "./default-channels.ts";
import { at, explainIssues } from "./explain-issues.ts";
import { findLocalModels } from "./local-models.ts";
import { type ConfigDocument, configSchema } from "./schema.ts";
import { type Environment, type SubstitutionIssue, substituteEnvironment } from "./substitute-environment.ts";
import { readYaml, type YamlSource } from "./yaml-source.ts";

/** The file that is read when none is named. */
const defaultFile = "interlingua.yaml";

/** Largest configuration file (O2), in characters. */
const maxFile = 8 * 1024 * 1024;

/** Reads the text of a file; undefined when there is no such file. */
interface ConfigFileSystem {
  read(path: string): Promise<string | undefined>;
}

export interface LoadConfigOptions {
  /** Must exist. Without it `interlingua.yaml` is read if there is one, else the defaults apply. */
  file?: string;
  env: Environment;
  fileSystem?: ConfigFileSystem;
  /** Names of the models a local server offers; asked only when there is no file. */
  localModels?: () => Promise<readonly string[]>;
}

/** Loads and checks the configuration. Throws a ConfigError with everything that is wrong. */
export async function loadConfig(options: LoadConfigOptions): Promise<Config> {
  const fileSystem = options.fileSystem ?? realFileSystem;
  const file = options.file ?? defaultFile;
  const text = await fileSystem.read(file);
  if (text !== undefined) return readConfig(file, text, options.env);
  if (options.file !== undefined) throw new ConfigError(file, [{ path: "", message: "there is no such file" }]);
  const localModels = await (options.localModels ?? findLocalModels)();
  return complete(null, configSchema.parse({}), defaultChannels(options.env, localModels), options.env, []);
}

function readConfig(file: string, text: string, env: Environment): Config {
  if (text.length > maxFile) throw new ConfigError(file, [{ path: "", message: "is larger than 8 MiB" }]);
  const source = readYaml(text);
  if (source.issues.length > 0) throw new ConfigError(file, source.issues);

  const unset: SubstitutionIssue[] = [];
  // An empty file is an empty mapping.
  const data = substituteEnvironment(source.data ?? {}, env, unset);
  const issues = unset.map((issue) => at(issue.path, issue.message, source));
  const parsed = configSchema.safeParse(data, { reportInput: true });
  if (!parsed.success) {
    // Of a place whose variable is missing, that is all there is to say.
    const told = new Set(issues.map((issue) => issue.path));
    issues.push(...explainIssues(parsed.error.issues, source).filter((issue) => !told.has(issue.path)));
  }
  if (!parsed.success || issues.length > 0) throw new ConfigError(file, inOrder(issues));

  const channels: ChannelConfig[] = [...(parsed.data.sandbox ? [sandboxChannel] : []), ...parsed.data.channels];
  const doubled = doubledNames(parsed.data, source);
  if (doubled.length > 0) throw new ConfigError(file, doubled);
  return complete(file, parsed.data, channels, env, namedPaths(data));
}

/** The dotted paths of all that is no mapping itself. */
function namedPaths(data: unknown): string[] {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return [];
  return Object.entries(data).flatMap(([key, value]) => {
    const isMapping = typeof value === "object" && value !== null && !Array.isArray(value);
    return isMapping ? namedPaths(value).map((path) => `${key}.${path}`) : [key];
  });
}

function inOrder(issues: readonly ConfigIssue[]): ConfigIssue[] {
  return issues.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}

/** Names and keys that must be unique across the document. */
function doubledNames(document: ConfigDocument, source: YamlSource): ConfigIssue[] {
  const issues: ConfigIssue[] = [];
  const check = (
    values: readonly string[],
    taken: string[],
    path: (index: number) => PropertyKey[],
    message: string,
  ) => {
    const seen = new Set(taken);
    for (const [index, value] of values.entries()) {
      if (seen.has(value)) issues.push(at(path(index), message, source));
      seen.add(value);
    }
  };
  const channelNames = document.channels.map((channel) => channel.name);
  const taken = document.sandbox ? [sandboxChannel.name] : [];
  check(channelNames, taken, (index) => ["channels", index, "name"], "another channel has this name");
  check(
    document.accounts.map((account) => account.name),
    [],
    (index) => ["accounts", index, "name"],
    "another account has this name",
  );
  const keys = document.access_keys;
  check(
    keys.map((key) => key.name),
    [],
    (index) => ["access_keys", index, "name"],
    "another access key has this name",
  );
  check(
    keys.map((key) => key.key),
    [],
    (index) => ["access_keys", index, "key"],
    "another access key is the same",
  );
  return inOrder(issues);
}

function complete(
  file: string | null,
  document: ConfigDocument,
  channels: readonly ChannelConfig[],
  env: Environment,
  named: readonly string[],
): Config {
  const { server, limits, upstream, auth, drain, record } = document;
  const notices: string[] = [];
  const unsafe = env.INTERLINGUA_ALLOW_UNSAFE_DATABASE === "1";
  const database: DatabaseConfig =
    document.database.kind === "postgres" ? { ...document.database, allowUnsafe: unsafe } : document.database;
  if (database.kind === "postgres" && unsafe)
    notices.push("database: its settings are not checked, acknowledged calls may be lost with the machine");
  if (channels.every((channel) => channel.status === "disabled"))
    notices.push("channels: none is usable, every call will fail");
  return {
    file,
    listen: document.listen,
    database,
    redis: document.redis ?? null,
    channels,
    accounts: document.accounts,
    accessKeys: document.access_keys,
    secret: env.INTERLINGUA_SECRET || null,
    formerSecrets: entriesOf(env.INTERLINGUA_FORMER_SECRETS),
    prices: document.prices,
    capabilities: document.capabilities,
    billing: {
      onDisconnect: document.billing.on_disconnect,
      unpriced: document.billing.unpriced,
      assumedOutputTokens: document.billing.assumed_output,
    },
    payments: document.payments,
    server: {
      headersTimeoutMs: server.headers_timeout,
      bodyIdleMs: server.body_idle,
      bodyTotalMs: server.body_total,
      keepAliveMs: server.keep_alive,
      maxConnections: server.max_connections,
      maxConnectionsPerAddress: server.max_connections_per_address,
      pingIntervalMs: server.ping_interval,
      trustedProxies: server.trusted_proxies,
    },
    limits: {
      headerBytes: limits.header_bytes,
      headerCount: limits.header_count,
      urlBytes: limits.url_bytes,
      bodyBytes: limits.body,
      jsonDepth: limits.json_depth,
      jsonValues: limits.json_values,
      sseEventBytes: limits.sse_event,
      streamBytes: limits.stream_bytes,
      responseBytes: limits.response_bytes,
      streamBufferPauseBytes: limits.stream_buffer_pause,
      requestsPerMinute: limits.requests_per_minute,
      tokensPerMinute: limits.tokens_per_minute,
      concurrency: limits.concurrency,
      redisDown: limits.redis_down,
    },
    upstream: {
      connectTimeoutMs: upstream.connect_timeout,
      firstByteStreamMs: upstream.first_byte_stream,
      firstByteOtherMs: upstream.first_byte_other,
      idleMs: upstream.idle,
      totalStreamMs: upstream.total_stream,
      totalOtherMs: upstream.total_other,
    },
    outbound: document.outbound,
    media: {
      fetch: document.media.fetch,
      fileBytes: document.media.file_bytes,
      callBytes: document.media.call_bytes,
      heldBytes: document.media.held_bytes,
      files: document.media.files,
      timeoutMs: document.media.timeout,
    },
    auth: { pollMs: auth.poll, maxStaleMs: auth.max_stale, failuresPerMinute: auth.failures_per_minute },
    drain: { delayMs: drain.delay, timeoutMs: drain.timeout },
    record: { commitTimeoutMs: record.commit_timeout },
    calls: { retentionMs: document.calls.retention },
    contentLogging: {
      enabled: document.content_logging.enabled,
      retentionMs: document.content_logging.retention,
      maxBytes: document.content_logging.max_bytes,
    },
    storedResponses: {
      keep: document.stored_responses.keep,
      ttlMs: document.stored_responses.ttl,
      maxBytes: document.stored_responses.max_bytes,
    },
    status: document.status,
    console: { url: document.console.url ?? null, notice: document.console.notice },
    signIn: {
      oidc: document.sign_in.oidc,
      password: document.sign_in.password,
      operatorTwoFactor: document.sign_in.operator_two_factor,
    },
    named,
    notices,
  };
}

/** What stands between commas. */
function entriesOf(text = ""): string[] {
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

const realFileSystem: ConfigFileSystem = {
  async read(path) {
    try {
      return await readFile(path, "utf8");
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
      const reason = error instanceof Error ? error.message : String(error);
      throw new ConfigError(path, [{ path: "", message: `cannot be read: ${reason}` }]);
    }
  },
};
