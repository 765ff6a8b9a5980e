import { z } from "zod";
import { ManagementError } from "./failure.ts";

/** The parameter `cursor` of a list: where the page before ended. */
export const cursorParam = z
  .string()
  .min(1)
  .max(1024)
  .optional()
  .describe("Where to go on: the 'next' of the page before.");

/** The parameter `limit` of a list. */
export const limitParam = z.coerce.number().int().min(1).max(200).default(50).describe("Most items of the page.");

/** Both parameters of every list, to be spread into its query. */
export const pageQuery = { cursor: cursorParam, limit: limitParam };

/** The field `next` of every list. */
export const nextSchema = z.string().nullable().describe("The cursor of the next page; null on the last one.");

/** Writes a list's position into a text that callers hand back unread, and reads it again. */
export interface OpaqueCursor<Position> {
  encode(position: Position): string;
  /** Undefined for the list's begin. Throws 400 where the text is none of this list's. */
  decode(cursor: string | undefined): Position | undefined;
}

/** The cursor of a list whose position has the given shape, for example `z.tuple([z.number(), z.string()])`. */
export function opaqueCursor<Position>(schema: z.ZodType<Position>): OpaqueCursor<Position> {
  return {
    encode: (position) => Buffer.from(JSON.stringify(position)).toString("base64url"),
    decode(cursor) {
      if (cursor === undefined) return undefined;
      const result = schema.safeParse(jsonOf(Buffer.from(cursor, "base64url").toString()));
      if (result.success) return result.data;
      throw new ManagementError(400, "invalid_cursor", "The cursor is none of this list.", { field: "cursor" });
    },
  };
}

/**
 * The page that `limit + 1` rows make: the row too many tells only that there is a next one. `position` gives the key of
 * the last row shown, behind which the next page begins.
 */
export function pageOf<Row, Item, Position>(
  rows: readonly Row[],
  limit: number,
  item: (row: Row) => Item,
  cursor: OpaqueCursor<Position>,
  position: (row: Row) => Position,
): { items: Item[]; next: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { items: shown.map(item), next: last && rows.length > limit ? cursor.encode(position(last)) : null };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
