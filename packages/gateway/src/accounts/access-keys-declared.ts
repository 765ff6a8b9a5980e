import type { AuditActor, AuditDetail } from "../audit/audit-log.ts";
import type { AccessKeyConfig } from "../config/config.ts";
import { expecting, type Statement } from "../storage/database.ts";
import type { AccessKeyTable } from "../storage/schema.ts";
import { publicIdOf } from "./access-key-form.ts";
import { type SettingColumns, settingColumns } from "./access-key-settings.ts";
import type { AccessKeysOptions } from "./access-keys.ts";
import { defaultAccountId, findAccount } from "./account-row.ts";
import { writeChange } from "./change-unit.ts";
import { changeDetail, differences, newDetail } from "./common-settings.ts";
import { newAccessKeyRow, unbounded } from "./new-access-key.ts";
import { type Pepper, sameDigest } from "./pepper.ts";
import { unlessDone } from "./unless-done.ts";

/**
 * Brings the stored keys in line with those of the configuration file: one that is declared no longer is revoked, and one
 * that is back works again. One that a command has disabled stays so. Throws an AccountsError where a key names an account
 * that does not exist.
 */
export async function declareAccessKeys(
  options: AccessKeysOptions & { actor: AuditActor },
  keys: readonly AccessKeyConfig[],
): Promise<void> {
  const { database, pepper, platform, actor } = options;
  const { build } = database;
  const stored = await database.read
    .selectFrom("access_key")
    .selectAll()
    .where("origin", "=", "configuration")
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  const kept = new Set<string>();

  const write = (row: AccessKeyTable, action: string, statement: Statement, detail: AuditDetail) =>
    writeChange(options, [statement], [{ entity: "access_key", id: row.id }], {
      actor,
      action,
      target: { kind: "access_key", id: row.id },
      accountId: row.account_id,
      detail,
    });

  const update = (row: AccessKeyTable, values: Partial<AccessKeyTable>, action: string) => {
    const statement = build.updateTable("access_key").set(values).where("id", "=", row.id).compile();
    return write(row, action, statement, changeDetail(row, values));
  };

  /** The key is at hand here, so that a change of the installation's secret needs no use of it. */
  const bringUnderSecret = async (row: AccessKeyTable, key: string, publicId: string) => {
    const digest = pepper.digest(key);
    if (row.public_id === publicId && sameDigest(row.digest, digest)) return;
    kept.add(row.public_id);
    await database.write([
      build.updateTable("access_key").set({ digest, public_id: publicId }).where("id", "=", row.id).compile(),
    ]);
  };

  for (const declared of keys) {
    const publicId = declaredPublicId(declared.key, pepper);
    kept.add(publicId);
    const { id: accountId } = await findAccount(database, declared.account ?? defaultAccountId);
    const columns = { ...unbounded, name: declared.name, ...declaredColumns(declared) };
    const former = formerPublicIds(declared.key, pepper);
    const row =
      stored.find((candidate) => candidate.public_id === publicId) ??
      stored.find((candidate) => former.includes(candidate.public_id));
    if (row) await bringUnderSecret(row, declared.key, publicId);
    if (!row) {
      const fresh = { key: declared.key, publicId, accountId, origin: "configuration" } as const;
      const made = newAccessKeyRow({ pepper, platform }, fresh, columns);
      const insert = build
        .insertInto("access_key")
        .values(made)
        .onConflict((conflict) => conflict.column("public_id").doNothing())
        .compile();
      await unlessDone(write(made, "access_key.created", expecting(1, insert), newDetail(columns)));
      continue;
    }
    const state = row.state === "revoked" ? "enabled" : row.state;
    const changes = differences(row, { ...columns, account_id: accountId, state });
    if (Object.keys(changes).length > 0) await update(row, changes, "access_key.changed");
  }
  for (const row of stored) {
    if (kept.has(row.public_id) || row.state === "revoked") continue;
    await update(row, { state: "revoked" }, "access_key.revoked");
  }
}

/**
 * The public id under which a key is looked up: its own for a key of our form, else one made from the digest, so that an
 * operator can bring keys of any form.
 */
export function declaredPublicId(key: string, pepper: Pepper): string {
  return publicIdOf(key) ?? publicIdBy(pepper.digest(key));
}

/** The public ids that the key had under the former secrets. */
function formerPublicIds(key: string, pepper: Pepper): string[] {
  return publicIdOf(key) === undefined ? pepper.formerDigests(key).map(publicIdBy) : [];
}

function publicIdBy(digest: Buffer): string {
  return `declared_${digest.toString("base64url")}`;
}

function declaredColumns({ account: _account, key: _key, ...settings }: AccessKeyConfig): SettingColumns {
  return settingColumns(settings);
}
