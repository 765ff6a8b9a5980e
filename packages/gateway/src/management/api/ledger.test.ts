import { expect, test } from "vitest";
import { listKeyLedger } from "../../accounts/list-ledger.ts";
import { consoleWithAccount } from "../../testing/console-with-account.ts";
import { describeEngines } from "../../testing/database-engines.ts";

const path = "/api/v1/accounts/acct_default";

describeEngines((make) => {
  test("M14 the ledger is told with the balance after each entry, page by page, and by kind", async () => {
    await using place = await consoleWithAccount(make);
    for (const amount of [5n, 7n, 11n]) await place.topUp(amount);
    await place.database.write([charge(place.database, "call_1", "key_1", -3n, 20n)]);
    const viewer = await place.signedIn("viewer");
    const first = await viewer.get(`${path}/ledger?limit=3`);
    expect(first.body.items).toMatchObject([
      { kind: "top_up", amount: "11", balance_after: "23", access_key_name: null },
      { kind: "top_up", amount: "7", balance_after: "12" },
      { kind: "top_up", amount: "5", balance_after: "5" },
    ]);
    const second = await viewer.get(`${path}/ledger?limit=3&cursor=${first.body.next}`);
    expect(second.body).toMatchObject({ next: null, items: [{ kind: "charge", access_key_name: "key_1" }] });
    const ids = async (query: string) =>
      (await viewer.get(`${path}/ledger?${query}`)).body.items.map(({ amount }: { amount: string }) => amount);
    expect(await ids("kind=credit")).toEqual(["11", "7", "5"]);
    expect(await ids("kind=top_up&limit=1")).toEqual(["11"]);
    expect(await ids("kind=charge")).toEqual(["-3"]);
    expect(await viewer.get(`${path}/ledger?cursor=nonsense`)).toMatchObject({
      status: 400,
      body: { error: { field: "cursor" } },
    });
  });

  test("A7 the entries of a key are those of its calls in this account alone, also where calls without one lie between", async () => {
    await using place = await consoleWithAccount(make);
    const { database } = place;
    const calls = Array.from({ length: 9 }, (_, index) => ({ id: `call_${index}`, startedAt: 1000 + index }));
    await place.record(...calls, { id: "call_x", startedAt: 1, accountId: "acct_2", accessKeyId: "key_2" });
    await database.write([
      ...[0, 4, 5, 8].map((index) => charge(database, `call_${index}`, "key_1", BigInt(-index), 0n)),
      charge(database, "call_x", "key_2", -9n, 0n, "acct_2"),
    ]);
    const viewer = await place.signedIn("viewer");
    const amounts = (items: { amount: string }[]) => items.map(({ amount }) => amount);
    expect(amounts((await viewer.get(`${path}/ledger?key=key_1`)).body.items)).toEqual(["-8", "-5", "-4", "0"]);
    expect(amounts((await viewer.get(`${path}/ledger?key=key_2`)).body.items)).toEqual([]);
    // Three calls are looked at for a page of two lines.
    const seen: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const options = { accountId: "acct_default", accessKeyId: "key_1", limit: 2, cursor };
      const page = await listKeyLedger(database, options, 3);
      seen.push(...page.entries.map(({ callId }) => callId ?? ""));
      cursor = page.nextCursor ?? undefined;
      pages += 1;
    } while (cursor !== undefined && pages < 20);
    expect(seen).toEqual(["call_8", "call_5", "call_4", "call_0"]);
  });

  test("the balance tells what is left and how long it lasts", async () => {
    await using place = await consoleWithAccount(make);
    await place.setAccount({ billing: "prepaid" });
    await place.topUp(1000n);
    await place.spend(300n);
    await place.record({ startedAt: place.platform.now(), charge: 700n });
    const viewer = await place.signedIn("viewer");
    expect((await viewer.get(`${path}/balance`)).body).toMatchObject({
      billing: "prepaid",
      balance: "700",
      available: "700",
      used_percent: 30,
      spent_7_days: "700",
      days_left: 7,
      last_top_up: { amount: "1000", balance_after: "1000" },
    });
    await place.setAccount({ billing: "postpaid", credit_limit: null });
    expect((await viewer.get(`${path}/balance`)).body).toMatchObject({
      available: null,
      days_left: null,
      used_percent: null,
    });
    expect((await viewer.get("/api/v1/accounts/acct_2/balance")).status).toBe(404);
    expect((await viewer.get("/api/v1/accounts/acct_2/ledger")).status).toBe(404);
  });
});

type Writer = Awaited<ReturnType<typeof consoleWithAccount>>["database"];

/** A charge's line, as a settlement writes it. */
function charge(
  { build }: Writer,
  callId: string,
  accessKeyId: string,
  amount: bigint,
  balance: bigint,
  account = "acct_default",
) {
  return build
    .insertInto("ledger_entry")
    .values({
      id: `entry_${callId}`,
      account_id: account,
      at: 5000,
      kind: "charge",
      amount,
      balance_after: balance,
      access_key_id: accessKeyId,
      quota_window: null,
      call_id: callId,
      reference: null,
      note: null,
      actor: "call",
    })
    .compile();
}
