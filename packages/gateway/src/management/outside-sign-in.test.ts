import { expect, test } from "vitest";
import type { OidcProvider } from "../config/config.ts";
import { describeEngines, type MakeDatabase } from "../testing/database-engines.ts";
import { startOidcProvider, type TestOidcProvider } from "../testing/oidc-provider.ts";
import { startTestConsole, type TestBrowser } from "../testing/test-console.ts";

const system = { kind: "command", id: null, name: "command line", address: null } as const;
const ada = { email: "ada@example.com", name: "Ada", password: "a long and good one" };
const person = { sub: "person-1", email: "Ada@example.com", email_verified: true };

function configured(provider: TestOidcProvider, more: Partial<OidcProvider> = {}): OidcProvider {
  const client = { clientId: "interlingua", clientSecret: "secret-of-the-client" };
  const scopes = ["openid", "email", "profile"];
  return { id: "work", name: "Work", issuer: provider.issuer, ...client, scopes, trustEmail: false, ...more };
}

async function scene(make: MakeDatabase, provider: TestOidcProvider, more: Partial<OidcProvider> = {}) {
  const place = await startTestConsole(await make(), { oidc: [configured(provider, more)] });
  await place.users.create(ada, { operator: false }, system);
  return place;
}

/** Goes the way of a browser: to the provider and back. Gives the address at which it ends. */
async function goThrough(browser: TestBrowser): Promise<string> {
  const sent = await browser.post("/api/auth/sign-in/social", { provider: "work", callbackURL: "/console" });
  expect(sent.status).toBe(200);
  const atProvider = await fetch(sent.body.url, { redirect: "manual" });
  const back = new URL(atProvider.headers.get("location") ?? "");
  const answer = await browser.get(back.pathname + back.search);
  expect(answer.status).toBe(302);
  return answer.headers.get("location") ?? "";
}

describeEngines((make) => {
  test("S8 a user signs in at an outside provider, by its signed word for the e-mail address", async () => {
    await using provider = await startOidcProvider(person);
    await using place = await scene(make, provider);
    const browser = place.browser();
    expect((await browser.get("/api/v1/sign-in-methods")).body.providers).toEqual([{ id: "work", name: "Work" }]);
    expect(await goThrough(browser)).toBe("/console");
    expect((await browser.get("/api/v1/me")).body.user.email).toBe(ada.email);
    // By PKCE, and with the secret of the client.
    expect(provider.lastExchange?.get("code_verifier")?.length).toBeGreaterThan(42);
    // Again, by the subject, though the address has changed at the provider.
    provider.person = { ...person, email: "ada@elsewhere.example" };
    expect(await goThrough(place.browser())).toBe("/console");
    const credentials = await place.database.read.selectFrom("user_credential").selectAll().execute();
    expect(credentials.map((row) => row.provider_id).sort()).toEqual(["credential", "work"]);
    expect(JSON.stringify(credentials)).not.toMatch(/at-secret|rt-secret/);
    expect(await place.actions()).toEqual(["user.created", "session.started", "session.started"]);
  });

  test("S8 nobody is let in by a forged token, another audience, another nonce or an address that is not verified", async () => {
    await using provider = await startOidcProvider(person);
    await using place = await scene(make, provider);
    const refused = async () => {
      const browser = place.browser();
      expect(await goThrough(browser)).toMatch(/^\/sign-in\?error=/);
      expect((await browser.get("/api/v1/me")).status).toBe(401);
    };
    provider.forged = true;
    await refused();
    provider.forged = false;
    for (const wrong of [{ aud: "another" }, { iss: "http://evil.example" }, { nonce: "old" }, { exp: 1 }]) {
      provider.wrong = wrong;
      await refused();
    }
    provider.wrong = { email_verified: false };
    await refused();
    expect(await place.actions()).toEqual(["user.created", ...Array(6).fill("session.refused")]);
  });

  test("S8 a provider that publishes no keys, or calls itself by another name, is none", async () => {
    await using provider = await startOidcProvider(person);
    provider.keyless = true;
    await using place = await scene(make, provider);
    const browser = place.browser();
    const ask = async () => (await browser.post("/api/auth/sign-in/social", { provider: "work" })).status;
    expect(await ask()).toBe(503);
    provider.keyless = false;
    expect(await ask()).toBe(200);
    await using other = await scene(make, provider, { issuer: provider.issuer.replace("127.0.0.1", "localhost") });
    expect((await other.browser().post("/api/auth/sign-in/social", { provider: "work" })).status).toBe(503);
  });

  test("S18 a provider makes no users: who is not one here is refused", async () => {
    await using provider = await startOidcProvider({ sub: "stranger", email: "eve@example.com", email_verified: true });
    await using place = await scene(make, provider);
    expect(await goThrough(place.browser())).toMatch(/^\/sign-in\?error=/);
    expect(await place.users.list()).toHaveLength(1);
  });

  test("S8 a disabled user is refused by the provider's way, too", async () => {
    await using provider = await startOidcProvider(person);
    await using place = await scene(make, provider);
    await place.users.setDisabled(ada.email, true, system);
    const browser = place.browser();
    expect(await goThrough(browser)).toMatch(/^\/sign-in\?error=/);
    expect((await browser.get("/api/v1/me")).status).toBe(401);
  });

  test("a trusted provider need not say that it has verified an address", async () => {
    await using provider = await startOidcProvider({ sub: "person-1", email: ada.email });
    await using place = await scene(make, provider, { trustEmail: true });
    expect(await goThrough(place.browser())).toBe("/console");
  });

  test("a provider that is away keeps nobody from the password, and is asked again later", async () => {
    await using provider = await startOidcProvider(person);
    await using place = await startTestConsole(await make(), {
      oidc: [configured(provider, { issuer: "http://127.0.0.1:9" }), configured(provider, { id: "other" })],
    });
    await place.users.create(ada, { operator: false }, system);
    const browser = place.browser();
    const away = await browser.post("/api/auth/sign-in/social", { provider: "work" });
    expect(away).toMatchObject({ status: 503, body: { error: { code: "provider_unavailable" } } });
    expect((await browser.post("/api/auth/sign-in/social", { provider: "other" })).status).toBe(200);
    expect((await browser.signIn(ada.email, ada.password)).status).toBe(200);
  });

  test("A7 a browser is sent to no foreign address after signing in", async () => {
    await using provider = await startOidcProvider(person);
    await using place = await scene(make, provider);
    for (const callbackURL of ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"]) {
      const answer = await place.browser().post("/api/auth/sign-in/social", { provider: "work", callbackURL });
      expect(answer.status, callbackURL).toBe(400);
    }
  });
});
