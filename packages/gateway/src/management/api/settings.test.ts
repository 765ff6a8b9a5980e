import { expect, test } from "vitest";
import { describeEngines } from "../../testing/database-engines.ts";
import { signInAs, testPassword } from "../../testing/sign-in-as.ts";
import { startTestConsole } from "../../testing/test-console.ts";

const path = "/api/v1/settings";
type Shown = { name: string; value: unknown; origin: string; default: unknown };

describeEngines((make) => {
  test("a setting is changed without a restart, recorded with before and after, and goes back to its default", async () => {
    await using place = await startTestConsole(await make());
    const root = await signInAs(place, "root@example.com", { operator: true });
    const of = (body: { items: Shown[] }, name: string) => body.items.find((item) => item.name === name);
    const before = await root.get(path);
    expect(of(before.body, "calls.retention")).toMatchObject({ value: "400d", default: "400d", origin: "default" });
    const snapshot = place.settings.current();
    const values = { "calls.retention": "30d", "limits.concurrency": 7, "content_logging.enabled": true };
    const changed = await root.send("PATCH", path, { values });
    expect(changed.status).toBe(200);
    expect(of(changed.body, "calls.retention")).toMatchObject({ value: "30d", default: "400d", origin: "console" });
    const now = place.settings.current();
    expect([now.calls.retentionMs, now.limits.concurrency, now.contentLogging.enabled]).toEqual([
      30 * 86_400_000,
      7,
      true,
    ]);
    expect(place.settings.live.limits.concurrency).toBe(7);
    // What a call has taken stays as it was.
    expect(snapshot.limits.concurrency).toBe(100);
    const reset = await root.send("PATCH", path, { values: { "limits.concurrency": null, "calls.retention": "60d" } });
    expect(of(reset.body, "limits.concurrency")).toMatchObject({ value: 100, origin: "default" });
    const entries = await place.database.read
      .selectFrom("audit_event")
      .select("detail")
      .where("action", "=", "settings.changed")
      .orderBy("sequence")
      .execute();
    expect(entries.map(({ detail }) => JSON.parse(detail))).toMatchObject([
      { "calls.retention_before": null, "calls.retention_after": "30d", "limits.concurrency_after": 7 },
      { "calls.retention_before": "30d", "calls.retention_after": "60d", "limits.concurrency_after": null },
    ]);
    const sequence = await place.database.read
      .selectFrom("change_sequence")
      .select("entity_id")
      .where("entity", "=", "setting")
      .execute();
    expect(sequence).toHaveLength(2);
  });

  test("O2 a value out of its bounds is refused with the setting's name, and nothing of the request takes effect", async () => {
    await using place = await startTestConsole(await make());
    const root = await signInAs(place, "root@example.com", { operator: true });
    for (const [name, value, code] of [
      ["calls.retention", "1h", "invalid_request"],
      ["calls.retention", 30, "invalid_request"],
      ["content_logging.retention", "31d", "invalid_request"],
      ["limits.concurrency", 0, "invalid_request"],
      ["billing.unpriced", "perhaps", "invalid_request"],
      ["console.notice", "two\nlines", "invalid_request"],
      ["listen", "0.0.0.0:80", "unknown_field"],
    ] as const) {
      const answer = await root.send("PATCH", path, { values: { "upstream.idle": "5s", [name]: value } });
      expect(answer).toMatchObject({ status: 400, body: { error: { code, field: name } } });
    }
    expect(place.settings.current().upstream.idleMs).toBe(120_000);
  });

  test("what the file names is shown as the file's and is not changed, whatever is stored", async () => {
    await using place = await startTestConsole(await make(), { named: ["calls.retention", "content_logging"] });
    const root = await signInAs(place, "root@example.com", { operator: true });
    const declared = { status: 409, body: { error: { code: "declared_in_configuration" } } };
    for (const [name, value] of [
      ["calls.retention", "30d"],
      ["content_logging.enabled", true],
    ] as const) {
      expect(await root.send("PATCH", path, { values: { [name]: value } })).toMatchObject(declared);
    }
    const row = { name: "calls.retention", value: '"30d"', version: 1, updated_at: 1, updated_by: "x" };
    await place.database.write([place.database.build.insertInto("setting").values(row).compile()]);
    await place.settings.reload();
    expect(place.settings.current().calls.retentionMs).toBe(400 * 86_400_000);
    const { items } = (await root.get(path)).body;
    expect(items.find(({ name }: Shown) => name === "calls.retention")).toMatchObject({
      origin: "file",
      value: "400d",
    });
  });

  test("O2 a stored value that is none is left out, with a word in the log; the others hold", async () => {
    await using place = await startTestConsole(await make());
    const row = { version: 1, updated_at: 1, updated_by: "x" };
    const rows = [
      { ...row, name: "calls.retention", value: "nonsense" },
      { ...row, name: "limits.concurrency", value: "0" },
      { ...row, name: "upstream.idle", value: '"9s"' },
    ];
    await place.database.write([place.database.build.insertInto("setting").values(rows).compile()]);
    await place.settings.reload();
    const { calls, limits, upstream } = place.settings.current();
    expect([calls.retentionMs, limits.concurrency, upstream.idleMs]).toEqual([400 * 86_400_000, 100, 9000]);
    expect(place.log.filter((line) => line.includes("out of its bounds"))).toHaveLength(2);
  });

  test("S8 operators without a second factor are ordinary users where they must have one; nobody locks themselves out", async () => {
    await using place = await startTestConsole(await make());
    const root = await signInAs(place, "root@example.com", { operator: true });
    const on = { values: { "sign_in.operator_two_factor": true } };
    expect(await root.send("PATCH", path, on)).toMatchObject({ status: 409, body: { error: { code: "locks_out" } } });
    const factor = (value: 0 | 1) =>
      place.database.write([
        place.database.build.updateTable("user").set({ two_factor_enabled: value }).where("id", "=", root.id).compile(),
      ]);
    await factor(1);
    expect((await root.send("PATCH", path, on)).status).toBe(200);
    expect((await root.get(path)).status).toBe(200);
    await factor(0);
    expect((await root.get(path)).status).toBe(403);
    expect((await root.get("/api/v1/accounts/acct_default")).status).toBe(404);
    expect((await root.get("/api/v1/me")).body.user).toMatchObject({ operator: false, operator_withheld: true });
  });

  test("S8 where passwords are turned off, nobody signs in by one", async () => {
    await using place = await startTestConsole(await make(), {
      oidc: [
        {
          id: "corp",
          name: "Corp",
          issuer: "https://login.example.com",
          clientId: "x",
          scopes: ["openid"],
          trustEmail: false,
        },
      ],
    });
    const root = await signInAs(place, "root@example.com", { operator: true });
    expect((await root.send("PATCH", path, { values: { "sign_in.password": false } })).status).toBe(200);
    expect((await root.get("/api/v1/sign-in-methods")).body).toMatchObject({ password: false });
    const refused = await place.browser().signIn("root@example.com", testPassword);
    expect(refused).toMatchObject({ status: 403, body: { error: { code: "password_sign_in_off" } } });
  });

  test("a notice of the operators reaches everybody who has signed in", async () => {
    await using place = await startTestConsole(await make());
    const root = await signInAs(place, "root@example.com", { operator: true });
    const ada = await signInAs(place, "ada@example.com");
    const text = "Maintenance on Sunday, 03:00 UTC";
    await root.send("PATCH", path, { values: { "console.notice": text } });
    expect((await ada.get("/api/v1/console-notice")).body).toEqual({ text });
    expect((await ada.get(path)).status).toBe(403);
    expect((await place.browser().get("/api/v1/console-notice")).status).toBe(401);
  });
});
