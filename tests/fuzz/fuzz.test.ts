import fc from "fast-check";
import { expect, test } from "vitest";
import { targets } from "./targets.ts";
import { unwatched } from "./watch.ts";

/* A slice of `npm run fuzz`, the same in every run. */

/** The heavy ones take long. */
const runsOf = (name: string) => (name.startsWith("long ") ? 15 : 400);

for (const { name, property } of targets) {
  test(`T19 ${name}: no throw, no unlawful frame, no proof in foreign hands`, () => {
    fc.assert(property(unwatched), { numRuns: runsOf(name), seed: 19 });
    // What a body names must not become a property of all objects (S11).
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
}
