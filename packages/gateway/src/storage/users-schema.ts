import type { Generated } from "kysely";

/* The tables of users and of the audit log as their rows look; see schema.ts for what holds for all tables. */

/** What a user may do in one account. */
export type AccountRole = "owner" | "member" | "viewer";

export type AuditActorKind = "user" | "command" | "system" | "configuration";

interface UserTable {
  id: string;
  name: string;
  /** In lower case. */
  email: string;
  email_verified: number;
  image: string | null;
  two_factor_enabled: Generated<number>;
  /** 1: may do everything in the whole installation. */
  operator: Generated<number>;
  disabled_at: number | null;
  created_at: number;
  updated_at: number;
}

interface UserSessionTable {
  id: string;
  /** SHA-256 of the token, base64url. */
  token: string;
  user_id: string;
  created_at: number;
  updated_at: number;
  /** The latest end, whatever is done meanwhile. */
  expires_at: number;
  /** When it was last used, to the minute. */
  seen_at: number;
  ip_address: string | null;
  user_agent: string | null;
}

/** A way to sign in: a password (provider `credential`), or a person at an outside provider. */
interface UserCredentialTable {
  id: string;
  user_id: string;
  provider_id: string;
  /** The user's own id for a password, else the provider's subject. */
  account_id: string;
  /** The hash, in the PHC form. */
  password: string | null;
  access_token: string | null;
  refresh_token: string | null;
  id_token: string | null;
  access_token_expires_at: number | null;
  refresh_token_expires_at: number | null;
  scope: string | null;
  created_at: number;
  updated_at: number;
}

interface UserVerificationTable {
  id: string;
  identifier: string;
  value: string;
  expires_at: number;
  created_at: number;
  updated_at: number;
}

interface UserTwoFactorTable {
  id: string;
  user_id: string;
  /** Encrypted. */
  secret: string;
  /** Encrypted. */
  backup_codes: string;
  verified: number | null;
  failed_verification_count: number | null;
  locked_until: number | null;
}

interface UserPasskeyTable {
  id: string;
  user_id: string;
  name: string | null;
  public_key: string;
  credential_id: string;
  counter: number;
  device_type: string;
  backed_up: number;
  transports: string | null;
  aaguid: string | null;
  created_at: number | null;
}

interface MembershipTable {
  user_id: string;
  account_id: string;
  role: AccountRole;
  created_at: number;
}

/** A filter of the call log that a user keeps under a name. */
export interface SavedViewTable {
  id: string;
  user_id: string;
  /** Null: over the whole installation. */
  account_id: string | null;
  name: string;
  /** JSON object of search parameters. */
  search: string;
  created_at: number;
}

/** A one-time link to make the first operator. */
interface SetupTokenTable {
  /** SHA-256 of the token. */
  digest: Uint8Array;
  created_at: number;
  expires_at: number;
  used_at: number | null;
}

/** A one-time link by which a user sets a password. */
interface InvitationTable {
  /** SHA-256 of the token. */
  digest: Uint8Array;
  user_id: string;
  /** `welcome`: the first password. `reset`: another one. */
  purpose: "welcome" | "reset";
  created_at: number;
  expires_at: number;
  /** The id of the user who made it. */
  created_by: string | null;
}

/** What is inserted; the database adds number and hashes. */
interface AuditEntryView {
  id: string;
  at: number;
  actor_kind: AuditActorKind;
  actor_id: string | null;
  actor_name: string;
  address: string | null;
  action: string;
  target_kind: string | null;
  target_id: string | null;
  account_id: string | null;
  /** JSON object. */
  detail: string;
}

export interface AuditEventTable extends AuditEntryView {
  sequence: number;
  previous_hash: string;
  hash: string;
}

interface AuditHeadTable {
  id: number;
  sequence: number;
  hash: string;
}

export interface UsersSchema {
  saved_view: SavedViewTable;
  user: UserTable;
  user_session: UserSessionTable;
  user_credential: UserCredentialTable;
  user_verification: UserVerificationTable;
  user_two_factor: UserTwoFactorTable;
  user_passkey: UserPasskeyTable;
  membership: MembershipTable;
  setup_token: SetupTokenTable;
  invitation: InvitationTable;
  audit_entry: AuditEntryView;
  audit_event: AuditEventTable;
  audit_head: AuditHeadTable;
}
