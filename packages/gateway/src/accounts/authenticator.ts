import type { AuthResult } from "./auth-result.ts";

/** Decides whether a presented key is good. The hot path is synchronous: no database read after a key's first use. */
export interface Authenticator {
  /**
   * `presented` is the header's value as it came, spaces and all. Rejects with a StorageError when the database cannot
   * be asked (503 `storage_unavailable`).
   */
  authenticate(presented: string): AuthResult | Promise<AuthResult>;
  /** Ends the polling for changes and writes the last use times. */
  close(): Promise<void>;
}
