import { protocolNames } from "@interlingua/protocols";
import { expect, test } from "vitest";
import { auditBooks } from "../accounts/books-audit.ts";
import type { Config } from "../config/config.ts";
import { priceSchema } from "../config/price-schema.ts";
import { openSnapshot } from "../storage/open-snapshot.ts";
import { clientCall } from "../testing/client-call.ts";
import { answer, send, usage } from "../testing/paying-gateway.ts";
import { simChannel, startTestGateway, testKey } from "../testing/test-gateway.ts";

/* What a gateway really writes must be what the audit takes for whole; all that is tampered with by hand is in accounts. */

test("M14 I9 the books of a gateway are clean after successes, changes of channel, failures, refusals and callers who left", async () => {
  let config: Config | undefined;
  await using gateway = await startTestGateway({
    script: (request) => {
      if (JSON.stringify(request.json).includes("broken")) return { fault: { kind: "http-error", status: 503 } };
      return answer({ usage, ...(request.stream ? { chunkSize: 3 } : {}) });
    },
    channels: (url) => [
      { ...simChannel("http://127.0.0.1:1", "messages"), name: "nobody", models: [{ id: "to-*" }] },
      ...protocolNames.map((protocol) => simChannel(url, protocol)),
    ],
    config: (base) => {
      config = { ...base, prices: [priceSchema.parse({ model: "*", input: 1, output: 10 })] };
      return config;
    },
  });
  for (const client of protocolNames) {
    for (const upstream of protocolNames) {
      for (const stream of [false, true]) await send(gateway, client, `to-${upstream}`, stream);
    }
    await send(gateway, client, "no-such-model", false);
  }
  const broken = { messages: [{ role: "user", content: "broken" }] };
  expect((await send(gateway, "messages", "to-messages", false, broken)).status).toBeGreaterThanOrEqual(500);
  const { path, body } = clientCall("messages", "to-responses", true);
  for (let index = 0; index < 4; index++) {
    const left = new AbortController();
    const response = await fetch(gateway.address + path, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${testKey}` },
      body: JSON.stringify(body),
      signal: left.signal,
    });
    await response.body?.getReader().read();
    left.abort();
  }
  if (!config) throw new Error("The gateway started without its configuration");
  await using snapshot = await openSnapshot(config.database);
  const report = await auditBooks(snapshot, { retentionMs: config.calls.retentionMs });
  expect(report.checks.filter(({ findings }) => findings.length > 0)).toEqual([]);
  const ledger = report.counted["ledger entries"] ?? 0;
  expect(ledger).toBeGreaterThanOrEqual(2 * protocolNames.length ** 2);
  expect(report.counted.attempts).toBeGreaterThan(ledger);
});
