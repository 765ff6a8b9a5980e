import { createAccounts } from "../../accounts/accounts.ts";
import type { ChangeOptions } from "../../accounts/change-unit.ts";
import type { PriceSource } from "../../catalogue/prices/price-source.ts";
import type { Catalogue } from "../../catalogue/published-models.ts";
import type { Config } from "../../config/config.ts";
import type { RedemptionCodes } from "../../payments/redemption-codes.ts";
import type { Settings } from "../../settings/settings.ts";
import { createInvitations } from "../invitations.ts";
import type { Passwords } from "../passwords.ts";
import type { ManagementRoute } from "../routes.ts";
import type { SignInThrottle } from "../sign-in-throttle.ts";
import { createUserAdministration } from "../user-administration.ts";
import { accountBulkRoutes } from "./account-bulk.ts";
import { accountRoutes } from "./accounts.ts";
import { auditRoutes } from "./audit.ts";
import { codeRoutes } from "./codes.ts";
import { invitationRoutes } from "./invitations.ts";
import { memberRoutes } from "./members.ts";
import { priceRoutes } from "./prices.ts";
import { settingRoutes } from "./settings.ts";
import { userRoutes } from "./users.ts";

export interface OperatorRoutesParts extends ChangeOptions {
  config: Pick<Config, "accounts" | "prices" | "signIn" | "file">;
  passwords: Passwords;
  throttle: SignInThrottle;
  settings: Settings;
  catalogue: Catalogue;
  prices: Pick<PriceSource, "priceOf">;
  codes: RedemptionCodes;
}

/** What operators run the installation by: accounts, users, the audit log, settings, prices; and what owners do of it. */
export function operatorRoutes(parts: OperatorRoutesParts): ManagementRoute[] {
  const { database, platform, hint, config, passwords, throttle, settings, catalogue, prices, codes } = parts;
  const change = { database, platform, ...(hint && { hint }) };
  const invitations = createInvitations({ database, platform, passwords });
  const administration = createUserAdministration({ database, platform, invitations });
  const accounts = createAccounts({ ...change, declared: config.accounts });
  return [
    ...accountRoutes({ database, platform, accounts, declared: config.accounts }),
    ...accountBulkRoutes({ database, platform, accounts }),
    ...codeRoutes({ database, platform, codes }),
    ...userRoutes({ database, platform, administration }),
    ...memberRoutes({ database, platform, administration }),
    ...invitationRoutes({ invitations, throttle }),
    ...auditRoutes({ database, platform }),
    ...settingRoutes({ database, settings, config }),
    ...priceRoutes({ ...change, prices, catalogue, config }),
  ];
}
