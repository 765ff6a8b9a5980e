import type { IncomingMessage } from "node:http";
import { type AuditActor, auditStatement } from "../audit/audit-log.ts";
import type { Platform } from "../platform.ts";
import type { Database } from "../storage/database.ts";
import type { ApiTokens } from "./api-tokens.ts";
import { actorOf, type Caller, type Callers, mayAct } from "./caller.ts";
import { ManagementError, notFound } from "./failure.ts";
import type { RequestMeter } from "./rate-class.ts";
import type { ManagementCall, ManagementRoute } from "./routes.ts";
import { networkOf } from "./sign-in-throttle.ts";
import { isFromOurPage, originOf } from "./site.ts";

export interface AdmissionOptions {
  database: Database;
  platform: Platform;
  callers: Callers;
  /** The caller of an API token, if it is a good one. */
  apiTokens: Pick<ApiTokens, "find">;
  meter: RequestMeter;
  /** Where browsers reach the console; null: on this machine alone, by http. */
  url: string | null;
}

/** A request that was let in, but for its body. */
export interface Admitted {
  call: Omit<ManagementCall, "body">;
  /** Whether the statement of the audit entry was asked for. */
  audited(): boolean;
}

/**
 * Decides about a request by its route alone, before anything of its body is read (A4, A5): the host, the page it comes
 * from, the session, how often, the role, and in which account. Throws a ManagementError.
 */
export async function admit(
  options: AdmissionOptions,
  route: ManagementRoute,
  message: IncomingMessage,
  params: Readonly<Record<string, string>>,
): Promise<Admitted> {
  const { headers } = message;
  const address = message.socket.remoteAddress ?? "";
  const target = message.url ?? "";
  const origin = originOf(headers, options.url);
  if (origin === undefined) {
    const text = "The console is not served under this host: set 'console: { url: https://… }' in the configuration.";
    throw new ManagementError(421, "wrong_host", text);
  }
  const bearer = route.auth === "session" ? bearerOf(headers.authorization) : undefined;
  // A page of another site can send no token that it does not have; a cookie it can.
  if (route.method !== "GET" && bearer === undefined && !isFromOurPage(headers, origin)) {
    throw new ManagementError(403, "foreign_page", `Only pages of ${origin} may ask for this.`);
  }
  const caller =
    bearer === undefined
      ? await findCaller(options.callers, route, headers.cookie)
      : await options.apiTokens.find(bearer);
  if (route.rate === "read" || route.rate === "write") {
    const wait = options.meter.take(caller?.userId ?? networkOf(address), route.rate);
    if (wait !== undefined) {
      throw new ManagementError(429, "too_many_requests", `Too many requests. Wait ${wait} seconds.`, {
        retryAfterSeconds: wait,
      });
    }
  }
  if (bearer !== undefined && !caller) throw badToken();
  if (caller?.token) checkReach(route, caller.token);
  else if (caller && route.method !== "GET") checkToken(options.callers, caller, headers["x-csrf-token"]);
  const accountId = route.scope === "account" ? params.account : undefined;
  if (caller) checkRole(route, caller, accountId);

  const actor: AuditActor = caller ? actorOf(caller, address) : { kind: "user", id: null, name: "unknown", address };
  let audited = false;
  const mark = target.indexOf("?");
  return {
    audited: () => audited,
    call: {
      caller,
      accountId,
      params,
      query: new URLSearchParams(mark === -1 ? "" : target.slice(mark + 1)),
      headers: headersOf(headers),
      origin,
      target,
      address,
      actor,
      audit(event) {
        audited = true;
        return auditStatement(options.database, options.platform, { actor, action: route.audit, ...event });
      },
    },
  };
}

/** The headers that routes may look at. */
const passedHeaders = ["accept-encoding", "cookie", "idempotency-key", "user-agent"] as const;

function headersOf(headers: IncomingMessage["headers"]): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const name of passedHeaders) {
    const value = headers[name];
    if (typeof value === "string") passed[name] = value;
  }
  return passed;
}

async function findCaller(
  callers: Callers,
  route: ManagementRoute,
  cookie: string | undefined,
): Promise<Caller | undefined> {
  if (route.auth === "none") return undefined;
  const caller = cookie === undefined ? undefined : await callers.find(cookie);
  if (!caller && route.auth === "session") throw new ManagementError(401, "not_signed_in", "Sign in first.");
  return caller;
}

/** The credential of an `authorization` header; where there is one, no cookie is looked at. */
function bearerOf(header: string | undefined): string | undefined {
  return header === undefined ? undefined : (/^bearer +(\S+)$/i.exec(header.trim())?.[1] ?? "");
}

function badToken(): ManagementError {
  const text =
    "The 'authorization' header holds no API token that is good (any more). Access keys are for calls alone.";
  return new ManagementError(401, "bad_api_token", text);
}

function checkReach(route: ManagementRoute, token: NonNullable<Caller["token"]>): void {
  if (route.tokens !== "allowed") {
    throw new ManagementError(403, "no_api_tokens", "No API token may do this: sign in to the console.");
  }
  if (token.access === "read" && route.method !== "GET") {
    throw new ManagementError(403, "read_only_token", "This API token may read alone.");
  }
}

function checkToken(callers: Callers, caller: Caller, token: string | readonly string[] | undefined): void {
  if (typeof token === "string" && callers.isCsrfToken(caller, token)) return;
  const text = "The header 'x-csrf-token' is missing or not of this session: GET /api/v1/me tells it.";
  throw new ManagementError(403, "bad_csrf_token", text);
}

function checkRole(route: ManagementRoute, caller: Caller, accountId: string | undefined): void {
  if (route.role === "anyone" || mayAct(caller, route.role, accountId)) return;
  // Whoever does not belong to an account does not learn that it exists (A7).
  if (accountId !== undefined && !mayAct(caller, "viewer", accountId)) throw notFound();
  throw new ManagementError(403, "forbidden", "Your role does not allow this.");
}
