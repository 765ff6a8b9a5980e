import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { codecs } from "@interlingua/protocols";
import { describe, expect, it } from "vitest";
import type { CallRecord } from "../calls/call-record.ts";
import { createRoutes } from "../channels/routes.ts";
import { loadConfig } from "../config/load-config.ts";
import { createProcessRateCounters } from "../coordination/process-rate-counters.ts";
import { createLog } from "../telemetry/log.ts";
import { convertedStream } from "../testing/converted-stream.ts";
import { exampleKey } from "../testing/example-key.ts";
import { testPlatform } from "../testing/test-platform.ts";
import { createTimerWheel } from "../timer-wheel.ts";
import type { AnswerStream } from "./answer-stream.ts";
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

/**
 * A lane whose record becomes durable when the test says so. `stream`: the direct lane's, unless told otherwise. `reads`:
 * whether the caller takes what is written.
 */
async function lane({ stream, reads = true }: { stream?: AnswerStream; reads?: boolean } = {}) {
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
  const flow: string[] = [];
  class Answer extends ServerResponse {
    override write(chunk: unknown): boolean {
      written += String(chunk);
      return reads;
    }
    override destroy(): this {
      flow.push("destroyed");
      return this;
    }
    override end(chunk?: unknown): this {
      written += typeof chunk === "string" || Buffer.isBuffer(chunk) ? `${chunk}|end` : "|end";
      return this;
    }
  }
  const response = new Answer(new IncomingMessage(new Socket()));
  if (!reads) Object.defineProperty(response, "writableLength", { get: () => written.length });
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
    stream:
      stream ?? createDirectStream({ codec: codecs["chat-completions"], callId: "call_1", eventBytes: 1_000_000 }),
    exchange: { abort: () => aborted++, pause: () => flow.push("paused"), resume: () => flow.push("resumed") },
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
    flow,
    drained: () => response.emit("drain"),
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

describe("S28 life", () => {
  it("L32 needs none while the upstream talks, and comes within 15 seconds", async () => {
    const test = await lane();
    const { pingIntervalMs } = test.settings.server;
    expect(pingIntervalMs).toBeLessThanOrEqual(15_000);
    for (let second = 0; second < 60; second += 1) {
      test.lane.data(Buffer.from(start));
      await test.tick();
      test.platform.advance(Math.min(1_000, pingIntervalMs - 100));
    }
    expect(test.written()).toBe(start.repeat(60));
  });
});

describe("S10 an upstream that says why it ended, and then nothing", () => {
  const finish = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n';

  it("is taken at its word after two seconds", async () => {
    const test = await lane({ stream: convertedStream() });
    test.lane.data(Buffer.from(start + finish));
    await test.tick();
    expect(test.recorded).toEqual([]);
    test.platform.advance(2_100);
    await test.tick();
    test.durable();
    await test.tick();
    expect(test.written()).toMatch(/message_stop\n.*\n\n\|end$/);
    expect(test.recorded.map((call) => call.outcome)).toEqual(["succeeded"]);
  });

  it("S12 may still go on before that", async () => {
    const test = await lane({ stream: convertedStream() });
    test.lane.data(Buffer.from(start + finish));
    await test.tick();
    test.platform.advance(1_500);
    test.lane.data(Buffer.from(start.replace('"x"', '"late"')));
    await test.tick();
    test.platform.advance(1_500);
    expect(test.recorded).toEqual([]);
    test.lane.data(Buffer.from("data: [DONE]\n\n"));
    await test.tick();
    test.durable();
    await test.tick();
    expect(test.written()).toContain("late");
    expect(test.written()).toMatch(/\|end$/);
  });

  const spaced = 'data: {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}\n\n';

  it.each([finish, spaced])("is taken at its word in the direct lane, too: %j", async (last) => {
    const test = await lane();
    test.lane.data(Buffer.from(start + last));
    await test.tick();
    expect(test.written()).toBe(start + last);
    expect(test.recorded).toEqual([]);
    test.platform.advance(2_100);
    await test.tick();
    test.durable();
    await test.tick();
    expect(test.written()).toBe(`${start}${last}|end`);
    expect(test.recorded.map((call) => call.outcome)).toEqual(["succeeded"]);
  });

  it("while it has not said so, silence is no end", async () => {
    const test = await lane({ stream: convertedStream() });
    test.lane.data(Buffer.from(start));
    await test.tick();
    test.platform.advance(30_000);
    expect(test.recorded).toEqual([]);
  });
});

describe("S30 L33 a caller who does not read", () => {
  const piece = start.repeat(1_000);

  it("stops the upstream when so much waits, and lets it go on when it was read", async () => {
    const test = await lane({ reads: false });
    for (let count = 0; test.flow.length === 0 && count < 100; count += 1) {
      test.lane.data(Buffer.from(piece));
      await test.tick();
    }
    expect(test.flow).toEqual(["paused"]);
    expect(test.written().length).toBeLessThan(test.settings.limits.streamBufferPauseBytes + 2 * piece.length);
    test.drained();
    expect(test.flow).toEqual(["paused", "resumed"]);
  });

  it("C2 is cut after a minute", async () => {
    const test = await lane({ reads: false });
    while (test.flow.length === 0) {
      test.lane.data(Buffer.from(piece));
      await test.tick();
    }
    test.platform.advance(61_000);
    expect(test.flow).toEqual(["paused", "destroyed"]);
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
