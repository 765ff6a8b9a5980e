import { types } from "pg";
import { StorageError } from "../database.ts";

const int8 = 20;

/**
 * How columns are read: as the driver does it, but 64-bit integers as numbers. One that a number cannot hold exactly is
 * an error, never a wrong number.
 */
export const columnParsers: { getTypeParser: typeof types.getTypeParser } = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    oid === int8 && format !== "binary" ? safeNumber : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
  // The assertion: the driver declares one overload for each type, which a function that serves them all cannot repeat.
};

function safeNumber(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new StorageError("statement", "A stored integer is larger than a number can hold exactly");
}

/** Bound values as the driver wants them; anything it cannot store is an error that names its place. */
export function inputValues(parameters: readonly unknown[]): unknown[] {
  return parameters.map((value, index) => {
    // The server's texts cannot hold U+0000, which a caller may well send in the name of a model.
    if (typeof value === "string") return value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value;
    if (value === null || typeof value === "number" || typeof value === "bigint") return value;
    if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    throw new TypeError(`Parameter ${index + 1} is a ${typeof value}, which no column can hold`);
  });
}
