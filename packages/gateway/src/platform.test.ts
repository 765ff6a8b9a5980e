import { expect, test } from "vitest";
import { createIdSource, systemPlatform } from "./platform.ts";
import { testPlatform } from "./testing/test-platform.ts";

test("ids of one prefix sort by the time they were made", () => {
  const platform = testPlatform();
  const ids = [0, 1, 40, 5000, 1e9].map((ms) => {
    platform.advance(ms);
    return platform.id("call");
  });
  expect(ids.toSorted()).toEqual(ids);
  expect(ids[0]).toMatch(/^call_[0-9a-hjkmnp-tv-z]{26}$/);
});

test("ids made in the same millisecond differ, also beyond one pool of randomness", () => {
  const platform = systemPlatform();
  const ids = new Set(Array.from({ length: 2000 }, () => platform.id("req")));
  expect(ids.size).toBe(2000);
});

test("the time part of an id is whole: a later one never overflows into the prefix", () => {
  const id = createIdSource(
    () => 2 ** 48 - 1,
    (size) => new Uint8Array(size),
  );
  expect(id("call")).toBe("call_7zzzzzzzzz0000000000000000");
});

test("the test platform runs repeated tasks in time order and the same way each time", () => {
  const run = () => {
    const platform = testPlatform();
    const seen: string[] = [];
    platform.every(300, () => seen.push(`a${platform.monotonic()}`));
    const stop = platform.every(200, () => seen.push(`b${platform.monotonic()}`));
    platform.advance(500);
    stop();
    platform.advance(500);
    return { seen, id: platform.id("x") };
  };
  expect(run()).toEqual(run());
  expect(run().seen).toEqual(["b200", "a300", "b400", "a600", "a900"]);
});
