import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { codecs } from "@interlingua/protocols";
import { describe, expect, it } from "vitest";
import type { CallRecord } from "../calls/call-record.ts";
import { createRoutes } from "../channels/routes.ts";
import { loadConfig } from "../config/load-config.ts";
import { createProcessRateCounters } from "../coordination/process-rate-counters.ts";
import { createLog } from "../telemetry/log.ts";
import { exampleKey } from "../testing/example-key.ts";
import { testPlatform } from "../testing/test-platform.ts";
import { createTimerWheel } from "../timer-wheel.ts";
import type { AttemptEnd } from "./attempt-end.ts";
import type { RelayContext } from "./context.ts";
import { createCourse } from "./course.ts";
import { createDirectStream } from "./direct-stream.ts";
import { createRefusedFields } from "./refused-fields.ts";
import { createSettlement } from "./settlement.ts";
import { createStreamLane } from "./stream-lane.ts";
import { createVaults } from "./vault.ts";

const start = 'data: {"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":null}]}\n\n';
const end = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

/** A lane whose record becomes durable when the test says so. */
async function lane() {
  const platform = testPlatform();
  const timers = createTimerWheel(platform.every, platform.monotonic, 50);
  const settings = await loadConfig({
    env: {},
    fileSystem: { read: async () => undefined },
    localModels: async () => [],
  });
  const recorded: CallRecord[] = [];
  let durable = (): void => undefined;
  const context: RelayContext = {
    settings,
    platform,
    timers,
    log: createLog({ now: platform.now, destination: { write: () => undefined } }),
    budgets: {
      ledger: { reserve: () => Promise.reject(new Error("unused")), settlement: () => [] },
      prices: {
        priceOf: () => undefined,
        limitsOf: () => undefined,
        keep: () => undefined,
        wasKept: () => undefined,
        reload: async () => undefined,
      },
      explainRepeat: () => Promise.reject(new Error("unused")),
      readFunds: async () => ({ account: null, quota: null }),
    },
    content: { captureFor: () => null, statements: async () => [] },
    storedResponses: { keeperFor: () => undefined, read: async () => undefined, findItems: async () => new Map() },
    books: {
      close(call) {
        recorded.push(call);
        return new Promise((resolve) => {
          durable = resolve;
        });
      },
      checkpoint: async () => undefined,
    },
    media: null,
    counters: createProcessRateCounters(platform.monotonic),
    channels: { hold: () => ({ routes: createRoutes([], [], () => 0), release: () => undefined }) },
    refusedFields: createRefusedFields(platform.monotonic),
    vaults: createVaults({ secrets: [new Uint8Array(32)], randomBytes: platform.randomBytes }),
  };
  let written = "";
  class Answer extends ServerResponse {
    override write(chunk: unknown): boolean {
      written += String(chunk);
      return true;
    }
    override end(chunk?: unknown): this {
      written += typeof chunk === "string" || Buffer.isBuffer(chunk) ? `${chunk}|end` : "|end";
      return this;
    }
  }
  const response = new Answer(new IncomingMessage(new Socket()));
  const head = {
    id: "call_1",
    client: "chat-completions",
    key: exampleKey({ limits: settings.limits }),
    startedAt: 0,
    started: 0,
    lossy: "allow",
    envelope: {},
    framing: "sse",
    idempotencyKey: null,
    protocolHeaders: {},
  } as const;
  const course = createCourse(head, response);
  const ends: AttemptEnd[] = [];
  let aborted = 0;
  const created = createStreamLane({
    context,
    course,
    settlement: createSettlement(context, course),
    stream: createDirectStream({ codec: codecs["chat-completions"], callId: "call_1", eventBytes: 1_000_000 }),
    exchange: { abort: () => aborted++, pause: () => undefined, resume: () => undefined },
    notices: () => [],
    done: (ended) => ends.push(ended),
  });
  const tick = () => new Promise((resolve) => setImmediate(resolve));
  return {
    platform,
    recorded,
    ends,
    lane: created,
    durable: () => durable(),
    tick,
    settings,
    written: () => written,
    aborted: () => aborted,
  };
}

describe("M1 the end waits for the record", () => {
  it("[DONE] is held until the commit", async () => {
    const test = await lane();
    test.lane.data(Buffer.from(start + end));
    await test.tick();
    expect(test.recorded).toHaveLength(1);
    expect(test.written()).toContain('"stop"');
    expect(test.written()).not.toContain("[DONE]");
    expect(test.ends).toEqual([]);
    test.durable();
    await test.tick();
    expect(test.written()).toMatch(/\[DONE\]\n\n\|end$/);
    expect(test.ends).toEqual([{ kind: "done" }]);
  });

  it("D2 no record within the limit: the stream ends by an error, not by its mark", async () => {
    const test = await lane();
    test.lane.data(Buffer.from(start + end));
    await test.tick();
    test.platform.advance(test.settings.record.commitTimeoutMs + 100);
    await test.tick();
    expect(test.written()).not.toContain("[DONE]");
    expect(test.written()).toMatch(/"storage_unavailable".*\|end$/s);
  });
});

describe("S28 silence", () => {
  it("is broken by a keep-alive between frames, never before the first one", async () => {
    const test = await lane();
    test.platform.advance(test.settings.server.pingIntervalMs * 3);
    expect(test.written()).toBe("");
    test.lane.data(Buffer.from(`${start}data: {"half`));
    await test.tick();
    test.platform.advance(test.settings.server.pingIntervalMs + 100);
    expect(test.written()).toBe(`${start}: keep-alive\n\n`);
    test.platform.advance(test.settings.server.pingIntervalMs + 100);
    expect(test.written()).toBe(`${start}: keep-alive\n\n: keep-alive\n\n`);
  });
});

describe("one exit", () => {
  it("a caller who leaves after the end was decided changes nothing", async () => {
    const test = await lane();
    test.lane.data(Buffer.from(start + end));
    await test.tick();
    test.lane.gone();
    test.durable();
    await test.tick();
    expect(test.recorded.map((call) => call.outcome)).toEqual(["succeeded"]);
    expect(test.ends).toHaveLength(1);
  });

  it("C1 a caller who leaves aborts the upstream in the same tick", async () => {
    const test = await lane();
    test.lane.data(Buffer.from(start));
    await test.tick();
    test.lane.gone();
    expect(test.aborted()).toBe(1);
    test.durable();
    await test.tick();
    expect(test.recorded.map((call) => call.outcome)).toEqual(["client_closed"]);
  });

  it("R8 an endless answer is cut", async () => {
    const test = await lane();
    const piece = Buffer.from(start.repeat(20_000));
    for (let sent = 0; sent <= test.settings.limits.streamBytes; sent += piece.length) {
      test.lane.data(piece);
      await test.tick();
    }
    expect(test.aborted()).toBeGreaterThan(0);
    test.durable();
    await test.tick();
    expect(test.recorded[0]).toMatchObject({ outcome: "upstream_incomplete", errorKind: "upstream_bad" });
  });
});
