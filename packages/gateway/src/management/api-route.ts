import type { Readable } from "node:stream";
import type { z } from "zod";
import { readBody, readQuery } from "./body-schema.ts";
import type { Caller, Role } from "./caller.ts";
import type { ManagementAnswer, ManagementCall, ManagementMethod, ManagementRoute } from "./routes.ts";

/** The names of a path's placeholders: `"/api/v1/accounts/:account/keys/:key"` has `"account" | "key"`. */
type ParamOf<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | ParamOf<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never;

type Auth = ManagementRoute["auth"];
type Scope = ManagementRoute["scope"];

/** One request to a route of the API, with its parts as their schemas read them. */
interface ApiCall<Path extends string, A extends Auth, S extends Scope, Query, Body>
  extends Omit<ManagementCall, "caller" | "accountId" | "params" | "query" | "body"> {
  /** There on routes with a session. */
  caller: A extends "session" ? Caller : Caller | undefined;
  /** The account of the path, on routes of scope `account`: the caller may act there. */
  accountId: S extends "account" ? string : undefined;
  params: Readonly<Record<ParamOf<Path>, string>>;
  query: Query;
  body: Body;
}

/** What a route of the API answers; `status` only where it differs from the declared one. */
interface ApiAnswer<Body> {
  /** A stream goes out as it is, in the declared `answerType`. */
  body: Body | Readable;
  status?: number;
  headers?: ManagementAnswer["headers"];
}

export interface ApiRouteDeclaration<
  Path extends `/api/${string}`,
  A extends Auth,
  S extends Scope,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Answer extends z.ZodType,
> {
  method: ManagementMethod;
  path: Path;
  /** The chapter of the document, a noun: `Keys`. */
  tag: string;
  /** A few words that begin with a verb: `List access keys`. The operation's id is made of it. */
  summary: string;
  description?: string;
  /** The operation's id where it is not the summary in camel case. */
  operationId?: string;
  /** `session` unless said otherwise. */
  auth?: A;
  role: Role | "anyone";
  scope: S;
  /** What the audit log calls it, or `none` for what changes nothing. */
  audit: string;
  /** Whether API tokens may call it; `allowed` unless said otherwise. */
  tokens?: "allowed" | "never";
  /** A read for GET and a change for all else, unless said otherwise. */
  rate?: ManagementRoute["rate"];
  /** Most bytes of a body; 64 KiB unless said otherwise. */
  bodyBytes?: number;
  /** Values come as texts. A parameter that it does not name is refused. */
  query?: Query;
  body?: Body;
  /** The shape of a good answer; none: there is no body. */
  answer?: Answer;
  /** The media type of the answer where it is not JSON. */
  answerType?: string;
  /** The status of success: 200, or 204 without an answer. */
  status?: number;
  /** Whether the answer tells a secret that is shown this once; the document says so. */
  secretAnswer?: boolean;
  /** Looks whether the route is there at all, before query and body are read. */
  before?(): Promise<void>;
  handle(
    call: ApiCall<Path, A, S, z.output<Query>, z.output<Body>>,
  ): Promise<Answer extends z.ZodUndefined ? Partial<ApiAnswer<undefined>> : ApiAnswer<z.output<Answer>>>;
}

const defaultBodyBytes = 65_536;

/**
 * A route of the management API: what decides about access, what it takes and gives, and how the API's document tells of
 * it. Query and body are read by their schemas before `handle` sees them; what they refuse is answered with 400 and the
 * field.
 *
 * @example
 * apiRoute({
 *   method: "GET",
 *   path: "/api/v1/accounts/:account/keys",
 *   tag: "Keys",
 *   summary: "List access keys",
 *   role: "viewer",
 *   scope: "account",
 *   audit: "none",
 *   query: z.object({ ...pageQuery }),
 *   answer: z.object({ items: z.array(keySchema), next: nextSchema }),
 *   handle: async (call) => ({ body: await list(call.accountId, call.query) }),
 * })
 */
export function apiRoute<
  const Path extends `/api/${string}`,
  S extends Scope,
  A extends Auth = "session",
  Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Body extends z.ZodType = z.ZodUndefined,
  Answer extends z.ZodType = z.ZodUndefined,
>(declared: ApiRouteDeclaration<Path, A, S, Query, Body, Answer>): ManagementRoute {
  const { method, path, tag, summary, description, role, scope, audit, query, body, answer } = declared;
  const isRead = method === "GET";
  const status = declared.status ?? (answer ? 200 : 204);
  return {
    method,
    path,
    auth: declared.auth ?? "session",
    role,
    scope,
    bodyBytes: isRead ? 0 : (declared.bodyBytes ?? defaultBodyBytes),
    rate: declared.rate ?? (isRead ? "read" : "write"),
    audit,
    tokens: declared.tokens ?? "allowed",
    document: {
      tag,
      summary,
      description,
      operationId: declared.operationId ?? camelCase(summary),
      query,
      body,
      answer,
      answerType: declared.answerType ?? "application/json",
      status,
      secretAnswer: declared.secretAnswer ?? false,
    },
    async handle(call) {
      await declared.before?.();
      const read = {
        ...call,
        query: readQuery(query, call.query),
        body: isRead ? undefined : readBody(body, call.body),
      };
      // The declaration and admission make it so: the session, the account and the path's placeholders were found before
      // the route is called, and query and body are what the schemas gave.
      const given = read as unknown as ApiCall<Path, A, S, z.output<Query>, z.output<Body>>;
      const answered = await declared.handle(given);
      const headers: Record<string, string | readonly string[]> = { ...answered.headers };
      if (declared.answerType !== undefined) headers["content-type"] ??= declared.answerType;
      return { status, ...answered, headers };
    },
  };
}

function camelCase(summary: string): string {
  const words = summary.match(/[A-Za-z0-9]+/g) ?? [];
  return words
    .map((word, at) => (at === 0 ? word.toLowerCase() : word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()))
    .join("");
}
