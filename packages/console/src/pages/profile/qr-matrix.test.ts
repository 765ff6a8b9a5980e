import { expect, test } from "vitest";
import { qrMatrix } from "./qr-matrix.ts";

/** The code of "A" in version 1-L with byte mode, as other makers of QR codes draw its fixed parts. */
test("finder patterns, timing lines and the dark module stand where readers look for them", () => {
  const matrix = qrMatrix("A");
  expect(matrix).toHaveLength(21);
  const row = (y: number) => (matrix[y] ?? []).map((dark) => (dark ? "#" : ".")).join("");
  expect([row(0).slice(0, 8), row(1).slice(0, 8), row(2).slice(0, 8), row(7).slice(0, 8)]).toEqual([
    "#######.",
    "#.....#.",
    "#.###.#.",
    "........",
  ]);
  expect(row(6)).toBe(`${"#######."}${"#.#.#"}${".#######"}`);
  expect(matrix[13]?.[8]).toBe(true);
});

test.each([
  ["a short one", "A"],
  [
    "one of two blocks",
    "otpauth://totp/Interlingua:ada.lovelace@example.com?digits=6&secret=ABCDEFGHIJKLMNOPQRSTUVWXYZ234567&issuer=Interlingua",
  ],
  ["one with a version on it", `otpauth://totp/Interlingua:${"x".repeat(140)}?secret=ABC&digits=6&period=30`],
  ["a long one", "ä".repeat(215)],
])("what stands in the code of %s is the text, and its error correction is right", (_what, text) => {
  expect(readBack(qrMatrix(text))).toEqual({ text, syndromes: 0 });
});

test("a text that is too long is refused", () => {
  expect(() => qrMatrix("x".repeat(600))).toThrow("too long");
});

/** Reads a code as a camera's program does, by tables of its own: format, mask, codewords, blocks, text. */
function readBack(matrix: readonly (readonly boolean[])[]) {
  const size = matrix.length;
  const version = (size - 17) / 4;
  const dark = (x: number, y: number): number => (matrix[y]?.[x] ? 1 : 0);
  const format = [0, 1, 2, 3, 4, 5, 7, 8]
    .map((y) => dark(8, y))
    .concat([7, 5, 4, 3, 2, 1, 0].map((x) => dark(x, 8)))
    .reduceRight((bits, bit) => (bits << 1) | bit, 0);
  const plain = format ^ 0x5412;
  expect(plain >> 13, "level L").toBe(1);
  const mask = (plain >> 10) & 7;
  const isMasked = [
    (x: number, y: number) => (x + y) % 2 === 0,
    (_x: number, y: number) => y % 2 === 0,
    (x: number) => x % 3 === 0,
    (x: number, y: number) => (x + y) % 3 === 0,
    (x: number, y: number) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
    (x: number, y: number) => ((x * y) % 2) + ((x * y) % 3) === 0,
    (x: number, y: number) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
    (x: number, y: number) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
  ][mask];
  // ISO/IEC 18004, table E.1 and table 9, for the versions of these tests.
  const marks: Record<number, number[]> = {
    1: [],
    6: [6, 34],
    7: [6, 22, 38],
    8: [6, 24, 42],
    9: [6, 26, 46],
    10: [6, 28, 50],
    14: [6, 26, 46, 66],
  };
  const layout: Record<number, { correction: number; blocks: number[] }> = {
    1: { correction: 7, blocks: [19] },
    6: { correction: 18, blocks: [68, 68] },
    9: { correction: 30, blocks: [116, 116] },
    14: { correction: 30, blocks: [115, 115, 115, 116] },
  };
  const places = marks[version] ?? [];
  const { correction, blocks } = layout[version] ?? { correction: 0, blocks: [] };
  expect(blocks.length, `version ${version} has a table here`).toBeGreaterThan(0);
  const isPattern = (x: number, y: number) => {
    if (x === 6 || y === 6) return true;
    if ((x < 9 && y < 9) || (x >= size - 8 && y < 9) || (x < 9 && y >= size - 8)) return true;
    if (version >= 7 && ((x >= size - 11 && y < 6) || (y >= size - 11 && x < 6))) return true;
    return places.some((cx) =>
      places.some((cy) => {
        const corner = [cx, cy].every((place) => place === 6 || place === places.at(-1)) && (cx === 6 || cy === 6);
        return !corner && Math.abs(x - cx) <= 2 && Math.abs(y - cy) <= 2;
      }),
    );
  };
  const bits: number[] = [];
  let upwards = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right -= 1;
    for (let turn = 0; turn < size; turn++) {
      const y = upwards ? size - 1 - turn : turn;
      for (const x of [right, right - 1]) if (!isPattern(x, y)) bits.push(dark(x, y) ^ (isMasked?.(x, y) ? 1 : 0));
    }
    upwards = !upwards;
  }
  const words = Array.from({ length: Math.floor(bits.length / 8) }, (_, at) =>
    bits.slice(at * 8, at * 8 + 8).reduce((byte, bit) => (byte << 1) | bit, 0),
  );
  const read: number[][] = blocks.map(() => []);
  let next = 0;
  for (let column = 0; column < Math.max(...blocks); column++) {
    for (const [block, length] of blocks.entries()) if (column < length) read[block]?.push(words[next++] ?? 0);
  }
  for (let column = 0; column < correction; column++) {
    for (const block of read) block.push(words[next++] ?? 0);
  }
  const data = read.flatMap((block, at) => block.slice(0, blocks[at]));
  const stream = data.flatMap((byte) => [7, 6, 5, 4, 3, 2, 1, 0].map((bit) => (byte >> bit) & 1));
  const number = (from: number, count: number) =>
    stream.slice(from, from + count).reduce((sum, bit) => (sum << 1) | bit, 0);
  expect(number(0, 4), "byte mode").toBe(4);
  const lengthBits = version < 10 ? 8 : 16;
  const length = number(4, lengthBits);
  const bytes = Uint8Array.from({ length }, (_, at) => number(4 + lengthBits + at * 8, 8));
  return {
    text: new TextDecoder().decode(bytes),
    syndromes: read.reduce((sum, block) => sum + syndromesOf(block, correction), 0),
  };
}

/** How many of a block's syndromes are not zero; by logarithms, unlike the maker. */
function syndromesOf(block: readonly number[], correction: number): number {
  const power: number[] = [1];
  for (let at = 1; at < 255; at++) {
    const doubled = (power[at - 1] ?? 0) * 2;
    power.push(doubled > 255 ? doubled ^ 0x11d : doubled);
  }
  const logarithm = new Map(power.map((value, at) => [value, at]));
  let wrong = 0;
  for (let root = 0; root < correction; root++) {
    let sum = 0;
    for (const word of block) {
      const scaled = sum === 0 ? 0 : (power[((logarithm.get(sum) ?? 0) + root) % 255] ?? 0);
      sum = scaled ^ word;
    }
    if (sum !== 0) wrong += 1;
  }
  return wrong;
}
