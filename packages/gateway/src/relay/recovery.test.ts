import { type Kysely, sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createLedger } from "../accounts/ledger.ts";
import type { Config } from "../config/config.ts";
import { systemPlatform } from "../platform.ts";
import { openDatabase } from "../storage/open-database.ts";
import { dollar, paying, purseOf } from "../testing/paying-gateway.ts";
import { temporaryDirectory } from "../testing/temporary-directory.ts";
import { startTestGateway } from "../testing/test-gateway.ts";

describe("M3 M15 what a dead gateway left open", () => {
  it("is recorded as interrupted, charged by its last checkpoint, and the rest is freed", async () => {
    const directory = temporaryDirectory();
    const path = directory.file("left.db");
    const config = (base: Config): Config => ({ ...base, database: { kind: "sqlite", path } });
    await (await paying({ balance: dollar }, { config }))[Symbol.asyncDispose]();
    const database = await openDatabase({ kind: "sqlite", path });
    const ledger = createLedger({ database, platform: systemPlatform(), instanceId: "instance_dead" });
    const key = await database.read.selectFrom("access_key").select("id").executeTakeFirstOrThrow();
    const request = {
      accountId: "acct_default",
      accessKeyId: key.id,
      amount: 500_000n,
      quotaPeriod: null,
      priceVersion: null,
      startedAt: 1_767_225_600_000,
      clientProtocol: "messages",
      model: "to-messages",
      stream: true,
    } as const;
    await ledger.reserve({ ...request, callId: "call_noted" });
    await ledger.reserve({ ...request, callId: "call_bare" });
    const facts = { usage: { input: { uncached: 7 }, output: { total: 3 } }, channel: "sim", upstreamModel: "sandbox" };
    await database.write([
      database.build
        .updateTable("reservation")
        .set({ checkpoint: JSON.stringify(facts), checkpoint_charge: 37_000n })
        .where("call_id", "=", "call_noted")
        .compile(),
    ]);
    await database.close();
    await using gateway = await startTestGateway({ config });
    expect(await gateway.calls()).toMatchObject([
      { id: "call_noted", outcome: "interrupted", charge: 37_000n, usage: facts.usage, channel: "sim" },
      { id: "call_bare", outcome: "interrupted", charge: 0n, usage: null, abortReason: "process_died" },
    ]);
    expect(await purseOf(gateway)).toEqual({ balance: dollar - 37_000n, reserved: 0n });
    directory[Symbol.dispose]();
  });

  it("a second gateway is not let near the same file", async () => {
    await using gateway = await startTestGateway();
    const path = await gateway.withDatabase(async ({ read }) => {
      const { rows } = await sql<{ file: string }>`select file from pragma_database_list where name = 'main'`.execute(
        read as Kysely<unknown>,
      );
      return rows[0]?.file ?? "";
    });
    const same = (base: Config): Config => ({ ...base, database: { kind: "sqlite", path } });
    await expect(startTestGateway({ config: same })).rejects.toThrow(/another gateway serves from this file/);
  });
});
