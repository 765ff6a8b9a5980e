/*
 * QR codes (ISO/IEC 18004) of texts up to 500 bytes: byte mode, error correction level L, which is enough on a screen.
 * Only the tables of that level up to version 15 are here.
 */

/** By version: codewords of error correction in a block, and blocks. */
const correctionOf = [0, 7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22];
const blocksOf = [0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6];

/** True: dark. Row by row. */
export type QrMatrix = readonly (readonly boolean[])[];

/** The code of a text, without the quiet zone around it. Throws where the text is too long. */
export function qrMatrix(text: string): QrMatrix {
  const bytes = new TextEncoder().encode(text);
  const version = correctionOf.findIndex((_, at) => at > 0 && bytes.length + (at < 10 ? 2 : 3) <= dataCodewords(at));
  if (version === -1) throw new Error("The text is too long for a QR code");
  const codewords = withCorrection(dataOf(bytes, version), version);
  const frame = drawFrame(version);
  const drawn = [0, 1, 2, 3, 4, 5, 6, 7].map((mask) => drawData(frame, codewords, mask));
  return drawn.reduce((best, next) => (unrest(next) < unrest(best) ? next : best));
}

/** Modules that are neither pattern nor format. */
function rawModules(version: number): number {
  const raw = (16 * version + 128) * version + 64;
  if (version < 2) return raw;
  const marks = Math.floor(version / 7) + 2;
  return raw - ((25 * marks - 10) * marks - 55) - (version >= 7 ? 36 : 0);
}

function at(values: ArrayLike<number>, index: number): number {
  return values[index] ?? 0;
}

function dataCodewords(version: number): number {
  return Math.floor(rawModules(version) / 8) - at(correctionOf, version) * at(blocksOf, version);
}

/** Mode, length, text and padding. */
function dataOf(bytes: Uint8Array, version: number): number[] {
  const bits: number[] = [];
  const push = (value: number, count: number) => {
    for (let bit = count - 1; bit >= 0; bit--) bits.push((value >> bit) & 1);
  };
  push(0b0100, 4);
  push(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) push(byte, 8);
  const capacity = dataCodewords(version) * 8;
  push(0, Math.min(4, capacity - bits.length));
  push(0, (8 - (bits.length % 8)) % 8);
  for (let pad = 0xec; bits.length < capacity; pad ^= 0xec ^ 0x11) push(pad, 8);
  return Array.from({ length: bits.length / 8 }, (_, index) =>
    bits.slice(index * 8, index * 8 + 8).reduce((byte, bit) => (byte << 1) | bit, 0),
  );
}

/** Cut into blocks, each with its error correction, and interleaved. */
function withCorrection(data: readonly number[], version: number): number[] {
  const [blocks, correction] = [at(blocksOf, version), at(correctionOf, version)];
  const total = Math.floor(rawModules(version) / 8);
  const short = blocks - (total % blocks);
  const divisor = generator(correction);
  const parts: { data: readonly number[]; correction: readonly number[] }[] = [];
  let from = 0;
  for (let block = 0; block < blocks; block++) {
    const length = Math.floor(total / blocks) - correction + (block < short ? 0 : 1);
    const part = data.slice(from, from + length);
    from += length;
    parts.push({ data: part, correction: remainder(part, divisor) });
  }
  const longest = Math.max(...parts.map((part) => part.data.length));
  const columns = (length: number, of: (part: (typeof parts)[number]) => readonly number[]) =>
    Array.from({ length }, (_, index) =>
      parts.map((part) => of(part)[index]).filter((word) => word !== undefined),
    ).flat();
  return [...columns(longest, (part) => part.data), ...columns(correction, (part) => part.correction)];
}

/** In the field of 256 elements modulo 0x11D. */
function multiply(one: number, other: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d);
    product ^= ((other >>> bit) & 1) * one;
  }
  return product;
}

/** The product of (x − 2^i), without its first coefficient. */
function generator(degree: number): number[] {
  const result = [...Array.from({ length: degree - 1 }, () => 0), 1];
  let root = 1;
  for (let turn = 0; turn < degree; turn++) {
    for (let index = 0; index < degree; index++) {
      result[index] = multiply(at(result, index), root) ^ at(result, index + 1);
    }
    root = multiply(root, 2);
  }
  return result;
}

function remainder(data: readonly number[], divisor: readonly number[]): number[] {
  const result = divisor.map(() => 0);
  for (const byte of data) {
    const factor = byte ^ (result.shift() ?? 0);
    result.push(0);
    divisor.forEach((coefficient, index) => {
      result[index] = at(result, index) ^ multiply(coefficient, factor);
    });
  }
  return result;
}

/** The patterns that every code of a version has; `undefined` where data go. */
type Frame = (boolean | undefined)[][];

function drawFrame(version: number): Frame {
  const size = version * 4 + 17;
  const frame: Frame = Array.from({ length: size }, () => Array.from({ length: size }, () => undefined));
  const set = (x: number, y: number, dark: boolean) => {
    const row = frame[y];
    if (row && x >= 0 && x < size) row[x] = dark;
  };
  for (let place = 0; place < size; place++) {
    set(6, place, place % 2 === 0);
    set(place, 6, place % 2 === 0);
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const) {
    for (let dy = -4; dy <= 4; dy++) {
      for (let dx = -4; dx <= 4; dx++) {
        const ring = Math.max(Math.abs(dx), Math.abs(dy));
        set(x + dx, y + dy, ring !== 2 && ring !== 4);
      }
    }
  }
  const marks = markPlaces(version);
  const last = marks.at(-1);
  for (const x of marks) {
    for (const y of marks) {
      const corner = (x === 6 && y === 6) || (x === 6 && y === last) || (x === last && y === 6);
      if (corner) continue;
      for (let dy = -2; dy <= 2; dy++) {
        for (let dx = -2; dx <= 2; dx++) set(x + dx, y + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
      }
    }
  }
  drawFormat(frame, 0);
  if (version >= 7) {
    let rest = version;
    for (let turn = 0; turn < 12; turn++) rest = (rest << 1) ^ ((rest >>> 11) * 0x1f25);
    const bits = (version << 12) | rest;
    for (let bit = 0; bit < 18; bit++) {
      const [far, near] = [size - 11 + (bit % 3), Math.floor(bit / 3)];
      set(far, near, ((bits >>> bit) & 1) === 1);
      set(near, far, ((bits >>> bit) & 1) === 1);
    }
  }
  return frame;
}

/** Where alignment marks stand, in both directions. */
function markPlaces(version: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2;
  const places: number[] = [];
  for (let place = version * 4 + 10; places.length < count - 1; place -= step) places.unshift(place);
  return [6, ...places];
}

/** Level L and the mask, twice. */
function drawFormat(frame: Frame, mask: number): void {
  const size = frame.length;
  const data = (1 << 3) | mask;
  let rest = data;
  for (let turn = 0; turn < 10; turn++) rest = (rest << 1) ^ ((rest >>> 9) * 0x537);
  const bits = ((data << 10) | rest) ^ 0x5412;
  const set = (x: number, y: number, bit: number) => {
    const row = frame[y];
    if (row) row[x] = ((bits >>> bit) & 1) === 1;
  };
  for (let bit = 0; bit <= 5; bit++) set(8, bit, bit);
  set(8, 7, 6);
  set(8, 8, 7);
  set(7, 8, 8);
  for (let bit = 9; bit < 15; bit++) set(14 - bit, 8, bit);
  for (let bit = 0; bit < 8; bit++) set(size - 1 - bit, 8, bit);
  for (let bit = 8; bit < 15; bit++) set(8, size - 15 + bit, bit);
  const row = frame[size - 8];
  if (row) row[8] = true;
}

const masks: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** Up and down in columns of two, from the lower right corner on. */
function drawData(frame: Frame, codewords: readonly number[], mask: number): boolean[][] {
  const size = frame.length;
  const drawn = frame.map((row) => [...row]);
  drawFormat(drawn, mask);
  const isMasked = masks[mask] ?? (() => false);
  let bit = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let turn = 0; turn < size; turn++) {
      for (const x of [right, right - 1]) {
        const y = ((right + 1) & 2) === 0 ? size - 1 - turn : turn;
        if (frame[y]?.[x] !== undefined) continue;
        const row = drawn[y];
        const dark = ((at(codewords, bit >>> 3) >>> (7 - (bit & 7))) & 1) === 1;
        if (row) row[x] = dark !== isMasked(x, y);
        bit += 1;
      }
    }
  }
  return drawn.map((row) => row.map((dark) => dark ?? false));
}

/** How hard it is to read: long runs, blocks of one colour, and too much of one colour. */
function unrest(matrix: QrMatrix): number {
  const size = matrix.length;
  const dark = (x: number, y: number) => matrix[y]?.[x] ?? false;
  let sum = 0;
  let count = 0;
  for (let y = 0; y < size; y++) {
    let [across, down] = [0, 0];
    for (let x = 0; x < size; x++) {
      if (dark(x, y)) count += 1;
      across = x > 0 && dark(x, y) === dark(x - 1, y) ? across + 1 : 1;
      down = x > 0 && dark(y, x) === dark(y, x - 1) ? down + 1 : 1;
      for (const run of [across, down]) sum += run === 5 ? 3 : run > 5 ? 1 : 0;
      if (x > 0 && y > 0 && [dark(x - 1, y), dark(x, y - 1), dark(x - 1, y - 1)].every((one) => one === dark(x, y)))
        sum += 3;
    }
  }
  return sum + Math.floor(Math.abs(count / (size * size) - 0.5) * 20) * 10;
}
