import { afterAll, beforeAll, expect, test } from "vitest";
import { describePostgres } from "../../testing/database-engines.ts";
import { insertKey } from "../../testing/example-rows.ts";
import { type PostgresServer, startPostgresServer } from "../../testing/postgres-server.ts";
import { startStallingProxy } from "../../testing/stalling-proxy.ts";
import { startTestGateway, type TestGateway } from "../../testing/test-gateway.ts";
import { openDatabase } from "../open-database.ts";

describePostgres("PostgreSQL that goes away", () => {
  let server: PostgresServer;

  beforeAll(async () => {
    const started = await startPostgresServer();
    if ("missing" in started) throw new Error(started.missing);
    server = started;
  });
  afterAll(() => server.remove());

  const gatewayOn = (database: string, maxStaleMs: number) =>
    startTestGateway({
      config: (base) => ({
        ...base,
        database: { kind: "postgres", url: server.url(database), allowUnsafe: false },
        // A watch for changes that fails while the server goes down would refuse calls before they are on record.
        auth: { ...base.auth, maxStaleMs, pollMs: 60_000 },
      }),
    });

  const call = (gateway: TestGateway, stream: boolean) =>
    gateway.post("/v1/chat/completions", {
      model: "to-messages",
      stream,
      messages: [{ role: "user", content: "Hello" }],
    });

  test("D1 D2 D3 no call without the database, no finished answer without its record, and calls again when it is back", async () => {
    await server.createDatabase("calls");
    // One that always asks the database for the key, and one that believes its memory, as within a second.
    await using asking = await gatewayOn("calls", 0);
    await using believing = await gatewayOn("calls", 60_000);
    for (const gateway of [asking, believing]) expect((await call(gateway, false)).status).toBe(200);

    await server.stop();
    const begin = performance.now();
    const refused = await call(asking, false);
    expect(performance.now() - begin).toBeLessThan(500);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "2"]);
    expect(await refused.json()).toMatchObject({ error: { code: "storage_unavailable" } });
    expect(asking.sim.requests).toHaveLength(1);

    const whole = await call(believing, false);
    expect([whole.status, whole.headers.get("retry-after")]).toEqual([503, "2"]);
    const stream = await (await call(believing, true)).text();
    expect(stream).toContain("storage_unavailable");
    expect(stream).not.toContain("[DONE]");
    // No money could be set aside, so nothing was sent (M2).
    expect(believing.sim.requests).toHaveLength(1);

    await server.start();
    for (const gateway of [asking, believing]) {
      expect((await call(gateway, false)).status).toBe(200);
      expect(await (await call(gateway, true)).text()).toContain("[DONE]");
    }
    const outcomes = async () => (await asking.calls()).map(({ status, outcome }) => `${status} ${outcome}`);
    const succeeded = Array.from({ length: 6 }, () => "200 succeeded");
    expect((await outcomes()).filter((outcome) => outcome !== "503 failed")).toEqual(succeeded);
    // The record of a call that had come past its key waits for the database, too.
    await expect.poll(async () => (await outcomes()).includes("503 failed"), { timeout: 10_000 }).toBe(true);
  });

  test.each(["fsync", "full_page_writes"])(
    "M4 a server with %s=off is refused, unless the operator wants it",
    async (setting) => {
      const name = `unsafe_${setting}`;
      await server.createDatabase(name);
      const reloaded = async (value: string) => {
        await server.run(`ALTER SYSTEM SET ${setting} = ${value}`);
        await server.stop();
        await server.start();
      };
      await reloaded("off");
      const config = { kind: "postgres", url: server.url(name), allowUnsafe: false } as const;
      await expect(openDatabase(config)).rejects.toMatchObject({
        kind: "fatal",
        message: expect.stringContaining(`${setting}=off`),
      });
      await (await openDatabase({ ...config, allowUnsafe: true })).close();
      await reloaded("on");
      await (await openDatabase(config)).close();
    },
  );

  test("D3 a network that loses everything fails reads and writes in time, and both work when it is back", async () => {
    await server.createDatabase("silent");
    const url = new URL(server.url("silent"));
    await using proxy = await startStallingProxy(Number(url.port));
    url.port = String(proxy.port);
    const database = await openDatabase({ kind: "postgres", url: url.href, allowUnsafe: false });
    proxy.stall();
    const begin = performance.now();
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 20 }, () => database.read.selectFrom("call").select("id").execute()),
      ...Array.from({ length: 20 }, (_, index) => database.write([insertKey(database, `k${index}`)])),
    ]);
    expect(performance.now() - begin).toBeLessThan(4000);
    expect(new Set(outcomes.map((outcome) => (outcome.status === "rejected" ? outcome.reason.kind : "done")))).toEqual(
      new Set(["unavailable"]),
    );
    proxy.resume();
    const back = performance.now();
    const works = async () => {
      await database.write([insertKey(database, "later")]);
      return database.read.selectFrom("access_key").select("id").where("id", "=", "later").execute();
    };
    await expect.poll(() => works().catch(() => []), { timeout: 5000 }).toEqual([{ id: "later" }]);
    expect(performance.now() - back).toBeLessThan(5000);
    await database.close();
  });

  test("D3 reads that hang are given up in time, and work when the server goes on", async () => {
    await server.createDatabase("hanging");
    const database = await openDatabase({ kind: "postgres", url: server.url("hanging"), allowUnsafe: false });
    const blocking = await openDatabase({ kind: "postgres", url: server.url("hanging"), allowUnsafe: false });
    // Holds the table, as a forgotten session or a vacuum does, for longer than a statement may take.
    const held = blocking.write([
      { sql: "LOCK TABLE call IN ACCESS EXCLUSIVE MODE", parameters: [] },
      { sql: "SET LOCAL statement_timeout = 0", parameters: [] },
      { sql: "SELECT pg_sleep(2.3)", parameters: [] },
    ]);
    const locked =
      "SELECT 1 FROM pg_locks WHERE granted AND mode = 'AccessExclusiveLock' AND relation = 'call'::regclass";
    while ((await database.write([{ sql: locked, parameters: [] }]))[0]?.changes === 0);
    const reads = Array.from({ length: 20 }, () => database.read.selectFrom("call").select("id").execute());
    const outcomes = await Promise.allSettled(reads);
    expect(outcomes.map((outcome) => (outcome.status === "rejected" ? outcome.reason.kind : "read"))).toEqual(
      Array.from({ length: 20 }, () => "unavailable"),
    );
    await held;
    expect(await database.read.selectFrom("call").select("id").execute()).toEqual([]);
    await Promise.all([database.close(), blocking.close()]);
  });
});
