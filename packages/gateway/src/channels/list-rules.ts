import type { Database } from "../storage/database.ts";

/** All rules in their order, with the names of accounts and keys that they are about. */
export function listRules({ read }: Pick<Database, "read">) {
  return read
    .selectFrom("routing_rule as rule")
    .leftJoin("account", "account.id", "rule.account_id")
    .leftJoin("access_key", "access_key.id", "rule.access_key_id")
    .selectAll("rule")
    .select(["account.name as account_name", "access_key.name as access_key_name"])
    .orderBy("rule.position")
    .orderBy("rule.id")
    .execute();
}

/** A rule as `listRules` reads it. */
export type ListedRule = Awaited<ReturnType<typeof listRules>>[number];
