/**
 * Why something cannot be done with an account or a key. `invalid`: a setting is wrong (`field`). `unknown`: there is none,
 * or it belongs to somebody else. `taken`: the name is. `ambiguous`: several have the name. `final`: it is revoked.
 * `declared`: the configuration file is the authority for it. `refused`: its state does not allow it. `conflict`: somebody
 * else changed it at the same moment.
 */
export type AccountsErrorCode =
  | "invalid"
  | "unknown"
  | "taken"
  | "ambiguous"
  | "final"
  | "declared"
  | "refused"
  | "conflict";

/** A change of an account or an access key that cannot be made. The message is one line for whoever asked. */
export class AccountsError extends Error {
  readonly code: AccountsErrorCode;
  /** The setting that is wrong, where it is one. */
  readonly field: string | undefined;

  constructor(code: AccountsErrorCode, message: string, field?: string) {
    super(message);
    this.name = "AccountsError";
    this.code = code;
    this.field = field;
  }
}
