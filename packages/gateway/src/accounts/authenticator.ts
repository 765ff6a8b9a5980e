import { hash } from "node:crypto";
import type { Config, KeyLimits } from "../config/config.ts";
import type { Every, Platform } from "../platform.ts";
import type { Database } from "../storage/database.ts";
import { errorFields } from "../telemetry/error-fields.ts";
import type { Log } from "../telemetry/log.ts";
import { publicIdOf } from "./access-key-form.ts";
import { declareAccessKeys, declaredPublicId } from "./access-keys-declared.ts";
import { declareAccounts } from "./accounts-declared.ts";
import type { AuthResult } from "./auth-result.ts";
import { BoundedMap } from "./bounded-map.ts";
import { type Changes, createChangeWatch } from "./change-watch.ts";
import { type FoundSecret, findSecret } from "./find-secret.ts";
import { createLastUses } from "./last-uses.ts";
import { checkPepper, createPepper, type Pepper, sameDigest } from "./pepper.ts";
import { redigestStatements } from "./redigest.ts";
import { loadSecret, type SecretConfig } from "./secret.ts";
import { createSharedReads } from "./shared-reads.ts";

/** Decides whether a presented key is good. The hot path is synchronous: no database read after a key's first use. */
export interface Authenticator {
  /**
   * `presented` is the header's value as it came, spaces and all; `address` is the caller's. Rejects with a StorageError
   * when the database cannot be asked (503 `storage_unavailable`).
   */
  authenticate(presented: string, address: string): AuthResult | Promise<AuthResult>;
  /** To be called at a hint that something changed, so that it is seen before the next poll. Resolves when it was. Never rejects. */
  lookNow(): Promise<void>;
  /** Tells what changed, keys, accounts and prices, on whichever gateway: within `auth.poll` of the change (A2). */
  onChanges(listener: (changes: Changes) => void): void;
  /** Tells the ids of access keys whose running calls are to end now, on whichever gateway that was asked for (A3). */
  onRevoked(listener: (keyIds: ReadonlySet<string>) => void): void;
  /** Has every key read again at its next use: what they have in common changed, the limits of keys without their own. */
  forget(): void;
  /** Ends the watch for changes and writes the last use times that are due. */
  close(): Promise<void>;
}

export interface AuthenticatorOptions {
  database: Database;
  config: Pick<Config, "file" | "accounts" | "accessKeys" | "auth"> &
    SecretConfig & {
      /** For keys without their own. May be another one at each look. */
      readonly limits: KeyLimits;
    };
  platform: Platform;
  /** Drives the watch for changes that other processes make. */
  every: Every;
  log: Log;
}

/** What is kept in memory of a secret, under the presented key's whole digest. */
interface KnownSecret {
  found: FoundSecret;
  good: AuthResult;
}

const maxKnown = 50_000;
const maxUnknown = 10_000;
const unknownForMs = 5000;

/** What an unknown public id is compared with, so that it takes the same time as a known one. */
const dummyDigest = new Uint8Array(32);

/**
 * Loads the secret, brings the declared accounts and keys into the database and begins to watch for changes. Throws a
 * SecretError when the secret does not fit the database, an AccessKeyError or AccountError when what is declared cannot be.
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
  const actor = { kind: "configuration", id: null, name: config.file ?? "environment", address: null } as const;
  await declareAccounts({ database, platform, actor }, config.accounts);
  await declareAccessKeys({ database, pepper, platform, actor }, config.accessKeys);
  return authenticatorOver(options, pepper);
}

async function authenticatorOver(
  { database, config, platform, every, log }: AuthenticatorOptions,
  pepper: Pepper,
): Promise<Authenticator> {
  const known = new BoundedMap<string, KnownSecret>(maxKnown);
  /** For the digests that never leave this memory: a call needs one, and those that are stored take ten times the work. */
  const salt = Buffer.from(platform.randomBytes(32)).toString("base64");
  /** Digests that belong to no key, and until when (monotonic) that is believed. */
  const unknown = new BoundedMap<string, number>(maxUnknown);
  const lastUses = createLastUses(database, maxKnown);
  const foreignForms = config.accessKeys.some((entry) => publicIdOf(entry.key) === undefined);
  const changeListeners: ((changes: Changes) => void)[] = [];
  const revokedListeners: ((keyIds: ReadonlySet<string>) => void)[] = [];

  let forgotten = 0;

  const watch = await createChangeWatch({
    database,
    monotonic: platform.monotonic,
    changed(changes) {
      if (changes.access_key.size > 0) unknown.clear();
      for (const [digest, { found }] of known) {
        // What changes an account changes all its keys.
        const changed = changes.access_key.has(found.key.id) || changes.account.has(found.key.accountId);
        if (changed) known.delete(digest);
      }
      for (const listener of changeListeners) listener(changes);
      if (changes.termination.size > 0) for (const listener of revokedListeners) listener(changes.termination);
    },
  });

  const judge = ({ found, good }: KnownSecret, address: string): AuthResult => {
    if (found.state !== "enabled") return { ok: false, reason: found.state };
    const now = platform.now();
    if (found.expiresAt !== null && now >= found.expiresAt) return { ok: false, reason: "expired" };
    if (found.secretExpiresAt !== null && now >= found.secretExpiresAt) return { ok: false, reason: "expired" };
    if (found.accountState !== "active") return { ok: false, reason: "suspended" };
    const { addresses } = found.key;
    if (addresses !== null && !addresses.allows(address)) return { ok: false, reason: "address" };
    lastUses.note(found.key.id, now, found.lastUsedAt);
    return good;
  };

  // A crowd that comes with one key takes one connection.
  const shared = createSharedReads<FoundSecret | undefined>();
  const lookUp = async (presented: string, cacheKey: string, address: string): Promise<AuthResult> => {
    const digest = pepper.digest(presented);
    const publicId = declaredPublicId(presented, pepper);
    const generation = watch.generation();
    const before = forgotten;
    const found = await shared(publicId, () => findSecret(database, publicId, config.limits));
    const stored = found?.digest ?? dummyDigest;
    const same = sameDigest(digest, stored);
    const isFormer = !same && pepper.formerDigests(presented).some((former) => sameDigest(former, stored));
    // What was read before a change that has been seen meanwhile is not kept (A2).
    const keep = generation === watch.generation() && before === forgotten;
    if (!found || !(same || isFormer)) {
      if (keep) unknown.set(cacheKey, platform.monotonic() + unknownForMs);
      return { ok: false, reason: "unknown" };
    }
    const secret: KnownSecret = { found, good: { ok: true, key: found.key } };
    if (keep) known.set(cacheKey, secret);
    if (isFormer) await redigest(publicId, stored, digest);
    return judge(secret, address);
  };

  /** The caller's key is good whether or not this is written; the next first use tries it again. */
  const redigest = async (publicId: string, from: Uint8Array, to: Uint8Array) => {
    try {
      await database.write(redigestStatements(database, { publicId, from, to }));
    } catch (error) {
      log.warn("the digest of an access key could not be brought under the new secret", errorFields(error));
    }
  };

  const decide = (presented: string, address: string): AuthResult | Promise<AuthResult> => {
    const cacheKey = hash("sha256", salt + presented, "base64");
    const secret = known.get(cacheKey);
    if (secret) return judge(secret, address);
    const until = unknown.get(cacheKey);
    if (until !== undefined && platform.monotonic() < until) return { ok: false, reason: "unknown" };
    return lookUp(presented, cacheKey, address);
  };

  let healthy = true;
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
      healthy = true;
    } catch (error) {
      // Said once: calls answer 503 by themselves as long as it lasts.
      if (healthy) log.error("changes of access keys cannot be read", errorFields(error));
      healthy = false;
    }
  };
  const stop = every(config.auth.pollMs, () =>
    attempt(async () => {
      await watch.look();
      await lastUses.write();
    }),
  );

  return {
    authenticate(presented, address) {
      if (!isPossible(presented, foreignForms)) return { ok: false, reason: "malformed" };
      // Nothing in memory is believed that the database has not confirmed lately (A1), nor while it cannot be asked: a
      // call whose record could not be written is better refused before it costs anything (D1).
      if (!healthy || watch.age() > config.auth.maxStaleMs) return watch.look().then(() => decide(presented, address));
      return decide(presented, address);
    },
    lookNow: () => attempt(watch.lookAfresh),
    onChanges(listener) {
      changeListeners.push(listener);
    },
    onRevoked(listener) {
      revokedListeners.push(listener);
    },
    forget() {
      forgotten += 1;
      known.clear();
    },
    async close() {
      stop();
      await lastUses.write();
    },
  };
}

/** Refuses without any work what cannot be a key: empty, with spaces, cut, mistyped, overlong. */
function isPossible(presented: string, foreignForms: boolean): boolean {
  return publicIdOf(presented) !== undefined || (foreignForms && /^[A-Za-z0-9._~-]{32,256}$/.test(presented));
}
