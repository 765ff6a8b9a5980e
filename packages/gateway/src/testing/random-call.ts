import { protocolNames } from "@interlingua/protocols";
import fc from "fast-check";
import type { CallRecord } from "../calls/call-record.ts";

/** The time about which random calls begin. */
export const randomCallsBegin = Date.UTC(2026, 0, 31, 20);

/** Calls that collide in everything: few values of each, times within some hours, several of one millisecond. */
export function randomCall(): fc.Arbitrary<Partial<CallRecord>> {
  const failure = fc.record<Partial<CallRecord>>({
    outcome: fc.constantFrom("failed", "refused", "client_closed", "upstream_incomplete"),
    status: fc.constantFrom(200, 400, 429, 502),
    errorKind: fc.constantFrom("bad_request", "rate_limit", "upstream_bad", null),
  });
  // An error beside a success is not what the gateway writes, but the table may hold it.
  const success = fc.constantFrom<Partial<CallRecord>>(
    { outcome: "succeeded", status: 200, errorKind: null },
    { outcome: "succeeded", status: 200, errorKind: "upstream_bad" },
  );
  const tokens = fc.option(fc.integer({ min: 0, max: 5000 }), { nil: undefined });
  const common = fc.record({
    startedAt: fc.integer({ min: 0, max: 40 }).map((step) => randomCallsBegin + step * 900_000),
    accessKeyId: fc.constantFrom("key_1", "key_2", "key_3"),
    clientProtocol: fc.constantFrom(...protocolNames),
    upstreamProtocol: fc.option(fc.constantFrom(...protocolNames)),
    channel: fc.option(fc.constantFrom("one", "two")),
    model: fc.option(fc.constantFrom("fast", "slow", "smart")),
    stream: fc.boolean(),
    notices: fc.constantFrom([], [{ field: "top_k", verdict: "dropped" as const, detail: "" }]),
    usage: fc.option(
      fc.record({
        input: fc.record({ uncached: tokens, cacheRead: tokens, cacheWrite: tokens, toolPrompt: tokens }),
        output: fc.record({ total: tokens, reasoning: tokens }),
      }),
    ),
    charge: fc.bigInt({ min: 0n, max: 3_000_000_000n }),
    firstToken: fc.option(fc.integer({ min: 0, max: 100_000 })),
    end: fc.option(fc.integer({ min: 0, max: 4_000_000 })),
  });
  return fc.tuple(common, fc.oneof(success, failure)).map(([{ firstToken, end, ...call }, ending]) => ({
    ...call,
    ...ending,
    accountId: call.accessKeyId === "key_3" ? "acct_2" : "acct_default",
    reserved: 3_000_000_000n,
    timings: { admission: 0.25, connect: null, firstByte: null, firstToken, end },
  }));
}

/** Gives each an id of its own, in no order. */
export function withIds(calls: readonly Partial<CallRecord>[]): (Partial<CallRecord> & { id: string })[] {
  return calls.map((call, index) => ({ ...call, id: `call_${(index * 7919) % 10_007}x` }));
}
