import type { CallRecord } from "../calls/call-record.ts";
import type { Database, Statement } from "../storage/database.ts";
import type { AccessKeyTable } from "../storage/schema.ts";

/** A statement that adds an access key row; everything but the id has a default. */
export function insertKey(
  database: Pick<Database, "build">,
  id: string,
  values: Partial<AccessKeyTable> = {},
): Statement {
  return database.build
    .insertInto("access_key")
    .values({
      id,
      public_id: `public-${id}`,
      name: id,
      digest: new Uint8Array(32),
      pepper_version: 1,
      state: "enabled",
      origin: "command",
      lossy: "allow",
      created_at: 1,
      expires_at: null,
      last_used_at: null,
      requests_per_minute: null,
      tokens_per_minute: null,
      concurrency: null,
      account_id: "acct_default",
      models: null,
      addresses: null,
      quota: null,
      quota_period: null,
      content_logging: 0,
      purpose: "calls",
      user_id: null,
      ...values,
    })
    .compile();
}

/** A call that succeeded. */
export function exampleCall(values: Partial<CallRecord> = {}): CallRecord {
  return {
    id: "call_1",
    requestId: "req_1",
    startedAt: 1_767_225_600_000,
    accessKeyId: "key_1",
    accountId: "acct_default",
    clientProtocol: "messages",
    upstreamProtocol: "responses",
    lane: "converted",
    channel: "openai",
    model: "fast",
    upstreamModel: "gpt-5-mini",
    stream: true,
    status: 200,
    outcome: "succeeded",
    errorKind: null,
    usage: {
      input: { uncached: 201, cacheRead: 15104 },
      output: { total: 5, reasoning: 0 },
      serverTools: { web_search: 1 },
    },
    notices: [{ field: "top_k", verdict: "dropped", detail: "The upstream has no such setting." }],
    timings: { admission: 0.25, connect: 1.5, firstByte: 20, firstToken: 21.125, end: 300 },
    reserved: 900n,
    charge: 751n,
    overrun: 0n,
    priceVersion: "price_1",
    priceLines: [
      { class: "input", quantity: 201, price: 1_000_000n, amount: 201n },
      { class: "output", quantity: 5, price: 110_000_000n, amount: 550n },
    ],
    usageDisputed: false,
    abortReason: null,
    attempts: [],
    ...values,
  };
}
