import type { Migration } from "kysely/migration";
import { accessKeysAndCalls } from "./0001-access-keys-and-calls.ts";
import { accessKeyLimits } from "./0002-access-key-limits.ts";
import { accountsAndMoney } from "./0003-accounts-and-money.ts";
import { users } from "./0004-users.ts";
import { callLists } from "./0005-call-lists.ts";
import { moneyLists } from "./0006-money-lists.ts";
import { managementApi } from "./0007-management-api.ts";
import { channels } from "./0008-channels.ts";
import { operators } from "./0009-operators.ts";
import { availability } from "./0010-availability.ts";
import { savedViews } from "./0011-saved-views.ts";
import { usageAndAlerts } from "./0012-usage-and-alerts.ts";
import { accessKeyLists } from "./0013-access-key-lists.ts";
import { storedResponses } from "./0014-stored-responses.ts";
import { channelDialects } from "./0015-channel-dialects.ts";
import type { MigrationName } from "./index.ts";

/** Every migration by its name. Apart from the names, so that an up-to-date database does not load them. */
export const migrations: Record<MigrationName, Migration> = {
  "0001-access-keys-and-calls": accessKeysAndCalls,
  "0002-access-key-limits": accessKeyLimits,
  "0003-accounts-and-money": accountsAndMoney,
  "0004-users": users,
  "0005-call-lists": callLists,
  "0006-money-lists": moneyLists,
  "0007-management-api": managementApi,
  "0008-channels": channels,
  "0009-operators": operators,
  "0010-availability": availability,
  "0011-saved-views": savedViews,
  "0012-usage-and-alerts": usageAndAlerts,
  "0013-access-key-lists": accessKeyLists,
  "0014-stored-responses": storedResponses,
  "0015-channel-dialects": channelDialects,
};
