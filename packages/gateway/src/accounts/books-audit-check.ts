import { type RawBuilder, sql } from "kysely";

/** Something that must hold of the books, and how to find where it does not. */
export interface BooksCheck {
  /** The invariant of which it is a part. */
  invariant: string;
  /** What must hold. */
  title: string;
  /** Gives a row for each place where it does not hold: ids, and the figures that differ as texts. */
  finds: RawBuilder<Finding>;
}

/** Where something does not hold: what tells it apart, and what differs. */
export type Finding = Readonly<Record<string, string | number | null>>;

/** A money column as an exact text. */
export function exact(column: string): RawBuilder<string> {
  return sql<string>`cast(${sql.ref(column)} as text)`;
}
