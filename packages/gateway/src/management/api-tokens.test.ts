import { expect, test } from "vitest";
import { describeEngines, type MakeDatabase, sqliteDatabase } from "../testing/database-engines.ts";
import { insertAccount } from "../testing/example-account.ts";
import { startTestConsole, type TestBrowser } from "../testing/test-console.ts";

const system = { kind: "command", id: null, name: "command line", address: null } as const;
const password = "a long and good one";
const day = 86_400_000;

/** An operator, and an owner of `acct_a` who is a viewer in `acct_b`, both signed in. */
async function scene(make: MakeDatabase = sqliteDatabase) {
  const place = await startTestConsole(await make());
  const { database, users, platform } = place;
  await database.write([insertAccount(database, "acct_a"), insertAccount(database, "acct_b")]);
  const user = async (name: string, operator: boolean) => {
    const email = `${name}@example.com`;
    const { id } = await users.create({ email, name, password }, { operator }, system);
    return { id, email };
  };
  const ada = await user("ada", false);
  await users.setRole(ada.id, "acct_a", "owner", system);
  await users.setRole(ada.id, "acct_b", "viewer", system);
  const root = await user("root", true);
  const browserOf = async ({ email }: { email: string }) => {
    const browser = place.browser();
    expect((await browser.signIn(email, password)).status).toBe(200);
    return browser;
  };
  const [adas, roots] = [await browserOf(ada), await browserOf(root)];
  return {
    ...place,
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
    ada,
    root,
    adas,
    roots,
    now: platform.now,
    /** A request as a program makes it. */
    async ask(token: string, path: string, init: RequestInit = {}) {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const answer = await fetch(place.address + path, { ...init, headers: { ...headers, ...init.headers } });
      const text = await answer.text();
      return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
    },
  };
}

const wanted = { name: "ci", access: "write", role: "owner", account_ids: ["acct_a"], expires_at: null };

async function tokenOf(browser: TestBrowser, change: object = {}): Promise<string> {
  const made = await browser.post("/api/v1/me/api-tokens", { ...wanted, ...change });
  expect(made).toMatchObject({ status: 201, body: { name: "ci", token: expect.stringMatching(/^ilt_[\w-]{43}$/) } });
  return made.body.token;
}

describeEngines((make) => {
  test("A8 a token is told once, listed without itself, and dead once it is revoked", async () => {
    await using place = await scene(make);
    const token = await tokenOf(place.adas);
    const listed = await place.adas.get("/api/v1/me/api-tokens");
    expect(JSON.stringify(listed.body)).not.toContain(token);
    expect(listed.body.items).toMatchObject([{ name: "ci", tail: token.slice(-4), last_used_at: null }]);
    const stored = await place.database.read.selectFrom("api_token").selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(token);

    expect((await place.ask(token, "/api/v1/me")).body).toMatchObject({
      user: { email: place.ada.email, operator: false },
      memberships: [{ account: { id: "acct_a" }, role: "owner" }],
      csrf_token: "",
    });
    const { id, last_used_at } = (await place.adas.get("/api/v1/me/api-tokens")).body.items[0];
    expect(last_used_at).not.toBeNull();
    const foreign = await place.roots.send("DELETE", `/api/v1/me/api-tokens/${id}`);
    expect(foreign.status).toBe(404);
    expect((await place.adas.send("DELETE", `/api/v1/me/api-tokens/${id}`)).status).toBe(204);
    expect((await place.ask(token, "/api/v1/me")).status).toBe(401);
    expect(await place.actions()).toEqual(expect.arrayContaining(["api_token.created", "api_token.revoked"]));
  });
});

test("A8 a token never does more than its user may do at that moment", async () => {
  await using place = await scene();
  const token = await tokenOf(place.adas);
  await place.users.setRole(place.ada.id, "acct_a", "viewer", system);
  expect((await place.ask(token, "/api/v1/me")).body.memberships).toMatchObject([{ role: "viewer" }]);
  await place.users.setRole(place.ada.id, "acct_a", null, system);
  expect((await place.ask(token, "/api/v1/me")).body.memberships).toEqual([]);
  await place.users.setDisabled(place.ada.id, true, system);
  expect((await place.ask(token, "/api/v1/me")).status).toBe(401);
  // Disabling ends sessions, too; the token comes back with its user.
  await place.users.setDisabled(place.ada.id, false, system);
  expect((await place.ask(token, "/api/v1/me")).status).toBe(200);
});

test("A8 a token's own role and accounts bound it below its user", async () => {
  await using place = await scene();
  const viewer = await tokenOf(place.adas, { role: "viewer" });
  expect((await place.ask(viewer, "/api/v1/me")).body.memberships).toEqual([
    { account: { id: "acct_a", name: "acct_a" }, role: "viewer" },
  ]);
  const everything = await tokenOf(place.roots, { role: "operator", account_ids: null });
  expect((await place.ask(everything, "/api/v1/me")).body.user.operator).toBe(true);
  const one = await tokenOf(place.roots, { role: "member", account_ids: ["acct_b"] });
  expect((await place.ask(one, "/api/v1/me")).body).toMatchObject({
    user: { operator: false },
    memberships: [{ account: { id: "acct_b" }, role: "member" }],
  });
});

test.each([
  ["an account of others", { account_ids: ["acct_x"] }, 404, "not_found"],
  ["a role that the user has not there", { account_ids: ["acct_b"], role: "member" }, 403, "forbidden"],
  ["the whole installation", { account_ids: null, role: "operator" }, 403, "forbidden"],
  ["everything by a role in it", { account_ids: null, role: "owner" }, 400, "invalid_request"],
  ["no account at all", { account_ids: [] }, 400, "invalid_request"],
  ["an end that was", { expires_at: 1 }, 400, "invalid_request"],
  ["a balance", { balance: "1" }, 400, "unknown_field"],
])("A8 a token for %s is not made", async (_what, change, status, code) => {
  await using place = await scene();
  const answer = await place.adas.post("/api/v1/me/api-tokens", { ...wanted, ...change });
  expect(answer).toMatchObject({ status, body: { error: { code } } });
});

test("A8 a token dies at its end", async () => {
  await using place = await scene();
  const token = await tokenOf(place.adas, { expires_at: place.now() + day });
  expect((await place.ask(token, "/api/v1/me")).status).toBe(200);
  place.platform.shift(day + 1);
  expect((await place.ask(token, "/api/v1/me")).status).toBe(401);
});

test("S7 where there is an authorization header no cookie is looked at, and tokens make no tokens", async () => {
  await using place = await scene();
  const token = await tokenOf(place.adas);
  const cookie = [...place.adas.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  for (const authorization of ["Bearer ilt_wrong", "Bearer sk-something", "Basic eDp5", "Bearer"]) {
    const answer = await place.ask(token, "/api/v1/me", { headers: { authorization, cookie } });
    expect(answer, authorization).toMatchObject({ status: 401, body: { error: { code: "bad_api_token" } } });
  }
  for (const method of ["GET", "POST"]) {
    const answer = await place.ask(token, "/api/v1/me/api-tokens", {
      method,
      ...(method === "POST" && { body: JSON.stringify(wanted) }),
    });
    expect(answer).toMatchObject({ status: 403, body: { error: { code: "no_api_tokens" } } });
  }
});

test("S16 what a token changes is told of under its name", async () => {
  const { actorOf } = await import("./caller.ts");
  const caller = {
    userId: "usr_1",
    sessionId: "tok_1",
    email: "ada@example.com",
    name: "Ada",
    operator: false,
    twoFactorEnabled: false,
    memberships: [],
    token: { id: "tok_1", name: "ci", access: "write" },
  } as const;
  expect(actorOf(caller, "192.0.2.7")).toMatchObject({ id: "usr_1", name: "ada@example.com, by API token ci" });
});
