import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createKeyText, publicIdOf } from "./access-key-form.ts";

test("a new key is one word of letters, digits and underscores, and says its public id", () => {
  const { key, publicId } = createKeyText(randomBytes);
  expect(key).toMatch(/^ilk_[0-9A-Za-z]{10}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/);
  expect(publicIdOf(key)).toBe(publicId);
  expect(encodeURIComponent(key)).toBe(key);
});

test("any one changed, missing or added character is noticed without a database", () => {
  const { key } = createKeyText(randomBytes);
  const place = fc.nat(key.length - 1);
  const letter = fc.constantFrom(..."0123456789ABCxyz_- ");
  fc.assert(
    fc.property(place, letter, (at, sign) => {
      const changed = key.slice(0, at) + sign + key.slice(at + 1);
      if (changed !== key) expect(publicIdOf(changed)).toBeUndefined();
      expect(publicIdOf(key.slice(0, at) + key.slice(at + 1))).toBeUndefined();
      expect(publicIdOf(key.slice(0, at) + sign + key.slice(at))).toBeUndefined();
    }),
  );
});

test("every sign is as likely as any other", () => {
  // All bytes once: 248 of them are used, four for each of the 62 signs.
  let next = 0;
  const counting = (size: number) => Uint8Array.from({ length: size }, () => next++ % 256);
  const counts = new Map<string, number>();
  for (let round = 0; round < 248; round++) {
    const { key } = createKeyText(counting);
    for (const sign of key.slice(15, 58)) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  }
  expect(counts.size).toBe(62);
  expect(Math.max(...counts.values()) / Math.min(...counts.values())).toBeLessThan(1.2);
});
