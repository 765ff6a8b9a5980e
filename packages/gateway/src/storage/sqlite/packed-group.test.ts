import { expect, test } from "vitest";
import type { WriteUnit } from "../database.ts";
import { createGroupPacker, createGroupUnpacker } from "./packed-group.ts";

const unit = (sql: string, ...parameters: unknown[]): WriteUnit => [{ sql, parameters }];

test("what is unpacked is what was packed: texts, values, conditions, empty units", () => {
  const pack = createGroupPacker();
  const unpack = createGroupUnpacker();
  const groups: WriteUnit[][] = [
    [
      [
        { sql: "a", parameters: [1, null, 2n, "text", new Uint8Array([3])] },
        { sql: "b", parameters: [], expect: 0 },
      ],
    ],
    [[], unit("b", 0), [{ sql: "a", parameters: [null], expect: 1 }]],
  ];
  for (const group of groups) expect(unpack(structuredClone(pack(group)))).toEqual(group);
});

test("a text goes over once", () => {
  const pack = createGroupPacker();
  expect(pack([unit("a"), unit("a")]).texts).toEqual(["a"]);
  expect(pack([unit("a"), unit("b")])).toMatchObject({ from: 1, texts: ["b"] });
  expect(pack([unit("b")]).texts).toEqual([]);
});

test("texts without end do not fill the memory, and none is taken for another", () => {
  const pack = createGroupPacker();
  const unpack = createGroupUnpacker();
  let longest = 0;
  for (let index = 0; index < 5000; index++) {
    const group = [unit("always"), unit(`text ${index}`, index)];
    const packed = pack(group);
    longest = Math.max(longest, packed.from + packed.texts.length);
    expect(unpack(packed)).toEqual(group);
  }
  expect(longest).toBeLessThanOrEqual(1002);
});
