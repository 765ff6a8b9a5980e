import { expecting, type Statement, StorageError } from "../storage/database.ts";
import type { AccessKeyTable } from "../storage/schema.ts";
import { createKeyText } from "./access-key-form.ts";
import type { AccessKeysOptions } from "./access-keys.ts";
import { AccountsError } from "./accounts-error.ts";
import { type Author, writeChange } from "./change-unit.ts";
import { newAccessKeyRow } from "./new-access-key.ts";

/** A key for what one user tries out in the console. */
export interface PlaygroundKey {
  id: string;
  /** Its only copy: the page holds it in memory. */
  key: string;
  /** Unix milliseconds. */
  expiresAt: number;
}

/** For how long a playground key is good. */
export const playgroundKeyMs = 12 * 3_600_000;

/** For how long the secret before stays good, in another tab of the same user. */
const graceMs = 3_600_000;

/** Secrets of other tabs that are good at a time; the oldest ones make room. */
const mostFormer = 4;

/**
 * Gives a user a fresh playground key for an account. Each user has one in an account: asked for again, it gets a new secret
 * and lasts anew. Rejects with an AccountsError where it was disabled, which its user does not undo.
 */
export async function givePlaygroundKey(
  options: AccessKeysOptions,
  { accountId, user }: { accountId: string; user: { id: string; name: string } },
  author: Author,
): Promise<PlaygroundKey> {
  const { database, platform } = options;
  const row = await database.read
    .selectFrom("access_key")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("user_id", "=", user.id)
    .where("purpose", "=", "playground")
    .where("state", "!=", "revoked")
    .executeTakeFirst();
  if (row?.state === "disabled") {
    throw new AccountsError("refused", "Your playground key is disabled: ask an owner of the account to enable it");
  }
  const expiresAt = platform.now() + playgroundKeyMs;
  const { key, publicId } = createKeyText(platform.randomBytes);
  try {
    const id = row
      ? await renew(options, row, { key, publicId, expiresAt }, author)
      : await make(options, { accountId, user, key, publicId, expiresAt }, author);
    return { id, key, expiresAt };
  } catch (error) {
    if (!(error instanceof StorageError) || (error.kind !== "condition" && error.kind !== "constraint")) throw error;
    throw new AccountsError("conflict", "The playground key was changed at the same moment: try again");
  }
}

interface Secret {
  key: string;
  publicId: string;
  expiresAt: number;
}

async function make(
  options: AccessKeysOptions,
  { accountId, user, key, publicId, expiresAt }: Secret & { accountId: string; user: { id: string; name: string } },
  author: Author,
): Promise<string> {
  const name = `Playground · ${user.name}`.slice(0, 100);
  const columns = { name, expires_at: expiresAt };
  const row: AccessKeyTable = {
    ...newAccessKeyRow(options, { key, publicId, accountId, origin: "command" }, columns),
    purpose: "playground",
    user_id: user.id,
  };
  const insert = options.database.build.insertInto("access_key").values(row).compile();
  await tell(options, row, [insert], { public_id: publicId, ...columns }, author);
  return row.id;
}

async function renew(
  options: AccessKeysOptions,
  row: AccessKeyTable,
  { key, publicId, expiresAt }: Secret,
  author: Author,
): Promise<string> {
  const { database, pepper, platform } = options;
  const { build } = database;
  const former = await database.read
    .selectFrom("former_secret")
    .select("public_id")
    .where("access_key_id", "=", row.id)
    .where("expires_at", ">", platform.now())
    .orderBy("expires_at", "desc")
    .limit(mostFormer - 1)
    .execute();
  const kept = former.map(({ public_id }) => public_id);
  const secret = { public_id: publicId, digest: pepper.digest(key), pepper_version: pepper.version };
  const update = build
    .updateTable("access_key")
    .set({ ...secret, expires_at: expiresAt })
    .where("id", "=", row.id)
    .where("public_id", "=", row.public_id)
    .where("state", "=", row.state)
    .compile();
  const clear = build.deleteFrom("former_secret").where("access_key_id", "=", row.id);
  const replaced = {
    public_id: row.public_id,
    access_key_id: row.id,
    digest: row.digest,
    pepper_version: row.pepper_version,
    expires_at: platform.now() + graceMs,
  };
  const statements = [
    expecting(1, update),
    (kept.length === 0 ? clear : clear.where("public_id", "not in", kept)).compile(),
    build.insertInto("former_secret").values(replaced).compile(),
  ];
  const detail = { public_id_before: row.public_id, public_id_after: publicId, expires_at_after: expiresAt };
  await tell(options, row, statements, detail, author);
  return row.id;
}

async function tell(
  options: AccessKeysOptions,
  { id, account_id: accountId }: AccessKeyTable,
  statements: readonly Statement[],
  detail: Readonly<Record<string, string | number>>,
  actor: Author,
): Promise<void> {
  await writeChange(options, statements, [{ entity: "access_key", id }], {
    actor,
    action: "access_key.playground_given",
    target: { kind: "access_key", id },
    accountId,
    detail,
  });
}
