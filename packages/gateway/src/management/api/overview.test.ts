import { expect, test } from "vitest";
import { consoleWithAccount } from "../../testing/console-with-account.ts";
import { describeEngines } from "../../testing/database-engines.ts";

const hour = 3_600_000;
const day = 24 * hour;
const path = "/api/v1/accounts/acct_default/overview";

describeEngines((make) => {
  test("today is compared with yesterday by the hours that are over, in the caller's day", async () => {
    await using place = await consoleWithAccount(make);
    // Half past ten in the morning of a zone an hour ahead of UTC.
    const now = place.platform.now();
    const begin = Math.floor(now / day) * day + day - hour;
    place.platform.shift(begin + 10.5 * hour - now);
    await place.record(
      { id: "call_1", startedAt: begin - 1, charge: 1n },
      { id: "call_2", startedAt: begin, charge: 10n },
      { id: "call_3", startedAt: begin + 10.2 * hour, charge: 100n, outcome: "failed", status: 502 },
      { id: "call_4", startedAt: begin - day + 9.9 * hour, charge: 300n },
      { id: "call_5", startedAt: begin - day + 10.1 * hour, charge: 500n },
      { id: "call_6", startedAt: begin, charge: 700n, accountId: "acct_2", accessKeyId: "key_2" },
    );
    const viewer = await place.signedIn("viewer");
    const { body } = await viewer.get(`${path}?zone_minutes=60`);
    expect(body.today).toMatchObject({ from: begin, calls: 2, failed: 1, error_rate: 0.5, charge: "110" });
    expect(body.compared.today).toMatchObject({ to: begin + 10 * hour, calls: 1, charge: "10" });
    expect(body.compared.yesterday).toMatchObject({
      from: begin - day,
      to: begin - 14 * hour,
      calls: 1,
      charge: "300",
    });
    expect(body.hours).toHaveLength(24);
    expect(body.hours.at(-1)).toMatchObject({ from: begin + 10 * hour, calls: 1, error_rate: 1 });
    expect(body.hours.reduce((sum: number, { calls }: { calls: number }) => sum + calls, 0)).toBe(3);
    expect(body.last_calls.map(({ id }: { id: string }) => id)).toEqual([
      "call_3",
      "call_2",
      "call_1",
      "call_5",
      "call_4",
    ]);
    expect(body.last_calls[0].access_key_name).toBe("key_1");
  });

  test("in the first hour of a day there is nothing to compare with", async () => {
    await using place = await consoleWithAccount(make);
    const now = place.platform.now();
    place.platform.shift(Math.floor(now / day) * day + day + 0.2 * hour - now);
    const viewer = await place.signedIn("viewer");
    const { body } = await viewer.get(path);
    expect(body.compared).toBeNull();
    expect(body.today).toMatchObject({ calls: 0, error_rate: null, first_token_p95_ms: null });
  });

  test("the checklist follows an account from its first key to its second protocol", async () => {
    await using place = await consoleWithAccount(make);
    const viewer = await place.signedIn("viewer");
    const list = async () => (await viewer.get(path)).body.checklist;
    expect(await list()).toEqual({ has_key: true, has_call: false, has_success: false, protocols: [], done: false });
    await place.record({ id: "call_1", outcome: "refused", status: 400 });
    expect(await list()).toMatchObject({ has_call: true, has_success: false, protocols: ["messages"], done: false });
    await place.record({ id: "call_2" });
    expect(await list()).toMatchObject({ has_success: true, done: false });
    await place.record({ id: "call_3", clientProtocol: "responses" });
    expect(await list()).toMatchObject({ protocols: ["responses", "messages"], done: true });
  });

  test("S9 the overview of all accounts is the operators'", async () => {
    await using place = await consoleWithAccount(make);
    await place.record(
      { id: "call_1", startedAt: place.platform.now(), charge: 5n },
      {
        id: "call_2",
        startedAt: place.platform.now(),
        charge: 7n,
        accountId: "acct_2",
        accessKeyId: "key_2",
        channel: null,
      },
    );
    const owner = await place.signedIn("owner");
    expect((await owner.get("/api/v1/overview")).status).toBe(403);
    const operator = await place.signedIn("operator");
    const { body } = await operator.get("/api/v1/overview");
    expect(body.today).toMatchObject({ calls: 2, charge: "12" });
    expect(body.top_accounts).toMatchObject([
      { value: "acct_2", name: "second", sums: { charge: "7" } },
      { value: "acct_default", sums: { charge: "5" } },
    ]);
    expect(body.channels.map(({ value }: { value: string }) => value)).toEqual(["", "openai"]);
  });
});
