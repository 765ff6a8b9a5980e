import { timingSafeEqual } from "node:crypto";
import type { Config, KeyLimits } from "../config/config.ts";
import type { Every, Platform } from "../platform.ts";
import type { Database } from "../storage/database.ts";
import type { AccessKeyTable } from "../storage/schema.ts";
import { errorFields } from "../telemetry/error-fields.ts";
import type { Log } from "../telemetry/log.ts";
import { publicIdOf } from "./access-key-form.ts";
import { createAccessKeys, declaredPublicId } from "./access-keys.ts";
import type { AuthenticatedKey, AuthResult } from "./auth-result.ts";
import { BoundedMap } from "./bounded-map.ts";
import { createChangeWatch } from "./change-watch.ts";
import { checkPepper, createPepper, type Pepper } from "./pepper.ts";
import { loadSecret } from "./secret.ts";

/** Decides whether a presented key is good. The hot path is synchronous: no database read after a key's first use. */
export interface Authenticator {
  /**
   * `presented` is the header's value as it came, spaces and all. Rejects with a StorageError when the database cannot
   * be asked (503 `storage_unavailable`).
   */
  authenticate(presented: string): AuthResult | Promise<AuthResult>;
  /** Ends the watch for changes and writes the last use times that are due. */
  close(): Promise<void>;
}

export interface AuthenticatorOptions {
  database: Database;
  config: Pick<Config, "secret" | "database" | "accessKeys" | "auth"> & { limits: KeyLimits };
  platform: Platform;
  /** Drives the watch for changes that other processes make. */
  every: Every;
  log: Log;
}

/** What is kept in memory of a key, under its whole digest. */
interface KnownKey {
  row: AccessKeyTable;
  good: AuthResult;
  /** Unix milliseconds of the last use, and the last one that was written down. */
  usedAt: number;
  writtenAt: number;
}

const maxKnown = 50_000;
const maxUnknown = 10_000;
const unknownForMs = 5000;
const lastUseEveryMs = 60_000;

/** What an unknown public id is compared with, so that it takes the same time as a known one. */
const dummyDigest = new Uint8Array(32);

/**
 * Loads the secret, brings the declared keys into the database and begins to watch for changes. Throws a SecretError
 * when the secret does not fit the database.
 */
export async function createAuthenticator(options: AuthenticatorOptions): Promise<Authenticator> {
  const { database, config, platform, log } = options;
  const secret = loadSecret(config, platform);
  if (secret.origin === "created") {
    log.info("made the secret that protects stored access keys; keep a copy apart from the database", {
      file: secret.file,
    });
  }
  const pepper = createPepper(secret);
  await checkPepper(database, pepper, secret);
  await createAccessKeys({ database, pepper, platform }).declare(config.accessKeys);
  return authenticatorOver(options, pepper);
}

async function authenticatorOver(
  { database, config, platform, every, log }: AuthenticatorOptions,
  pepper: Pepper,
): Promise<Authenticator> {
  const known = new BoundedMap<string, KnownKey>(maxKnown);
  /** Digests that belong to no key, and until when (monotonic) that is believed. */
  const unknown = new BoundedMap<string, number>(maxUnknown);
  const used = new Set<KnownKey>();
  const foreignForms = config.accessKeys.some((entry) => publicIdOf(entry.key) === undefined);

  const watch = await createChangeWatch({
    database,
    monotonic: platform.monotonic,
    changed(ids) {
      unknown.clear();
      for (const [digest, entry] of known) if (ids.has(entry.row.id)) known.delete(digest);
    },
  });

  const judge = (entry: KnownKey): AuthResult => {
    const { row } = entry;
    if (row.state !== "enabled") return { ok: false, reason: row.state };
    const now = platform.now();
    if (row.expires_at !== null && now >= row.expires_at) return { ok: false, reason: "expired" };
    entry.usedAt = now;
    used.add(entry);
    return entry.good;
  };

  const lookUp = async (publicId: string, digest: Buffer, cacheKey: string): Promise<AuthResult> => {
    const generation = watch.generation();
    const row = await database.read
      .selectFrom("access_key")
      .selectAll()
      .where("public_id", "=", publicId)
      .executeTakeFirst();
    const same = timingSafeEqual(digest, row?.digest ?? dummyDigest);
    // What was read before a change that has been seen meanwhile is not kept (A2).
    const keep = generation === watch.generation();
    if (!row || !same) {
      if (keep) unknown.set(cacheKey, platform.monotonic() + unknownForMs);
      return { ok: false, reason: "unknown" };
    }
    const good: AuthResult = { ok: true, key: keyOf(row, config.limits) };
    const entry: KnownKey = { row, good, usedAt: row.last_used_at ?? 0, writtenAt: row.last_used_at ?? 0 };
    if (keep) known.set(cacheKey, entry);
    return judge(entry);
  };

  const decide = (presented: string): AuthResult | Promise<AuthResult> => {
    const digest = pepper.digest(presented);
    const cacheKey = digest.toString("base64");
    const entry = known.get(cacheKey);
    if (entry) return judge(entry);
    const until = unknown.get(cacheKey);
    if (until !== undefined && platform.monotonic() < until) return { ok: false, reason: "unknown" };
    return lookUp(declaredPublicId(presented, pepper), digest, cacheKey);
  };

  const writeLastUses = async () => {
    const due = [...used].filter((entry) => entry.usedAt - entry.writtenAt >= lastUseEveryMs);
    for (const entry of due) {
      used.delete(entry);
      entry.writtenAt = entry.usedAt;
    }
    if (due.length === 0) return;
    await database.write(
      due.map((entry) =>
        database.build
          .updateTable("access_key")
          .set({ last_used_at: entry.usedAt })
          .where("id", "=", entry.row.id)
          .compile(),
      ),
    );
  };

  let healthy = true;
  const tick = async () => {
    try {
      await watch.look();
      await writeLastUses();
      healthy = true;
    } catch (error) {
      // Said once: calls answer 503 by themselves as long as it lasts.
      if (healthy) log.error("changes of access keys cannot be read", errorFields(error));
      healthy = false;
    }
  };
  const stop = every(config.auth.pollMs, tick);

  return {
    authenticate(presented) {
      if (!isPossible(presented, foreignForms)) return { ok: false, reason: "malformed" };
      // Nothing in memory is believed that the database has not confirmed lately (A1), nor while it cannot be asked: a
      // call whose record could not be written is better refused before it costs anything (D1).
      if (!healthy || watch.age() > config.auth.maxStaleMs) return watch.look().then(() => decide(presented));
      return decide(presented);
    },
    async close() {
      stop();
      await writeLastUses();
    },
  };
}

function keyOf(row: AccessKeyTable, defaults: KeyLimits): AuthenticatedKey {
  const limits = {
    requestsPerMinute: row.requests_per_minute ?? defaults.requestsPerMinute,
    tokensPerMinute: row.tokens_per_minute ?? defaults.tokensPerMinute,
    concurrency: row.concurrency ?? defaults.concurrency,
  };
  return { id: row.id, name: row.name, lossy: row.lossy, limits };
}

/** Refuses without any work what cannot be a key: empty, with spaces, cut, mistyped, overlong. */
function isPossible(presented: string, foreignForms: boolean): boolean {
  return publicIdOf(presented) !== undefined || (foreignForms && /^[A-Za-z0-9._~-]{32,256}$/.test(presented));
}
