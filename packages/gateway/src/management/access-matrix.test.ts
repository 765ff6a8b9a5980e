import { afterAll, beforeAll, expect, test } from "vitest";
import { sqliteDatabase } from "../testing/database-engines.ts";
import { insertAccount } from "../testing/example-account.ts";
import { startTestConsole, type TestBrowser, type TestConsole } from "../testing/test-console.ts";
import { ManagementError } from "./failure.ts";
import type { ManagementRoute } from "./routes.ts";

/*
 * T21: every route of the real table, asked by everybody about every kind of account. What is expected follows from the
 * route's declaration alone and is worked out here a second time, by other code than that which decides.
 */

const system = { kind: "command", id: null, name: "command line", address: null } as const;
const password = "a long and good one";
const accounts = ["acct_own", "acct_foreign", "acct_missing"] as const;
type Account = (typeof accounts)[number];
type Verdict = "allowed" | 401 | 403 | 404;
const rank = { viewer: 1, member: 2, owner: 3 } as const;

interface Actor {
  name: string;
  kind: "nobody" | "session" | "access key" | "read token" | "write token";
  operator: boolean;
  /** In `acct_own`. */
  role: keyof typeof rank | undefined;
  send(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>;
}

let place: TestConsole;
let actors: Actor[];
/** Whether the last request was handed to its route. */
let letIn = false;
/** Whether routes that change something do so, or are only reached. */
let changesRun = false;

beforeAll(async () => {
  place = await startTestConsole(await sqliteDatabase());
  await place.database.write([
    insertAccount(place.database, "acct_own"),
    insertAccount(place.database, "acct_foreign"),
  ]);
  for (const route of place.routes) {
    const { handle } = route;
    route.handle = async (call) => {
      letIn = true;
      if (route.method !== "GET" && !changesRun) throw new ManagementError(400, "reached", "It was let in.");
      return handle(call);
    };
  }
  actors = await makeActors();
});

afterAll(() => place[Symbol.asyncDispose]());

async function makeActors(): Promise<Actor[]> {
  const signedIn = async (name: string, operator: boolean, role: Actor["role"]) => {
    const email = `${name}@example.com`;
    const { id } = await place.users.create({ email, name, password }, { operator }, system);
    if (role) await place.users.setRole(id, "acct_own", role, system);
    changesRun = true;
    const browser = place.browser();
    expect((await browser.signIn(email, password)).status).toBe(200);
    const actor: Actor = { name, kind: "session", operator, role, send: browser.send };
    return { actor, browser };
  };
  const stranger = await signedIn("stranger", false, undefined);
  const viewer = await signedIn("viewer", false, "viewer");
  const member = await signedIn("member", false, "member");
  const owner = await signedIn("owner", false, "owner");
  const operator = await signedIn("operator", true, undefined);

  const made = await owner.browser.post("/api/v1/accounts/acct_own/keys", { name: "app" });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const token = async (by: TestBrowser, access: "read" | "write", everything: boolean) => {
    const wanted = everything ? { role: "operator", account_ids: null } : { role: "owner", account_ids: ["acct_own"] };
    const answer = await by.post("/api/v1/me/api-tokens", { name: access, access, expires_at: null, ...wanted });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return String(answer.body.token);
  };
  const bearer = (credential: string): Actor["send"] => {
    return async (method, path, body) => {
      const answer = await fetch(place.address + path, {
        method,
        headers: { authorization: `Bearer ${credential}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: await answer.json().catch(() => undefined) };
    };
  };
  const byToken = async (kind: "read token" | "write token", by: typeof owner): Promise<Actor> => {
    const { operator: everything, role } = by.actor;
    const credential = await token(by.browser, kind === "read token" ? "read" : "write", everything);
    return { name: `${by.actor.name}'s ${kind}`, kind, operator: everything, role, send: bearer(credential) };
  };
  const others: Actor[] = [
    { name: "nobody", kind: "nobody", operator: false, role: undefined, send: place.browser().send },
    { name: "access key", kind: "access key", operator: false, role: undefined, send: bearer(made.body.secret) },
    await byToken("read token", owner),
    await byToken("write token", owner),
    await byToken("read token", operator),
    await byToken("write token", operator),
  ];
  changesRun = false;
  return [...others, ...[stranger, viewer, member, owner, operator].map(({ actor }) => actor)];
}

/** What the declaration says. */
function expected(route: ManagementRoute, actor: Actor, account: Account): Verdict {
  const isProgram = actor.kind !== "session" && actor.kind !== "nobody";
  // What asks for no session takes no token either, and changes are asked for by our pages alone (S7).
  if (route.auth !== "session") return isProgram && route.method !== "GET" ? 403 : "allowed";
  if (actor.kind === "nobody" || actor.kind === "access key") return 401;
  if (isProgram && route.tokens !== "allowed") return 403;
  if (actor.kind === "read token" && route.method !== "GET") return 403;
  if (route.role === "user" || actor.operator) return "allowed";
  // Whoever is not in an account does not learn that it is there (A7).
  if (route.scope === "account" && (actor.role === undefined || account !== "acct_own")) return 404;
  if (route.role === "operator" || route.role === "anyone" || actor.role === undefined) return 403;
  return rank[actor.role] >= rank[route.role] ? "allowed" : 403;
}

/** The route's path about an account; what it names besides is nothing that there is. */
const pathOf = (route: ManagementRoute, account: string) =>
  route.path.replace(":account", account).replaceAll(/:[a-z_]+|\*/gi, "nothing");

async function ask(route: ManagementRoute, actor: Actor, account: string, body?: unknown) {
  letIn = false;
  // So that nobody asks too often.
  place.platform.shift(600);
  const answer = await actor.send(
    route.method,
    pathOf(route, account),
    route.method === "GET" ? undefined : (body ?? {}),
  );
  return { ...answer, letIn };
}

test("S9 A5 A7 A8 T21 each route lets in whom its declaration names, and nobody else", {
  timeout: 300_000,
}, async () => {
  const differences: string[] = [];
  let cells = 0;
  for (const route of place.routes) {
    for (const actor of actors) {
      for (const account of route.scope === "account" ? accounts : (["acct_own"] as const)) {
        const { status, letIn: reached, body } = await ask(route, actor, account);
        // A body of another type than the route's own is refused behind the door.
        const real = reached || (route.bodyType !== undefined && status === 415) ? "allowed" : status;
        const wanted = expected(route, actor, account);
        cells += 1;
        if (real !== wanted) {
          differences.push(`${route.method} ${route.path} by ${actor.name} in ${account}: ${real}, not ${wanted}`);
        }
        // A foreign account is told of as a missing one is, to the letter.
        if (wanted === 404)
          expect(body).toMatchObject({ error: { code: "not_found", message: "There is nothing here." } });
        if (reached && status >= 500 && status !== 503) differences.push(`${route.method} ${route.path}: ${status}`);
      }
    }
  }
  const undeclared = place.routes.filter(
    (route) => route.path.startsWith("/api/v1/") && (!route.document || route.tokens === undefined),
  ).length;
  console.log(`cells ${cells}, differences ${differences.length}, routes without declaration ${undeclared}`);
  expect(differences).toEqual([]);
  expect(undeclared).toBe(0);
  expect(cells).toBeGreaterThan(place.routes.length * actors.length);
});

const guarded = ["operator", "balance", "reserved", "is_admin", "disabled_at", "digest", "user_id", "created_by"];

test("A8 no body sets a field that its route does not name", { timeout: 120_000 }, async () => {
  changesRun = true;
  const operator = actors.find(({ name }) => name === "operator");
  const taken: string[] = [];
  for (const route of place.routes) {
    if (!operator || !route.document || route.method === "GET" || route.path === "/api/v1/setup") continue;
    for (const field of guarded) {
      const { status, body } = await ask(route, operator, "acct_own", { [field]: "1" });
      const code = JSON.stringify(body ?? "").match(/"code":"([a-z_]+)"/)?.[1];
      // A body that names the field is wrong in something else, then.
      if (status !== 400 || (code !== "unknown_field" && code !== "invalid_request")) {
        taken.push(`${route.method} ${route.path} takes '${field}': ${status} ${code}`);
      }
    }
  }
  changesRun = false;
  expect(taken).toEqual([]);
});

test("S7 no GET changes anything, but that some leave an entry in the audit log", { timeout: 120_000 }, async () => {
  const gets = place.routes.filter(({ method, path }) => method === "GET" && !path.startsWith("/api/auth/"));
  const askAll = async (routes: readonly ManagementRoute[]) => {
    for (const route of routes)
      for (const actor of actors) for (const account of accounts) await ask(route, actor, account);
  };
  const before = await everything();
  await askAll(gets.filter(({ audit }) => audit === "none"));
  expect(await everything()).toEqual(before);
  // What is declared so: reading what a call said, taking a log with one.
  await askAll(gets.filter(({ audit }) => audit !== "none"));
  const { audit_event: _entries, audit_head: _head, ...rest } = await everything();
  expect(before).toMatchObject(rest);
});

/** All rows of all tables, but for when sessions and tokens were last used. */
async function everything(): Promise<Record<string, string>> {
  const { read } = place.database;
  // Names of tables, which the schema's types cannot know.
  const loose = read as unknown as {
    selectFrom(table: string): { selectAll(): { execute(): Promise<Record<string, unknown>[]> } };
  };
  const tables = (await loose.selectFrom("sqlite_master").selectAll().execute())
    .filter(({ type, name }) => type === "table" && !String(name).startsWith("sqlite_"))
    .map(({ name }) => String(name));
  const found: Record<string, string> = {};
  for (const table of tables) {
    const rows = await loose.selectFrom(table).selectAll().execute();
    const shown = rows.map(({ seen_at: _seen, last_used_at: _used, ...row }) => row);
    found[table] = JSON.stringify(shown, (_key, value) => (typeof value === "bigint" ? String(value) : value));
  }
  return found;
}
