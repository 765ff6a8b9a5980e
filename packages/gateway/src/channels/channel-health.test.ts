import { describe, expect, it } from "vitest";
import { createChannelHealth } from "./channel-health.ts";

const fault = { kind: "fault" } as const;

describe("R3 a dead channel stops receiving calls", () => {
  it("after five failures in a row, for 30 s, then one probe at a time", () => {
    const health = createChannelHealth(() => 0);
    for (let time = 0; time < 5; time++) {
      expect(health.usable(time)).toBe(true);
      health.begin(time);
      health.failed(time, fault);
    }
    expect(health.state).toBe("down");
    expect(health.usable(30_003)).toBe(false);
    expect(health.usable(30_004)).toBe(true);
    health.begin(30_004);
    expect(health.usable(30_004)).toBe(false);
    health.failed(30_005, fault);
    // The second ejection lasts twice as long.
    expect(health.usable(90_004)).toBe(false);
    expect(health.usable(90_005)).toBe(true);
    health.begin(90_005);
    health.succeeded();
    expect(health.state).toBe("operational");
    expect(health.usable(90_006)).toBe(true);
  });

  it("after half of twenty calls in 30 s failed", () => {
    const health = createChannelHealth(() => 0);
    for (let call = 0; call < 20; call++) {
      health.begin(call);
      if (call % 2 === 0) health.failed(call, fault);
      else if (call < 19) health.succeeded();
    }
    health.begin(20);
    health.failed(20, fault);
    expect(health.state).toBe("down");
  });

  it("not after a success in between", () => {
    const health = createChannelHealth(() => 0);
    for (let call = 0; call < 4; call++) health.failed(call, fault);
    health.succeeded();
    for (let call = 0; call < 4; call++) health.failed(call, fault);
    expect(health.usable(10)).toBe(true);
  });
});

describe("R11 a busy channel cools down as long as it asks, 300 s at most", () => {
  it.each([
    [7, 7_000],
    [9999, 300_000],
  ])("retry-after %i", (retryAfterSeconds, ms) => {
    const health = createChannelHealth(() => 0);
    health.failed(0, { kind: "busy", retryAfterSeconds });
    expect(health.usable(ms - 1)).toBe(false);
    expect(health.usable(ms)).toBe(true);
  });

  it("and goes on at once where nothing was asked", () => {
    const health = createChannelHealth(() => 0);
    health.failed(0, { kind: "busy" });
    expect(health.usable(1)).toBe(true);
  });
});

it("R12 a refused credential is a state of the channel", () => {
  const health = createChannelHealth(() => 0);
  health.failed(0, { kind: "credential" });
  expect(health.state).toBe("credential_failed");
  expect(health.usable(59_999)).toBe(false);
  expect(health.usable(60_000)).toBe(true);
});
