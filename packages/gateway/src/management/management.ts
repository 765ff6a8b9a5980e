import { createAccessKeys } from "../accounts/access-keys.ts";
import { createPepper } from "../accounts/pepper.ts";
import type { Secret } from "../accounts/secret.ts";
import { createContentStore } from "../calls/content-store.ts";
import type { PriceSource } from "../catalogue/prices/price-source.ts";
import type { Catalogue } from "../catalogue/published-models.ts";
import type { LiveChannels } from "../channels/open-channels.ts";
import type { Config } from "../config/config.ts";
import type { ChangeChannel } from "../coordination/change-channel.ts";
import { createCodeDigests } from "../payments/code-text.ts";
import { createRedemptionCodes } from "../payments/redemption-codes.ts";
import { createRedemptionThrottle } from "../payments/redemption-throttle.ts";
import type { Every, Platform } from "../platform.ts";
import type { Settings } from "../settings/settings.ts";
import type { Database } from "../storage/database.ts";
import { readingApart } from "../storage/reading-apart.ts";
import { errorFields } from "../telemetry/error-fields.ts";
import type { Log } from "../telemetry/log.ts";
import type { TimerWheel } from "../timer-wheel.ts";
import { alertRoutes } from "./api/alerts.ts";
import { apiTokenRoutes } from "./api/api-tokens.ts";
import { callRoutes } from "./api/calls.ts";
import { channelActionRoutes } from "./api/channel-actions.ts";
import { channelRoutes } from "./api/channels.ts";
import { keyRoutes } from "./api/keys.ts";
import { ledgerRoutes } from "./api/ledger.ts";
import { operatorRoutes } from "./api/operator-routes.ts";
import { overviewRoutes } from "./api/overview.ts";
import { playgroundRoutes } from "./api/playground.ts";
import { profileRoutes } from "./api/profile.ts";
import { redemptionRoutes } from "./api/redemptions.ts";
import { routingRoutes } from "./api/routing.ts";
import { savedViewRoutes } from "./api/saved-views.ts";
import { statusRoutes } from "./api/status-routes.ts";
import { usageRoutes } from "./api/usage.ts";
import { createApiTokens } from "./api-tokens.ts";
import { createCallers } from "./caller.ts";
import { builtConsole, readConsoleFiles } from "./console-files.ts";
import { consoleRoutes } from "./console-routes.ts";
import { cspReportRoutes } from "./csp-reports.ts";
import { documentRoutes } from "./document-routes.ts";
import { createFirstAnswers, sweepFirstAnswers } from "./first-answers.ts";
import { createLazySignIn } from "./lazy-sign-in.ts";
import { ownRoutes } from "./own-routes.ts";
import { createPasswords } from "./passwords.ts";
import { createRequestMeter } from "./rate-class.ts";
import { createManagementServer, type ManagementServer, type ManagementServerOptions } from "./server.ts";
import { createSetup } from "./setup.ts";
import { signInRoutes } from "./sign-in-routes.ts";
import { createSignInThrottle } from "./sign-in-throttle.ts";
import { sweepSignIns } from "./sweep.ts";
import { createUsers } from "./users.ts";

export interface ManagementOptions {
  database: Database;
  config: Pick<
    Config,
    | "console"
    | "signIn"
    | "server"
    | "limits"
    | "contentLogging"
    | "status"
    | "payments"
    | "accounts"
    | "prices"
    | "file"
  >;
  platform: Platform;
  every: Every;
  timers: TimerWheel;
  log: Log;
  secret: Secret;
  settings: Settings;
  channels: LiveChannels;
  catalogue: Catalogue;
  prices: Pick<PriceSource, "priceOf" | "limitsOf">;
  /** Told after each change of keys or accounts, so that other gateways look at once. */
  hint?: Pick<ChangeChannel, "publish">;
  /** Where the built console is; where the build puts it unless told otherwise. */
  consoleDirectory?: string;
  /** Is shown every good answer before it is sent; for tests that hold answers against their documented shapes. */
  onAnswer?: ManagementServerOptions["onAnswer"];
}

/** How often what is over is removed. */
const sweepMs = 60 * 60_000;

/** Builds the console and the management API, and all that stands behind them. */
export async function createManagement(options: ManagementOptions): Promise<ManagementServer> {
  const { config, platform, timers, log, secret, catalogue, prices } = options;
  // What pages show may take long to read; who asks is found as fast as the caller of a model is.
  const database = readingApart(options.database);
  const { url } = config.console;
  const { oidc } = config.signIn;
  const passwords = createPasswords(platform);
  const signIn = createLazySignIn({ database: options.database, platform, timers, log, secret, passwords, url, oidc });
  const needsSecondFactor = () => options.settings.current().signIn.operatorTwoFactor;
  const passwordAllowed = () => options.settings.current().signIn.password;
  const callers = createCallers({ database: options.database, secret, now: platform.now, url, needsSecondFactor });
  const apiTokens = createApiTokens(options.database, platform, needsSecondFactor);
  const throttle = createSignInThrottle(platform.monotonic);
  const users = createUsers({ database, platform, passwords });
  const setup = createSetup({ database, platform, users });
  const content = createContentStore({
    database,
    secret: secret.bytes,
    formerSecrets: secret.former,
    platform,
    get settings() {
      return options.settings.current().contentLogging;
    },
  });
  const keyParts = { database, platform, pepper: createPepper(secret), ...(options.hint && { hint: options.hint }) };
  const channelParts = { database, platform, timers, channels: options.channels };
  const codes = createRedemptionCodes({ database, platform, digests: createCodeDigests(secret) });
  const routes = [
    ...signInRoutes({ database, signIn, callers, throttle, passwordAllowed }),
    ...ownRoutes({ setup, callers, throttle, providers: oidc, passwordAllowed }),
    ...apiTokenRoutes(apiTokens),
    ...profileRoutes({ database: options.database, platform }),
    ...consoleRoutes({ console: readConsoleFiles(options.consoleDirectory ?? builtConsole), platform }),
    ...cspReportRoutes(log),
    ...callRoutes({ database, platform, content, contentLogging: () => options.settings.current().contentLogging }),
    ...savedViewRoutes({ database, platform }),
    ...channelRoutes(channelParts),
    ...channelActionRoutes(channelParts),
    ...routingRoutes(channelParts),
    ...keyRoutes({ database, platform, keys: createAccessKeys(keyParts) }),
    ...playgroundRoutes(keyParts),
    ...overviewRoutes({ database, platform }),
    ...usageRoutes({ database, platform }),
    ...ledgerRoutes({ database, platform }),
    ...alertRoutes({ database, platform }),
    ...redemptionRoutes({
      database,
      platform,
      codes,
      throttle: createRedemptionThrottle(platform.monotonic),
      providers: config.payments.providers,
    }),
    ...operatorRoutes({
      database,
      platform,
      config,
      passwords,
      throttle,
      settings: options.settings,
      catalogue,
      prices,
      codes,
      ...(options.hint && { hint: options.hint }),
    }),
    ...statusRoutes({ database, catalogue, prices, settings: config.status, platform }),
  ];
  const server = await createManagementServer({
    routes: [...routes, ...documentRoutes(routes, platform)],
    onAnswer: options.onAnswer,
    settings: config,
    database,
    platform,
    callers,
    apiTokens,
    firstAnswers: createFirstAnswers({ database: options.database, platform, secret, log }),
    meter: createRequestMeter(platform.monotonic),
    url,
    timers,
    log,
  });
  const stopSweeping = options.every(sweepMs, () => {
    const now = platform.now();
    Promise.all([sweepSignIns(database, now), sweepFirstAnswers(database, now)]).catch((error: unknown) => {
      log.warn("what is left of old sign-ins could not be removed; the next hour tries again", errorFields(error));
    });
  });
  return {
    ...server,
    close() {
      stopSweeping();
      return server.close();
    },
  };
}
