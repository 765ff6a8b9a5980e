import { expect, test } from "vitest";
import { accessScene, actor, address } from "../testing/access-scene.ts";
import { describeEngines } from "../testing/database-engines.ts";
import { publicIdOf } from "./access-key-form.ts";

const day = 86_400_000;

describeEngines((make) => {
  const stage = () => accessScene(make);
  type Scene = Awaited<ReturnType<typeof stage>>;

  const good = async (scene: Scene, key: string, from = address) => {
    const result = await scene.authenticator.authenticate(key, from);
    return result.ok ? "good" : result.reason;
  };
  const audit = (scene: Scene) =>
    scene.database.read
      .selectFrom("audit_event")
      .select(["action", "actor_name", "target_id", "account_id", "detail"])
      .orderBy("sequence")
      .execute();

  test("all that is set of a key is shown, and reaches the call", async () => {
    await using scene = await stage();
    const { id: accountId } = await scene.accounts.create({ name: "Acme Inc.", markupPpm: 1_100_000 }, actor);
    const settings = {
      lossy: "refuse",
      limits: { concurrency: 3 },
      expiresAt: scene.platform.now() + day,
      models: ["gpt-5.2", "claude-*"],
      addresses: ["192.0.2.0/24", "2001:db8::1"],
      quota: { amount: 25_000_000_001n, period: "month" },
      contentLogging: true,
    } as const;
    const { key, info } = await scene.keys.create({ name: "ci", account: "Acme Inc.", ...settings }, actor);
    expect(info).toMatchObject({
      ...settings,
      name: "ci",
      account: { id: accountId, name: "Acme Inc." },
      state: "enabled",
      origin: "command",
      formerSecrets: [],
    });
    expect(await scene.keys.show("ci")).toEqual(info);
    const result = await scene.authenticator.authenticate(key, address);
    expect(result).toMatchObject({
      ok: true,
      key: {
        id: info.id,
        accountId,
        account: { id: accountId, name: "Acme Inc.", billing: "prepaid", markupPpm: 1_100_000, limits: {} },
        lossy: "refuse",
        quota: settings.quota,
        contentLogging: true,
      },
    });
    const models = result.ok ? result.key.models : null;
    expect(["gpt-5.2", "claude-x", "gpt-5", "x-claude-x"].map((model) => models?.allows(model))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test("6.1 an empty list is nothing, no list is all; both can be set back", async () => {
    await using scene = await stage();
    const { key } = await scene.keys.create({ name: "ci", models: [], addresses: [] }, actor);
    expect(await good(scene, key)).toBe("address");
    await scene.keys.set("ci", { addresses: null }, actor);
    await scene.poll();
    const result = await scene.authenticator.authenticate(key, address);
    expect(result.ok && result.key.models?.allows("gpt-5.2")).toBe(false);
    expect(await scene.keys.set("ci", { models: null, quota: null }, actor)).toMatchObject({
      models: null,
      addresses: null,
    });
    await scene.poll();
    expect(await scene.authenticator.authenticate(key, address)).toMatchObject({ ok: true, key: { models: null } });
  });

  test("A2 addresses and expiry of a key hold from the next poll on; null takes them back", async () => {
    await using scene = await stage();
    const { key } = await scene.keys.create({ name: "ci" }, actor);
    expect(await good(scene, key)).toBe("good");
    await scene.keys.set("ci", { addresses: ["10.0.0.0/8"] }, actor);
    await scene.poll();
    expect(await good(scene, key)).toBe("address");
    expect(await good(scene, key, "10.1.2.3")).toBe("good");
    const info = await scene.keys.set("ci", { addresses: null, expiresAt: scene.platform.now() }, actor);
    expect(info.state).toBe("expired");
    await scene.poll();
    expect(await good(scene, key)).toBe("expired");
    expect((await scene.keys.set("ci", { expiresAt: null }, actor)).state).toBe("enabled");
    await scene.poll();
    expect(await good(scene, key)).toBe("good");
  });

  test("a rotated key is good by its new secret and, until the grace ends, by its former one", async () => {
    await using scene = await stage();
    const first = await scene.keys.create({ name: "ci", models: ["m"] }, actor);
    expect(await good(scene, first.key)).toBe("good");
    const second = await scene.keys.rotate("ci", 60_000, actor);
    expect(second.info).toMatchObject({ id: first.info.id, publicId: publicIdOf(second.key), models: ["m"] });
    expect(second.info.formerSecrets).toEqual([
      { publicId: first.info.publicId, expiresAt: scene.platform.now() + 60_000 },
    ]);
    expect(second.key).not.toBe(first.key);
    await scene.poll();
    const results = [first.key, second.key].map((key) => scene.authenticator.authenticate(key, address));
    for (const result of await Promise.all(results)) expect(result).toMatchObject({ key: { id: first.info.id } });
    scene.platform.stall(59_499);
    await scene.poll();
    expect([await good(scene, first.key), await good(scene, second.key)]).toEqual(["expired", "good"]);
    expect((await scene.keys.show("ci")).formerSecrets).toEqual([]);
  });

  test("A4 a key and its former secrets are found by one read", async () => {
    await using scene = await stage();
    const { key } = await scene.keys.create({ name: "ci" }, actor);
    const rotated = await scene.keys.rotate("ci", 60_000, actor);
    await scene.poll();
    for (const secret of [key, rotated.key]) {
      const before = scene.reads();
      expect(await good(scene, secret)).toBe("good");
      expect(scene.reads()).toBe(before + 1);
    }
  });

  test("a grace of 0 ends all former secrets at once", async () => {
    await using scene = await stage();
    const { key: first } = await scene.keys.create({ name: "ci" }, actor);
    const { key: second } = await scene.keys.rotate("ci", 60_000, actor);
    const { key: third, info } = await scene.keys.rotate("ci", 0, actor);
    expect(info.formerSecrets).toEqual([]);
    await scene.poll();
    expect([await good(scene, first), await good(scene, second), await good(scene, third)]).toEqual([
      "unknown",
      "unknown",
      "good",
    ]);
  });

  test("five former secrets are good at a time: a sixth is refused, and one that has ended makes room", async () => {
    await using scene = await stage();
    await scene.keys.create({ name: "ci" }, actor);
    for (let rotation = 0; rotation < 5; rotation++) await scene.keys.rotate("ci", 1000 + rotation, actor);
    await expect(scene.keys.rotate("ci", 1000, actor)).rejects.toMatchObject({ code: "refused" });
    scene.platform.stall(1000);
    expect((await scene.keys.rotate("ci", 1000, actor)).info.formerSecrets).toHaveLength(5);
    const rows = await scene.database.read.selectFrom("former_secret").selectAll().execute();
    expect(rows).toHaveLength(5);
  });

  test("a revoked key and its former secrets are refused for ever, and nothing of it can be changed", async () => {
    await using scene = await stage();
    const { key: first } = await scene.keys.create({ name: "ci" }, actor);
    const { key: second, info } = await scene.keys.rotate("ci", 60_000, actor);
    expect((await scene.keys.revoke("ci", actor)).state).toBe("revoked");
    await scene.poll();
    expect([await good(scene, first), await good(scene, second)]).toEqual(["unknown", "revoked"]);
    for (const change of [
      () => scene.keys.setState(info.id, "enabled", actor),
      () => scene.keys.set(info.id, { name: "other" }, actor),
      () => scene.keys.rotate(info.id, 0, actor),
      () => scene.keys.revoke(info.id, actor),
    ]) {
      await expect(change()).rejects.toMatchObject({ code: "final" });
    }
    expect((await scene.keys.create({ name: "ci" }, actor)).info.state).toBe("enabled");
    expect((await scene.keys.show("ci")).state).toBe("enabled");
  });

  test("M10 what was read before a change is not written over it: neither a state nor a secret comes back", async () => {
    await using scene = await stage();
    await scene.keys.create({ name: "ci" }, actor);
    // Both have read the key before either has written.
    const [revoked, enabled] = await Promise.allSettled([
      scene.keys.revoke("ci", actor),
      scene.keys.setState("ci", "disabled", actor),
    ]);
    expect(revoked.status).toBe("fulfilled");
    if (enabled.status === "rejected") expect(enabled.reason).toMatchObject({ code: "conflict" });
    expect((await scene.keys.show("ci")).state).toBe("revoked");

    await scene.keys.create({ name: "two" }, actor);
    const rotations = await Promise.allSettled([
      scene.keys.rotate("two", 1000, actor),
      scene.keys.rotate("two", 1000, actor),
    ]);
    const won = rotations.filter((rotation) => rotation.status === "fulfilled");
    const lost = rotations.filter((rotation) => rotation.status === "rejected");
    expect([won.length, lost.length]).toEqual([1, 1]);
    expect(lost[0]?.reason).toMatchObject({ code: "conflict" });
    expect((await scene.keys.show("two")).formerSecrets).toHaveLength(1);
  });

  test("A7 keys of another account do not exist for who names an account; names are unique within one", async () => {
    await using scene = await stage();
    const { id: ours } = await scene.accounts.create({ name: "ours" }, actor);
    const { id: theirs } = await scene.accounts.create({ name: "theirs" }, actor);
    const { info } = await scene.keys.create({ name: "ci", account: theirs }, actor);
    for (const key of [info.id, info.publicId, "ci"]) {
      const reference = { key, accountId: ours };
      for (const attempt of [
        () => scene.keys.show(reference),
        () => scene.keys.set(reference, { name: "x" }, actor),
        () => scene.keys.setState(reference, "disabled", actor),
        () => scene.keys.revoke(reference, actor),
        () => scene.keys.rotate(reference, 0, actor),
      ]) {
        await expect(attempt()).rejects.toMatchObject({ code: "unknown", message: `There is no access key "${key}"` });
      }
    }
    expect(await scene.keys.list({ accountId: ours })).toEqual([]);
    const { info: own } = await scene.keys.create({ name: "ci", account: ours }, actor);
    expect(await scene.keys.show({ key: "ci", accountId: ours })).toEqual(own);
    await expect(scene.keys.show("ci")).rejects.toMatchObject({ code: "ambiguous" });
    await expect(scene.keys.create({ name: "ci", account: ours }, actor)).rejects.toMatchObject({ code: "taken" });
    const other = await scene.keys.create({ name: "other", account: ours }, actor);
    await expect(scene.keys.set(other.info.id, { name: "ci" }, actor)).rejects.toMatchObject({ code: "taken" });
    await expect(scene.keys.create({ name: "x", account: "nobody" }, actor)).rejects.toMatchObject({ code: "unknown" });
    expect(await scene.keys.list()).toHaveLength(3);
  });

  test.each([
    ["name", { name: "  " }],
    ["name", { name: "a\nb" }],
    ["concurrency", { limits: { concurrency: 0 } }],
    ["requestsPerMinute", { limits: { requestsPerMinute: 1.5 } }],
    ["expiresAt", { expiresAt: Number.NaN }],
    ["models", { models: ["gpt 5"] }],
    ["models", { models: Array.from({ length: 1001 }, () => "m") }],
    ["addresses", { addresses: ["10.0.0.0/33"] }],
    ["addresses", { addresses: ["example.com"] }],
    ["quota", { quota: { amount: -1n, period: "day" } }],
    ["quota", { quota: { amount: 9_000_000_000_000_001n, period: "day" } }],
  ] as const)("a wrong %s is refused and named, case %#", async (field, settings) => {
    await using scene = await stage();
    await scene.keys.create({ name: "ci" }, actor);
    await expect(scene.keys.create({ name: "x", ...settings }, actor)).rejects.toMatchObject({
      code: "invalid",
      field,
    });
    await expect(scene.keys.set("ci", settings, actor)).rejects.toMatchObject({ code: "invalid", field });
    await expect(scene.keys.create({ name: "x", expiresAt: 1 }, actor)).rejects.toMatchObject({ field: "expiresAt" });
    await expect(scene.keys.rotate("ci", -1, actor)).rejects.toMatchObject({ code: "invalid", field: "grace" });
    expect(await scene.keys.list()).toHaveLength(1);
  });

  test("the largest quota is exact", async () => {
    await using scene = await stage();
    const quota = { amount: 9_000_000_000_000_000n, period: "total" } as const;
    const { key } = await scene.keys.create({ name: "ci", quota }, actor);
    expect(await scene.authenticator.authenticate(key, address)).toMatchObject({ key: { quota } });
  });

  test("S16 every change leaves an entry with its author, before and after, and never a secret; nothing changed, no entry", async () => {
    await using scene = await stage();
    const { key, info } = await scene.keys.create({ name: "ci", limits: { concurrency: 3 } }, actor);
    await scene.keys.set("ci", { limits: { concurrency: 4 } }, actor);
    await scene.keys.set("ci", { limits: { concurrency: 4 } }, actor);
    await scene.keys.setState("ci", "enabled", actor);
    await scene.keys.setState("ci", "disabled", actor);
    const rotated = await scene.keys.rotate("ci", 1000, actor);
    await scene.keys.revoke("ci", actor);
    const entries = await audit(scene);
    expect(entries.map(({ action }) => action)).toEqual([
      "access_key.created",
      "access_key.changed",
      "access_key.disabled",
      "access_key.rotated",
      "access_key.revoked",
    ]);
    for (const entry of entries) {
      expect(entry).toMatchObject({ actor_name: actor.name, target_id: info.id, account_id: "acct_default" });
    }
    expect(JSON.parse(entries[1]?.detail ?? "")).toEqual({ concurrency_before: 3, concurrency_after: 4 });
    expect(JSON.parse(entries[2]?.detail ?? "")).toEqual({ state_before: "enabled", state_after: "disabled" });
    const told = JSON.stringify(entries);
    for (const secret of [key, rotated.key]) expect(told).not.toContain(secret.slice(15));
    expect(scene.published.times).toBe(5);
  });

  test("A3 whoever asks for it learns on every gateway which keys' running calls are to end; others finish", async () => {
    await using scene = await stage();
    const other = await scene.start([]);
    const ended: string[] = [];
    for (const gateway of [scene.authenticator, other]) gateway.onRevoked((ids) => ended.push(...ids));
    const one = (await scene.keys.create({ name: "one" }, actor)).info.id;
    const two = (await scene.keys.create({ name: "two" }, actor)).info.id;
    await scene.keys.create({ name: "three" }, actor);
    await scene.keys.setState("three", "disabled", actor);
    await scene.poll();
    expect(ended).toEqual([]);
    await scene.keys.setState("one", "disabled", actor, { terminate: true });
    await scene.keys.revoke("two", actor, { terminate: true });
    await scene.poll();
    expect(ended).toEqual([one, two, one, two]);
    await other.close();
  });
});
