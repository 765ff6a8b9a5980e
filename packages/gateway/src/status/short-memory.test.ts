import { expect, it } from "vitest";
import { createShortMemory } from "./short-memory.ts";

it("asks once for a crowd, and again when the time is over", async () => {
  let now = 0;
  let asked = 0;
  const memory = createShortMemory(
    10_000,
    () => now,
    async () => {
      asked += 1;
      return asked;
    },
  );
  expect(await Promise.all([memory.get(), memory.get(), memory.get()])).toEqual([1, 1, 1]);
  now = 9_999;
  expect(await memory.get()).toBe(1);
  now = 10_000;
  expect(await memory.get()).toBe(2);
  memory.forget();
  expect(await memory.get()).toBe(3);
});

it("does not remember a failure", async () => {
  let asked = 0;
  const memory = createShortMemory(
    10_000,
    () => 0,
    async () => {
      asked += 1;
      if (asked === 1) throw new Error("away");
      return "there";
    },
  );
  await expect(memory.get()).rejects.toThrow("away");
  expect(await memory.get()).toBe("there");
});
