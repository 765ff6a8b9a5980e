import type { AuditDetail } from "../audit/audit-log.ts";
import { expecting, type Statement, StorageError } from "../storage/database.ts";
import type { AccountTable } from "../storage/schema.ts";
import { type AccountInfo, type AccountRow, accountInfo, findAccount, readAccounts } from "./account-row.ts";
import { type AccountColumns, type AccountSettings, accountColumns } from "./account-settings.ts";
import { AccountsError } from "./accounts-error.ts";
import { type Author, type ChangeOptions, writeChange } from "./change-unit.ts";
import { changeDetail, differences, newDetail } from "./common-settings.ts";

/**
 * Makes and changes accounts, found by id or name. Every change adds to the change sequence, so that running gateways look
 * at the account's keys anew (A2), and to the audit log (S16). Balances are shown and never written (M10). What cannot be
 * done rejects with an AccountsError.
 */
export interface Accounts {
  /** Makes an account without money. Prepaid, at list prices and without limits, unless told otherwise. */
  create(settings: AccountSettings & { name: string }, actor: Author): Promise<AccountInfo>;
  /** By their names. */
  list(): Promise<AccountInfo[]>;
  show(reference: string): Promise<AccountInfo>;
  /** Changes what the settings name. An account of the configuration file is changed there. */
  set(reference: string, settings: AccountSettings, actor: Author): Promise<AccountInfo>;
  /** The keys of a suspended account are refused; calls that run are finished and paid. */
  setState(reference: string, state: AccountTable["state"], actor: Author): Promise<AccountInfo>;
}

export interface AccountsOptions extends ChangeOptions {
  /** The accounts of the configuration file, which is the authority for them. */
  declared: readonly { name: string }[];
}

/** Accounts over the database. */
export function createAccounts(options: AccountsOptions): Accounts {
  const { database, declared } = options;

  const write = async (
    { id }: Pick<AccountTable, "id">,
    statement: Statement,
    tell: { action: string; actor: Author; detail: AuditDetail },
  ): Promise<AccountInfo> => {
    await writeAccount(options, id, statement, tell);
    return accountInfo(await findAccount(database, id));
  };

  return {
    async create(given, actor) {
      const row = newAccountRow(options, { name: given.name, ...accountColumns(given) });
      const insert = database.build.insertInto("account").values(row).compile();
      const { balance: _balance, reserved: _reserved, ...told } = row;
      try {
        return await write(row, insert, { action: "account.created", actor, detail: newDetail(told) });
      } catch (error) {
        throw asTaken(error, row.name);
      }
    },

    async list() {
      return (await readAccounts(database)).map(accountInfo);
    },

    async show(reference) {
      return accountInfo(await findAccount(database, reference));
    },

    async set(reference, settings, actor) {
      const row = await findAccount(database, reference);
      if (declared.some(({ name }) => name === row.name)) {
        throw new AccountsError(
          "declared",
          `The account "${row.name}" is declared in the configuration file: change it there`,
        );
      }
      const changes = differences(row, accountColumns(settings));
      if (Object.keys(changes).length === 0) return accountInfo(row);
      const detail = changeDetail(row, changes);
      try {
        return await write(row, changeOf(options, row, changes), { action: "account.changed", actor, detail });
      } catch (error) {
        throw asTaken(error, changes.name ?? row.name);
      }
    },

    async setState(reference, state, actor) {
      const row = await findAccount(database, reference);
      if (row.state === state) return accountInfo(row);
      const update = database.build.updateTable("account").set({ state }).where("id", "=", row.id).compile();
      const action = state === "active" ? "account.activated" : "account.suspended";
      return write(row, update, { action, actor, detail: { state_before: row.state, state_after: state } });
    },
  };
}

/** The row of an account that has no money yet. */
export function newAccountRow(
  { platform }: Pick<ChangeOptions, "platform">,
  columns: AccountColumns & { name: string },
): AccountRow {
  return {
    id: platform.id("acct"),
    state: "active",
    billing: "prepaid",
    balance: 0n,
    reserved: 0n,
    credit_limit: null,
    markup_ppm: 1_000_000,
    requests_per_minute: null,
    tokens_per_minute: null,
    concurrency: null,
    created_at: platform.now(),
    ...columns,
  };
}

/** The statement that changes these columns of an account; the unit fails with `condition` where its money forbids it. */
export function changeOf({ database }: Pick<ChangeOptions, "database">, row: AccountRow, changes: AccountColumns) {
  const update = database.build.updateTable("account").set(changes).where("id", "=", row.id);
  // A prepaid account has no debt (M6).
  const covered = changes.billing === "prepaid" ? update.whereRef("balance", ">=", "reserved") : update;
  return expecting(1, covered.compile());
}

/** Writes a change of an account with what tells of it. Rejects with an AccountsError where its money forbids the change. */
export async function writeAccount(
  options: ChangeOptions,
  id: string,
  statement: Statement,
  { action, actor, detail }: { action: string; actor: Author; detail: AuditDetail },
): Promise<void> {
  const event = { actor, action, target: { kind: "account", id }, accountId: id, detail };
  try {
    await writeChange(options, [statement], [{ entity: "account", id }], event);
  } catch (error) {
    if (!(error instanceof StorageError) || error.kind !== "condition") throw error;
    throw new AccountsError("refused", "An account that owes money cannot be prepaid: top it up first", "billing");
  }
}

function asTaken(error: unknown, name: string): unknown {
  return error instanceof StorageError && error.kind === "constraint"
    ? new AccountsError("taken", `An account named "${name}" exists already`, "name")
    : error;
}
