import type { Server } from "node:http";
import { type Authenticator, type AuthenticatorOptions, createAuthenticator } from "./accounts/authenticator.ts";
import { createFailureThrottle } from "./accounts/failure-throttle.ts";
import { loadSecret, secretsOf } from "./accounts/secret.ts";
import { createContentStore } from "./calls/content-store.ts";
import { createRetention } from "./calls/retention.ts";
import { createUsageTotals } from "./calls/usage-totals.ts";
import { followPrices } from "./catalogue/prices/follow-prices.ts";
import { createCatalogue } from "./catalogue/published-models.ts";
import { openChannels } from "./channels/open-channels.ts";
import type { Network } from "./channels/outbound-guard.ts";
import type { Config } from "./config/config.ts";
import { openCoordination } from "./coordination/open-coordination.ts";
import { drain, pause } from "./drain.ts";
import { createFollower } from "./follower.ts";
import { createClientAddress } from "./http/client-address.ts";
import { createListener } from "./http/listener.ts";
import { createRequestHandler } from "./http/request-handler.ts";
import { createRouter } from "./http/router.ts";
import { routes, webhookRoutes } from "./http/routes.ts";
import { createManagement } from "./management/management.ts";
import { createMediaFetcher } from "./media/media-fetcher.ts";
import { createWebhooks } from "./payments/webhooks.ts";
import { type Every, type Platform, systemEvery } from "./platform.ts";
import type { RelayContext } from "./relay/context.ts";
import { countTokens } from "./relay/count.ts";
import { type Books, type BooksOptions, openBooks } from "./relay/open-books.ts";
import { createRefusedFields } from "./relay/refused-fields.ts";
import { createRelay } from "./relay/relay.ts";
import { createVaults } from "./relay/vault.ts";
import { addressed, startSandbox } from "./sandbox.ts";
import { createSettings, type Settings, type SettingsOptions } from "./settings/settings.ts";
import { createAvailabilityRollUp } from "./status/availability-roll-up.ts";
import { openDatabase } from "./storage/open-database.ts";
import { readingApart } from "./storage/reading-apart.ts";
import { createStoredResponses } from "./stored-responses/stored-responses.ts";
import type { Log } from "./telemetry/log.ts";
import { createTimerWheel } from "./timer-wheel.ts";

export interface GatewayOptions {
  config: Config;
  platform: Platform;
  log: Log;
  /** Drives every timer. The real ones unless told otherwise. */
  every?: Every;
  /** For connections that are guarded. The machine's unless told otherwise. */
  network?: Network;
}

/** A running gateway. */
export interface Gateway {
  /** Base address, for example `http://127.0.0.1:8080`. */
  address: string;
  /**
   * Takes no new calls, lets running ones finish for `drainMs` (default: the configuration's), ends the rest by their
   * protocol's error, and resolves when all is recorded. A second call with less time shortens the first.
   */
  close(options?: { drainMs?: number }): Promise<void>;
  /** Resolves when the gateway cannot go on since its storage failed (D6). Never rejects. */
  failed: Promise<Error>;
}

/** Builds everything, hands it down and listens. Rejects with the listener's own error (`EADDRINUSE`) or storage's. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { config, platform, log } = options;
  const every = options.every ?? systemEvery;
  const timers = createTimerWheel(every, platform.monotonic);
  const database = await openDatabase(config.database);
  const money = await openMoney({ database, config, platform, every, timers, log });
  const settings = await openSettings({ database, config, platform, log }, money);
  const authenticator = await openAuthenticator(
    { database, config: withLive(config, settings), platform, every, log },
    money,
  );
  const sandbox = config.channels.some((channel) => channel.sandbox) ? await startSandbox(platform) : undefined;
  /** `leaving`: told to the balancer as not ready, while calls that it still sends are taken (O3). */
  let phase: "open" | "leaving" | "closed" = "open";
  const failed = new Promise<Error>((resolve) => {
    database.onFatal((error) => {
      phase = "closed";
      resolve(error);
    });
  });

  const { redis, limits } = config;
  const coordination = await openCoordination({
    redis,
    redisDown: limits.redisDown,
    platform,
    every,
    log,
    liveReplicas: money.liveReplicas,
  });
  const { counters } = coordination;
  const secret = loadSecret(config, platform);
  const channels = await openChannels({
    database,
    config,
    configured: addressed(config, sandbox?.url),
    platform,
    secret: secret.bytes,
    formerSecrets: secret.former,
    timers,
    log,
    hint: coordination.changes,
    network: options.network,
  });
  const storedResponses = createStoredResponses({
    database,
    secret: secret.bytes,
    formerSecrets: secret.former,
    platform,
    log,
    get settings() {
      return settings.current().storedResponses;
    },
  });
  const context: RelayContext = {
    get settings() {
      return settings.current();
    },
    platform,
    timers,
    log,
    budgets: money.budgets,
    books: money.books,
    content: createContentStore({
      database,
      secret: secret.bytes,
      formerSecrets: secret.former,
      platform,
      get settings() {
        return settings.current().contentLogging;
      },
    }),
    storedResponses,
    media: config.media.fetch ? createMediaFetcher({ settings: config, guard: channels.guard, timers, log }) : null,
    counters,
    channels: channels.set,
    refusedFields: createRefusedFields(platform.monotonic),
    vaults: createVaults({ secrets: secretsOf(secret), randomBytes: platform.randomBytes }),
  };
  const relay = createRelay(context);
  coordination.changes.onChange(authenticator.lookNow);
  authenticator.onRevoked(relay.terminate);
  const prices = followPrices({ prices: money.prices, timers, log });
  const failedLook = "the settings could not be read again; the ones before hold on";
  const setting = createFollower({ reload: settings.reload, failed: failedLook, timers, log });
  settings.onChanged(authenticator.forget);
  authenticator.onChanges((changes) => {
    if (changes.channel.size > 0) channels.look();
    if (changes.price.size > 0) prices.look();
    if (changes.setting.size > 0) setting.look();
  });
  // What changed between the first read and the begin of the watch.
  channels.look();
  prices.look();
  setting.look();
  const catalogue = createCatalogue(() => channels.set.current.channels, Math.floor(platform.now() / 1000));
  const management = await createManagement({
    database,
    config,
    platform,
    every,
    timers,
    log,
    secret,
    settings,
    channels,
    catalogue,
    prices: money.prices,
    hint: coordination.changes,
  });
  const { providers } = config.payments;
  const server = createListener({
    settings: config,
    requestId: () => platform.id("call"),
    onRequest: createRequestHandler({
      settings: config,
      platform,
      timers,
      log,
      router: createRouter([...routes, ...webhookRoutes(providers)]),
      webhooks: createWebhooks({ database, platform, providers }),
      authenticator,
      throttle: createFailureThrottle({
        most: config.auth.failuresPerMinute,
        windowMs: 60_000,
        monotonic: platform.monotonic,
      }),
      relay,
      counters,
      countTokens: (call, response, rateHeaders) => countTokens(context, call, response, rateHeaders),
      catalogue,
      storedResponses,
      clientAddress: createClientAddress(config.server.trustedProxies),
      management,
      ready: () => phase === "open",
      accepting: () => phase !== "closed",
    }),
  });

  const apart = readingApart(database);
  const retention = createRetention({ database: apart, platform, settings: settings.live, every, log });
  const totals = createUsageTotals({ database: apart, platform, every, log });
  const availability = createAvailabilityRollUp({ database: apart, catalogue, platform, every, log });

  const release = async () => {
    prices.close();
    setting.close();
    await Promise.all([retention.stop(), totals.stop(), availability.stop()]);
    await management.close();
    await channels.close();
    await coordination.close();
    await authenticator.close();
    await money.close();
    await database.close();
    await sandbox?.close();
    timers.close();
  };
  try {
    await listen(server, config.listen);
  } catch (cause) {
    await release();
    throw cause;
  }
  retention.start();
  totals.start();
  availability.start();

  let hurry: (() => void) | undefined;
  let hurried = false;
  const onHurry = (cut: () => void) => {
    hurry = () => {
      hurried = true;
      cut();
    };
  };
  let closing: Promise<void> | undefined;
  return {
    address: addressOf(server, config.listen.host),
    failed,
    close({ drainMs = config.drain.timeoutMs } = {}) {
      if (drainMs === 0) hurry?.();
      closing ??= (async () => {
        // A balancer may need a moment to notice; on this machine alone there is none.
        const delayMs = drainMs === 0 || isLoopback(config.listen.host) ? 0 : config.drain.delayMs;
        if (phase === "open") phase = "leaving";
        if (delayMs > 0) await pause(timers, delayMs, onHurry);
        phase = "closed";
        await drain(
          { server, relay, timers, drainMs: hurried ? 0 : drainMs, commitMs: config.record.commitTimeoutMs },
          onHurry,
        );
        await release();
      })();
      return closing;
    },
  };
}

/** A file that another gateway serves from ends the start; the database must not stay open behind it. */
async function openMoney(options: BooksOptions): Promise<Books> {
  try {
    return await openBooks(options);
  } catch (cause) {
    await options.database.close();
    throw cause;
  }
}

/** So does a database from which the settings cannot be read. */
async function openSettings(options: SettingsOptions, money: Books): Promise<Settings> {
  try {
    return await createSettings(options);
  } catch (cause) {
    await money.close();
    await options.database.close();
    throw cause;
  }
}

/** The configuration, with the limits of keys that hold at the moment of each look. */
function withLive(config: Config, settings: Settings): Config {
  return {
    ...config,
    get limits() {
      return settings.current().limits;
    },
  };
}

/** So does a secret that does not fit. */
async function openAuthenticator(options: AuthenticatorOptions, money: Books): Promise<Authenticator> {
  try {
    return await createAuthenticator(options);
  } catch (cause) {
    await money.close();
    await options.database.close();
    throw cause;
  }
}

function listen(server: Server, { host, port }: Config["listen"]): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, backlog: 1024 }, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function addressOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}
