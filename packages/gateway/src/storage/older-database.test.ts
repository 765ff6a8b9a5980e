import { expect, test } from "vitest";
import { listCalls } from "../calls/list-calls.ts";
import { describeEngines } from "../testing/database-engines.ts";
import { insertKey } from "../testing/example-rows.ts";
import { olderDatabase } from "../testing/older-database.ts";
import { openDatabase } from "./open-database.ts";

/* What older versions wrote is there after the migrations. */

/** An access key as the first version wrote it. 32 bytes, in words that both engines read. */
const oldKey = (engine: "sqlite" | "postgres") => `
  INSERT INTO access_key
    (id, public_id, name, digest, pepper_version, state, origin, lossy, created_at, expires_at, last_used_at)
  VALUES ('k1', 'p1', 'old', ${engine === "sqlite" ? "zeroblob(32)" : "decode(repeat('00', 32), 'hex')"},
    1, 'disabled', 'command', 'refuse', 1, NULL, 7)`;

/** A call as versions wrote it before calls had a price. */
const oldCall = (id: string, startedAt: number, outcome: string) => `
  INSERT INTO call
    (id, request_id, started_at, access_key_id, client_protocol, upstream_protocol, lane, channel, model, upstream_model,
     stream, status, outcome, input_uncached, output_total, server_tools, usage_estimated, notices, end_ms)
  VALUES ('${id}', 'r-${id}', ${startedAt}, 'k1', 'messages', 'responses', 'converted', 'openai', 'fast', 'gpt-5-mini',
    1, 200, '${outcome}', 201, 5, '{"web_search":1}', 0, '[{"field":"top_k","verdict":"dropped","detail":"d"}]', 300.5)`;

describeEngines((make) => {
  test("O9 a database of the first version gets the limits of keys; its keys have none of their own", async () => {
    using made = await make("new");
    await olderDatabase(made.config, "0001-access-keys-and-calls", [oldKey(made.config.kind)]);
    const database = await openDatabase(made.config);
    const row = await database.read.selectFrom("access_key").selectAll().executeTakeFirst();
    expect(row).toMatchObject({
      ...{ id: "k1", public_id: "p1", name: "old", state: "disabled", lossy: "refuse", last_used_at: 7 },
      ...{ requests_per_minute: null, tokens_per_minute: null, concurrency: null },
    });
    await expect(database.write([insertKey(database, "k2", { concurrency: 0 })])).rejects.toThrow();
    await database.close();
  });

  test("O9 keys and calls of a version without accounts belong to the default one, whole and without a charge", async () => {
    using made = await make("new");
    await olderDatabase(made.config, "0002-access-key-limits", [
      oldKey(made.config.kind),
      "UPDATE access_key SET concurrency = 3",
      oldCall("c1", 1000, "succeeded"),
      oldCall("c2", 2000, "upstream_incomplete"),
      "INSERT INTO change_sequence (entity, entity_id, changed_at) VALUES ('access_key', 'k1', 1)",
    ]);
    const database = await openDatabase(made.config);
    const key = await database.read.selectFrom("access_key").selectAll().executeTakeFirst();
    expect(key).toMatchObject({
      ...{ id: "k1", concurrency: 3, account_id: "acct_default", content_logging: 0 },
      ...{ models: null, addresses: null, quota: null, quota_period: null },
    });
    const { calls } = await listCalls(database, { limit: 10 });
    expect(calls.map(({ id, outcome }) => [id, outcome])).toEqual([
      ["c2", "upstream_incomplete"],
      ["c1", "succeeded"],
    ]);
    expect(calls[1]).toMatchObject({
      ...{ requestId: "r-c1", startedAt: 1000, accessKeyId: "k1", accountId: "acct_default", lane: "converted" },
      ...{ clientProtocol: "messages", upstreamProtocol: "responses", channel: "openai", stream: true, status: 200 },
      usage: { input: { uncached: 201 }, output: { total: 5 }, serverTools: { web_search: 1 } },
      notices: [{ field: "top_k", verdict: "dropped", detail: "d" }],
      timings: { end: 300.5 },
      ...{ reserved: 0n, charge: 0n, overrun: 0n, priceVersion: null, priceLines: [], usageDisputed: false },
    });
    const change = { entity: "access_key", entity_id: "k1", changed_at: 2 } as const;
    await database.write([database.build.insertInto("change_sequence").values(change).compile()]);
    const changes = await database.read.selectFrom("change_sequence").select("sequence").orderBy("sequence").execute();
    expect(changes).toEqual([{ sequence: 1 }, { sequence: 2 }]);
    await database.close();
  });
});
