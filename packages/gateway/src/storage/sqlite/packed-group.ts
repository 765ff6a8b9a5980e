import type { Statement, WriteUnit } from "../database.ts";

/** Units on their way to the writer thread: a text of SQL is copied once and then goes by its number. */
export interface PackedGroup {
  /** The number of the first new text; all from there on are forgotten. */
  from: number;
  /** New texts, in the order of their numbers. */
  texts: readonly string[];
  /** For each unit its statements, one behind the other: number of the text, `expect` or null, count of parameters, these. */
  units: readonly (readonly unknown[])[];
}

/** Texts that are kept at most; beyond, numbering begins anew. */
const mostTexts = 1000;

/** Packs groups for one thread, which has to unpack all of them in their order. */
export function createGroupPacker(): (units: readonly WriteUnit[]) => PackedGroup {
  const numbers = new Map<string, number>();
  return (units) => {
    if (numbers.size > mostTexts) numbers.clear();
    const from = numbers.size;
    const texts: string[] = [];
    const numberOf = (sql: string): number => {
      const known = numbers.get(sql);
      if (known !== undefined) return known;
      texts.push(sql);
      const number = numbers.size;
      numbers.set(sql, number);
      return number;
    };
    const packed = units.map((unit) => {
      const values: unknown[] = [];
      for (const { sql, expect, parameters } of unit) {
        values.push(numberOf(sql), expect ?? null, parameters.length, ...parameters);
      }
      return values;
    });
    return { from, texts, units: packed };
  };
}

/** The way back, in the thread. */
export function createGroupUnpacker(): (group: PackedGroup) => WriteUnit[] {
  const texts: string[] = [];
  return (group) => {
    texts.length = group.from;
    texts.push(...group.texts);
    return group.units.map((values) => {
      const unit: Statement[] = [];
      for (let at = 0; at < values.length; ) {
        const sql = texts[Number(values[at])];
        if (sql === undefined) throw new Error("A group names a text that the writer thread does not have");
        const expect = values[at + 1];
        const end = at + 3 + Number(values[at + 2]);
        const parameters = values.slice(at + 3, end);
        unit.push(typeof expect === "number" ? { sql, parameters, expect } : { sql, parameters });
        at = end;
      }
      return unit;
    });
  };
}
