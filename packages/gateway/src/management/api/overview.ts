import { protocolNames } from "@interlingua/protocols";
import { z } from "zod";
import { readBalance } from "../../accounts/balance.ts";
import { namesOf } from "../../calls/call-names.ts";
import { readChecklist } from "../../calls/checklist.ts";
import { listCalls } from "../../calls/list-calls.ts";
import { usageTable } from "../../calls/usage.ts";
import { usageOverview } from "../../calls/usage-overview.ts";
import type { Platform } from "../../platform.ts";
import type { Database } from "../../storage/database.ts";
import { apiRoute } from "../api-route.ts";
import { notFound } from "../failure.ts";
import type { ManagementRoute } from "../routes.ts";
import { callItem } from "./call-answers.ts";
import { callSchema } from "./call-schemas.ts";
import { accountMoneyJson, accountMoneySchema } from "./ledger-schemas.ts";
import { periodFiguresJson, periodFiguresSchema, usageSumsJson, usageSumsSchema, zoneParam } from "./usage-schemas.ts";

export interface OverviewParts {
  database: Database;
  platform: Pick<Platform, "now">;
}

const shownCalls = 10;
const shownValues = 5;

const figures = {
  now: z.number().int().describe("Unix time in milliseconds."),
  today: periodFiguresSchema.describe("Since the begin of the caller's day, the running hour included."),
  compared: z
    .object({ today: periodFiguresSchema, yesterday: periodFiguresSchema })
    .nullable()
    .describe(
      "The whole hours of the day that are over, and the same hours of the day before: sums are kept by the hour of UTC. Null in the first hour of a day.",
    ),
  hours: z.array(periodFiguresSchema).describe("The last 24 hours, the earliest first; the last one is still running."),
  last_calls: z.array(callSchema).describe("The newest first."),
};

const query = z.object({ zone_minutes: zoneParam });

const checklist = z
  .object({
    has_key: z.boolean(),
    has_call: z.boolean(),
    has_success: z.boolean(),
    protocols: z.array(z.enum(protocolNames)).describe("The client protocols of the first calls."),
    done: z.boolean().describe("Everything is done, or the account is long in use."),
  })
  .meta({ id: "Checklist" });

const overviewSchema = z.object({ ...figures, money: accountMoneySchema, checklist }).meta({ id: "AccountOverview" });

const topValue = z
  .object({ value: z.string(), name: z.string().nullable(), sums: usageSumsSchema })
  .meta({ id: "TopValue" });

const installationSchema = z
  .object({
    ...figures,
    top_accounts: z.array(topValue).describe("Of today, by what they paid."),
    top_models: z.array(topValue),
    channels: z.array(topValue).describe("What each channel did today; an empty value: calls that reached none."),
  })
  .meta({ id: "InstallationOverview" });

/** The state of an account, and of the installation, at one look. */
export function overviewRoutes({ database, platform }: OverviewParts): ManagementRoute[] {
  const common = async (accountId: string | undefined, zoneMinutes: number) => {
    const now = platform.now();
    const whose = accountId === undefined ? {} : { accountId };
    const [overview, { calls }] = await Promise.all([
      usageOverview(database, { ...whose, now, zoneMinutes }),
      listCalls(database, { ...whose, limit: shownCalls }),
    ]);
    const names = await namesOf(database, calls);
    const { today, compared, hours } = overview;
    return {
      now,
      today: periodFiguresJson(today),
      compared: compared && {
        today: periodFiguresJson(compared.today),
        yesterday: periodFiguresJson(compared.yesterday),
      },
      hours: hours.map(periodFiguresJson),
      last_calls: calls.map((call) => callItem(call, names)),
    };
  };

  const top = async (
    dimension: "account" | "model" | "channel",
    range: { from: number; to: number },
    limit: number,
  ) => {
    const { rows } = await usageTable(database, { ...range, by: [dimension], limit });
    const ids = dimension === "account" ? rows.map((row) => row.account ?? "") : [];
    const names = await namesOf(
      database,
      ids.map((accountId) => ({ accountId, accessKeyId: "" })),
    );
    return rows.map((row) => {
      const value = row[dimension] ?? "";
      return { value, name: names.accounts.get(value) ?? null, sums: usageSumsJson(row) };
    });
  };

  return [
    apiRoute({
      method: "GET",
      path: "/api/v1/accounts/:account/overview",
      tag: "Overview",
      summary: "Show an account's overview",
      operationId: "showAccountOverview",
      role: "viewer",
      scope: "account",
      audit: "none",
      query,
      answer: overviewSchema,
      async handle({ accountId, query: { zone_minutes } }) {
        const [shared, money, list] = await Promise.all([
          common(accountId, zone_minutes),
          readBalance(database, accountId),
          readChecklist(database, accountId),
        ]);
        if (!money) throw notFound();
        const { hasKey, hasCall, hasSuccess, protocols, done } = list;
        const told = { has_key: hasKey, has_call: hasCall, has_success: hasSuccess, protocols, done };
        return { body: { ...shared, money: accountMoneyJson(money), checklist: told } };
      },
    }),
    apiRoute({
      method: "GET",
      path: "/api/v1/overview",
      tag: "Overview",
      summary: "Show the overview of all accounts",
      operationId: "showOverview",
      role: "operator",
      scope: "installation",
      audit: "none",
      query,
      answer: installationSchema,
      async handle({ query: { zone_minutes } }) {
        const shared = await common(undefined, zone_minutes);
        const [accounts, models, channels] = await Promise.all([
          top("account", shared.today, shownValues),
          top("model", shared.today, shownValues),
          top("channel", shared.today, 50),
        ]);
        return { body: { ...shared, top_accounts: accounts, top_models: models, channels } };
      },
    }),
  ];
}
