import { expect, test } from "vitest";
import { testPlatform } from "../testing/test-platform.ts";
import { createFailureThrottle } from "./failure-throttle.ts";

test("A6 after the allowed failures an address waits until its minute is over; others do not", () => {
  const platform = testPlatform();
  const throttle = createFailureThrottle({ most: 3, windowMs: 60_000, monotonic: platform.monotonic });
  for (let failure = 0; failure < 2; failure++) throttle.failed("a");
  expect(throttle.blockedFor("a")).toBeUndefined();
  platform.advance(20_500);
  throttle.failed("a");
  expect(throttle.blockedFor("a")).toBe(40);
  expect(throttle.blockedFor("b")).toBeUndefined();
  platform.advance(39_499);
  expect(throttle.blockedFor("a")).toBe(1);
  platform.advance(1);
  expect(throttle.blockedFor("a")).toBeUndefined();
});

test("D8 a jump of the wall clock frees nobody", () => {
  const platform = testPlatform();
  const throttle = createFailureThrottle({ most: 1, windowMs: 60_000, monotonic: platform.monotonic });
  throttle.failed("a");
  platform.jumpWallClock(3_600_000);
  expect(throttle.blockedFor("a")).toBe(60);
});

test("the number of watched addresses is bounded", () => {
  const throttle = createFailureThrottle({ most: 1, windowMs: 60_000, monotonic: () => 0 });
  for (let address = 0; address <= 10_000; address++) throttle.failed(String(address));
  expect(throttle.blockedFor("0")).toBeUndefined();
  expect(throttle.blockedFor("1")).toBe(60);
  expect(throttle.blockedFor("10000")).toBe(60);
});
