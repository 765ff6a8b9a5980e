import type { KeyLimits } from "../config/config.ts";

/** What the rest of the gateway knows of the key that a call bears. */
export interface AuthenticatedKey {
  /** Stable id of the access key; never the key itself. */
  id: string;
  name: string;
  /** What happens when a conversion would lose something, unless the request says otherwise. */
  lossy: "allow" | "refuse";
  /** Its own limits, and those of the configuration where it has none. */
  limits: KeyLimits;
}

/**
 * Why a key was refused. For the log only: the caller gets the same 401 body for all of them (A1).
 * `malformed`: empty, with spaces, not complete, or the checksum is wrong. `unknown`: well formed and not ours.
 */
type AuthRefusal = "malformed" | "unknown" | "disabled" | "expired" | "revoked";

export type AuthResult = { ok: true; key: AuthenticatedKey } | { ok: false; reason: AuthRefusal };
