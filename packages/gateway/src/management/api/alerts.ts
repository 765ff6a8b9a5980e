import { z } from "zod";
import { alertSettingsStatement, readAlertSettings } from "../../accounts/alert-settings.ts";
import { type Alert, acknowledgeStatements, readAlerts } from "../../accounts/alerts.ts";
import type { Platform } from "../../platform.ts";
import type { Database } from "../../storage/database.ts";
import { apiRoute } from "../api-route.ts";
import { moneySchema, timeSchema } from "../api-schemas.ts";
import { notFound } from "../failure.ts";
import type { ManagementRoute } from "../routes.ts";

export interface AlertParts {
  database: Database;
  platform: Pick<Platform, "now">;
}

const alertSchema = z
  .object({
    id: z.string().describe("The same as long as it is about the same threshold of the same money."),
    subject: z
      .enum(["balance", "credit_limit", "key_quota"])
      .describe(
        "Of what so much is used: what was there after the last top-up, the credit limit, or the quota of a key in its window.",
      ),
    access_key: z.object({ id: z.string(), name: z.string() }).nullable(),
    threshold: z.number().int().describe("The highest threshold that is crossed, in percent."),
    percent: z.number().int().describe("Whole percents that are used, rounded down."),
    used: moneySchema,
    of: moneySchema.describe("Nano-dollars of which the percents are."),
    acknowledged_at: timeSchema.nullable(),
  })
  .meta({ id: "Alert" });

const settingsSchema = z
  .object({
    thresholds: z.array(z.number().int()).describe("Whole percents used, the lowest first."),
    balance: z.boolean().describe("Whether the balance or credit limit is watched."),
    quotas: z.boolean().describe("Whether the quotas of keys are watched."),
  })
  .meta({ id: "AlertSettings" });

const thresholds = z
  .array(z.number().int().min(1).max(100))
  .min(1)
  .max(5)
  .refine((steps) => new Set(steps).size === steps.length, "each threshold once")
  .transform((steps) => steps.toSorted((a, b) => a - b));

const common = { tag: "Alerts", scope: "account" } as const;

/** What tells an account that its money runs low. */
export function alertRoutes({ database, platform }: AlertParts): ManagementRoute[] {
  return [
    apiRoute({
      ...common,
      method: "GET",
      path: "/api/v1/accounts/:account/alerts",
      summary: "List alerts",
      description:
        "What holds now. Of the keys with a quota, the 500 that were used last are looked at. A threshold that is crossed is told of until it is acknowledged; another top-up, limit or window is told of again.",
      role: "viewer",
      audit: "none",
      query: z.object({ acknowledged: z.stringbool().default(false).describe("Also those that somebody has seen.") }),
      answer: z.object({ items: z.array(alertSchema) }).meta({ id: "AlertList" }),
      async handle({ accountId, query }) {
        const alerts = await readAlerts(database, accountId);
        const shown = alerts.filter(({ acknowledgedAt }) => query.acknowledged || acknowledgedAt === null);
        return { body: { items: shown.map(alertJson) } };
      },
    }),
    apiRoute({
      ...common,
      method: "POST",
      path: "/api/v1/accounts/:account/alerts/:alert/acknowledge",
      summary: "Acknowledge an alert",
      description: "It is not told of any more, to nobody of the account, until another threshold is crossed.",
      role: "member",
      audit: "alert.acknowledged",
      async handle(call) {
        const { accountId, params } = call;
        const alert = (await readAlerts(database, accountId)).find(({ id }) => id === params.alert);
        if (!alert) throw notFound();
        const { subject, accessKey, threshold, percent } = alert;
        const entry = call.audit({
          target: accessKey ? { kind: "access_key", id: accessKey.id } : { kind: "account", id: accountId },
          accountId,
          detail: { subject, threshold, percent },
        });
        const seen = { at: platform.now(), by: call.caller.userId };
        await database.write([...acknowledgeStatements(database, accountId, alert, seen), entry], { alone: true });
        return {};
      },
    }),
    apiRoute({
      ...common,
      method: "GET",
      path: "/api/v1/accounts/:account/alert-settings",
      summary: "Show alert settings",
      role: "viewer",
      audit: "none",
      answer: settingsSchema,
      async handle({ accountId }) {
        const { thresholds: steps, balance, quotas } = await readAlertSettings(database, accountId);
        return { body: { thresholds: [...steps], balance, quotas } };
      },
    }),
    apiRoute({
      ...common,
      method: "PUT",
      path: "/api/v1/accounts/:account/alert-settings",
      summary: "Change alert settings",
      role: "owner",
      audit: "account.alerts_set",
      body: z.strictObject({ thresholds, balance: z.boolean(), quotas: z.boolean() }),
      answer: settingsSchema,
      async handle({ accountId, body, audit }) {
        const before = await readAlertSettings(database, accountId);
        const entry = audit({
          target: { kind: "account", id: accountId },
          accountId,
          detail: {
            before: `${before.thresholds.join(" ")} balance ${before.balance} quotas ${before.quotas}`,
            after: `${body.thresholds.join(" ")} balance ${body.balance} quotas ${body.quotas}`,
          },
        });
        await database.write([alertSettingsStatement(database, accountId, body), entry], { alone: true });
        return { body };
      },
    }),
  ];
}

function alertJson(alert: Alert): z.input<typeof alertSchema> {
  return {
    id: alert.id,
    subject: alert.subject,
    access_key: alert.accessKey,
    threshold: alert.threshold,
    percent: alert.percent,
    used: String(alert.used),
    of: String(alert.of),
    acknowledged_at: alert.acknowledgedAt,
  };
}
