import { expect, test } from "vitest";
import { describeEngines } from "../testing/database-engines.ts";
import { oneTimeCode } from "../testing/one-time-code.ts";
import { createSoftwarePasskey } from "../testing/software-passkey.ts";
import { startTestConsole } from "../testing/test-console.ts";

const system = { kind: "command", id: null, name: "command line", address: null } as const;
const ada = { email: "ada@example.com", name: "Ada", password: "a long and good one" };

describeEngines((make) => {
  test("S8 a user who has switched on a second factor is let in by password and code, or by a backup code once", async () => {
    await using place = await startTestConsole(await make());
    await place.users.create(ada, { operator: false }, system);
    const browser = place.browser();
    await browser.signIn(ada.email, ada.password);
    expect((await browser.post("/api/auth/two-factor/enable", { password: "wrong" })).status).toBe(400);
    const enabled = await browser.post("/api/auth/two-factor/enable", { password: ada.password });
    expect(enabled).toMatchObject({ status: 200, body: { method: "totp" } });
    const { totpURI, backupCodes } = enabled.body;
    // Not before the first code has shown that the app has the secret.
    expect((await place.users.find(ada.email)).twoFactorEnabled).toBe(false);
    const before = browser.cookies.get("interlingua-sid");
    const first = await browser.post("/api/auth/two-factor/verify-totp", { code: oneTimeCode(totpURI, Date.now()) });
    expect(first.status).toBe(200);
    expect(browser.cookies.get("interlingua-sid")).not.toBe(before);
    expect((await browser.get("/api/v1/me")).body.user.two_factor_enabled).toBe(true);

    const another = place.browser();
    const half = await another.signIn(ada.email, ada.password);
    expect(half).toMatchObject({ status: 200, body: { twoFactorRedirect: true, twoFactorMethods: ["totp"] } });
    expect((await another.get("/api/v1/me")).status).toBe(401);
    expect((await another.post("/api/auth/two-factor/verify-totp", { code: "000000" })).status).toBe(401);
    const code = oneTimeCode(totpURI, Date.now());
    expect((await another.post("/api/auth/two-factor/verify-totp", { code })).status).toBe(200);
    expect((await another.get("/api/v1/me")).status).toBe(200);

    const third = place.browser();
    await third.signIn(ada.email, ada.password);
    const spare = { code: backupCodes[0] };
    expect((await third.post("/api/auth/two-factor/verify-backup-code", spare)).status).toBe(200);
    const fourth = place.browser();
    await fourth.signIn(ada.email, ada.password);
    expect((await fourth.post("/api/auth/two-factor/verify-backup-code", spare)).status).toBe(401);

    const [row] = await place.database.read.selectFrom("user_two_factor").selectAll().execute();
    const secret = new URL(totpURI).searchParams.get("secret") ?? "";
    expect(JSON.stringify(row)).not.toContain(secret);
    expect(JSON.stringify(row)).not.toContain(backupCodes[1]);
    expect(await place.actions()).toEqual([
      "user.created",
      "session.started",
      "session.refused",
      "user.second_factor_begun",
      "user.second_factor_enabled",
      "session.refused",
      "session.started",
      "session.started",
      "session.refused",
    ]);
  });

  test("S8 a passkey lets its user in, and nobody by another origin or a replayed answer", async () => {
    await using place = await startTestConsole(await make());
    await place.users.create(ada, { operator: false }, system);
    const browser = place.browser();
    await browser.signIn(ada.email, ada.password);
    const options = await browser.get("/api/auth/passkey/generate-register-options");
    expect(options).toMatchObject({
      status: 200,
      body: { challenge: expect.any(String), rp: { name: "Interlingua", id: "localhost" }, attestation: "none" },
    });
    const passkey = createSoftwarePasskey();
    const response = passkey.register(options.body, place.address, "localhost");
    const added = await browser.post("/api/auth/passkey/verify-registration", { response, name: "laptop" });
    expect(added).toMatchObject({ status: 200, body: { name: "laptop" } });
    expect((await browser.get("/api/auth/passkey/list-user-passkeys")).body).toMatchObject([{ name: "laptop" }]);

    const attempt = async (origin: string) => {
      const other = place.browser();
      const challenge = await other.get("/api/auth/passkey/generate-authenticate-options");
      const answer = { response: passkey.authenticate(challenge.body, origin, "localhost") };
      const { status } = await other.post("/api/auth/passkey/verify-authentication", answer);
      const replayed = await other.post("/api/auth/passkey/verify-authentication", answer);
      return { status, signedIn: (await other.get("/api/v1/me")).status, replayed: replayed.status };
    };
    expect(await attempt(place.address)).toEqual({ status: 200, signedIn: 200, replayed: 400 });
    expect(await attempt("http://evil.example")).toMatchObject({ signedIn: 401 });

    const [known] = await place.database.read.selectFrom("user_passkey").select("id").execute();
    expect((await browser.post("/api/auth/passkey/delete-passkey", { id: known?.id })).status).toBe(200);
    expect(await attempt(place.address)).toMatchObject({ signedIn: 401 });
    expect(await place.actions()).toEqual(expect.arrayContaining(["user.passkey_added", "user.passkey_removed"]));
  });

  test("A7 nobody removes the passkey of another user", async () => {
    await using place = await startTestConsole(await make());
    await place.users.create(ada, { operator: false }, system);
    const eve = { email: "eve@example.com", name: "Eve", password: "another good long one" };
    await place.users.create(eve, { operator: false }, system);
    const [browser, other] = [place.browser(), place.browser()];
    await browser.signIn(ada.email, ada.password);
    await other.signIn(eve.email, eve.password);
    const options = await browser.get("/api/auth/passkey/generate-register-options");
    const response = createSoftwarePasskey().register(options.body, place.address, "localhost");
    const { body } = await browser.post("/api/auth/passkey/verify-registration", { response });
    const refused = await other.post("/api/auth/passkey/delete-passkey", { id: body.id });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect((await browser.get("/api/auth/passkey/list-user-passkeys")).body).toHaveLength(1);
  });
});
