import { expect, test } from "vitest";
import { describeEngines, type MakeDatabase } from "../../testing/database-engines.ts";
import { startTestConsole } from "../../testing/test-console.ts";

const system = { kind: "command", id: null, name: "command line", address: null } as const;
const password = "a long and good one";
const path = "/api/v1/routing-rules";
const explain = "/api/v1/routing/explain";

async function openConsole(make: MakeDatabase) {
  const common = {
    protocols: ["messages"] as const,
    headers: {},
    models: [{ id: "m" }],
    status: "operational" as const,
  };
  const declared = ["one", "two"].map((name) => ({ ...common, name, baseUrl: `https://${name}.example.com` }));
  const place = await startTestConsole(await make(), { declared });
  await place.users.create({ email: "root@example.com", name: "Root", password }, { operator: true }, system);
  const root = place.browser();
  await root.signIn("root@example.com", password);
  const way = async (query: string) => {
    const { body } = await root.get(`${explain}?client_protocol=messages&${query}`);
    return {
      ...body,
      tried: body.steps
        ?.filter((step: { place: unknown }) => step.place !== null)
        .map((step: { channel: string }) => step.channel),
    };
  };
  return Object.assign(place, { root, way });
}

describeEngines((make) => {
  test("S16 rules are made, ordered, changed and deleted, each with its entry, and hold at once", async () => {
    await using place = await openConsole(make);
    const { root, way } = place;
    expect(await way("model=m")).toMatchObject({ outcome: "candidates", rules: [], tried: ["one", "two"] });

    const only = await root.post(path, { model: "m*", action: { kind: "only", channels: ["two"] }, note: "Cheaper" });
    expect(only).toMatchObject({ status: 201, body: { enabled: true, missing_channels: [], version: 1 } });
    const refuse = await root.post(path, {
      account_id: "acct_default",
      action: { kind: "refuse", message: "Not today." },
    });
    expect(refuse.body).toMatchObject({ account_name: "default" });
    expect(await way("model=m")).toMatchObject({
      tried: ["two"],
      rules: [{ misfit: null, rule: { id: only.body.id } }],
    });

    const order = [refuse.body.id, only.body.id];
    expect((await root.send("PUT", path, { order })).body.items.map(({ id }: { id: string }) => id)).toEqual(order);
    expect(await way("model=m&account_id=acct_default")).toMatchObject({ outcome: "refused", steps: [] });
    expect(await way("model=m")).toMatchObject({ tried: ["two"], rules: [{ misfit: "account" }, { misfit: null }] });
    for (const wrong of [order.slice(1), [...order, only.body.id], [refuse.body.id, "rule_unknown"]]) {
      expect((await root.send("PUT", path, { order: wrong })).status).toBe(409);
    }

    const one = `${path}/${only.body.id}`;
    expect((await root.send("PATCH", one, { version: 1, enabled: false })).body).toMatchObject({
      enabled: false,
      version: 2,
    });
    expect(await way("model=m")).toMatchObject({ tried: ["one", "two"] });
    expect((await root.send("PATCH", one, { version: 1, enabled: true })).status).toBe(409);
    expect((await root.send("DELETE", one)).status).toBe(204);
    expect((await root.send("DELETE", one)).status).toBe(404);
    expect((await place.actions()).filter((action) => action.startsWith("routing_"))).toEqual([
      "routing_rule.created",
      "routing_rule.created",
      "routing_rules.ordered",
      "routing_rule.changed",
      "routing_rule.deleted",
    ]);
  });

  test("A8 a rule about what is not there, or of a shape that rules do not have, is refused by its field", async () => {
    await using place = await openConsole(make);
    const action = { kind: "prefer", channels: ["one"] };
    for (const [rule, field] of [
      [{ action: { kind: "only", channels: ["three"] } }, "action.channels"],
      [{ action, account_id: "acct_nobody" }, "account_id"],
      [{ action, access_key_id: "key_nobody" }, "access_key_id"],
      [{ action, model: "no spaces" }, "model"],
      [{ action: { kind: "rewrite", model: "a*" } }, "action.model"],
      [{ action: { kind: "rewrite", model: "a", channels: ["one"] } }, "action.channels"],
      [{ action, position: 1 }, "position"],
    ] as const) {
      const answer = await place.root.post(path, rule);
      expect([answer.status, answer.body.error?.field]).toEqual([400, field]);
    }
    expect((await place.root.get(path)).body).toEqual({ items: [], next: null });
  });

  test("O2 a rule that cannot be read takes no part and says why", async () => {
    await using place = await openConsole(make);
    const { root, database, way } = place;
    const made = await root.post(path, { action: { kind: "refuse", message: "Never." } });
    const broken = database.build
      .updateTable("routing_rule")
      .set({ action: '{"kind":"explode"}' })
      .where("id", "=", made.body.id);
    await database.write([broken.compile()]);
    await root.post(path, { action: { kind: "prefer", channels: ["two"] } });
    expect(await way("model=m")).toMatchObject({ outcome: "candidates", tried: ["two", "one"] });
    const [listed] = (await root.get(path)).body.items;
    expect(listed).toMatchObject({ id: made.body.id, action: null, rejected: expect.stringContaining("action") });
    const one = `${path}/${made.body.id}`;
    expect(await root.send("PATCH", one, { version: 1, note: "x" })).toMatchObject({ status: 400 });
    const mended = { version: 1, action: { kind: "refuse", message: "Never." } };
    expect((await root.send("PATCH", one, mended)).body).toMatchObject({ rejected: null });
    expect(await way("model=m")).toMatchObject({ outcome: "refused" });
  });
});
