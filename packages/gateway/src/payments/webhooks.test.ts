import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import type { PaymentProvider } from "../config/config.ts";
import { describeEngines, type MakeDatabase } from "../testing/database-engines.ts";
import { ledgerScene } from "../testing/ledger-scene.ts";
import { untilAvailable } from "../testing/until-available.ts";
import { cancelOrder, createOrder, listOrders } from "./payment-orders.ts";
import { createWebhooks } from "./webhooks.ts";

const actor = { kind: "command", id: null, name: "command line", address: null } as const;
const secret = "whsec_0123456789abcdef";
const providers: PaymentProvider[] = [
  { name: "stripe", scheme: "stripe", secret, toleranceMs: 300_000 },
  { name: "shop", scheme: "hmac", secret, toleranceMs: 300_000 },
];
const order = { accountId: "acct_1", amountMinor: 2000, currency: "USD", credit: 20_000_000_000n };

async function payScene(make: MakeDatabase) {
  const scene = await ledgerScene(make);
  const { database, platform } = scene;
  const webhooks = createWebhooks({ database, platform, providers });
  const { id: orderId } = await createOrder({ database, platform }, order, actor);
  return Object.assign(scene, {
    orderId,
    webhooks,
    send(event: object, provider = "stripe") {
      const body = new TextEncoder().encode(JSON.stringify(event));
      const time = Math.floor(platform.now() / 1000);
      const signature = createHmac("sha256", secret).update(`${time}.`).update(body).digest("hex");
      return webhooks.receive(provider, `t=${time},v1=${signature}`, body);
    },
    async events() {
      const rows = await database.read.selectFrom("payment_event").select(["id", "outcome"]).orderBy("id").execute();
      return rows.map((row) => `${row.id} ${row.outcome}`);
    },
  });
}

function session(id: string, fields: object): object {
  const object = { payment_status: "paid", amount_total: 2000, currency: "usd", metadata: {}, ...fields };
  return { id, type: "checkout.session.completed", object: "event", livemode: false, data: { object } };
}

function intent(id: string, orderId: string): object {
  const object = { amount_received: 2000, currency: "usd", metadata: { order_id: orderId } };
  return { id, type: "payment_intent.succeeded", data: { object } };
}

describeEngines((make) => {
  test("M13 replays, other events about the same payment and their order credit once, also all at once", async () => {
    await using scene = await payScene(make);
    const { orderId, send } = scene;
    const events = [
      intent("evt_2", orderId),
      session("evt_1", { metadata: { order_id: orderId } }),
      session("evt_3", { client_reference_id: orderId }),
    ];
    const deliveries = await Promise.all(
      Array.from({ length: 24 }, (_, index) => untilAvailable(() => send(events[index % 3] ?? {}))),
    );
    expect(deliveries.filter((each) => each.kind === "taken" && each.outcome === "credited")).toHaveLength(1);
    expect(deliveries.filter((each) => each.kind === "taken" && each.outcome === "already_paid")).toHaveLength(2);
    expect(deliveries.filter(({ kind }) => kind === "repeated")).toHaveLength(21);
    for (const event of events.toReversed()) expect(await send(event)).toEqual({ kind: "repeated" });
    expect((await scene.account()).balance).toBe(20_000_000_000n);
    expect(await listOrders(scene.database)).toMatchObject([{ id: orderId, state: "paid", currency: "usd" }]);
    const entries = await scene.database.read.selectFrom("ledger_entry").selectAll().execute();
    expect(entries).toMatchObject([{ kind: "payment", reference: orderId, actor: "payments: stripe" }]);
  });

  test("M13 a wrong amount or currency credits nothing and is an audit event; the right one still pays", async () => {
    await using scene = await payScene(make);
    const { orderId, send } = scene;
    const metadata = { order_id: orderId };
    for (const [id, fields, outcome] of [
      ["evt_1", { amount_total: 1999 }, "wrong_amount"],
      ["evt_2", { amount_total: 20_000 }, "wrong_amount"],
      ["evt_3", { currency: "vnd" }, "wrong_currency"],
    ] as const) {
      expect(await send(session(id, { metadata, ...fields }))).toEqual({ kind: "taken", outcome });
    }
    expect((await scene.account()).balance).toBe(0n);
    const told = await scene.database.read
      .selectFrom("audit_event")
      .select(["action", "detail", "target_id"])
      .where("action", "=", "payment.not_credited")
      .orderBy("sequence")
      .execute();
    expect(told).toHaveLength(3);
    expect(told[0]?.target_id).toBe(orderId);
    expect(JSON.parse(told[0]?.detail ?? "")).toEqual({
      reason: "wrong_amount",
      event: "stripe:evt_1",
      paid: "19.99 USD",
      ordered: "20.00 USD",
    });
    expect(await send(session("evt_4", { metadata }))).toEqual({ kind: "taken", outcome: "credited" });
  });

  test("M13 what pays no order of ours is recorded with its outcome and not sent again", async () => {
    await using scene = await payScene(make);
    const { orderId, send, database, platform } = scene;
    const { id: cancelled } = await createOrder({ database, platform }, order, actor);
    await cancelOrder({ database, platform }, cancelled, actor);
    await expect(cancelOrder({ database, platform }, cancelled, actor)).rejects.toMatchObject({ code: "refused" });
    await send({ id: "evt_a", type: "customer.created", data: { object: { email: "a@example.com" } } });
    await send(session("evt_b", { metadata: null }));
    await send(session("evt_c", { metadata: { order_id: "order_none" } }));
    await send(session("evt_d", { metadata: { order_id: cancelled } }));
    await send(session("evt_e", { metadata: { order_id: orderId }, payment_status: "unpaid" }));
    expect(await scene.events()).toEqual([
      "stripe:evt_a ignored",
      "stripe:evt_b no_order",
      "stripe:evt_c unknown_order",
      "stripe:evt_d cancelled",
      "stripe:evt_e ignored",
    ]);
    expect((await scene.account()).balance).toBe(0n);
  });

  test("M13 two providers may use the same id for different events", async () => {
    await using scene = await payScene(make);
    const { orderId, send } = scene;
    await send({ id: "1", type: "customer.created" });
    const event = { id: "1", type: "payment.succeeded", order_id: orderId, amount_minor: 2000, currency: "USD" };
    expect(await send(event, "shop")).toEqual({ kind: "taken", outcome: "credited" });
    expect(await send(event, "shop")).toEqual({ kind: "repeated" });
  });

  test("M13 nothing is taken by a wrong signature, and no event that is none", async () => {
    await using scene = await payScene(make);
    const { webhooks, send, orderId } = scene;
    const body = new TextEncoder().encode(JSON.stringify(intent("evt_1", orderId)));
    const forged = `t=${scene.platform.now() / 1000},v1=${"0".repeat(64)}`;
    expect(await webhooks.receive("stripe", forged, body)).toEqual({ kind: "refused", reason: "wrong" });
    expect(await webhooks.receive("nobody", forged, body)).toMatchObject({ kind: "refused" });
    for (const event of [
      [],
      { type: "x" },
      { id: 1, type: "x" },
      session("evt_2", { amount_total: -1 }),
      session("evt_3", { amount_total: 1.5 }),
      session("evt_4", { amount_total: "2000" }),
      session("evt_5", { currency: "us" }),
    ]) {
      expect(await send(event)).toEqual({ kind: "refused", reason: "not_an_event" });
    }
    expect(await scene.events()).toEqual([]);
  });

  test("M9 no order is made of nothing, of fractions or for nobody", async () => {
    await using scene = await payScene(make);
    const make2 = (more: Partial<typeof order>) => createOrder(scene, { ...order, ...more }, actor);
    for (const amountMinor of [0, -1, 1.5, Number.NaN, 2 ** 53]) {
      await expect(make2({ amountMinor })).rejects.toMatchObject({ code: "invalid", field: "amount" });
    }
    for (const credit of [0n, -1n, 1_000_000_000_000_001n]) {
      await expect(make2({ credit })).rejects.toMatchObject({ code: "invalid", field: "credit" });
    }
    await expect(make2({ currency: "dollars" })).rejects.toMatchObject({ field: "currency" });
    await expect(make2({ accountId: "nobody" })).rejects.toMatchObject({ code: "unknown" });
  });
});
