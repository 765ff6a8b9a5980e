import { expect, test } from "vitest";
import { accessScene, actor, address } from "../testing/access-scene.ts";
import { describeEngines, type MakeDatabase } from "../testing/database-engines.ts";
import { createPepper } from "./pepper.ts";
import { givePlaygroundKey, playgroundKeyMs } from "./playground-keys.ts";

const ada = { id: "usr_1", name: "Ada" };
const account = "acct_default";

async function stage(make: MakeDatabase) {
  const scene = await accessScene(make);
  const secret = "0123456789abcdef0123456789abcdef";
  const pepper = createPepper({ bytes: new TextEncoder().encode(secret), origin: "environment" });
  const options = { database: scene.database, platform: scene.platform, pepper };
  return {
    ...scene,
    give: (user = ada) => givePlaygroundKey(options, { accountId: account, user }, actor),
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  };
}

describeEngines((make) => {
  test("each user has one playground key in an account, which gets a new secret and lasts anew", async () => {
    await using scene = await stage(make);
    const first = await scene.give();
    expect(first.expiresAt).toBe(scene.platform.now() + playgroundKeyMs);
    scene.platform.stall(1000);
    const second = await scene.give();
    expect(second).toMatchObject({ id: first.id, expiresAt: first.expiresAt + 1000 });
    expect(second.key).not.toBe(first.key);
    const other = await scene.give({ id: "usr_2", name: "Ada" });
    expect(other.id).not.toBe(first.id);
    await scene.poll();
    // Another tab goes on for a while by what it was given.
    for (const { key } of [first, second, other]) {
      expect(await scene.authenticator.authenticate(key, address)).toMatchObject({ ok: true });
    }
    expect(await scene.keys.show(first.id)).toMatchObject({ name: "Playground · Ada", purpose: "playground" });
  });

  test("a playground key ends after twelve hours, and works again when it is asked for anew", async () => {
    await using scene = await stage(make);
    const { id, key } = await scene.give();
    scene.platform.stall(playgroundKeyMs);
    expect(await scene.authenticator.authenticate(key, address)).toEqual({ ok: false, reason: "expired" });
    const again = await scene.give();
    expect(again.id).toBe(id);
    await scene.poll();
    expect(await scene.authenticator.authenticate(again.key, address)).toMatchObject({ ok: true });
    expect(await scene.authenticator.authenticate(key, address)).toMatchObject({ ok: true });
    expect((await scene.keys.show(id)).formerSecrets).toHaveLength(1);
  });

  test("secrets of other tabs do not pile up", async () => {
    await using scene = await stage(make);
    const given = [];
    for (let tab = 0; tab < 8; tab++) {
      scene.platform.stall(1000);
      given.push(await scene.give());
    }
    expect((await scene.keys.show(given[0]?.id ?? "")).formerSecrets).toHaveLength(4);
    await scene.poll();
    expect(await scene.authenticator.authenticate(given[2]?.key ?? "", address)).toMatchObject({ ok: false });
    expect(await scene.authenticator.authenticate(given[3]?.key ?? "", address)).toMatchObject({ ok: true });
  });

  test("A8 a playground key that was disabled stays so for its user; one that was revoked makes room for another", async () => {
    await using scene = await stage(make);
    const { id } = await scene.give();
    await scene.keys.setState(id, "disabled", actor);
    await expect(scene.give()).rejects.toMatchObject({ code: "refused" });
    await scene.keys.revoke(id, actor);
    expect((await scene.give()).id).not.toBe(id);
  });

  test("M10 two tabs that ask at once leave one key and at least one secret that is good", async () => {
    await using scene = await stage(make);
    const asked = await Promise.allSettled([scene.give(), scene.give()]);
    const given = asked.filter((each) => each.status === "fulfilled");
    expect(given.length).toBeGreaterThanOrEqual(1);
    for (const each of asked) if (each.status === "rejected") expect(each.reason).toMatchObject({ code: "conflict" });
    const keys = await scene.keys.list();
    expect(keys).toHaveLength(1);
    for (const { value } of given) {
      expect(await scene.authenticator.authenticate(value.key, address)).toMatchObject({ ok: true });
    }
  });
});
