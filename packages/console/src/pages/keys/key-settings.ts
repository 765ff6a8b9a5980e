import { dollarsOf, parseDollars } from "../../shared/dollars.ts";
import type { AccessKey, KeySettings, quotaPeriods } from "./key-api.ts";

type QuotaPeriod = (typeof quotaPeriods)[number];

export const expiryChoices = ["never", "7", "30", "90", "365", "at"] as const;
type ExpiryChoice = (typeof expiryChoices)[number];

/** What stands in the fields of the form. */
export interface KeyFields {
  name: string;
  expiry: ExpiryChoice;
  /** Unix milliseconds, where the expiry is chosen as a time. */
  expiresAt: number | null;
  /** Dollars as they were typed. */
  quota: string;
  quotaPeriod: QuotaPeriod;
  requests: number | null;
  tokens: number | null;
  concurrency: number | null;
  /** Null: all. */
  models: readonly string[] | null;
  addresses: readonly string[] | null;
  lossy: "allow" | "refuse";
  contentLogging: boolean;
}

export const newKeyFields: KeyFields = {
  name: "",
  expiry: "never",
  expiresAt: null,
  quota: "",
  quotaPeriod: "month",
  requests: null,
  tokens: null,
  concurrency: null,
  models: null,
  addresses: null,
  lossy: "allow",
  contentLogging: false,
};

export function fieldsOf(key: AccessKey): KeyFields {
  return {
    name: key.name,
    expiry: key.expires_at === null ? "never" : "at",
    expiresAt: key.expires_at,
    quota: key.quota === null ? "" : dollarsOf(key.quota.amount),
    quotaPeriod: key.quota?.period ?? "month",
    requests: key.limits.requests_per_minute,
    tokens: key.limits.tokens_per_minute,
    concurrency: key.limits.concurrency,
    models: key.models,
    addresses: key.addresses,
    lossy: key.lossy,
    contentLogging: key.content_logging,
  };
}

/** The settings that the fields say, or the field that cannot be read. */
export function settingsOf(fields: KeyFields, now: number): { settings: KeySettings } | { wrong: "quota" | "name" } {
  const amount = fields.quota.trim() === "" ? null : parseDollars(fields.quota);
  if (fields.name.trim() === "") return { wrong: "name" };
  if (amount === undefined) return { wrong: "quota" };
  const { requests, tokens, concurrency } = fields;
  return {
    settings: {
      name: fields.name.trim(),
      expires_at: expiryOf(fields, now),
      quota: amount === null ? null : { amount, period: fields.quotaPeriod },
      limits: { requests_per_minute: requests, tokens_per_minute: tokens, concurrency },
      models: fields.models && [...fields.models],
      addresses: fields.addresses && [...fields.addresses],
      lossy: fields.lossy,
      content_logging: fields.contentLogging,
    },
  };
}

function expiryOf({ expiry, expiresAt }: KeyFields, now: number): number | null {
  switch (expiry) {
    case "never":
      return null;
    case "at":
      return expiresAt;
    default:
      return now + Number(expiry) * 86_400_000;
  }
}
