import type { AuditDetail } from "../audit/audit-log.ts";
import { expecting, type Statement, StorageError } from "../storage/database.ts";
import type { AccessKeyTable } from "../storage/schema.ts";
import { createKeyText } from "./access-key-form.ts";
import type { AccessKeyInfo } from "./access-key-row.ts";
import {
  allKeyRows,
  findKeyRow,
  isNameTaken,
  type KeyReference,
  keyInfos,
  keyRowsById,
  type NamedKeyRow,
} from "./access-key-rows.ts";
import { type AccessKeySettings, type SettingColumns, settingColumns } from "./access-key-settings.ts";
import { defaultAccountId, findAccount } from "./account-row.ts";
import { AccountsError } from "./accounts-error.ts";
import { type Author, type Changed, type ChangeEvent, type ChangeOptions, writeChange } from "./change-unit.ts";
import { changeDetail, differences, invalid, newDetail } from "./common-settings.ts";
import { newAccessKeyRow } from "./new-access-key.ts";
import type { Pepper } from "./pepper.ts";

interface NewAccessKey extends AccessKeySettings {
  name: string;
  /** Id or name of the account that it belongs to: the default one unless told otherwise. */
  account?: string;
}

/** What becomes of running calls when their key is taken away: they finish, or end at once by an error (A3). */
interface EndOptions {
  terminate?: boolean;
}

/**
 * Makes and changes access keys. Every change adds to the change sequence, by which running gateways learn of it (A2), and
 * to the audit log (S16). What cannot be done rejects with an AccountsError.
 */
export interface AccessKeys {
  /** Makes a key. `key` is its only copy: what is stored cannot be turned back into it. */
  create(options: NewAccessKey, actor: Author): Promise<{ info: AccessKeyInfo; key: string }>;
  /** All keys, or those of one account by its id, oldest first. */
  list(filter?: { accountId?: string }): Promise<AccessKeyInfo[]>;
  show(reference: KeyReference): Promise<AccessKeyInfo>;
  /** Changes what the settings name. A key of the configuration file is changed there. */
  set(reference: KeyReference, settings: AccessKeySettings, actor: Author): Promise<AccessKeyInfo>;
  setState(
    reference: KeyReference,
    state: "enabled" | "disabled",
    actor: Author,
    options?: EndOptions,
  ): Promise<AccessKeyInfo>;
  /** Disables the keys of an account with these ids, all or none; those that are not enabled stay as they are. */
  disableAll(accountId: string, ids: readonly string[], actor: Author, options?: EndOptions): Promise<AccessKeyInfo[]>;
  /** Ends the key and all its former secrets, for ever. */
  revoke(reference: KeyReference, actor: Author, options?: EndOptions): Promise<AccessKeyInfo>;
  /**
   * Gives the key a new secret. The one before stays good for `graceMs`; 0 ends it and all former ones at once. At most five
   * former ones are good at a time.
   */
  rotate(reference: KeyReference, graceMs: number, actor: Author): Promise<{ info: AccessKeyInfo; key: string }>;
}

export interface AccessKeysOptions extends ChangeOptions {
  pepper: Pepper;
}

const maxFormerSecrets = 5;
/** A former secret that stays good for longer is no rotation any more. */
const longestGraceMs = 90 * 24 * 3_600_000;

/** Access keys over the database. */
export function createAccessKeys(options: AccessKeysOptions): AccessKeys {
  const { database, pepper, platform } = options;
  const { build } = database;

  /** The one key that can be meant and changed. */
  const findForChange = async (reference: KeyReference, authority: "anyone" | "not-the-file"): Promise<NamedKeyRow> => {
    const row = await findKeyRow(database, reference);
    if (row.state === "revoked") {
      throw new AccountsError("final", `The access key "${row.name}" is revoked, which is final`);
    }
    if (authority === "not-the-file" && row.origin === "configuration") {
      throw new AccountsError(
        "declared",
        `The access key "${row.name}" is declared in the configuration file: change it there`,
      );
    }
    return row;
  };

  const checkName = async (name: string, accountId: string) => {
    if (await isNameTaken(database, accountId, name)) {
      throw new AccountsError("taken", `An access key named "${name}" exists already`, "name");
    }
  };

  /** What was read may be old: a revoked key is never changed back, and a secret never replaced twice (M10). */
  const updateOf = (row: AccessKeyTable, values: Partial<AccessKeyTable>): Statement =>
    expecting(
      1,
      build
        .updateTable("access_key")
        .set(values)
        .where("id", "=", row.id)
        .where("public_id", "=", row.public_id)
        .where("state", "!=", "revoked")
        .compile(),
    );

  const writeKeys = async (
    statements: readonly Statement[],
    changed: readonly Changed[],
    events: readonly ChangeEvent[],
  ): Promise<void> => {
    try {
      await writeChange(options, statements, changed, ...events);
    } catch (error) {
      if (!(error instanceof StorageError) || error.kind !== "condition") throw error;
      throw new AccountsError("conflict", "The access key was changed at the same moment: look at it and try again");
    }
  };

  const write = async (
    { id, account_id }: AccessKeyTable,
    statements: readonly Statement[],
    tell: { action: string; actor: Author; detail: AuditDetail; terminate?: boolean | undefined },
  ): Promise<AccessKeyInfo> => {
    const changed: Changed[] = [{ entity: "access_key", id }];
    if (tell.terminate) changed.push({ entity: "termination", id });
    const { actor, action, detail } = tell;
    await writeKeys(statements, changed, [
      { actor, action, target: { kind: "access_key", id }, accountId: account_id, detail },
    ]);
    const [info] = await keyInfos(database, await keyRowsById(database, [id]), platform.now());
    if (!info) throw new Error(`The access key ${id} is gone right after it was written`);
    return info;
  };

  const show = async (reference: KeyReference) => {
    const row = await findKeyRow(database, reference);
    const [info] = await keyInfos(database, [row], platform.now());
    if (!info) throw new Error("Each row is one key");
    return info;
  };

  /** Ends all former secrets of a key, or removes those that have ended by a time. */
  const formerEnd = (keyId: string, endedBy?: number): Statement => {
    const ended = build.deleteFrom("former_secret").where("access_key_id", "=", keyId);
    return (endedBy === undefined ? ended : ended.where("expires_at", "<=", endedBy)).compile();
  };

  return {
    show,

    async create(given, actor) {
      const { account = defaultAccountId, ...settings } = given;
      const columns: SettingColumns & { name: string } = { name: given.name, ...settingColumns(settings) };
      if (columns.expires_at != null && columns.expires_at <= platform.now()) {
        throw invalid("expiresAt", "The expiry must be in the future");
      }
      const { id: accountId } = await findAccount(database, account);
      await checkName(columns.name, accountId);
      const { key, publicId } = createKeyText(platform.randomBytes);
      const row = newAccessKeyRow({ pepper, platform }, { key, publicId, accountId, origin: "command" }, columns);
      const insert = build.insertInto("access_key").values(row).compile();
      const detail = newDetail({ public_id: publicId, ...columns });
      return { key, info: await write(row, [insert], { action: "access_key.created", actor, detail }) };
    },

    async list(filter = {}) {
      return keyInfos(database, await allKeyRows(database, filter.accountId), platform.now());
    },

    async set(reference, settings, actor) {
      const row = await findForChange(reference, "not-the-file");
      const changes = differences(row, settingColumns(settings));
      if (Object.keys(changes).length === 0) return show(row.id);
      if (changes.name !== undefined) await checkName(changes.name, row.account_id);
      const detail = changeDetail(row, changes);
      return write(row, [updateOf(row, changes)], { action: "access_key.changed", actor, detail });
    },

    async setState(reference, state, actor, { terminate } = {}) {
      const row = await findForChange(reference, "anyone");
      if (row.state === state && !terminate) return show(row.id);
      const detail = { state_before: row.state, state_after: state };
      return write(row, [updateOf(row, { state })], {
        action: `access_key.${state}`,
        actor,
        detail,
        terminate: terminate && state === "disabled",
      });
    },

    async disableAll(accountId, ids, actor, { terminate } = {}) {
      const rows = (await keyRowsById(database, ids)).filter((row) => row.account_id === accountId);
      const missing = ids.find((id) => !rows.some((row) => row.id === id));
      if (missing !== undefined) throw new AccountsError("unknown", `There is no access key "${missing}"`);
      const enabled = rows.filter(({ state }) => state === "enabled");
      const changed = enabled.flatMap(({ id }): Changed[] => [
        { entity: "access_key", id },
        ...(terminate ? [{ entity: "termination", id } as const] : []),
      ]);
      if (enabled.length > 0) {
        await writeKeys(
          enabled.map((row) => updateOf(row, { state: "disabled" })),
          changed,
          enabled.map(({ id }) => ({
            actor,
            action: "access_key.disabled",
            target: { kind: "access_key", id },
            accountId,
            detail: { state_before: "enabled", state_after: "disabled" },
          })),
        );
      }
      return keyInfos(database, await keyRowsById(database, ids), platform.now());
    },

    async revoke(reference, actor, { terminate } = {}) {
      const row = await findForChange(reference, "not-the-file");
      const statements = [updateOf(row, { state: "revoked" }), formerEnd(row.id)];
      const detail = { state_before: row.state, state_after: "revoked" };
      return write(row, statements, { action: "access_key.revoked", actor, detail, terminate });
    },

    async rotate(reference, graceMs, actor) {
      if (!Number.isSafeInteger(graceMs) || graceMs < 0 || graceMs > longestGraceMs) {
        throw invalid("grace", "The former secret can stay good for 90 days at most");
      }
      const row = await findForChange(reference, "not-the-file");
      const now = platform.now();
      const [before] = await keyInfos(database, [row], now);
      if (graceMs > 0 && (before?.formerSecrets.length ?? 0) >= maxFormerSecrets) {
        throw new AccountsError(
          "refused",
          `The access key "${row.name}" has ${maxFormerSecrets} former secrets that are still good: wait until one ends, or end all by a grace of 0`,
        );
      }
      const { key, publicId } = createKeyText(platform.randomBytes);
      const secret = { public_id: publicId, digest: pepper.digest(key), pepper_version: pepper.version };
      const statements = [updateOf(row, secret), formerEnd(row.id, graceMs === 0 ? undefined : now)];
      if (graceMs > 0) {
        const former = {
          public_id: row.public_id,
          access_key_id: row.id,
          digest: row.digest,
          pepper_version: row.pepper_version,
          expires_at: now + graceMs,
        };
        statements.push(build.insertInto("former_secret").values(former).compile());
      }
      const detail = { public_id_before: row.public_id, public_id_after: publicId, grace_ms: graceMs };
      return { key, info: await write(row, statements, { action: "access_key.rotated", actor, detail }) };
    },
  };
}
