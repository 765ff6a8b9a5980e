import { stringify } from "yaml";
import { showCapability } from "./capability-schema.ts";
import type { ChannelConfig, Config, DatabaseConfig, ModelEntry } from "./config.ts";
import { showDuration, showSize } from "./quantity.ts";
import { mask, showAccessKey, showAccount } from "./show-accounts.ts";
import { showPrice } from "./show-prices.ts";

/**
 * The effective configuration for a person to check, spelt as in the file, with every secret masked: provider
 * credentials, access keys, and header values, which often are credentials (S1).
 */
export function showConfig(config: Config): string {
  const { listen, database, redis, channels, accounts, accessKeys } = config;
  const document = {
    listen: `${listen.host.includes(":") ? `[${listen.host}]` : listen.host}:${listen.port}`,
    database: showDatabase(database),
    ...(redis === null ? {} : { redis: withoutPassword(redis) }),
    sandbox: channels.some((channel) => channel.sandbox),
    channels: channels.flatMap(showChannel),
    accounts: accounts.map(showAccount),
    access_keys: accessKeys.map(showAccessKey),
    prices: config.prices.map(showPrice),
    capabilities: config.capabilities.map(showCapability),
    ...showSettings(config),
    ...(config.outbound.allow.length > 0 ? { outbound: { allow: config.outbound.allow } } : {}),
    media: showMedia(config),
    ...showConsole(config),
    ...showPayments(config),
  };
  const remarks = [
    `file: ${config.file ?? "none: defaults and environment"}`,
    `secret: ${showSecret(config)}`,
    ...config.notices,
  ];
  return `${remarks.map((remark) => `# ${remark}\n`).join("")}${stringify(document)}`;
}

function showDatabase(database: DatabaseConfig): string {
  switch (database.kind) {
    case "sqlite":
      return `sqlite:${database.path}`;
    case "postgres":
      return withoutPassword(database.url);
  }
}

function withoutPassword(address: string): string {
  const url = new URL(address);
  if (url.password !== "") url.password = mask;
  return url.href;
}

function showSecret({ secret, formerSecrets, database }: Config): string {
  const former =
    formerSecrets.length === 0 ? "" : `, and ${formerSecrets.length} former from INTERLINGUA_FORMER_SECRETS`;
  return `${showPlace(secret, database)}${former}`;
}

function showPlace(secret: string | null, database: DatabaseConfig): string {
  if (secret !== null) return "from INTERLINGUA_SECRET";
  return database.kind === "sqlite" ? "in a file beside the database" : "missing: set INTERLINGUA_SECRET";
}

function showChannel(channel: ChannelConfig): object[] {
  if (channel.sandbox) return [];
  const { name, protocols, baseUrl, apiKey, credentialHeader, onDisconnect, dialect, models, status } = channel;
  const { priority, weight } = channel;
  const headers = Object.keys(channel.headers).map((header) => [header, mask]);
  return [
    {
      name,
      protocols,
      base_url: baseUrl,
      ...(apiKey === undefined ? {} : { api_key: mask }),
      ...(credentialHeader === undefined ? {} : { credential_header: credentialHeader }),
      ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
      models: models.map(showModel),
      status,
      ...(priority === undefined ? {} : { priority }),
      ...(weight === undefined ? {} : { weight }),
      ...(onDisconnect === undefined ? {} : { on_disconnect: onDisconnect }),
      ...(dialect === undefined ? {} : { dialect }),
    },
  ];
}

function showModel({ id, upstreamId, protocols }: ModelEntry): string | object {
  if (upstreamId === undefined && protocols === undefined) return id;
  return {
    id,
    ...(upstreamId === undefined ? {} : { upstream_id: upstreamId }),
    ...(protocols === undefined ? {} : { protocols }),
  };
}

function showPayments({ payments }: Config): object {
  if (payments.providers.length === 0) return {};
  const providers = payments.providers.map(({ name, scheme, toleranceMs }) => [
    name,
    { scheme, secret: mask, tolerance: showDuration(toleranceMs) },
  ]);
  return { payments: { providers: Object.fromEntries(providers) } };
}

function showConsole({ console, status, signIn }: Config): object {
  const oidc = signIn.oidc.map(({ id, name, issuer, clientId, clientSecret, scopes, trustEmail }) => ({
    id,
    name,
    issuer,
    client_id: clientId,
    ...(clientSecret === undefined ? {} : { client_secret: mask }),
    scopes,
    trust_email: trustEmail,
  }));
  return {
    console: { ...(console.url === null ? {} : { url: console.url }), notice: console.notice },
    status,
    sign_in: { password: signIn.password, operator_two_factor: signIn.operatorTwoFactor, oidc },
  };
}

function showMedia({ media }: Config): object {
  return {
    fetch: media.fetch,
    file_bytes: showSize(media.fileBytes),
    call_bytes: showSize(media.callBytes),
    held_bytes: showSize(media.heldBytes),
    files: media.files,
    timeout: showDuration(media.timeoutMs),
  };
}

function showSettings(config: Config): object {
  const { billing, server, limits, upstream, auth, drain, record, calls, contentLogging, storedResponses } = config;
  return {
    billing: {
      on_disconnect: billing.onDisconnect,
      unpriced: billing.unpriced,
      assumed_output: billing.assumedOutputTokens,
    },
    server: {
      headers_timeout: showDuration(server.headersTimeoutMs),
      body_idle: showDuration(server.bodyIdleMs),
      body_total: showDuration(server.bodyTotalMs),
      keep_alive: showDuration(server.keepAliveMs),
      max_connections: server.maxConnections,
      max_connections_per_address: server.maxConnectionsPerAddress,
      ping_interval: showDuration(server.pingIntervalMs),
      trusted_proxies: server.trustedProxies,
    },
    limits: {
      header_bytes: showSize(limits.headerBytes),
      header_count: limits.headerCount,
      url_bytes: showSize(limits.urlBytes),
      body: showSize(limits.bodyBytes),
      json_depth: limits.jsonDepth,
      json_values: limits.jsonValues,
      sse_event: showSize(limits.sseEventBytes),
      stream_bytes: showSize(limits.streamBytes),
      response_bytes: showSize(limits.responseBytes),
      stream_buffer_pause: showSize(limits.streamBufferPauseBytes),
      requests_per_minute: limits.requestsPerMinute,
      tokens_per_minute: limits.tokensPerMinute,
      concurrency: limits.concurrency,
      redis_down: limits.redisDown,
    },
    upstream: {
      connect_timeout: showDuration(upstream.connectTimeoutMs),
      first_byte_stream: showDuration(upstream.firstByteStreamMs),
      first_byte_other: showDuration(upstream.firstByteOtherMs),
      idle: showDuration(upstream.idleMs),
      total_stream: showDuration(upstream.totalStreamMs),
      total_other: showDuration(upstream.totalOtherMs),
    },
    auth: {
      poll: showDuration(auth.pollMs),
      max_stale: showDuration(auth.maxStaleMs),
      failures_per_minute: auth.failuresPerMinute,
    },
    drain: { delay: showDuration(drain.delayMs), timeout: showDuration(drain.timeoutMs) },
    record: { commit_timeout: showDuration(record.commitTimeoutMs) },
    calls: { retention: showDuration(calls.retentionMs) },
    content_logging: {
      enabled: contentLogging.enabled,
      retention: showDuration(contentLogging.retentionMs),
      max_bytes: showSize(contentLogging.maxBytes),
    },
    stored_responses: {
      keep: storedResponses.keep,
      ttl: showDuration(storedResponses.ttlMs),
      max_bytes: showSize(storedResponses.maxBytes),
    },
  };
}
