import { type PlainSql, quoted } from "./plain-sql.ts";

/** An account with money and a key of it, written past the product. Amounts in nano-dollars. */
export interface MoneyScene {
  /** The key's name. Its account is named after it. */
  key: string;
  balance: bigint;
  /** Of the key, for all time; left out: it has none. */
  quota?: bigint;
}

/** Gives an existing key a prepaid account with a balance, and a quota; running gateways see it at their next poll. */
export async function setMoneyScene(sql: PlainSql, { key, balance, quota }: MoneyScene): Promise<void> {
  const account = quoted(`acct_${key}`);
  const name = quoted(key);
  await sql.run(`
    insert into account (id, name, state, billing, balance, reserved, markup_ppm, created_at)
      values (${account}, ${name}, 'active', 'prepaid', ${balance}, 0, 1000000, 0)`);
  await sql.run(`
    insert into ledger_entry (id, account_id, at, kind, amount, balance_after, actor)
      values (${quoted(`entry_${key}`)}, ${account}, 0, 'top_up', ${balance}, ${balance}, 'test')`);
  const limit = quota === undefined ? "null, quota_period = null" : `${quota}, quota_period = 'total'`;
  await sql.run(`update access_key set account_id = ${account}, quota = ${limit} where name = ${name}`);
  await sql.run(`
    insert into change_sequence (entity, entity_id, changed_at)
      select 'access_key', id, 0 from access_key where name = ${name}`);
}
