import type { Database, Statement } from "../storage/database.ts";

/** When an account is told that its money runs low. */
export interface AlertSettings {
  /** Whole percents used, the lowest first. */
  thresholds: readonly number[];
  /** Whether it is told of its balance or credit limit. */
  balance: boolean;
  /** Whether it is told of the quotas of its keys. */
  quotas: boolean;
}

/** What holds until somebody chooses. */
const defaultAlertSettings: AlertSettings = { thresholds: [50, 80, 95], balance: true, quotas: true };

export async function readAlertSettings({ read }: Pick<Database, "read">, accountId: string): Promise<AlertSettings> {
  const row = await read.selectFrom("alert_setting").selectAll().where("account_id", "=", accountId).executeTakeFirst();
  if (!row) return defaultAlertSettings;
  // Written below alone, from this type.
  const thresholds = JSON.parse(row.thresholds) as number[];
  return { thresholds, balance: row.balance === 1, quotas: row.quotas === 1 };
}

/** The statement that replaces the settings of an account. */
export function alertSettingsStatement(
  { build }: Pick<Database, "build">,
  accountId: string,
  { thresholds, balance, quotas }: AlertSettings,
): Statement {
  const values = { thresholds: JSON.stringify(thresholds), balance: balance ? 1 : 0, quotas: quotas ? 1 : 0 };
  return build
    .insertInto("alert_setting")
    .values({ account_id: accountId, ...values })
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet(values))
    .compile();
}
