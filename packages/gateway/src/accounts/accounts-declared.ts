import type { AuditActor } from "../audit/audit-log.ts";
import type { AccountConfig } from "../config/config.ts";
import { expecting } from "../storage/database.ts";
import { readAccounts } from "./account-row.ts";
import { accountColumns } from "./account-settings.ts";
import { changeOf, newAccountRow, writeAccount } from "./accounts.ts";
import { type ChangeOptions, writeChange } from "./change-unit.ts";
import { changeDetail, differences, newDetail } from "./common-settings.ts";
import { unlessDone } from "./unless-done.ts";

/**
 * Makes the accounts of the configuration file and brings those there are in line with it. An account that leaves the file
 * stays: it may hold money. A suspended one stays suspended. Throws an AccountsError where an account that owes money is
 * declared to be prepaid.
 */
export async function declareAccounts(
  options: ChangeOptions & { actor: AuditActor },
  accounts: readonly AccountConfig[],
): Promise<void> {
  if (accounts.length === 0) return;
  const { database, actor } = options;
  const stored = await readAccounts(database);
  for (const declared of accounts) {
    const { name } = declared;
    const columns = {
      requests_per_minute: null,
      tokens_per_minute: null,
      concurrency: null,
      ...accountColumns(declared),
    };
    const row = stored.find((candidate) => candidate.name === name);
    if (row) {
      const changes = differences(row, columns);
      if (Object.keys(changes).length === 0) continue;
      const detail = changeDetail(row, changes);
      await writeAccount(options, row.id, changeOf(options, row, changes), {
        action: "account.changed",
        actor,
        detail,
      });
      continue;
    }
    const made = newAccountRow(options, { name, ...columns });
    const { id } = made;
    const insert = database.build
      .insertInto("account")
      .values(made)
      .onConflict((conflict) => conflict.column("name").doNothing())
      .compile();
    const target = { kind: "account", id };
    const event = { actor, action: "account.created", target, accountId: id, detail: newDetail({ name, ...columns }) };
    await unlessDone(writeChange(options, [expecting(1, insert)], [{ entity: "account", id }], event));
  }
}
