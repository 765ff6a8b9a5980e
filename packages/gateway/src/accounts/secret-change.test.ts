import { expect, test } from "vitest";
import { openDatabase } from "../storage/open-database.ts";
import { createLog } from "../telemetry/log.ts";
import { actor, address, limits } from "../testing/access-scene.ts";
import { describeEngines, type TestDatabase } from "../testing/database-engines.ts";
import { testPlatform } from "../testing/test-platform.ts";
import { createKeyText } from "./access-key-form.ts";
import { createAccessKeys } from "./access-keys.ts";
import { createAuthenticator } from "./authenticator.ts";
import { createPepper } from "./pepper.ts";
import { loadSecret } from "./secret.ts";

const [first, second] = ["the first secret of these tests ....", "the second secret of these tests ..."];
const auth = { pollMs: 500, maxStaleMs: 1000, failuresPerMinute: 20 };
const foreign = "sk-an-operators-own-key-of-a-foreign-form-1";

/** A start of a gateway with this secret and these former ones; `declared`: keys of its configuration. */
async function start(made: TestDatabase, secret: string, formerSecrets: string[] = [], declared: string[] = []) {
  const platform = testPlatform();
  const database = await openDatabase(made.config);
  const config = { file: null, secret, formerSecrets, database: made.config, accounts: [], auth, limits };
  const accessKeys = declared.map((key) => ({ name: key.slice(0, 20), key, lossy: "allow" as const }));
  const log = createLog({ now: () => 0, level: "silent" });
  const every = () => () => undefined;
  const authenticator = await createAuthenticator({
    database,
    config: { ...config, accessKeys },
    platform,
    every,
    log,
  });
  const pepper = createPepper(loadSecret(config, platform));
  const keys = createAccessKeys({ database, pepper, platform });
  return {
    keys,
    id: async (key: string) => {
      const result = await authenticator.authenticate(key, address);
      return result.ok ? result.key.id : undefined;
    },
    async [Symbol.asyncDispose]() {
      await authenticator.close();
      await database.close();
    },
  };
}

async function withStart<Result>(
  options: Parameters<typeof start>,
  task: (started: Awaited<ReturnType<typeof start>>) => Promise<Result>,
): Promise<Result> {
  await using started = await start(...options);
  return await task(started);
}

describeEngines((make) => {
  test("O5 keys are good after a change of the secret, and are brought under the new one by their use", async () => {
    using made = await make();
    const { used, unused, replaced } = await withStart([made, first], async ({ keys }) => {
      const rotated = await keys.create({ name: "rotated" }, actor);
      await keys.rotate(rotated.info.id, 3_600_000, actor);
      const [used, unused] = [await keys.create({ name: "used" }, actor), await keys.create({ name: "unused" }, actor)];
      return { used, unused, replaced: rotated };
    });
    await withStart([made, second, [first]], async ({ id }) => {
      expect(await id(used.key)).toBe(used.info.id);
      expect(await id(replaced.key)).toBe(replaced.info.id);
    });
    await withStart([made, second], async ({ id }) => {
      expect(await id(used.key)).toBe(used.info.id);
      expect(await id(replaced.key)).toBe(replaced.info.id);
      expect(await id(unused.key)).toBeUndefined();
    });
  });

  test("O5 declared keys stay the same keys through a change of the secret, of our form and of any", async () => {
    using made = await make();
    const { key: own } = createKeyText(testPlatform().randomBytes);
    const declared = [foreign, own];
    const idsBy = (secret: string, former: string[]) =>
      withStart([made, secret, former, declared], ({ id }) => Promise.all(declared.map(id)));
    const before = await idsBy(first, []);
    expect(before).toEqual([expect.any(String), expect.any(String)]);
    expect(await idsBy(second, [first])).toEqual(before);
    expect(await idsBy(second, [])).toEqual(before);
  });

  test("O5 a secret that nobody knew is refused at start, and the words tell what is missing", async () => {
    using made = await make();
    await withStart([made, first], async () => undefined);
    await expect(start(made, second)).rejects.toThrow(/INTERLINGUA_FORMER_SECRETS must name the one before/);
    await expect(start(made, second, ["short"])).rejects.toThrow(
      /^INTERLINGUA_FORMER_SECRETS: the secret is too short/,
    );
  });
});
