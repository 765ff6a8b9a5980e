import fc from "fast-check";
import { expect, test } from "vitest";
import { targets } from "./targets.ts";
import { unwatched } from "./watch.ts";

/* A slice of `npm run fuzz`, the same in every run. */

/** The heavy ones take long, and so do those that go over sockets. */
const runsOf = (name: string) => (name.startsWith("long ") ? 15 : name === "the front door" ? 60 : 400);

for (const { name, property, close } of targets) {
  test(`T19 ${name}: no throw, no unlawful frame, no proof in foreign hands`, async () => {
    await fc.assert(property(unwatched), { numRuns: runsOf(name), seed: 19 });
    await close?.();
    // What a body names must not become a property of all objects (S11).
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
}
