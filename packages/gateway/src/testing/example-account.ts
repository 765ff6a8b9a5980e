import type { Database, Statement } from "../storage/database.ts";

/** A statement that adds a prepaid account under this id and name, with nothing on it. */
export function insertAccount({ build }: Pick<Database, "build">, id: string): Statement {
  return build
    .insertInto("account")
    .values({
      id,
      name: id,
      state: "active",
      billing: "prepaid",
      balance: 0n,
      reserved: 0n,
      credit_limit: null,
      markup_ppm: 1_000_000,
      requests_per_minute: null,
      tokens_per_minute: null,
      concurrency: null,
      created_at: 1,
    })
    .compile();
}
