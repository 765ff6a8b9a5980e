import { expect, test } from "vitest";
import { describeEngines } from "../../testing/database-engines.ts";
import { startTestConsole } from "../../testing/test-console.ts";

const system = { kind: "command", id: null, name: "command line", address: null } as const;
const password = "a long and good one";
const path = "/api/v1/accounts/acct_default/saved-views";

describeEngines((make) => {
  test("A7 views belong to their user alone; each change of one is recorded", async () => {
    await using place = await startTestConsole(await make());
    const signedIn = async (email: string) => {
      await place.users.create({ email, name: "Somebody", password }, { operator: false }, system);
      await place.users.setRole(email, "acct_default", "viewer", system);
      const browser = place.browser();
      await browser.signIn(email, password);
      return browser;
    };
    const ada = await signedIn("ada@example.com");
    const eve = await signedIn("eve@example.com");
    const view = { name: "Failures", search: { failed: "true", range: "24h" } };
    const made = await ada.post(path, view);
    expect(made).toMatchObject({ status: 201, body: view });
    const one = `${path}/${made.body.id}`;

    expect((await eve.get(path)).body).toEqual({ items: [] });
    expect((await eve.send("PATCH", one, { name: "Mine" })).status).toBe(404);
    expect((await eve.send("DELETE", one)).status).toBe(404);
    // Another user may take the same name; the same user may not.
    expect((await eve.post(path, view)).status).toBe(201);
    expect(await ada.post(path, view)).toMatchObject({ status: 409, body: { error: { code: "name_taken" } } });

    expect((await ada.send("PATCH", one, { name: "Broken" })).body).toMatchObject({
      name: "Broken",
      search: view.search,
    });
    expect((await ada.get(path)).body.items).toMatchObject([{ id: made.body.id, name: "Broken" }]);
    expect((await ada.send("DELETE", one)).status).toBe(204);
    expect((await ada.get(path)).body).toEqual({ items: [] });
    expect((await place.actions()).filter((action) => action.startsWith("saved_view."))).toEqual([
      "saved_view.created",
      "saved_view.created",
      "saved_view.changed",
      "saved_view.deleted",
    ]);
  });

  test("A8 operators have views over all accounts, which nobody else reaches", async () => {
    await using place = await startTestConsole(await make());
    for (const [email, operator] of [
      ["root@example.com", true],
      ["ada@example.com", false],
    ] as const) {
      await place.users.create({ email, name: "Somebody", password }, { operator }, system);
    }
    const root = place.browser();
    await root.signIn("root@example.com", password);
    expect((await root.post("/api/v1/saved-views", { name: "All", search: {} })).status).toBe(201);
    expect((await root.get(path)).body).toEqual({ items: [] });
    const wrong = await root.post("/api/v1/saved-views", { name: "All", search: {}, user_id: "usr_1" });
    expect(wrong).toMatchObject({ status: 400, body: { error: { field: "user_id" } } });
    const ada = place.browser();
    await ada.signIn("ada@example.com", password);
    expect((await ada.get("/api/v1/saved-views")).status).toBe(403);
  });
});
