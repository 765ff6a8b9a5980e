import type { AccessKeyConfig, KeyLimits } from "../config/config.ts";
import type { Platform } from "../platform.ts";
import type { Database, Statement } from "../storage/database.ts";
import type { AccessKeyState, AccessKeyTable } from "../storage/schema.ts";
import { createKeyText, publicIdOf } from "./access-key-form.ts";
import type { Pepper } from "./pepper.ts";

/** An access key as it may be shown. Times in unix milliseconds. */
export interface AccessKeyInfo {
  id: string;
  /** The part of the key that is no secret: `ilk_<public id>_...`. */
  publicId: string;
  name: string;
  state: AccessKeyState;
  origin: "command" | "configuration";
  lossy: "allow" | "refuse";
  /** Its own limits; what is absent is as the configuration says. */
  limits: Partial<KeyLimits>;
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
}

/** A change that cannot be made; the message is for the operator. */
export class AccessKeyError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "AccessKeyError";
  }
}

interface NewAccessKey {
  name: string;
  lossy?: "allow" | "refuse";
  limits?: LimitChange;
  expiresAt?: number;
}

/** New limits of a key: a number sets its own, null gives it that of the configuration, what is absent stays. */
export type LimitChange = { [Limit in keyof KeyLimits]?: number | null };

/** Makes and changes access keys. Every change adds to the change sequence, by which running gateways learn of it (A2). */
export interface AccessKeys {
  /** Makes a key. `key` is its only copy: what is stored cannot be turned back into it. */
  create(options: NewAccessKey): Promise<{ info: AccessKeyInfo; key: string }>;
  list(): Promise<AccessKeyInfo[]>;
  /** Enables or disables the key with this id, public id or name. Throws an AccessKeyError when it is not exactly one. */
  setState(idOrName: string, state: "enabled" | "disabled"): Promise<AccessKeyInfo>;
  /** Changes the limits of the key with this id, public id or name. Throws an AccessKeyError like `setState`. */
  setLimits(idOrName: string, change: LimitChange): Promise<AccessKeyInfo>;
  /** Brings the stored keys in line with those of the configuration: one that is declared no longer is revoked. */
  declare(keys: readonly AccessKeyConfig[]): Promise<void>;
}

export interface AccessKeysOptions {
  database: Database;
  pepper: Pepper;
  platform: Platform;
}

/** Access keys over the database. */
export function createAccessKeys({ database, pepper, platform }: AccessKeysOptions): AccessKeys {
  const { build } = database;

  const changed = (id: string): Statement =>
    build
      .insertInto("change_sequence")
      .values({ entity: "access_key", entity_id: id, changed_at: platform.now() })
      .compile();

  const insert = async (row: AccessKeyTable) => {
    await database.write([build.insertInto("access_key").values(row).compile(), changed(row.id)], { alone: true });
    return infoOf(row);
  };

  // Of several gateways that start together with the same file, one inserts.
  const insertDeclared = (row: AccessKeyTable) =>
    database.write(
      [
        build
          .insertInto("access_key")
          .values(row)
          .onConflict((conflict) => conflict.column("public_id").doNothing())
          .compile(),
        changed(row.id),
      ],
      { alone: true },
    );

  const newRow = (
    key: string,
    publicId: string,
    options: NewAccessKey,
    origin: AccessKeyTable["origin"],
  ): AccessKeyTable => ({
    id: platform.id("key"),
    public_id: publicId,
    name: options.name,
    digest: pepper.digest(key),
    pepper_version: pepper.version,
    state: "enabled",
    origin,
    lossy: options.lossy ?? "allow",
    created_at: platform.now(),
    expires_at: options.expiresAt ?? null,
    last_used_at: null,
    ...limitColumns(options.limits),
    account_id: defaultAccountId,
    models: null,
    addresses: null,
    quota: null,
    quota_period: null,
    content_logging: 0,
  });

  const update = async (id: string, values: Partial<AccessKeyTable>) => {
    await database.write([build.updateTable("access_key").set(values).where("id", "=", id).compile(), changed(id)], {
      alone: true,
    });
  };

  const rows = () => database.read.selectFrom("access_key").selectAll().orderBy("created_at").orderBy("id").execute();

  /** The one key that can be meant and changed. */
  const find = async (idOrName: string) => {
    const found = (await rows()).filter((row) => [row.id, row.public_id, row.name].includes(idOrName));
    const usable = found.length > 1 ? found.filter((row) => row.state !== "revoked") : found;
    const [row] = usable;
    if (!row) throw new AccessKeyError(`There is no access key "${idOrName}"`);
    if (usable.length > 1) {
      throw new AccessKeyError(
        `Several access keys are named "${idOrName}": use one of ${usable.map(({ id }) => id).join(", ")}`,
      );
    }
    if (row.state === "revoked") throw new AccessKeyError(`The access key "${idOrName}" is revoked, which is final`);
    return row;
  };

  return {
    async create(options) {
      const taken = (await rows()).some((row) => row.name === options.name && row.state !== "revoked");
      if (taken) throw new AccessKeyError(`An access key named "${options.name}" exists already`);
      const { key, publicId } = createKeyText(platform.randomBytes);
      return { key, info: await insert(newRow(key, publicId, options, "command")) };
    },

    async list() {
      return (await rows()).map(infoOf);
    },

    async setState(idOrName, state) {
      const row = await find(idOrName);
      if (row.state !== state) await update(row.id, { state });
      return infoOf({ ...row, state });
    },

    async setLimits(idOrName, change) {
      const row = await find(idOrName);
      if (row.origin === "configuration") {
        throw new AccessKeyError(
          `The access key "${idOrName}" is declared in the configuration file: set its limits there`,
        );
      }
      const changed = { ...row, ...changedColumns(change) };
      await update(row.id, changedColumns(change));
      return infoOf(changed);
    },

    async declare(keys) {
      const stored = (await rows()).filter((row) => row.origin === "configuration");
      const kept = new Set<string>();
      for (const declared of keys) {
        const publicId = declaredPublicId(declared.key, pepper);
        kept.add(publicId);
        const row = stored.find((candidate) => candidate.public_id === publicId);
        if (!row) {
          await insertDeclared(newRow(declared.key, publicId, declared, "configuration"));
          continue;
        }
        // A key that a command has disabled stays so; one that was gone from the file and is back works again.
        const state = row.state === "revoked" ? "enabled" : row.state;
        const values = { name: declared.name, lossy: declared.lossy, state, ...limitColumns(declared.limits) };
        if (isAlready(row, values)) continue;
        await update(row.id, values);
      }
      for (const row of stored) {
        if (!kept.has(row.public_id) && row.state !== "revoked") await update(row.id, { state: "revoked" });
      }
    },
  };
}

/**
 * The public id under which a key is looked up: its own for a key of our form, else one made from the digest, so that
 * an operator can bring keys of any form.
 */
export function declaredPublicId(key: string, pepper: Pepper): string {
  return publicIdOf(key) ?? `declared_${pepper.digest(key).toString("base64url")}`;
}

/** The account that owns what was made without naming one (migration 0003). */
export const defaultAccountId = "acct_default";

type LimitColumns = Pick<AccessKeyTable, "requests_per_minute" | "tokens_per_minute" | "concurrency">;

function limitColumns(limits: LimitChange = {}): LimitColumns {
  return {
    requests_per_minute: limits.requestsPerMinute ?? null,
    tokens_per_minute: limits.tokensPerMinute ?? null,
    concurrency: limits.concurrency ?? null,
  };
}

/** Only the columns that the change names. */
function changedColumns(change: LimitChange): Partial<LimitColumns> {
  const columns: Partial<LimitColumns> = {};
  if (change.requestsPerMinute !== undefined) columns.requests_per_minute = change.requestsPerMinute;
  if (change.tokensPerMinute !== undefined) columns.tokens_per_minute = change.tokensPerMinute;
  if (change.concurrency !== undefined) columns.concurrency = change.concurrency;
  return columns;
}

function ownLimits(row: LimitColumns): Partial<KeyLimits> {
  return {
    ...(row.requests_per_minute === null ? {} : { requestsPerMinute: row.requests_per_minute }),
    ...(row.tokens_per_minute === null ? {} : { tokensPerMinute: row.tokens_per_minute }),
    ...(row.concurrency === null ? {} : { concurrency: row.concurrency }),
  };
}

type DeclaredColumns = LimitColumns & Pick<AccessKeyTable, "name" | "lossy" | "state">;

function isAlready(row: AccessKeyTable, values: DeclaredColumns): boolean {
  return (
    row.name === values.name &&
    row.lossy === values.lossy &&
    row.state === values.state &&
    row.requests_per_minute === values.requests_per_minute &&
    row.tokens_per_minute === values.tokens_per_minute &&
    row.concurrency === values.concurrency
  );
}

function infoOf(row: AccessKeyTable): AccessKeyInfo {
  return {
    id: row.id,
    publicId: row.public_id,
    name: row.name,
    state: row.state,
    origin: row.origin,
    lossy: row.lossy,
    limits: ownLimits(row),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
  };
}
