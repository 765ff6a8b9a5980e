import type { JsonObject } from "@interlingua/protocols";
import type { z } from "zod";
import type { AuditActor, AuditEvent } from "../audit/audit-log.ts";
import type { Statement } from "../storage/database.ts";
import type { Caller, Role } from "./caller.ts";

export type ManagementMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** One request to a route, once it has been let in. */
export interface ManagementCall {
  /** Undefined on routes without a session. */
  caller: Caller | undefined;
  /** The account of the path, on routes of scope `account`: the caller may act there. */
  accountId: string | undefined;
  /** The placeholders of the path by name. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** The parsed body; empty where there was none. */
  body: JsonObject;
  headers: Readonly<Record<string, string>>;
  /** Where browsers reach the console. */
  origin: string;
  /** Path and query as they came. */
  target: string;
  address: string;
  /** The caller as the author of an entry, or who it claims to be. */
  actor: AuditActor;
  /**
   * The statement that records what the route declares as its `audit`, to be put last into the unit of the change. A route
   * that succeeds without having asked for it is a fault of ours, and answered as such.
   */
  audit(event: Omit<AuditEvent, "actor" | "action"> & { actor?: AuditActor; action?: string }): Statement;
}

export interface ManagementAnswer {
  status?: number;
  /** Written as JSON; a string, bytes or a stream go out as they are, with their `content-type` in the headers. */
  body?: unknown;
  headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** What the API's document tells of a route. */
export interface RouteDocument {
  tag: string;
  summary: string;
  description: string | undefined;
  /** Unique among all routes. */
  operationId: string;
  query: z.ZodObject | undefined;
  body: z.ZodType | undefined;
  /** The shape of a good answer; undefined: there is no body. */
  answer: z.ZodType | undefined;
  answerType: string;
  /** The status of success. */
  status: number;
  /** Whether the answer tells a secret that is shown this once. */
  secretAnswer: boolean;
}

/**
 * A route of the console or of the management API, with everything that decides about access (A5): nothing of it is
 * derived from the request later, and the gateway does not start when something is missing.
 */
export interface ManagementRoute {
  method: ManagementMethod;
  /** Fixed segments and `:name` placeholders; scope `account` has `:account`. A `*` at the end stands for anything. */
  path: string;
  /** `optional`: a session is looked for, and its caller known where there is one. */
  auth: "session" | "optional" | "none";
  /** The least that the caller must be; `anyone` where no session is asked for. */
  role: Role | "anyone";
  /**
   * What the request may be about. `account`: the account in the path, where the caller must have the role; foreign ones
   * are answered as missing ones (A7). `self`: the caller's own things. `installation`: everything.
   */
  scope: "account" | "self" | "installation";
  /** Most bytes of a body; 0: none is taken. */
  bodyBytes: number;
  /** The media type of a body; `application/json` unless told otherwise. */
  bodyType?: "application/csp-report";
  /** Against what it counts: tries to sign in, changes, reads; `none` for files that are in memory. */
  rate: "sign-in" | "write" | "read" | "none";
  /** What the audit log calls it, or `none` for what changes nothing. */
  audit: string;
  /** Whether API tokens may call it; without it they may not. */
  tokens?: "allowed" | "never";
  /** There on routes of the documented API (`apiRoute`). */
  document?: RouteDocument;
  handle(call: ManagementCall): Promise<ManagementAnswer>;
}

const declarations = ["method", "path", "auth", "role", "scope", "bodyBytes", "rate", "audit", "handle"] as const;

/** Throws where a declaration is missing or contradicts another one (A5). */
export function checkRoutes(routes: readonly ManagementRoute[]): void {
  const claimed = new Set<string>();
  const operations = new Set<string>();
  for (const route of routes) {
    const claim = `${route.method} ${route.path}`;
    const refuse = (why: string) => {
      throw new Error(`The route ${claim} ${why}.`);
    };
    for (const name of declarations) {
      if (route[name] === undefined || route[name] === "") refuse(`does not declare '${name}'`);
    }
    if (claimed.has(claim)) refuse("is there twice");
    claimed.add(claim);
    if (route.document) {
      const { operationId } = route.document;
      if (operations.has(operationId)) refuse(`is documented as '${operationId}', which another route is`);
      operations.add(operationId);
    }
    if ((route.auth !== "session") !== (route.role === "anyone")) refuse("wants a role but no session, or the reverse");
    if ((route.scope === "account") !== /\/:account(?:\/|$)/.test(route.path)) {
      refuse("must be of scope 'account' exactly when its path holds ':account'");
    }
    if (route.scope === "account" && route.role === "user") refuse("is about an account and must name a role in it");
    if (route.scope === "installation" && route.auth === "session" && route.role !== "operator") {
      refuse("is about the whole installation and must be the operators'");
    }
    if (route.method === "GET" && route.bodyBytes > 0) refuse("is a GET with a body");
    if (route.method !== "GET" && route.audit === "none" && route.auth === "session")
      refuse("changes without an entry");
  }
}
