/* The tables of the management API as their rows look; see schema.ts for what holds for all tables. */

/** A token by which a program acts for a user. */
interface ApiTokenTable {
  id: string;
  /** SHA-256 of the token. */
  digest: Uint8Array;
  /** Its last four characters, to tell tokens apart. */
  tail: string;
  /** Who made it, and for whom it acts. */
  user_id: string;
  name: string;
  access: "read" | "write";
  /** The most that it may be, whatever its user is. */
  role: "viewer" | "member" | "owner" | "operator";
  /** JSON list of the accounts that it is for; null: the whole installation, role `operator`. */
  account_ids: string | null;
  created_at: number;
  expires_at: number | null;
  /** To the minute. */
  last_used_at: number | null;
}

/** What was answered to the first request with an idempotency key. */
interface FirstAnswerTable {
  /** SHA-256 of who asked, for what, under which key. */
  request: Uint8Array;
  body_digest: Uint8Array;
  created_at: number;
  /** Sealed; null while the first request is under way. */
  answer: Uint8Array | null;
}

export interface ManagementSchema {
  api_token: ApiTokenTable;
  first_answer: FirstAnswerTable;
}
