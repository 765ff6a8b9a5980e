import { sql } from "kysely";
import type { Database } from "../storage/database.ts";

/** Keys are counted as far as this: an account may have hundreds of thousands. */
export const mostCounted = 1000;

/** How many keys each of these accounts has, revoked ones aside; `mostCounted` stands for as many or more. */
export async function countKeys(
  { read }: Pick<Database, "read">,
  ids: readonly string[],
): Promise<(id: string) => number> {
  if (ids.length === 0) return () => 0;
  const some = sql<number>`(select count(*) from (
    select 1 from access_key
    where access_key.account_id = account.id and access_key.state <> 'revoked' limit ${sql.lit(mostCounted)}
  ) as counted)`;
  const rows = await read
    .selectFrom("account")
    .select(["id", some.as("keys")])
    .where("id", "in", [...ids])
    .execute();
  const byId = new Map(rows.map(({ id, keys }) => [id, Number(keys)]));
  return (id) => byId.get(id) ?? 0;
}
