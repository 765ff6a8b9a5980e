import { expect, test } from "vitest";
import { createCodeDigests } from "../../payments/code-text.ts";
import { createRedemptionCodes } from "../../payments/redemption-codes.ts";
import { type ConsoleWithAccount, consoleWithAccount } from "../../testing/console-with-account.ts";
import { describeEngines } from "../../testing/database-engines.ts";

const path = "/api/v1/accounts/acct_default";
const system = { kind: "command", id: null, name: "command line", address: null } as const;
const bytes = new TextEncoder().encode("a secret of the tests, long enough to be one");
const providers = [{ name: "stripe", scheme: "stripe" as const, secret: "0123456789abcdef", toleranceMs: 1000 }];

function codesOf({ database, platform }: ConsoleWithAccount) {
  const digests = createCodeDigests({ bytes });
  return createRedemptionCodes({ database, platform, digests });
}

describeEngines((make) => {
  test("M13 a code is worth its amount once, and every code that is not good gets one answer", async () => {
    await using place = await consoleWithAccount(make);
    const codes = codesOf(place);
    const [good, revoked, expired] = await codes.create({ amount: 5_000n, count: 3 }, system);
    if (!good || !revoked || !expired) throw new Error("Three were made");
    await codes.revoke(revoked.id, system);
    const { build, write } = place.database;
    await write([build.updateTable("redemption_code").set({ expires_at: 1 }).where("id", "=", expired.id).compile()]);
    const [member, viewer] = [await place.signedIn("member"), await place.signedIn("viewer")];
    const redeem = (code: string) => member.post(`${path}/redemptions`, { code });
    expect((await viewer.post(`${path}/redemptions`, { code: good.code })).status).toBe(403);
    expect(await redeem(good.code)).toMatchObject({ status: 201, body: { amount: "5000", balance: "5000" } });
    const refusals = await Promise.all([good.code, revoked.code, expired.code, "ilr_nonsense"].map(redeem));
    for (const { status, body } of refusals) {
      const { request_id: _, ...error } = body.error;
      expect({ status, error }).toEqual({
        status: 400,
        error: { code: "code_not_good", message: "This code is not good, or not any more.", field: "code" },
      });
    }
    expect((await place.actions()).filter((action) => action === "account.redeemed")).toHaveLength(1);
    expect((await member.get(`${path}/ledger?kind=redemption`)).body.items).toMatchObject([
      { amount: "5000", actor_name: "The member", reference: good.id },
    ]);
  });

  test("A6 who tries many codes has to wait, also with a good one", async () => {
    await using place = await consoleWithAccount(make);
    const [good] = await codesOf(place).create({ amount: 5_000n, count: 1 }, system);
    const member = await place.signedIn("member");
    for (let tried = 0; tried < 10; tried += 1) await member.post(`${path}/redemptions`, { code: "ilr_x" });
    const refused = await member.post(`${path}/redemptions`, { code: good?.code });
    expect(refused).toMatchObject({ status: 429, body: { error: { code: "too_many_tries" } } });
    place.platform.shift(3_600_001);
    const again = await place.signedIn("owner");
    expect((await again.post(`${path}/redemptions`, { code: good?.code })).status).toBe(201);
  });

  test("orders are made where there is a provider, listed, and cancelled by their own account", async () => {
    await using place = await consoleWithAccount(make, { payments: { providers } });
    const [member, operator] = [await place.signedIn("member"), await place.signedIn("operator")];
    const made = await member.post(`${path}/orders`, { amount_minor: 1250 });
    expect(made).toMatchObject({ status: 201, body: { state: "open", currency: "usd", credit: "12500000000" } });
    await member.post(`${path}/orders`, { amount_minor: 100 });
    const first = await member.get(`${path}/orders?limit=1`);
    expect(first.body).toMatchObject({ providers: ["stripe"], items: [{ amount_minor: 100 }] });
    const second = await member.get(`${path}/orders?limit=1&cursor=${first.body.next}`);
    expect(second.body).toMatchObject({ next: null, items: [{ id: made.body.id }] });
    const cancel = (account: string) => operator.post(`/api/v1/accounts/${account}/orders/${made.body.id}/cancel`, {});
    expect((await cancel("acct_2")).status).toBe(404);
    expect((await cancel("acct_default")).body.state).toBe("cancelled");
    expect((await cancel("acct_default")).status).toBe(409);
    for (const amount_minor of [99, 1.5, 1_000_001]) {
      expect((await member.post(`${path}/orders`, { amount_minor })).status).toBe(400);
    }
    for (let open = 1; open < 20; open += 1) await member.post(`${path}/orders`, { amount_minor: 100 });
    const over = await member.post(`${path}/orders`, { amount_minor: 100 });
    expect(over).toMatchObject({ status: 409, body: { error: { code: "too_many_orders" } } });
  });

  test("without a provider nobody makes orders", async () => {
    await using place = await consoleWithAccount(make);
    const member = await place.signedIn("member");
    expect((await member.get(`${path}/orders`)).body).toEqual({ items: [], next: null, providers: [] });
    const refused = await member.post(`${path}/orders`, { amount_minor: 100 });
    expect(refused).toMatchObject({ status: 409, body: { error: { code: "no_payment_provider" } } });
  });
});
