import type { AddressFilter } from "../config/address-ranges.ts";
import type { KeyLimits } from "../config/config.ts";
import type { QuotaPeriod } from "../storage/schema.ts";
import type { ModelFilter } from "./model-filter.ts";

/** What a key may spend in a period, by the database's clock in UTC. Nano-dollars. */
export interface KeyQuota {
  amount: bigint;
  period: QuotaPeriod;
}

/** What a call needs to know of the account that owns its key. No balance: the database alone knows it (M10). */
interface KeyAccount {
  id: string;
  name: string;
  billing: "prepaid" | "postpaid";
  /** Parts per million of the list price: 1,000,000 is the price itself. */
  markupPpm: number;
  /** Limits that its keys share; what is absent is limited by the keys alone. */
  limits: Partial<KeyLimits>;
}

/** What the rest of the gateway knows of the key that a call bears. */
export interface AuthenticatedKey {
  /** Stable id of the access key; never the key itself. */
  id: string;
  name: string;
  accountId: string;
  account: KeyAccount;
  /** What happens when a conversion would lose something, unless the request says otherwise. */
  lossy: "allow" | "refuse";
  /** Its own limits, and those of the configuration where it has none. */
  limits: KeyLimits;
  /** The models it may name; null: all. */
  models: ModelFilter | null;
  /** Where it may be used from; null: everywhere. Held by the authenticator. */
  addresses: AddressFilter | null;
  quota: KeyQuota | null;
  /** Whether prompts and answers are kept, where the configuration allows it. */
  contentLogging: boolean;
}

/**
 * Why a key was refused. For the log; the caller gets the same 401 body for all (A1) but the last two, which are told to
 * the holder of a good key: 403.
 * `malformed`: empty, with spaces, not complete, or the checksum is wrong. `unknown`: well formed and not ours.
 * `suspended`: its account is. `address`: it may not be used from there.
 */
export type AuthRefusal = "malformed" | "unknown" | "disabled" | "expired" | "revoked" | "suspended" | "address";

export type AuthResult = { ok: true; key: AuthenticatedKey } | { ok: false; reason: AuthRefusal };
