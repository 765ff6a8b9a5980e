import { z } from "zod";
import type { Database } from "../storage/database.ts";
import { addressHeader } from "./address-header.ts";
import { readBody } from "./body-schema.ts";
import type { Callers } from "./caller.ts";
import { ManagementError } from "./failure.ts";
import { passwordProblem } from "./password-rules.ts";
import type { ManagementAnswer, ManagementCall, ManagementMethod, ManagementRoute } from "./routes.ts";
import type { SignIn } from "./sign-in.ts";
import type { SignInThrottle } from "./sign-in-throttle.ts";
import { normalEmail } from "./users.ts";

export interface SignInRoutesOptions {
  database: Database;
  signIn: SignIn;
  callers: Callers;
  throttle: SignInThrottle;
  /** Whether users may sign in by e-mail and password now. */
  passwordAllowed: () => boolean;
}

const base = "/api/auth";
const password = z.string().min(1).max(1024);
const code = z.string().min(1).max(64);
/** Where a browser goes once it has signed in elsewhere: a place of ours. */
const ownPath = z
  .string()
  .regex(/^\/(?![/\\])[\x21-\x7e]*$/, "must be a path of this site")
  .max(2048);
const nothing = z.strictObject({});
/** What an authenticator answers; the library checks all of it. */
const attestation = z.record(z.string(), z.unknown());

/** What is between the route and the library. */
interface Passage {
  method: ManagementMethod;
  path: string;
  auth: ManagementRoute["auth"];
  /** `sign-in`: a try, which is counted, and given back when it was good. */
  rate: ManagementRoute["rate"];
  audit: string;
  /** What it is called where the caller has signed in already. */
  auditSignedIn?: string;
  body?: z.ZodType<Record<string, unknown>>;
  /** Looks at the body before the library gets it, and may change it. */
  before?: (call: ManagementCall, body: Record<string, unknown>) => Record<string, unknown>;
  /** The outside provider that the request is about. */
  provider?: (call: ManagementCall, body: Record<string, unknown>) => string;
}

/**
 * The addresses of the sign-in library that are open; all others of it do not exist here. The library answers; what it
 * says is told on without the session's token, which is in the cookie alone (S1).
 */
export function signInRoutes(options: SignInRoutesOptions): ManagementRoute[] {
  const route = (passage: Passage): ManagementRoute => ({
    method: passage.method,
    path: base + passage.path,
    auth: passage.auth,
    role: passage.auth === "session" ? "user" : "anyone",
    scope: "self",
    bodyBytes: passage.body ? 65_536 : 0,
    rate: passage.rate,
    audit: passage.audit,
    handle: (call) => pass(options, passage, call),
  });
  return passages.map(route);
}

const passages: readonly Passage[] = [
  {
    method: "POST",
    path: "/sign-in/email",
    auth: "none",
    rate: "sign-in",
    audit: "session.started",
    body: z.strictObject({ email: z.string().min(1).max(254), password }),
  },
  {
    method: "POST",
    path: "/sign-in/social",
    auth: "none",
    rate: "sign-in",
    audit: "session.sent_out",
    body: z.strictObject({ provider: z.string().max(64), callbackURL: ownPath.optional() }),
    before: (_call, body) => ({ callbackURL: "/", ...body, disableRedirect: true }),
    provider: (_call, body) => String(body.provider),
  },
  {
    method: "GET",
    path: "/callback/:provider",
    auth: "none",
    rate: "sign-in",
    audit: "session.started",
    provider: (call) => call.params.provider ?? "",
  },
  { method: "POST", path: "/sign-out", auth: "session", rate: "write", audit: "session.ended", body: nothing },
  {
    method: "POST",
    path: "/change-password",
    auth: "session",
    rate: "sign-in",
    audit: "user.password_changed",
    body: z.strictObject({ currentPassword: password, newPassword: password }),
    before(call, body) {
      const problem = passwordProblem(String(body.newPassword), [call.caller?.email ?? "", call.caller?.name ?? ""]);
      if (problem) throw new ManagementError(400, "invalid_password", problem, { field: "newPassword" });
      return { ...body, revokeOtherSessions: true };
    },
  },
  {
    method: "POST",
    path: "/two-factor/enable",
    auth: "session",
    rate: "sign-in",
    audit: "user.second_factor_begun",
    body: z.strictObject({ password }),
  },
  {
    method: "POST",
    path: "/two-factor/disable",
    auth: "session",
    rate: "sign-in",
    audit: "user.second_factor_disabled",
    body: z.strictObject({ password }),
  },
  {
    method: "POST",
    path: "/two-factor/generate-backup-codes",
    auth: "session",
    rate: "sign-in",
    audit: "user.backup_codes_made",
    body: z.strictObject({ password }),
  },
  {
    method: "POST",
    path: "/two-factor/verify-totp",
    auth: "optional",
    rate: "sign-in",
    audit: "session.started",
    auditSignedIn: "user.second_factor_enabled",
    body: z.strictObject({ code, trustDevice: z.boolean().optional() }),
  },
  {
    method: "POST",
    path: "/two-factor/verify-backup-code",
    auth: "none",
    rate: "sign-in",
    audit: "session.started",
    body: z.strictObject({ code, trustDevice: z.boolean().optional() }),
  },
  { method: "GET", path: "/passkey/generate-register-options", auth: "session", rate: "read", audit: "none" },
  {
    method: "POST",
    path: "/passkey/verify-registration",
    auth: "session",
    rate: "write",
    audit: "user.passkey_added",
    body: z.strictObject({ response: attestation, name: z.string().max(100).optional() }),
  },
  { method: "GET", path: "/passkey/generate-authenticate-options", auth: "none", rate: "sign-in", audit: "none" },
  {
    method: "POST",
    path: "/passkey/verify-authentication",
    auth: "none",
    rate: "sign-in",
    audit: "session.started",
    body: z.strictObject({ response: attestation }),
  },
  { method: "GET", path: "/passkey/list-user-passkeys", auth: "session", rate: "read", audit: "none" },
  {
    method: "POST",
    path: "/passkey/delete-passkey",
    auth: "session",
    rate: "write",
    audit: "user.passkey_removed",
    body: z.strictObject({ id: z.string().max(64) }),
  },
];

async function pass(options: SignInRoutesOptions, passage: Passage, call: ManagementCall): Promise<ManagementAnswer> {
  const checked = passage.body ? readBody(passage.body, call.body) : {};
  if (passage.path === "/sign-in/email" && !options.passwordAllowed()) {
    throw new ManagementError(403, "password_sign_in_off", "Signing in by password is turned off here.");
  }
  const body = passage.before ? passage.before(call, checked) : checked;
  const account = typeof checked.email === "string" ? normalEmail(checked.email) : call.caller?.email;
  if (passage.rate === "sign-in") takeTry(options.throttle, call.address, account);

  const response = await options.signIn.handle(requestOf(passage, call, body), passage.provider?.(call, checked));
  const told: unknown = response.status === 204 ? undefined : await response.json().catch(() => undefined);
  const failedByRedirect = response.headers.get("location")?.startsWith("/sign-in?") ?? false;
  const good = response.status < 400 && !failedByRedirect;
  const started = good ? await startedSession(options, call, response) : undefined;
  if (started) options.throttle.succeeded(call.address, started.email);
  else if (good && call.caller && passage.rate === "sign-in") options.throttle.succeeded(call.address, account);
  await record(options, passage, call, { account, good, started, status: response.status });

  if (response.status >= 400) {
    const refusal = refusalOf(response, told);
    // A browser comes here by itself: it is led to a page, not to an error in JSON.
    if (passage.path.startsWith("/callback/")) {
      return { status: 302, headers: { location: `/sign-in?error=${encodeURIComponent(refusal.code)}` } };
    }
    throw refusal;
  }
  const headers = answerHeaders(response);
  return { status: response.status, headers, ...(told === undefined ? {} : { body: withoutToken(told) }) };
}

function takeTry(throttle: SignInThrottle, address: string, account: string | undefined): void {
  const wait = throttle.take(address, account);
  if (wait === undefined) return;
  throw new ManagementError(429, "too_many_tries", `Too many tries. Wait ${wait} seconds.`, {
    retryAfterSeconds: wait,
  });
}

/** The request as the library gets it: of the caller's headers only those that it needs. */
function requestOf(passage: Passage, call: ManagementCall, body: Record<string, unknown>): Request {
  const headers = new Headers({ origin: call.origin, [addressHeader]: call.address });
  for (const name of ["cookie", "user-agent"]) {
    const value = call.headers[name];
    if (value !== undefined) headers.set(name, value);
  }
  const url = new URL(call.target, call.origin);
  if (passage.method === "GET") return new Request(url, { headers });
  headers.set("content-type", "application/json");
  return new Request(url, { method: passage.method, headers, body: JSON.stringify(body) });
}

interface Started {
  userId: string;
  email: string;
}

/** Whose session the answer begins, if it begins one. */
async function startedSession(
  { callers }: SignInRoutesOptions,
  call: ManagementCall,
  response: Response,
): Promise<Started | undefined> {
  if (call.caller) return undefined;
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(";", 1)[0] ?? "");
  if (cookies.length === 0) return undefined;
  return callers.find(cookies.join("; "));
}

interface Outcome {
  account: string | undefined;
  good: boolean;
  started: Started | undefined;
  status: number;
}

async function record(
  { database }: SignInRoutesOptions,
  passage: Passage,
  call: ManagementCall,
  { account, good, started, status }: Outcome,
): Promise<void> {
  const detail = { method: passage.path.slice(1) };
  const about = (user: Started | undefined) => ({
    target: user ? { kind: "user", id: user.userId } : null,
    actor: { ...call.actor, id: user?.userId ?? null, name: user?.email ?? "unknown" },
    accountId: null,
    detail,
  });
  if (good) {
    const user = call.caller ?? started;
    // Where there is none, the second factor or the provider is asked first.
    if (!user || passage.audit === "none") return;
    const action = (call.caller && passage.auditSignedIn) ?? passage.audit;
    await database.write([call.audit({ ...about(user), action })]);
    return;
  }
  if (passage.rate !== "sign-in" || status >= 500) return;
  // A name that nobody has may be a password that was typed into the wrong field: it is kept nowhere.
  const user = call.caller ?? (account === undefined ? undefined : await userByEmail(database, account));
  await database.write([call.audit({ ...about(user), action: "session.refused" })]);
}

async function userByEmail({ read }: Database, email: string): Promise<Started | undefined> {
  return read.selectFrom("user").select(["id as userId", "email"]).where("email", "=", email).executeTakeFirst();
}

function answerHeaders(response: Response): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) headers["set-cookie"] = cookies;
  const location = response.headers.get("location");
  if (location !== null && response.status === 302) headers.location = location;
  return headers;
}

function refusalOf(response: Response, told: unknown): ManagementError {
  const { code: name, message } = z
    .object({ code: z.string().optional(), message: z.string().optional() })
    .catch({})
    .parse(told);
  const status = response.status >= 500 && response.status !== 503 ? 500 : response.status;
  const retry = status === 503 ? { retryAfterSeconds: 2 } : {};
  const text = status === 500 ? "The sign-in failed inside the gateway." : (message ?? "The request was refused.");
  return new ManagementError(status, (name ?? "refused").toLowerCase(), text, retry);
}

/** The library tells the token of the session, which scripts must not see. */
function withoutToken(told: unknown): unknown {
  if (typeof told !== "object" || told === null || Array.isArray(told)) return told;
  return Object.fromEntries(Object.entries(told).filter(([name]) => name !== "token" && name !== "session"));
}
