/** Random draws that are the same in every run with the same seed. */
export interface SeededRandom {
  /** At least 0, below 1. */
  next(): number;
  /** A whole number, both ends included. */
  between(lowest: number, highest: number): number;
  chance(probability: number): boolean;
  /** One item of a list that is not empty. */
  pick<Item>(list: readonly Item[]): Item;
}

/** A source of its own for each seed: any text or number. */
export function seededRandom(seed: string | number): SeededRandom {
  let state = hash(String(seed));
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    between: (lowest, highest) => lowest + Math.floor(next() * (highest - lowest + 1)),
    chance: (probability) => next() < probability,
    pick(list) {
      const item = list[Math.floor(next() * list.length)];
      if (item === undefined) throw new Error("There is nothing to pick from.");
      return item;
    },
  };
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value;
}
