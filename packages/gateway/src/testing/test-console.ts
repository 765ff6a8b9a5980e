import type { AddressInfo } from "node:net";
import { createPriceSource } from "../catalogue/prices/price-source.ts";
import { createCatalogue, type OfferingChannel } from "../catalogue/published-models.ts";
import type { AddressedChannel } from "../channels/channel.ts";
import { type LiveChannels, openChannels } from "../channels/open-channels.ts";
import type { Config, OidcProvider } from "../config/config.ts";
import { loadConfig } from "../config/load-config.ts";
import { createListener } from "../http/listener.ts";
import { createManagement } from "../management/management.ts";
import { createPasswords } from "../management/passwords.ts";
import type { ManagementRoute } from "../management/routes.ts";
import { createSetup, type Setup } from "../management/setup.ts";
import { createUsers, type Users } from "../management/users.ts";
import { type Platform, systemPlatform } from "../platform.ts";
import { createSettings, type Settings } from "../settings/settings.ts";
import type { Database } from "../storage/database.ts";
import { openDatabase } from "../storage/open-database.ts";
import { createLog } from "../telemetry/log.ts";
import { createTimerWheel } from "../timer-wheel.ts";
import type { TestDatabase } from "./database-engines.ts";
import { assertDocumented } from "./documented-answer.ts";

/** The platform of a test console: the machine's clocks, moved on by hand, since the sign-in library has clocks of its own. */
export interface ShiftedPlatform extends Platform {
  /** Moves both clocks on. */
  shift(ms: number): void;
}

export function shiftedPlatform(): ShiftedPlatform {
  const system = systemPlatform();
  let offset = 0;
  return {
    ...system,
    now: () => system.now() + offset,
    monotonic: () => system.monotonic() + offset,
    shift(ms) {
      offset += ms;
    },
  };
}

/** An answer of the console, read to its end. */
export interface ConsoleAnswer {
  status: number;
  headers: Headers;
  /** The parsed JSON, or the text where it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any form.
  body: any;
}

/** A browser's part: cookies, the origin of its page, and the token of its session. */
export interface TestBrowser {
  cookies: Map<string, string>;
  get(path: string, headers?: Record<string, string>): Promise<ConsoleAnswer>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<ConsoleAnswer>;
  /** Any other method. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ConsoleAnswer>;
  /** Signs in by password and takes the session's token for changes. */
  signIn(email: string, password: string): Promise<ConsoleAnswer>;
}

/** The console without the gateway around it, over a test's database. */
export interface TestConsole extends AsyncDisposable {
  address: string;
  database: Database;
  users: Users;
  setup: Setup;
  platform: ShiftedPlatform;
  settings: Settings;
  /** The channels that calls would go by. */
  live: LiveChannels;
  routes: readonly ManagementRoute[];
  log: readonly string[];
  browser(): TestBrowser;
  /** The actions in the audit log, oldest first. */
  actions(): Promise<string[]>;
}

export interface TestConsoleOptions {
  url?: string;
  oidc?: readonly OidcProvider[];
  contentLogging?: Config["contentLogging"];
  status?: Config["status"];
  payments?: Config["payments"];
  /** What the catalogue publishes: those of the configuration, which is the sandbox, unless told. */
  channels?: readonly OfferingChannel[];
  /** Channels that stand in the configuration and can be asked. */
  declared?: readonly AddressedChannel[];
  /** Settings that the configuration file names. */
  named?: readonly string[];
  /** Where channels of the console may lead besides. */
  outbound?: readonly string[];
  /** Where the built console is; none unless told. */
  consoleDirectory?: string;
}

export async function startTestConsole(made: TestDatabase, options: TestConsoleOptions = {}): Promise<TestConsole> {
  const platform = shiftedPlatform();
  const base = await loadConfig({
    env: { INTERLINGUA_SECRET: "a secret of the tests, long enough to be one" },
    fileSystem: { read: async () => undefined },
    localModels: async () => [],
  });
  const config: Config = {
    ...base,
    database: made.config,
    console: { ...base.console, url: options.url ?? null },
    signIn: { ...base.signIn, oidc: options.oidc ?? [] },
    contentLogging: options.contentLogging ?? base.contentLogging,
    named: options.named ?? base.named,
    status: options.status ?? base.status,
    payments: options.payments ?? base.payments,
  };
  const log: string[] = [];
  const database = await openDatabase(made.config);
  const every = () => () => undefined;
  const timers = createTimerWheel((ms, task) => {
    const timer = setInterval(task, ms);
    return () => clearInterval(timer);
  }, platform.monotonic);
  const channels = options.channels ?? config.channels.map((channel) => ({ ...channel, setting: channel.status }));
  const logger = createLog({ now: platform.now, level: "debug", destination: { write: (line) => log.push(line) } });
  const secret = { bytes: new TextEncoder().encode(config.secret ?? ""), origin: "environment" } as const;
  const live = await openChannels({
    database,
    config: { ...config, outbound: { allow: options.outbound ?? [] } },
    configured: options.declared ?? [],
    platform,
    secret: secret.bytes,
    timers,
    log: logger,
    hint: { publish: () => undefined },
  });
  const settings = await createSettings({ database, config, platform, log: logger });
  const management = await createManagement({
    onAnswer: assertDocumented,
    consoleDirectory: options.consoleDirectory ?? "/nowhere",
    database,
    config,
    platform,
    every,
    timers,
    log: logger,
    settings,
    catalogue: createCatalogue(() => channels, 0),
    prices: await createPriceSource({ database, config, now: platform.now, seed: undefined }),
    secret,
    channels: live,
  });
  const server = createListener({
    settings: config,
    requestId: () => "req_raw",
    onRequest: (message, response) => management.handle(message, response, platform.id("req")),
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // Of a TCP server, once it listens.
  const { port } = server.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}`;
  const users = createUsers({ database, platform, passwords: createPasswords(platform) });
  return {
    address,
    database,
    users,
    setup: createSetup({ database, platform, users }),
    platform,
    settings,
    live,
    routes: management.routes,
    log,
    browser: () => createBrowser(address, options.url ?? address),
    async actions() {
      const rows = await database.read.selectFrom("audit_event").select("action").orderBy("sequence").execute();
      return rows.map(({ action }) => action);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await management.close();
      await live.close();
      timers.close();
      await database.close();
      made[Symbol.dispose]();
    },
  };
}

function createBrowser(address: string, origin: string): TestBrowser {
  const cookies = new Map<string, string>();
  let token: string | undefined;
  const send = async (method: string, path: string, headers: Record<string, string>, body?: unknown) => {
    const sent = new Headers({
      ...(cookies.size > 0 ? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") } : {}),
      ...(method === "GET" ? {} : { origin, "content-type": "application/json" }),
      ...(method === "GET" || token === undefined ? {} : { "x-csrf-token": token }),
      ...headers,
    });
    const text = typeof body === "string" || body === undefined ? body : JSON.stringify(body);
    const response = await fetch(address + path, {
      method,
      headers: sent,
      redirect: "manual",
      ...(text === undefined ? {} : { body: text }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === "" || /max-age=0/i.test(cookie)) cookies.delete(name);
      else cookies.set(name, value);
    }
    const read = await response.text();
    return { status: response.status, headers: response.headers, body: parsed(read) };
  };
  const browser: TestBrowser = {
    cookies,
    get: (path, headers = {}) => send("GET", path, headers),
    post: (path, body, headers = {}) => send("POST", path, headers, body),
    send: (method, path, body, headers = {}) => send(method, path, headers, body),
    async signIn(email, password) {
      token = undefined;
      const answer = await browser.post("/api/auth/sign-in/email", { email, password });
      if (answer.status === 200) token = (await browser.get("/api/v1/me")).body.csrf_token;
      return answer;
    },
  };
  return browser;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
