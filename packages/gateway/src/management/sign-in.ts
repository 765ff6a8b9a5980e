import { hkdfSync } from "node:crypto";
import { passkey } from "@better-auth/passkey";
import type { BetterAuthOptions } from "better-auth";
import { APIError, isAPIError } from "better-auth/api";
import { betterAuth } from "better-auth/minimal";
import { genericOAuth } from "better-auth/plugins/generic-oauth";
import { twoFactor } from "better-auth/plugins/two-factor";
import { type Secret, secretsOf } from "../accounts/secret.ts";
import type { OidcProvider } from "../config/config.ts";
import type { Platform } from "../platform.ts";
import type { Database } from "../storage/database.ts";
import type { Log } from "../telemetry/log.ts";
import type { TimerWheel } from "../timer-wheel.ts";
import { addressHeader } from "./address-header.ts";
import { cookieNames } from "./cookie-names.ts";
import { HashQueueFull } from "./hash-queue.ts";
import { passwordLength } from "./password-rules.ts";
import type { Passwords } from "./passwords.ts";
import { sessionLife, tokenBytes } from "./session-rules.ts";
import { signInStorage } from "./sign-in-storage.ts";
import {
  credentialTable,
  passkeyTables,
  sessionTable,
  twoFactorTables,
  userTable,
  verificationTable,
} from "./sign-in-tables.ts";
import { loopbackHosts } from "./site.ts";

export interface SignInOptions {
  database: Database;
  platform: Platform;
  timers: TimerWheel;
  log: Log;
  secret: Secret;
  passwords: Passwords;
  /** Where browsers reach the console; null: on this machine alone, by http. */
  url: string | null;
  oidc: readonly OidcProvider[];
}

/** Signing in and out: e-mail and password, second factor, passkeys, outside providers. */
export interface SignIn {
  /** Answers a request to an address below `/api/auth`; `provider` where it is about an outside provider. */
  handle(request: Request, provider?: string): Promise<Response>;
}

/** Seconds within which passkeys may be changed without signing in again. */
const freshSeconds = 15 * 60;

/** The longest an outside provider may take to describe itself. */
const discoveryMs = 10_000;

const coreOptions = (options: SignInOptions) => {
  const { database, platform, log, passwords, url } = options;
  const now = () => new Date(platform.now());
  const { secure, session, prefix } = cookieNames(url);
  return {
    appName: "Interlingua",
    basePath: "/api/auth",
    // The host was judged before (site.ts), and is the one of the request that is handed in.
    baseURL: url ?? { allowedHosts: [...loopbackHosts], protocol: "http", fallback: "http://localhost" },
    // A list even of one, since a single secret would give way to one in the environment.
    secrets: signInSecrets(options.secret),
    database: signInStorage(database, platform.now),
    telemetry: { enabled: false },
    logger: {
      level: "warn",
      // Its other arguments may be requests and rows: they are not logged (S1).
      log: (level, message) => log[level === "error" ? "error" : "debug"]("sign-in", { detail: message }),
    },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: passwordLength.least,
      maxPasswordLength: passwordLength.most,
      password: {
        hash: (password) => orBusy(passwords.hash(password)),
        verify: ({ password, hash }) => orBusy(passwords.verify(password, hash)),
      },
    },
    user: userTable,
    session: {
      ...sessionTable,
      expiresIn: sessionLife.absolute / 1000,
      // The idle end is a column of ours, moved by whoever serves a request.
      disableSessionRefresh: true,
      freshAge: freshSeconds,
    },
    account: {
      ...credentialTable,
      updateAccountOnSignIn: false,
      accountLinking: { trustedProviders: options.oidc.filter(({ trustEmail }) => trustEmail).map(({ id }) => id) },
    },
    verification: { ...verificationTable, storeIdentifier: "hashed" },
    // Ours counts by user, too (sign-in-throttle.ts).
    rateLimit: { enabled: false },
    onAPIError: {
      errorURL: "/sign-in",
      // What is no refusal is told to whoever asked the library; it would else print the error and whatever hangs on it.
      onError(error) {
        if (!isAPIError(error)) throw error;
      },
    },
    databaseHooks: {
      session: {
        create: {
          async before(begun) {
            if (await isDisabled(database, begun.userId)) throw wrongPassword();
            const data = {
              ...begun,
              token: Buffer.from(platform.randomBytes(tokenBytes)).toString("base64url"),
              createdAt: now(),
              updatedAt: now(),
              seenAt: now(),
              expiresAt: new Date(platform.now() + sessionLife.absolute),
            };
            return { data };
          },
        },
      },
      account: {
        // What the provider lets us do in the user's name is of no use here, and not kept.
        create: { before: async (account) => ({ data: { ...account, ...noTokens } }) },
        update: { before: async (account) => ({ data: { ...account, ...noTokens } }) },
      },
    },
    advanced: {
      database: { generateId: ({ model }) => platform.id(idPrefixes[model] ?? "sgn"), validateSchema: false },
      ipAddress: { ipAddressHeaders: [addressHeader] },
      // Said, since the library does without these checks where it believes itself under test.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      // It would put a prefix of its own before ours.
      useSecureCookies: false,
      cookiePrefix: prefix,
      defaultCookieAttributes: { secure, httpOnly: true, sameSite: "strict", path: "/" },
      cookies: {
        session_token: { name: session },
        // Comes back by a redirect from the provider, which is another site.
        state: { attributes: { sameSite: "lax" } },
      },
    },
    plugins: [
      twoFactor({ schema: twoFactorTables, issuer: "Interlingua" }),
      passkey({
        schema: passkeyTables,
        rpName: "Interlingua",
        // Browsers take no addresses: a console without a name is reached as localhost.
        rpID: url === null ? "localhost" : new URL(url).hostname,
      }),
    ],
  } satisfies BetterAuthOptions;
};

/** All that the library is told, outside providers excepted. For the test that holds its tables against ours. */
export function signInLibraryOptions(options: SignInOptions): BetterAuthOptions {
  return coreOptions(options);
}

export function createSignIn(options: SignInOptions): SignIn {
  const core = coreOptions(options);
  const auth = betterAuth(core);
  // Each made when first asked for: it asks the provider, and none of them may keep another, or a password, from working.
  const opened = new Map<string, Promise<OutsideSignIn | undefined>>();

  const outside = async (id: string) => {
    const provider = options.oidc.find((entry) => entry.id === id);
    if (!provider) return undefined;
    const attempt = opened.get(id) ?? openProvider(core, provider);
    opened.set(id, attempt);
    const found = await within(options.timers, discoveryMs, attempt);
    // The next one asks again: a provider that was away may be back.
    if (!found && opened.get(id) === attempt) opened.delete(id);
    return found;
  };

  return {
    async handle(request, provider) {
      if (provider === undefined) return auth.handler(request);
      const found = await outside(provider);
      if (found) return found.handler(request);
      const body = { code: "PROVIDER_UNAVAILABLE", message: "The sign-in provider cannot be reached." };
      return Response.json(body, { status: 503 });
    },
  };
}

/** Signing in through one outside provider. */
interface OutsideSignIn {
  handler(request: Request): Promise<Response>;
}

/** Undefined where the provider does not describe itself. */
async function openProvider(core: BetterAuthOptions, provider: OidcProvider): Promise<OutsideSignIn | undefined> {
  const { id, name, issuer, clientId, clientSecret, scopes } = provider;
  const plugin = genericOAuth({
    config: [
      {
        providerId: id,
        name,
        discoveryUrl: `${issuer}/.well-known/openid-configuration`,
        requireIdTokenVerification: true,
        clientId,
        ...(clientSecret === undefined ? {} : { clientSecret }),
        scopes: [...scopes],
        pkce: true,
        // Users are made by those who run the installation.
        disableSignUp: true,
        disableProviderLogout: true,
      },
    ],
  });
  const auth = betterAuth({ ...core, plugins: [...(core.plugins ?? []), plugin] });
  const { socialProviders } = await auth.$context;
  // The issuer is the one that was configured, not whoever answers in its place.
  return socialProviders.some((entry) => entry.id === id && entry.issuer?.replace(/\/+$/, "") === issuer)
    ? { handler: auth.handler }
    : undefined;
}

/** The result, or undefined when it takes longer. */
async function within<Result>(timers: TimerWheel, ms: number, task: Promise<Result>): Promise<Result | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const limit = timers.after(ms, () => resolve(undefined));
  try {
    return await Promise.race([task, late]);
  } finally {
    limit.cancel();
  }
}

const idPrefixes: Readonly<Record<string, string>> = {
  user: "usr",
  session: "ses",
  account: "crd",
  verification: "vrf",
  twoFactor: "totp",
  passkey: "psk",
};

const noTokens = { accessToken: null, refreshToken: null, idToken: null };

/**
 * The library's secrets, the one in use first: it reads what others sealed (second factors) by the version that is stored
 * with it. What says version 1 is from before the secret could be changed: it is of the oldest that is known.
 */
export function signInSecrets(secret: Pick<Secret, "bytes" | "former">): { version: number; value: string }[] {
  const secrets = secretsOf(secret).map((bytes) => {
    const derived = (purpose: string, size: number) => Buffer.from(hkdfSync("sha256", bytes, "", purpose, size));
    const version = 2 + (derived("interlingua sign-in version 1", 4).readUInt32BE() >>> 2);
    return { version, value: derived("interlingua sign-in 1", 32).toString("base64url") };
  });
  const oldest = secrets.at(-1);
  return oldest ? [...secrets, { ...oldest, version: 1 }] : secrets;
}

async function isDisabled({ read }: Database, userId: string): Promise<boolean> {
  const user = await read.selectFrom("user").select("disabled_at").where("id", "=", userId).executeTakeFirst();
  return user === undefined || user.disabled_at !== null;
}

/** A user who may not sign in learns no more than one who does not exist. */
function wrongPassword(): APIError {
  return new APIError("UNAUTHORIZED", { code: "INVALID_EMAIL_OR_PASSWORD", message: "Invalid email or password" });
}

async function orBusy<Result>(task: Promise<Result>): Promise<Result> {
  try {
    return await task;
  } catch (error) {
    if (!(error instanceof HashQueueFull)) throw error;
    throw new APIError("SERVICE_UNAVAILABLE", { code: "BUSY", message: error.message });
  }
}
