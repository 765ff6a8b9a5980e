import { z } from "zod";
import type { AccessKeyInfo } from "../../accounts/access-key-row.ts";
import type { AccessKeySettings } from "../../accounts/access-key-settings.ts";
import type { AccessKeyUsage } from "../../accounts/access-key-usage.ts";
import { moneySchema, timeSchema } from "../api-schemas.ts";

/* Access keys as the API shows and takes them. */

export const keyStates = ["enabled", "disabled", "expired", "revoked"] as const;
const quotaPeriods = ["total", "day", "week", "month"] as const;

const limit = z.number().int().nullable().describe("Null: as the configuration says.");
const models = z.array(z.string()).nullable().describe("Names, or patterns with '*'. Null: all; an empty list: none.");
const addresses = z.array(z.string()).nullable().describe("Addresses or ranges. Null: all; an empty list: none.");
const lossy = z.enum(["allow", "refuse"]).describe("Whether a conversion may lose something of a request.");

export const keySchema = z
  .object({
    id: z.string(),
    public_id: z.string().describe("The part of the key that is no secret: 'ilk_<public id>_…'."),
    name: z.string(),
    state: z.enum(keyStates),
    declared: z.boolean().describe("Declared in the configuration file, which alone changes it."),
    purpose: z.enum(["calls", "playground"]),
    created_at: timeSchema,
    expires_at: timeSchema.nullable(),
    last_used_at: timeSchema.nullable(),
    limits: z.object({ requests_per_minute: limit, tokens_per_minute: limit, concurrency: limit }),
    models,
    addresses,
    lossy,
    content_logging: z.boolean().describe("Whether prompts and answers are kept, where the installation allows it."),
    quota: z
      .object({
        amount: moneySchema,
        period: z.enum(quotaPeriods),
        used: moneySchema.describe("Nano-dollars charged in the current window."),
        reserved: moneySchema.describe("Nano-dollars set aside for running calls."),
        resets_at: timeSchema.nullable().describe("When the next window begins; null where there is none."),
      })
      .nullable(),
    days: z
      .array(z.object({ day: timeSchema, calls: z.number().int(), charge: moneySchema }))
      .describe("Calls and charges of each of the last seven days of UTC, today at the end."),
    former_secrets: z
      .array(z.object({ public_id: z.string(), expires_at: timeSchema }))
      .describe("Secrets that a rotation has replaced and that are still good."),
  })
  .meta({ id: "AccessKey" });

export const keyWithSecretSchema = z
  .object({ key: keySchema, secret: z.string().describe("The whole key. It is shown this once.") })
  .meta({ id: "AccessKeyWithSecret" });

const newLimit = z.number().int().min(1).nullable().optional().describe("Null: as the configuration says.");
const expiry = z.number().int().min(0).nullable().optional().describe("Unix time in milliseconds; null: never.");

const settings = {
  limits: z
    .strictObject({ requests_per_minute: newLimit, tokens_per_minute: newLimit, concurrency: newLimit })
    .optional(),
  models: models.optional(),
  addresses: addresses.optional(),
  expires_at: expiry,
  quota: z
    .strictObject({ amount: z.string().regex(/^[0-9]{1,16}$/, "not nano-dollars"), period: z.enum(quotaPeriods) })
    .nullable()
    .optional()
    .describe("The most that calls of the key may cost in a window: 'amount' in nano-dollars. Null: no bound."),
  lossy: lossy.optional(),
  content_logging: z.boolean().optional(),
};

export const newKeyBody = z.strictObject({ name: z.string().max(200), ...settings });
export const changedKeyBody = z.strictObject({ name: z.string().max(200).optional(), ...settings });

/** What a body sets, as the accounts' room takes it. */
export function settingsOf(body: Omit<z.output<typeof changedKeyBody>, "name">): AccessKeySettings {
  const { limits, models, addresses, expires_at, quota, lossy, content_logging } = body;
  return {
    ...(limits && { limits: limitsOf(limits) }),
    ...(models === undefined ? {} : { models }),
    ...(addresses === undefined ? {} : { addresses }),
    ...(expires_at === undefined ? {} : { expiresAt: expires_at }),
    ...(quota === undefined ? {} : { quota: quota && { amount: BigInt(quota.amount), period: quota.period } }),
    ...(lossy === undefined ? {} : { lossy }),
    ...(content_logging === undefined ? {} : { contentLogging: content_logging }),
  };
}

function limitsOf(limits: NonNullable<z.output<typeof changedKeyBody>["limits"]>) {
  const { requests_per_minute, tokens_per_minute, concurrency } = limits;
  return {
    ...(requests_per_minute === undefined ? {} : { requestsPerMinute: requests_per_minute }),
    ...(tokens_per_minute === undefined ? {} : { tokensPerMinute: tokens_per_minute }),
    ...(concurrency === undefined ? {} : { concurrency }),
  };
}

/** A key and what it did lately. */
export function keyJson(info: AccessKeyInfo, usage: AccessKeyUsage | undefined): z.output<typeof keySchema> {
  const { limits, quota } = info;
  return {
    id: info.id,
    public_id: info.publicId,
    name: info.name,
    state: info.state,
    declared: info.origin === "configuration",
    purpose: info.purpose,
    created_at: info.createdAt,
    expires_at: info.expiresAt,
    last_used_at: info.lastUsedAt,
    limits: {
      requests_per_minute: limits.requestsPerMinute ?? null,
      tokens_per_minute: limits.tokensPerMinute ?? null,
      concurrency: limits.concurrency ?? null,
    },
    models: info.models && [...info.models],
    addresses: info.addresses && [...info.addresses],
    lossy: info.lossy,
    content_logging: info.contentLogging,
    quota: quota && {
      amount: String(quota.amount),
      period: quota.period,
      used: String(usage?.quota?.used ?? 0n),
      reserved: String(usage?.quota?.reserved ?? 0n),
      resets_at: usage?.quota?.resetsAt ?? null,
    },
    days: (usage?.days ?? []).map(({ day, calls, charge }) => ({ day, calls, charge: String(charge) })),
    former_secrets: info.formerSecrets.map(({ publicId, expiresAt }) => ({
      public_id: publicId,
      expires_at: expiresAt,
    })),
  };
}
