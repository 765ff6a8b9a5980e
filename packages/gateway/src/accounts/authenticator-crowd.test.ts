import { expect, test } from "vitest";
import { accessScene, actor, address } from "../testing/access-scene.ts";
import { describeEngines } from "../testing/database-engines.ts";

describeEngines((make) => {
  test("D3 a crowd that comes with one key nobody has used yet costs two reads, and all are let in", async () => {
    await using scene = await accessScene(make);
    const { key } = await scene.keys.create({ name: "ci" }, actor);
    const before = scene.reads();
    const crowd = await Promise.all(
      Array.from({ length: 200 }, async () => scene.authenticator.authenticate(key, address)),
    );
    expect(crowd.filter(({ ok }) => ok)).toHaveLength(200);
    expect(scene.reads() - before).toBeLessThanOrEqual(2);
  });
});
