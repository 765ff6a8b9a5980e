import { type RawBuilder, sql } from "kysely";

/**
 * A money column, or a sum of one, as a text that loses nothing: columns come as numbers, which are exact up to 9 million
 * dollars. Give the text to `BigInt`.
 */
export function moneyText(column: string): RawBuilder<string> {
  return sql<string>`cast(${sql.ref(column)} as text)`;
}

/** The sum of a money column as a text; `0` where there is no row. */
export function moneySum(column: string): RawBuilder<string> {
  return sql<string>`cast(coalesce(sum(${sql.ref(column)}), 0) as text)`;
}
