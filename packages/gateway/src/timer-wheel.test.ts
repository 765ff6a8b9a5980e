import { expect, it } from "vitest";
import { testPlatform } from "./testing/test-platform.ts";
import { createTimerWheel } from "./timer-wheel.ts";

function wheel() {
  const platform = testPlatform();
  return { platform, wheel: createTimerWheel(platform.every, platform.monotonic, 50) };
}

it("runs a task once, not before its time", () => {
  const { platform, wheel: timers } = wheel();
  let runs = 0;
  timers.after(100, () => runs++);
  platform.advance(99);
  expect(runs).toBe(0);
  platform.advance(51);
  expect(runs).toBe(1);
  platform.advance(1000);
  expect(runs).toBe(1);
});

it("moves and cancels deadlines, also one that has passed", () => {
  const { platform, wheel: timers } = wheel();
  let runs = 0;
  const deadline = timers.after(100, () => runs++);
  platform.advance(80);
  deadline.restart(100);
  platform.advance(90);
  expect(runs).toBe(0);
  platform.advance(60);
  expect(runs).toBe(1);
  deadline.restart(100);
  platform.advance(150);
  expect(runs).toBe(2);
  deadline.restart(100);
  deadline.cancel();
  platform.advance(1000);
  expect(runs).toBe(2);
});

it("keeps no timer while nothing waits", () => {
  const platform = testPlatform();
  let ticking = 0;
  const timers = createTimerWheel(
    (interval, task) => {
      ticking++;
      const stop = platform.every(interval, task);
      return () => {
        ticking--;
        stop();
      };
    },
    platform.monotonic,
    50,
  );
  timers.after(10, () => undefined);
  expect(ticking).toBe(1);
  platform.advance(100);
  expect(ticking).toBe(0);
});
