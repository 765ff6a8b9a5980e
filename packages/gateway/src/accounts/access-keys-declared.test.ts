import { expect, test } from "vitest";
import type { AccessKeyConfig, AccountConfig } from "../config/config.ts";
import { accessScene, actor, address, limits } from "../testing/access-scene.ts";
import { describeEngines } from "../testing/database-engines.ts";
import { createKeyText } from "./access-key-form.ts";

describeEngines((make) => {
  const stage = (declared?: AccessKeyConfig[]) => accessScene(make, declared);

  test("a declared key of any form works; when it leaves the file it is revoked, when it is back it works again", async () => {
    const declared: AccessKeyConfig = { name: "ci", key: "my-own-key.0123456789-0123456789-abc", lossy: "refuse" };
    await using scene = await stage([declared]);
    expect(await scene.authenticator.authenticate(declared.key, address)).toMatchObject({
      ok: true,
      key: { name: "ci", lossy: "refuse" },
    });
    expect(await scene.authenticator.authenticate(`${declared.key}x`, address)).toEqual({
      ok: false,
      reason: "unknown",
    });

    const replaced: AccessKeyConfig = {
      name: "ci",
      key: createKeyText(scene.platform.randomBytes).key,
      lossy: "allow",
    };
    const second = await scene.start([replaced]);
    expect(await second.authenticate(replaced.key, address)).toMatchObject({ ok: true, key: { name: "ci" } });
    expect(second.authenticate(declared.key, address)).toEqual({ ok: false, reason: "malformed" });
    await scene.poll();
    expect(await scene.authenticator.authenticate(declared.key, address)).toEqual({ ok: false, reason: "revoked" });
    await second.close();

    const third = await scene.start([declared]);
    expect(await third.authenticate(declared.key, address)).toMatchObject({ ok: true });
    await third.close();
  });

  test("gateways that start together with the same file declare a key once", async () => {
    const declared: AccessKeyConfig = { name: "ci", key: "my-own-key.0123456789-0123456789-abc", lossy: "allow" };
    await using scene = await stage();
    const both = await Promise.all([scene.start([declared]), scene.start([declared])]);
    for (const gateway of both) expect(await gateway.authenticate(declared.key, address)).toMatchObject({ ok: true });
    expect(await scene.keys.list()).toHaveLength(1);
    for (const gateway of both) await gateway.close();
  });

  test("a declared key that a command has disabled stays disabled over a restart", async () => {
    const declared: AccessKeyConfig = { name: "ci", key: "my-own-key.0123456789-0123456789-abc", lossy: "allow" };
    await using scene = await stage([declared]);
    await scene.keys.setState("ci", "disabled", actor);
    const again = await scene.start([declared]);
    expect(await again.authenticate(declared.key, address)).toEqual({ ok: false, reason: "disabled" });
    await again.close();
  });

  test("the limits of a declared key are those of the file, at every start, and no command changes them", async () => {
    const declared = { name: "ci", key: "my-own-key.0123456789-0123456789-abc", lossy: "allow" } as const;
    await using scene = await stage([{ ...declared, limits: { tokensPerMinute: 5 } }]);
    const held = async (from: typeof scene.authenticator) => {
      const result = await from.authenticate(declared.key, address);
      return result.ok ? result.key.limits : result;
    };
    expect(await held(scene.authenticator)).toEqual({ ...limits, tokensPerMinute: 5 });
    await expect(scene.keys.set("ci", { limits: { concurrency: 1 } }, actor)).rejects.toThrow(
      "declared in the configuration file",
    );
    const again = await scene.start([declared]);
    expect(await held(again)).toEqual(limits);
    await again.close();
  });

  test("a declared key belongs to the account it names, declared beside it or made before; else the start fails", async () => {
    const team: AccountConfig = {
      name: "team",
      billing: "prepaid",
      creditLimit: null,
      markupPpm: 1_000_000,
      limits: {},
    };
    await using scene = await stage();
    const declared = { name: "ci", key: "my-own-key.0123456789-0123456789-abc", lossy: "allow" } as const;
    const owner = async () => (await scene.keys.show("ci")).account.name;
    await (await scene.start([{ ...declared, account: "team" }], [team])).close();
    expect(await owner()).toBe("team");
    await (await scene.start([declared], [team])).close();
    expect(await owner()).toBe("default");
    await scene.accounts.create({ name: "Acme Inc." }, actor);
    await (await scene.start([{ ...declared, account: "Acme Inc." }])).close();
    expect(await owner()).toBe("Acme Inc.");
    await expect(scene.start([{ ...declared, account: "nobody" }])).rejects.toThrow('There is no account "nobody"');
  });

  test("all that the file sets of a key reaches the call; what it takes back is without bounds again", async () => {
    await using scene = await stage();
    const plain: AccessKeyConfig = { name: "ci", key: "my-own-key.0123456789-0123456789-abc", lossy: "allow" };
    const bounds = {
      expiresAt: scene.platform.now() + 86_400_000,
      models: ["m"],
      addresses: ["10.0.0.0/8"],
      quota: { amount: 5n, period: "day" },
      contentLogging: true,
    } as const;
    const open = { expiresAt: null, models: null, addresses: null, quota: null, contentLogging: false };
    await (await scene.start([{ ...plain, ...bounds }])).close();
    expect(await scene.keys.show("ci")).toMatchObject(bounds);
    await (await scene.start([plain])).close();
    expect(await scene.keys.show("ci")).toMatchObject(open);
  });

  test("S16 the file is the author of what it changes in the audit log, and a start that changes nothing leaves no entry", async () => {
    const declared: AccessKeyConfig = { name: "ci", key: "my-own-key.0123456789-0123456789-abc", lossy: "allow" };
    await using scene = await stage([declared]);
    for (const keys of [[declared], [{ ...declared, lossy: "refuse" } as const], []])
      await (await scene.start(keys)).close();
    const entries = await scene.database.read.selectFrom("audit_event").selectAll().orderBy("sequence").execute();
    expect(entries.map((entry) => [entry.action, entry.actor_kind, entry.actor_name])).toEqual([
      ["access_key.created", "configuration", "interlingua.yaml"],
      ["access_key.changed", "configuration", "interlingua.yaml"],
      ["access_key.revoked", "configuration", "interlingua.yaml"],
    ]);
    expect(JSON.stringify(entries)).not.toContain("0123456789-0123456789");
  });
});
