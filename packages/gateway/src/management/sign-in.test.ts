import { expect, test } from "vitest";
import { describeEngines } from "../testing/database-engines.ts";
import { startTestConsole } from "../testing/test-console.ts";

const system = { kind: "command", id: null, name: "command line", address: null } as const;
const ada = { email: "ada@example.com", name: "Ada", password: "a long and good one" };

describeEngines((make) => {
  test("S18 the setup link leads to an operator who can sign in, and is gone then", async () => {
    await using place = await startTestConsole(await make());
    const browser = place.browser();
    expect((await browser.get("/api/v1/sign-in-methods")).body.setup).toBe(true);
    const token = await place.setup.issue();
    const made = await browser.post("/api/v1/setup", { token, ...ada });
    expect(made).toMatchObject({ status: 201, body: { user: { email: ada.email } } });
    expect((await browser.get("/api/v1/sign-in-methods")).body.setup).toBe(false);
    expect((await browser.post("/api/v1/setup", { token, ...ada })).status).toBe(404);

    expect((await browser.get("/api/v1/me")).status).toBe(401);
    expect((await browser.signIn(ada.email, ada.password)).status).toBe(200);
    expect(await browser.get("/api/v1/me")).toMatchObject({
      status: 200,
      body: {
        user: { email: ada.email, name: "Ada", operator: true },
        memberships: [{ account: { id: "acct_default" }, role: "owner" }],
        csrf_token: expect.any(String),
      },
    });
    expect(await place.actions()).toEqual(["installation.set_up", "session.started"]);
  });

  test("S8 a wrong password and an unknown user get the same answer; both are on record", async () => {
    await using place = await startTestConsole(await make());
    await place.users.create(ada, { operator: false }, system);
    const browser = place.browser();
    const wrong = await browser.signIn(ada.email, "not the right one");
    const unknown = await browser.signIn("eve@example.com", "not the right one");
    expect(wrong.status).toBe(401);
    const { request_id: _one, ...told } = wrong.body.error;
    const { request_id: _two, ...toldUnknown } = unknown.body.error;
    expect(toldUnknown).toEqual(told);
    expect([...wrong.headers.keys()].sort()).toEqual([...unknown.headers.keys()].sort());

    const { id } = await place.users.setDisabled(ada.email, true, system);
    const disabled = await browser.signIn(ada.email, ada.password);
    const { request_id: _three, ...toldDisabled } = disabled.body.error;
    expect(toldDisabled).toEqual(told);
    const entries = await place.database.read
      .selectFrom("audit_event")
      .select(["actor_name", "target_id"])
      .where("action", "=", "session.refused")
      .orderBy("sequence")
      .execute();
    // What nobody is called may be a password that was typed into the wrong field.
    expect(entries).toEqual([
      { actor_name: ada.email, target_id: id },
      { actor_name: "unknown", target_id: null },
      { actor_name: ada.email, target_id: id },
    ]);
  });

  test("S8 of a session the digest is stored; neither a script nor the log sees its token", async () => {
    await using place = await startTestConsole(await make());
    await place.users.create(ada, { operator: false }, system);
    const browser = place.browser();
    const answer = await browser.signIn(ada.email, ada.password);
    const [name, cookie = ""] = [...browser.cookies][0] ?? [];
    expect(name).toBe("interlingua-sid");
    const set = answer.headers.get("set-cookie") ?? "";
    expect(set).toMatch(/; HttpOnly/);
    expect(set).toMatch(/; SameSite=Strict/);
    expect(set).toMatch(/; Path=\//);
    expect(set).not.toMatch(/Secure/);
    const token = decodeURIComponent(cookie).split(".")[0] ?? "";
    // 256 bits.
    expect(Buffer.from(token, "base64url")).toHaveLength(32);
    const rows = await place.database.read.selectFrom("user_session").selectAll().execute();
    expect(rows).toHaveLength(1);
    for (const seen of [JSON.stringify(rows), JSON.stringify(answer.body), place.log.join()])
      expect(seen).not.toContain(token);
    expect(JSON.stringify(answer.body) + place.log.join()).not.toContain(ada.password);
  });

  test("S8 behind https the cookie is __Host-, Secure and bound to the configured address", async () => {
    await using place = await startTestConsole(await make(), { url: "https://gateway.example.com" });
    await place.users.create(ada, { operator: false }, system);
    const browser = place.browser();
    const answer = await browser.signIn(ada.email, ada.password);
    expect(answer.headers.get("set-cookie")).toMatch(/^__Host-sid=[^;]+;.*Secure/);
    expect((await browser.get("/api/v1/me")).status).toBe(200);
    const local = await browser.post("/api/auth/sign-out", {}, { origin: place.address });
    expect(local).toMatchObject({ status: 403, body: { error: { code: "foreign_page" } } });
  });

  test("S8 a session ends after eight hours without use, and after a day whatever is done", async () => {
    await using place = await startTestConsole(await make());
    await place.users.create(ada, { operator: false }, system);
    const hour = 3_600_000;
    const status = async () => (await browser.get("/api/v1/me")).status;
    const browser = place.browser();
    await browser.signIn(ada.email, ada.password);
    place.platform.shift(8 * hour - 60_000);
    expect(await status()).toBe(200);
    place.platform.shift(8 * hour - 60_000);
    expect(await status()).toBe(200);
    place.platform.shift(7 * hour);
    expect(await status()).toBe(200);
    // 23 hours are over, less two minutes.
    place.platform.shift(hour + 2 * 60_000);
    expect(await status()).toBe(401);

    await browser.signIn(ada.email, ada.password);
    place.platform.shift(8 * hour);
    expect(await status()).toBe(401);
  });

  test("S8 sessions end at once when the user is disabled, gets another password or role, or signs out", async () => {
    await using place = await startTestConsole(await make());
    const { id } = await place.users.create(ada, { operator: false }, system);
    const browser = place.browser();
    const signedIn = async () => (await browser.get("/api/v1/me")).status === 200;
    const end = async (what: () => Promise<unknown>, password = ada.password) => {
      await browser.signIn(ada.email, password);
      expect(await signedIn()).toBe(true);
      await what();
      expect(await signedIn()).toBe(false);
    };
    await end(() => place.users.setRole(id, "acct_default", "member", system));
    await end(() => place.users.endSessions(id, system));
    await end(() => browser.post("/api/auth/sign-out", {}));
    await end(() => place.users.resetPassword(id, "another good long one", system));
    await end(() => place.users.setDisabled(id, true, system), "another good long one");
  });

  test("S8 a session that began while its user was being disabled is none", async () => {
    await using place = await startTestConsole(await make());
    const { id } = await place.users.create(ada, { operator: false }, system);
    const browser = place.browser();
    await browser.signIn(ada.email, ada.password);
    const { build } = place.database;
    const disable = (at: number | null) =>
      place.database.write([build.updateTable("user").set({ disabled_at: at }).where("id", "=", id).compile()]);
    await disable(1);
    expect((await browser.get("/api/v1/me")).status).toBe(401);
    await disable(null);
    expect((await browser.get("/api/v1/me")).status).toBe(200);
  });

  test("S8 a new password ends the other sessions and gives this one a new id", async () => {
    await using place = await startTestConsole(await make());
    await place.users.create(ada, { operator: false }, system);
    const [one, other] = [place.browser(), place.browser()];
    await one.signIn(ada.email, ada.password);
    await other.signIn(ada.email, ada.password);
    const before = one.cookies.get("interlingua-sid");
    const change = (newPassword: string) =>
      one.post("/api/auth/change-password", { currentPassword: ada.password, newPassword });
    expect(await change("password1234")).toMatchObject({ status: 400, body: { error: { field: "newPassword" } } });
    expect((await change("another good long one")).status).toBe(200);
    expect(one.cookies.get("interlingua-sid")).not.toBe(before);
    expect((await one.get("/api/v1/me")).status).toBe(200);
    expect((await other.get("/api/v1/me")).status).toBe(401);
    expect(await place.actions()).toContain("user.password_changed");
  });

  test("S8 the sixth try of a minute is refused before the password is looked at", async () => {
    await using place = await startTestConsole(await make());
    await place.users.create(ada, { operator: false }, system);
    const browser = place.browser();
    for (let turn = 0; turn < 5; turn++) expect((await browser.signIn(ada.email, `wrong ${turn}`)).status).toBe(401);
    const blocked = await browser.signIn(ada.email, ada.password);
    expect(blocked).toMatchObject({ status: 429, body: { error: { code: "too_many_tries" } } });
    expect(blocked.headers.get("retry-after")).toBe("60");
    place.platform.shift(60_000);
    expect((await browser.signIn(ada.email, ada.password)).status).toBe(200);
  });
});
