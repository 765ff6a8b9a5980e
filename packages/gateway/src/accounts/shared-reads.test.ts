import { expect, test } from "vitest";
import { createSharedReads } from "./shared-reads.ts";

/** Reads that end when they are told to. */
function heldReads() {
  const begun: { name: string; end: (value: number) => void; fail: (cause: Error) => void }[] = [];
  const read = (name: string) =>
    new Promise<number>((end, fail) => {
      begun.push({ name, end, fail });
    });
  const shared = createSharedReads<number>();
  return { begun, ask: (name: string) => shared(name, () => read(name)) };
}

test("D3 however many ask at once, one read is under way; all who came meanwhile share the next", async () => {
  const { begun, ask } = heldReads();
  const first = ask("a");
  const later = Array.from({ length: 100 }, () => ask("a"));
  expect(begun).toHaveLength(1);
  begun[0]?.end(1);
  expect(await first).toBe(1);
  expect(begun).toHaveLength(2);
  begun[1]?.end(2);
  expect(new Set(await Promise.all(later))).toEqual(new Set([2]));
  const last = ask("a");
  expect(begun).toHaveLength(3);
  begun[2]?.end(3);
  expect(await last).toBe(3);
});

test("M5 nobody is given a read that began before they asked", async () => {
  const { begun, ask } = heldReads();
  const first = ask("a");
  const second = ask("a");
  begun[0]?.end(1);
  await first;
  const third = ask("a");
  begun[1]?.end(2);
  expect(await second).toBe(2);
  await Promise.resolve();
  begun[2]?.end(3);
  expect(await third).toBe(3);
});

test("a read that fails fails those who share it, and no others", async () => {
  const { begun, ask } = heldReads();
  const first = ask("a");
  const second = ask("a");
  const other = ask("b");
  begun[0]?.fail(new Error("away"));
  await expect(first).rejects.toThrow("away");
  begun.find(({ name }) => name === "b")?.end(7);
  expect(await other).toBe(7);
  begun.at(-1)?.end(2);
  expect(await second).toBe(2);
});
