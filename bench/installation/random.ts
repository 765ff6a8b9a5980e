/** A source of numbers that gives the same ones for the same seed (mulberry32). */
export interface Draw {
  /** From 0 up to, but not including, 1. */
  next(): number;
  /** A whole number from 0 up to, but not including, `below`. */
  below(below: number): number;
  /** One of the items. */
  of<Item>(items: readonly [Item, ...Item[]]): Item;
  /** Bytes for ids and names; no secret is made of them. */
  bytes(size: number): Uint8Array;
}

export function createDraw(seed: number): Draw {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  return {
    next,
    below,
    of: (items) => items[below(items.length)] ?? items[0],
    bytes: (size) => Uint8Array.from({ length: size }, () => below(256)),
  };
}

/** Draws items by their weights. */
export function weighted<Item extends { weight: number }>(items: readonly [Item, ...Item[]]): (draw: Draw) => Item {
  const sum = items.reduce((total, { weight }) => total + weight, 0);
  // A table is faster than a walk: a million calls draw several times each.
  const table = items.flatMap((item) =>
    Array.from({ length: Math.max(1, Math.round((item.weight / sum) * 4096)) }, () => item),
  );
  return (draw) => table[draw.below(table.length)] ?? items[0];
}
