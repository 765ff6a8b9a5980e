import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { Database } from "../storage/database.ts";
import { type Secret, SecretError } from "./secret.ts";

/** Turns keys into the digests that are stored. Without it the stored digests cannot be tried against guesses. */
export interface Pepper {
  version: number;
  /** HMAC-SHA-256 of the whole key, 32 bytes. */
  digest(key: string): Buffer;
}

/** The pepper that belongs to the secret. */
export function createPepper(secret: Secret): Pepper {
  const pepper = Buffer.from(hkdfSync("sha256", secret.bytes, "", "interlingua access key pepper 1", 32));
  return { version: 1, digest: (key) => createHmac("sha256", pepper).update(key).digest() };
}

/**
 * Compares the pepper with the check value that the first start left in the database (O5): with another secret every
 * key would be refused, and nobody would know why. Throws a SecretError.
 */
export async function checkPepper(database: Database, pepper: Pepper, secret: Secret): Promise<void> {
  const expected = pepper.digest("check value");
  await database.write([
    database.build
      .insertInto("secret_check")
      .values({ pepper_version: pepper.version, digest: expected })
      .onConflict((conflict) => conflict.doNothing())
      .compile(),
  ]);
  const stored = await database.read
    .selectFrom("secret_check")
    .select("digest")
    .where("pepper_version", "=", pepper.version)
    .executeTakeFirst();
  if (stored && stored.digest.length === expected.length && timingSafeEqual(stored.digest, expected)) return;
  throw new SecretError(
    `${secret.file ?? "INTERLINGUA_SECRET"}: this is not the secret that the access keys of this database were made with`,
  );
}
