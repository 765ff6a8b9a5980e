import { expect, test } from "vitest";
import { testPlatform } from "../testing/test-platform.ts";
import { createSealer, SealError } from "./sealed-value.ts";

const { randomBytes } = testPlatform();
const options = {
  secret: new TextEncoder().encode("a secret of the tests, long enough"),
  purpose: "tests",
  randomBytes,
};
const place = { table: "call_content", row: "call_1:client_answer", column: "bytes" };
const value = new TextEncoder().encode("what was said");

test("S17 a sealed value opens in its place, and never looks the same twice", () => {
  const sealer = createSealer(options);
  const [first, second] = [sealer.seal(place, value), sealer.seal(place, value)];
  expect(new TextDecoder().decode(sealer.open(place, first))).toBe("what was said");
  expect(sealer.open(place, second)).toEqual(sealer.open(place, first));
  expect(second).not.toEqual(first);
  expect(Buffer.from(first).includes("what")).toBe(false);
  expect(sealer.open(place, sealer.seal(place, new Uint8Array(0)))).toHaveLength(0);
});

test("S17 the form is v1, key version, nonce, ciphertext, tag", () => {
  const sealed = Buffer.from(createSealer(options).seal(place, value));
  expect(sealed.subarray(0, 2).toString("latin1")).toBe("v1");
  expect(sealed.readUInt16BE(2)).toBe(1);
  expect(sealed).toHaveLength(2 + 2 + 12 + value.length + 16);
});

test("T29 no single flipped bit, missing end or empty value opens", () => {
  const sealer = createSealer(options);
  const sealed = sealer.seal(place, value);
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const changed = Uint8Array.from(sealed);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(() => sealer.open(place, changed)).toThrow(SealError);
  }
  for (let length = 0; length < sealed.length; length += 1) {
    expect(() => sealer.open(place, sealed.subarray(0, length))).toThrow(SealError);
  }
});

test("S17 a value moved to another row, column or table, of another purpose or secret, does not open", () => {
  const sealer = createSealer(options);
  const sealed = sealer.seal(place, value);
  for (const other of [{ row: "call_2:client_answer" }, { column: "other" }, { table: "channel" }]) {
    expect(() => sealer.open({ ...place, ...other }, sealed)).toThrow(SealError);
  }
  for (const other of [
    { purpose: "others" },
    { secret: new TextEncoder().encode("another secret, long enough, too") },
  ]) {
    expect(() => createSealer({ ...options, ...other }).open(place, sealed)).toThrow(SealError);
  }
});

test("S17 what a former secret sealed opens, and is sealed anew under the one in use", () => {
  const secret = new TextEncoder().encode("another secret, long enough, too");
  const sealed = createSealer(options).seal(place, value);
  const changed = createSealer({ ...options, secret, formerSecrets: [options.secret] });
  expect(changed.open(place, sealed)).toEqual(createSealer(options).open(place, sealed));
  const anew = changed.reseal(place, sealed);
  if (!anew) throw new Error("It was sealed under the former secret");
  expect(changed.reseal(place, anew)).toBeUndefined();
  expect(Buffer.from(createSealer({ ...options, secret }).open(place, anew)).equals(value)).toBe(true);
  expect(() => changed.reseal({ ...place, row: "call_2:client_answer" }, sealed)).toThrow(SealError);
});
