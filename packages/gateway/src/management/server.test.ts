import { expect, test } from "vitest";
import { sqliteDatabase } from "../testing/database-engines.ts";
import { startTestConsole } from "../testing/test-console.ts";
import { checkRoutes, type ManagementRoute } from "./routes.ts";

const system = { kind: "command", id: null, name: "command line", address: null } as const;
const ada = { email: "ada@example.com", name: "Ada", password: "a long and good one" };

async function scene(options: Parameters<typeof startTestConsole>[1] = {}) {
  const place = await startTestConsole(await sqliteDatabase(), options);
  await place.users.create(ada, { operator: false }, system);
  return place;
}

test("S7 a request that changes something is refused unless it comes from a page of this console", async () => {
  await using place = await scene();
  const browser = place.browser();
  const signIn = (headers: Record<string, string>) =>
    browser.post("/api/auth/sign-in/email", { email: ada.email, password: ada.password }, headers);
  const foreign: Record<string, string>[] = [
    { origin: "http://evil.example" },
    { origin: "null" },
    { origin: `${place.address}1` },
    { origin: place.address, "sec-fetch-site": "cross-site" },
    { origin: place.address, "sec-fetch-site": "same-site" },
  ];
  for (const headers of foreign) {
    expect(await signIn(headers), JSON.stringify(headers)).toMatchObject({
      status: 403,
      body: { error: { code: "foreign_page" } },
    });
  }
  const bare = await fetch(`${place.address}/api/auth/sign-in/email`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: ada.email, password: ada.password }),
  });
  expect(bare.status).toBe(403);
  expect((await signIn({ "sec-fetch-site": "same-origin" })).status).toBe(200);
});

test("S7 a session alone changes nothing: its page's token is asked for, too", async () => {
  await using place = await scene();
  const [browser, other] = [place.browser(), place.browser()];
  await browser.signIn(ada.email, ada.password);
  await other.signIn(ada.email, ada.password);
  const foreign = (await other.get("/api/v1/me")).body.csrf_token;
  for (const token of ["", "abc", foreign]) {
    const refused = await browser.post("/api/auth/sign-out", {}, { "x-csrf-token": token });
    expect(refused).toMatchObject({ status: 403, body: { error: { code: "bad_csrf_token" } } });
  }
  expect((await browser.get("/api/v1/me")).status).toBe(200);
  expect((await browser.post("/api/auth/sign-out", {})).status).toBe(200);
});

test("S18 without an address of its own the console is there under names of this machine alone", async () => {
  await using place = await scene();
  const { port } = new URL(place.address);
  const { request } = await import("node:http");
  const status = (host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = request(
        { host: "127.0.0.1", port, path: "/api/v1/sign-in-methods", headers: { host } },
        (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        },
      );
      sent.on("error", reject);
      sent.end();
    });
  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) expect(await status(host)).toBe(200);
  for (const host of ["evil.example", `localhost.evil.example:${port}`, `10.0.0.1:${port}`]) {
    expect(await status(host), host).toBe(421);
  }
});

test("S6 every answer bears the security headers, whatever it is", async () => {
  await using place = await scene();
  const browser = place.browser();
  for (const path of [
    "/setup",
    "/",
    "/a/acct_a/keys",
    "/api/v1/me",
    "/api/v1/nothing",
    "/api/auth/sign-in/email",
    "/api/%zz",
  ]) {
    const { headers } = await browser.get(path);
    expect(headers.get("content-security-policy"), path).toContain("default-src 'none'; script-src 'self'");
    expect(headers.get("content-security-policy"), path).not.toContain("unsafe");
    expect(headers.get("x-content-type-options"), path).toBe("nosniff");
    expect(headers.get("referrer-policy"), path).toBe("no-referrer");
    expect(headers.get("cross-origin-opener-policy"), path).toBe("same-origin");
    expect(headers.get("cache-control"), path).toBe("no-store");
    expect(headers.get("x-request-id"), path).toMatch(/^req_/);
    expect(headers.get("access-control-allow-origin"), path).toBeNull();
  }
});

test("A5 an unknown path is 404, a known one with another method 405, and the rest of the library is not there", async () => {
  await using place = await scene();
  const browser = place.browser();
  expect((await browser.get("/api/v2/anything")).status).toBe(404);
  const wrong = await browser.post("/api/v1/sign-in-methods", {});
  expect(wrong.status).toBe(405);
  expect(wrong.headers.get("allow")).toBe("GET, HEAD");
  for (const path of [
    "sign-up/email",
    "update-user",
    "delete-user",
    "change-email",
    "link-social",
    "request-password-reset",
  ]) {
    expect((await browser.post(`/api/auth/${path}`, { name: "x" })).status, path).toBe(404);
  }
  for (const path of ["get-session", "list-sessions", "ok", "error"]) {
    expect((await browser.get(`/api/auth/${path}`)).status, path).toBe(404);
  }
});

test("C5 bodies are JSON objects of the route's size, and nothing else", async () => {
  await using place = await scene();
  const browser = place.browser();
  const send = (body: unknown, headers: Record<string, string> = {}) =>
    browser.post("/api/auth/sign-in/email", body, headers);
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
    expect((await send("a=b", { "content-type": type })).status, type).toBe(415);
  }
  expect((await send("[]")).status).toBe(400);
  expect((await send("{")).status).toBe(400);
  expect((await send('{"email":"a@b.c","email":"d@e.f","password":"x"}')).status).toBe(400);
  expect((await send(`{"email":${"[".repeat(100)}${"]".repeat(100)}}`)).status).toBe(400);
  expect((await send({ email: "x".repeat(70_000), password: "x" })).status).toBe(413);
  expect((await browser.get("/api/v1/me")).status).toBe(401);
});

test("A8 a field that a route does not name is refused", async () => {
  await using place = await scene();
  const token = await place.setup.issue();
  const answer = await place
    .browser()
    .post("/api/v1/setup", { token, ...ada, email: "eve@example.com", operator: true });
  expect(answer).toMatchObject({ status: 400, body: { error: { code: "unknown_field", field: "operator" } } });
  const social = await place.browser().post("/api/auth/sign-in/social", { provider: "x", scopes: ["all"] });
  expect(social).toMatchObject({ status: 400, body: { error: { code: "unknown_field", field: "scopes" } } });
});

const route: ManagementRoute = {
  method: "POST",
  path: "/api/v1/accounts/:account/keys",
  auth: "session",
  role: "member",
  scope: "account",
  bodyBytes: 1,
  rate: "write",
  audit: "access_key.created",
  handle: async () => ({}),
};

test.each([
  ["no role", { role: undefined }],
  ["no scope", { scope: undefined }],
  ["no size of a body", { bodyBytes: undefined }],
  ["no rate", { rate: undefined }],
  ["no audit", { audit: "" }],
  ["a role without a session", { auth: "none" }],
  ["an account that is not in the path", { path: "/api/v1/keys" }],
  ["an account without a role in it", { role: "user" }],
  ["the whole installation for a member", { path: "/api/v1/channels", scope: "installation" }],
  ["a change without an entry", { audit: "none" }],
  ["a GET with a body", { method: "GET" }],
])("A5 the gateway does not start over a route with %s", (_what, change) => {
  expect(() => checkRoutes([route])).not.toThrow();
  // What the type check refuses, a later hand may still write around it.
  expect(() => checkRoutes([{ ...route, ...change } as ManagementRoute])).toThrow("/api/v1/");
  expect(() => checkRoutes([route, route])).toThrow("twice");
});
