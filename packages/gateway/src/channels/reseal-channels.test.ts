import { expect, test } from "vitest";
import { openDatabase } from "../storage/open-database.ts";
import { createSealer } from "../storage/sealed-value.ts";
import { describeEngines } from "../testing/database-engines.ts";
import { testPlatform } from "../testing/test-platform.ts";
import { placeOf, sealFor } from "./channel-rows.ts";
import { resealChannels } from "./reseal-channels.ts";

const { randomBytes } = testPlatform();
const sealerOf = (secret: string, formerSecret?: string) =>
  createSealer({
    secret: Buffer.from(secret),
    formerSecrets: formerSecret === undefined ? [] : [Buffer.from(formerSecret)],
    purpose: "channel credentials",
    randomBytes,
  });

describeEngines((make) => {
  test("S17 credentials are brought under the secret in use, and the former one may be forgotten", async () => {
    using made = await make();
    const database = await openDatabase(made.config);
    const former = sealerOf("former");
    const row = (id: string, credential: Uint8Array | null, headers: Uint8Array | null) =>
      database.build
        .insertInto("channel")
        .values({
          ...{ id, name: id, protocols: "[]", models: "[]", base_url: "https://example.com", credential, headers },
          ...{ credential_header: null, setting: "operational", priority: 0, weight: null, on_disconnect: null },
          ...{ note: null, created_at: 0, updated_at: 0, version: 1 },
        })
        .compile();
    await database.write([
      row("chn_1", sealFor(former, "chn_1", "credential", "key"), sealFor(former, "chn_1", "headers", "{}")),
      row("chn_2", null, null),
      row("chn_3", sealFor(sealerOf("unknown"), "chn_3", "credential", "lost"), null),
    ]);
    await resealChannels(database, sealerOf("current", "former"));
    const rows = await database.read
      .selectFrom("channel")
      .select(["id", "credential", "headers"])
      .orderBy("id")
      .execute();
    const opened = (column: "credential" | "headers") => {
      const sealed = rows[0]?.[column];
      return sealed && Buffer.from(sealerOf("current").open(placeOf("chn_1", column), sealed)).toString();
    };
    expect([opened("credential"), opened("headers")]).toEqual(["key", "{}"]);
    expect(rows[1]).toEqual({ id: "chn_2", credential: null, headers: null });
    // What opens by no secret stays as it is: the secret it needs may be named at the next start.
    const lost = rows[2]?.credential;
    expect(lost && Buffer.from(sealerOf("unknown").open(placeOf("chn_3", "credential"), lost)).toString()).toBe("lost");
    await database.close();
  });
});
