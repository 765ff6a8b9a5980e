import { expect, test } from "vitest";
import { type ConsoleWithAccount, consoleWithAccount } from "../../testing/console-with-account.ts";
import { describeEngines } from "../../testing/database-engines.ts";
import { insertKey } from "../../testing/example-rows.ts";
import type { TestBrowser } from "../../testing/test-console.ts";

const path = "/api/v1/accounts/acct_default";

async function shown(browser: TestBrowser) {
  const { body } = await browser.get(`${path}/alerts`);
  return body.items.map((alert: { subject: string; threshold: number; percent: number }) => [
    alert.subject,
    alert.threshold,
    alert.percent,
  ]);
}

async function acknowledge(browser: TestBrowser): Promise<number> {
  const [alert] = (await browser.get(`${path}/alerts`)).body.items;
  return (await browser.post(`${path}/alerts/${alert.id}/acknowledge`, {})).status;
}

async function quotaKey({ database, platform }: ConsoleWithAccount, id: string, used: bigint) {
  await database.write([
    insertKey(database, id, { quota: 1000, quota_period: "total", last_used_at: platform.now() }),
    database.build
      .insertInto("quota_usage")
      .values({ access_key_id: id, quota_window: "total", used, reserved: 0n })
      .compile(),
  ]);
}

describeEngines((make) => {
  test("a prepaid account is told once of each part of its last top-up that is used, and anew after the next one", async () => {
    await using place = await consoleWithAccount(make);
    const member = await place.signedIn("member");
    await place.setAccount({ billing: "prepaid" });
    expect(await shown(member)).toEqual([]);
    await place.topUp(1000n);
    await place.spend(499n);
    expect(await shown(member)).toEqual([]);
    await place.spend(1n);
    expect(await shown(member)).toEqual([["balance", 50, 50]]);
    expect(await acknowledge(member)).toBe(204);
    await place.spend(299n);
    expect(await shown(member)).toEqual([]);
    await place.spend(1n);
    expect(await shown(member)).toEqual([["balance", 80, 80]]);
    await place.spend(200n);
    expect(await shown(member)).toEqual([["balance", 95, 100]]);
    await place.topUp(100n);
    expect(await shown(member)).toEqual([]);
    await place.spend(60n);
    expect(await shown(member)).toEqual([["balance", 50, 60]]);
  });

  test("a postpaid account is told of its credit limit, and anew after a payment", async () => {
    await using place = await consoleWithAccount(make);
    const member = await place.signedIn("member");
    await place.setAccount({ billing: "postpaid", credit_limit: 1000n });
    await place.spend(960n);
    expect(await shown(member)).toEqual([["credit_limit", 95, 96]]);
    await acknowledge(member);
    expect(await shown(member)).toEqual([]);
    await place.topUp(500n);
    await place.spend(510n);
    expect(await shown(member)).toEqual([["credit_limit", 95, 97]]);
    await place.setAccount({ credit_limit: null });
    expect(await shown(member)).toEqual([]);
  });

  test("the quotas of keys that were used are told of, most used first; a key that is off is not", async () => {
    await using place = await consoleWithAccount(make);
    const member = await place.signedIn("member");
    await quotaKey(place, "key_a", 510n);
    await quotaKey(place, "key_b", 999n);
    await quotaKey(place, "key_c", 400n);
    expect((await member.get(`${path}/alerts`)).body.items).toMatchObject([
      {
        subject: "key_quota",
        access_key: { id: "key_b", name: "key_b" },
        threshold: 95,
        percent: 99,
        used: "999",
        of: "1000",
      },
      { access_key: { id: "key_a" }, threshold: 50, percent: 51 },
    ]);
    const { build, write } = place.database;
    await write([build.updateTable("access_key").set({ state: "disabled" }).where("id", "=", "key_b").compile()]);
    expect(await shown(member)).toEqual([["key_quota", 50, 51]]);
  });

  test("S16 what somebody has seen is noted once, and recorded; who may only look may not", async () => {
    await using place = await consoleWithAccount(make);
    const [member, viewer] = [await place.signedIn("member"), await place.signedIn("viewer")];
    await quotaKey(place, "key_a", 510n);
    const [alert] = (await viewer.get(`${path}/alerts`)).body.items;
    const acknowledgePath = `${path}/alerts/${alert.id}/acknowledge`;
    expect((await viewer.post(acknowledgePath, {})).status).toBe(403);
    expect((await member.post(`${path}/alerts/alert_none/acknowledge`, {})).status).toBe(404);
    expect((await member.post(acknowledgePath, {})).status).toBe(204);
    expect((await member.post(acknowledgePath, {})).status).toBe(204);
    expect(await shown(viewer)).toEqual([]);
    expect((await viewer.get(`${path}/alerts?acknowledged=true`)).body.items).toHaveLength(1);
    expect(await place.database.read.selectFrom("alert_acknowledgement").selectAll().execute()).toHaveLength(1);
    expect((await place.actions()).filter((action) => action === "alert.acknowledged")).toHaveLength(2);
  });

  test("an owner chooses the thresholds, and what is watched at all", async () => {
    await using place = await consoleWithAccount(make);
    const [owner, member] = [await place.signedIn("owner"), await place.signedIn("member")];
    await quotaKey(place, "key_a", 510n);
    expect((await owner.get(`${path}/alert-settings`)).body).toEqual({
      thresholds: [50, 80, 95],
      balance: true,
      quotas: true,
    });
    const put = (browser: TestBrowser, body: unknown) => browser.send("PUT", `${path}/alert-settings`, body);
    expect((await put(member, { thresholds: [60], balance: true, quotas: true })).status).toBe(403);
    expect((await put(owner, { thresholds: [90, 60], balance: true, quotas: true })).body.thresholds).toEqual([60, 90]);
    expect(await shown(owner)).toEqual([]);
    await put(owner, { thresholds: [10], balance: true, quotas: true });
    expect(await shown(owner)).toEqual([["key_quota", 10, 51]]);
    await put(owner, { thresholds: [10], balance: true, quotas: false });
    expect(await shown(owner)).toEqual([]);
    for (const thresholds of [[], [0], [101], [5, 5], [1, 2, 3, 4, 5, 6], [1.5]]) {
      expect((await put(owner, { thresholds, balance: true, quotas: true })).status).toBe(400);
    }
  });
});
