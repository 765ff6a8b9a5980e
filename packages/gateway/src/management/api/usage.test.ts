import { expect, test } from "vitest";
import { consoleWithAccount } from "../../testing/console-with-account.ts";
import { describeEngines } from "../../testing/database-engines.ts";

const hour = 3_600_000;
const path = "/api/v1/accounts/acct_default/usage";

describeEngines((make) => {
  test("M14 the usage of a range is that of the list of calls from its begin to its end", async () => {
    await using place = await consoleWithAccount(make);
    const begin = Math.floor(place.platform.now() / hour) * hour - 5 * hour;
    await place.record(
      ...[0, 1, 2, 3].map((index) => ({
        id: `call_${index}`,
        startedAt: begin + index * 0.7 * hour,
        model: index % 2 === 0 ? "fast" : "slow",
        charge: 100n + BigInt(index),
        ...(index === 3 ? { outcome: "failed" as const, status: 502, errorKind: "upstream_bad" as const } : {}),
      })),
      { id: "call_foreign", startedAt: begin, accountId: "acct_2", accessKeyId: "key_2" },
    );
    const viewer = await place.signedIn("viewer");
    const range = `from=${begin + 0.5 * hour}&to=${begin + 2.5 * hour}`;
    const { status, body } = await viewer.get(`${path}?${range}&dimension=model&by=hour`);
    expect(status).toBe(200);
    expect([body.from, body.to]).toEqual([begin, begin + 3 * hour]);
    const listed = await viewer.get(`/api/v1/accounts/acct_default/calls?from=${body.from}&to=${body.to}`);
    const charge = listed.body.items.reduce((sum: bigint, call: { charge: string }) => sum + BigInt(call.charge), 0n);
    expect(body.total).toMatchObject({ calls: 4, failed: 1, charge: String(charge), tokens: 4 * (201 + 15_104 + 5) });
    expect(listed.body.items).toHaveLength(body.total.calls);
    expect(
      body.groups.map((group: { value: string; sums: { charge: string } }) => [group.value, group.sums.charge]),
    ).toEqual([
      ["slow", "204"],
      ["fast", "202"],
    ]);
    expect(body.series.map((point: { total: { calls: number } }) => point.total.calls)).toEqual([2, 1, 1]);
    expect(body.other).toBeNull();
  });

  test("A7 an account's usage holds nothing of another, whatever is asked for; operators see all, with names", async () => {
    await using place = await consoleWithAccount(make);
    const startedAt = place.platform.now() - 1000;
    await place.record(
      { id: "call_1", startedAt },
      { id: "call_2", startedAt, accountId: "acct_2", accessKeyId: "key_2" },
    );
    const viewer = await place.signedIn("viewer");
    expect((await viewer.get(`${path}?key=key_2`)).body.total.calls).toBe(0);
    expect((await viewer.get("/api/v1/accounts/acct_2/usage")).status).toBe(404);
    expect((await viewer.get("/api/v1/usage")).status).toBe(403);
    expect((await viewer.get(`${path}?dimension=account`)).body.error).toMatchObject({ field: "dimension" });
    const operator = await place.signedIn("operator");
    const all = await operator.get("/api/v1/usage?dimension=account");
    expect(all.body.total.calls).toBe(2);
    expect(all.body.groups.map((group: { name: string }) => group.name).toSorted()).toEqual(["default", "second"]);
    const keys = await operator.get("/api/v1/usage?dimension=key&key=key_2");
    expect(keys.body.groups).toMatchObject([{ value: "key_2", name: "key_2", sums: { calls: 1 } }]);
  });

  test("a range that is none, or too long for its steps, is refused by its field", async () => {
    await using place = await consoleWithAccount(make);
    const viewer = await place.signedIn("viewer");
    for (const range of ["from=5&to=5", `from=0&to=${90 * 24 * hour}&by=hour`]) {
      expect(await viewer.get(`${path}?${range}`)).toMatchObject({
        status: 400,
        body: { error: { code: "invalid_request", field: "from" } },
      });
    }
  });

  test("S6 an exported name that a spreadsheet would run is a text", async () => {
    await using place = await consoleWithAccount(make);
    await place.record({ id: "call_1", startedAt: place.platform.now() - 1000, model: "=1+1", charge: 751n });
    const viewer = await place.signedIn("viewer");
    const { body, headers } = await viewer.get(`${path}/export?dimension=model`);
    expect(headers.get("content-disposition")).toContain("attachment");
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const [head, line, ...rest] = body.trim().split("\r\n");
    expect(head).toBe(
      "time,model,name,calls,succeeded,input_uncached,input_cache_read,input_cache_write,output_total,output_reasoning,charge_usd,charge_nano_usd",
    );
    expect(line).toMatch(/^[0-9T:.-]+Z,'=1\+1,,1,1,201,15104,0,5,0,0\.000000751,751$/);
    expect(rest).toEqual([]);
  });
});
