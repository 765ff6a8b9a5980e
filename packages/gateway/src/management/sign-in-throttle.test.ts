import { expect, test } from "vitest";
import { testPlatform } from "../testing/test-platform.ts";
import { createSignInThrottle, networkOf } from "./sign-in-throttle.ts";

const minute = 60_000;

function scene() {
  const platform = testPlatform();
  const throttle = createSignInThrottle(platform.monotonic);
  /** How many of so many tries are let through. */
  const tries = (count: number, address: (index: number) => string, account: (index: number) => string | undefined) => {
    let through = 0;
    for (let index = 0; index < count; index++) {
      if (throttle.take(address(index), account(index)) === undefined) through += 1;
    }
    return through;
  };
  return { platform, throttle, tries };
}

test("S8 five tries a minute for a user, whatever the address", () => {
  const { platform, tries } = scene();
  expect(
    tries(
      12,
      (index) => `10.0.0.${index}`,
      () => "ada@example.com",
    ),
  ).toBe(5);
  platform.stall(minute + 1);
  expect(
    tries(
      12,
      (index) => `10.0.1.${index}`,
      () => " Ada@example.com",
    ),
  ).toBe(5);
});

test("S8 twenty tries a minute from an address, whatever the user; a network of version 6 is one address", () => {
  const { tries } = scene();
  expect(
    tries(
      40,
      () => "10.0.0.1",
      (index) => `user${index}@example.com`,
    ),
  ).toBe(20);
  expect(
    tries(
      40,
      (index) => `2001:db8:1:2::${index}`,
      (index) => `other${index}@example.com`,
    ),
  ).toBe(20);
  expect(
    tries(
      40,
      () => "10.0.0.2",
      () => undefined,
    ),
  ).toBe(20);
});

test("S8 each block is twice as long as the one before, up to fifteen minutes, and short again after a rest", () => {
  const { platform, throttle, tries } = scene();
  const waits: number[] = [];
  for (let round = 0; round < 7; round++) {
    expect(
      tries(
        5,
        (index) => `10.0.${round}.${index}`,
        () => "ada@example.com",
      ),
    ).toBe(5);
    const wait = throttle.take(`10.1.0.${round}`, "ada@example.com") ?? 0;
    waits.push(wait);
    platform.stall(wait * 1000);
  }
  expect(waits).toEqual([60, 120, 240, 480, 900, 900, 900]);
  platform.stall(15 * minute);
  tries(
    5,
    () => "10.2.0.1",
    () => "ada@example.com",
  );
  expect(throttle.take("10.2.0.2", "ada@example.com")).toBe(60);
});

test("S8 tries that are refused make no block longer", () => {
  const { platform, throttle, tries } = scene();
  tries(
    5,
    () => "10.0.0.1",
    () => "ada@example.com",
  );
  expect(throttle.take("10.0.0.2", "ada@example.com")).toBe(60);
  platform.stall(30_000);
  expect(
    tries(
      10,
      (index) => `10.0.3.${index}`,
      () => "ada@example.com",
    ),
  ).toBe(0);
  expect(throttle.take("10.0.0.3", "ada@example.com")).toBe(30);
});

test("S8 strangers cannot lock a user out who has signed in from here before", () => {
  const { throttle, tries } = scene();
  expect(throttle.take("192.0.2.7", "ada@example.com")).toBeUndefined();
  throttle.succeeded("192.0.2.7", "ada@example.com");
  expect(
    tries(
      200,
      (index) => `10.0.0.${index}`,
      () => "ada@example.com",
    ),
  ).toBe(5);
  expect(throttle.take("192.0.2.7", "ada@example.com")).toBeUndefined();
  // The user's own address is bounded all the same.
  expect(
    tries(
      10,
      () => "192.0.2.7",
      () => "ada@example.com",
    ),
  ).toBe(4);
});

test("S8 a good try is no try", () => {
  const { throttle } = scene();
  for (let turn = 0; turn < 100; turn++) {
    expect(throttle.take("192.0.2.7", "ada@example.com")).toBeUndefined();
    throttle.succeeded("192.0.2.7", "ada@example.com");
  }
});

test.each([
  ["127.0.0.1", "127.0.0.1"],
  ["::ffff:127.0.0.1", "127.0.0.1"],
  ["::1", "0:0:0:0"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:db8::5:6", "2001:db8:0:0"],
  ["fe80::1%eth0", "fe80:0:0:0"],
])("the network of %s is %s", (address, network) => expect(networkOf(address)).toBe(network));
