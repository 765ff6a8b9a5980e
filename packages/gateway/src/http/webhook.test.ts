import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import type { Config } from "../config/config.ts";
import { createOrder } from "../payments/payment-orders.ts";
import { systemPlatform } from "../platform.ts";
import { openDatabase } from "../storage/open-database.ts";
import { startTestGateway } from "../testing/test-gateway.ts";

const secret = "whsec_0123456789abcdef";
const platform = systemPlatform();
const actor = { kind: "command", id: null, name: "command line", address: null } as const;

async function shop() {
  let database: Config["database"] | undefined;
  const gateway = await startTestGateway({
    config: (base) => {
      database = base.database;
      return { ...base, payments: { providers: [{ name: "shop", scheme: "hmac", secret, toleranceMs: 300_000 }] } };
    },
  });
  if (!database) throw new Error("The gateway was started without a configuration");
  const opened = await openDatabase(database);
  const send = (path: string, body: string | Uint8Array, headers: Record<string, string> = {}, method = "POST") =>
    fetch(gateway.address + path, {
      method,
      headers: { "content-type": "application/json; charset=utf-8", ...headers },
      ...(method === "POST" ? { body } : {}),
    });
  return {
    gateway,
    database: opened,
    send,
    sendSigned: (body: string | Uint8Array, headers = {}) =>
      send("/webhooks/shop", body, { ...sign(body), ...headers }),
    async [Symbol.asyncDispose]() {
      await opened.close();
      await gateway[Symbol.asyncDispose]();
    },
  };
}

function sign(body: string | Uint8Array): Record<string, string> {
  const time = Math.floor(platform.now() / 1000);
  const signature = createHmac("sha256", secret).update(`${time}.`).update(body).digest("hex");
  return { "x-signature": `t=${time},v1=${signature}` };
}

test("M13 a signed event over its exact bytes pays the order, and the same again pays nothing", async () => {
  await using scene = await shop();
  const { database, sendSigned } = scene;
  const wanted = { accountId: "acct_default", amountMinor: 2000, currency: "usd", credit: 20_000_000_000n };
  const { id } = await createOrder({ database, platform }, wanted, actor);
  // White space and escapes as no parser would write them: the signature is over the bytes.
  const body = `{ "id" : "evt_1",\r\n "type":"payment.succeeded","order_id":"${id}","amount_minor":2000,"currency":"USD", "x":"\\u00e9é" }\n`;
  for (let index = 0; index < 3; index++) {
    const response = await sendSigned(body);
    expect([response.status, await response.json()]).toEqual([200, { received: true }]);
  }
  const account = await database.read.selectFrom("account").select("balance").executeTakeFirstOrThrow();
  expect(account.balance).toBe(20e9);
  expect(scene.gateway.log.filter((line) => line.includes("event of a payment provider was taken"))).toHaveLength(3);
});

test("M13 an address without a configured provider does not exist", async () => {
  await using scene = await shop();
  for (const path of ["/webhooks/stripe", "/webhooks", "/webhooks/", "/webhooks/shop/x", "/Webhooks/shop"]) {
    expect((await scene.send(path, "{}", sign("{}"))).status, path).toBe(404);
  }
  expect((await scene.send("/webhooks/shop", "", {}, "GET")).status).toBe(405);
});

test("M13 C5 what is not signed, too large, compressed or no JSON is refused by its own status", async () => {
  await using scene = await shop();
  const { send, sendSigned } = scene;
  const statusAndCode = async (sent: Promise<Response>) => {
    const response = await sent;
    const body: unknown = await response.json();
    return [response.status, body];
  };
  const refused = (status: number, code: string) => [status, { error: expect.objectContaining({ code }) }];
  const event = '{"id":"evt_1","type":"ping"}';
  expect(await statusAndCode(send("/webhooks/shop", event))).toEqual(refused(400, "invalid_signature"));
  const other = send("/webhooks/shop", `${event} `, sign(event));
  expect(await statusAndCode(other)).toEqual(refused(400, "invalid_signature"));
  expect(await statusAndCode(sendSigned("{}"))).toEqual(refused(400, "invalid_event"));
  const largest = `{"id":"evt_2","type":"ping","x":"${"x".repeat(65_536)}`.slice(0, 65_534);
  expect((await sendSigned(`${largest}"}`)).status).toBe(200);
  expect(await statusAndCode(sendSigned(`${largest}x"}`))).toEqual(refused(413, "request_too_large"));
  const packed = sendSigned(event, { "content-encoding": "gzip" });
  expect(await statusAndCode(packed)).toEqual(refused(415, "unsupported_encoding"));
  const text = sendSigned(event, { "content-type": "text/plain" });
  expect(await statusAndCode(text)).toEqual(refused(415, "unsupported_media_type"));
});
