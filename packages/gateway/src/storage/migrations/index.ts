/** The names of all migrations in the order in which they run. Forward only: a released one is never changed. */
export const migrationNames = [
  "0001-access-keys-and-calls",
  "0002-access-key-limits",
  "0003-accounts-and-money",
  "0004-users",
  "0005-call-lists",
  "0006-money-lists",
  "0007-management-api",
  "0008-channels",
  "0009-operators",
  "0010-availability",
  "0011-saved-views",
  "0012-usage-and-alerts",
  "0013-access-key-lists",
  "0014-stored-responses",
  "0015-channel-dialects",
] as const;

export type MigrationName = (typeof migrationNames)[number];
