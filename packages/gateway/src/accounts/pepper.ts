import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { Database } from "../storage/database.ts";
import { type Secret, SecretError, secretsOf } from "./secret.ts";

/** Turns keys into the digests that are stored. Without it the stored digests cannot be tried against guesses. */
export interface Pepper {
  version: number;
  /** HMAC-SHA-256 of the whole key, 32 bytes. */
  digest(key: string): Buffer;
  /** The digests of the key under the former secrets, the latest first. */
  formerDigests(key: string): Buffer[];
}

/** The pepper that belongs to the secret. */
export function createPepper(secret: Secret): Pepper {
  const [digest, ...former] = secretsOf(secret).map((bytes) => {
    const pepper = Buffer.from(hkdfSync("sha256", bytes, "", "interlingua access key pepper 1", 32));
    return (key: string) => createHmac("sha256", pepper).update(key).digest();
  });
  if (!digest) throw new SecretError("There is no secret");
  return { version: 1, digest, formerDigests: (key) => former.map((digestBy) => digestBy(key)) };
}

/**
 * Compares the pepper with the check value that the first start left in the database (O5): with another secret every
 * key would be refused, and nobody would know why. After a change of the secret the value is made anew. Throws a
 * SecretError.
 */
export async function checkPepper(database: Database, pepper: Pepper, secret: Secret): Promise<void> {
  const text = "check value";
  const expected = pepper.digest(text);
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
  if (stored && sameDigest(stored.digest, expected)) return;
  if (stored && pepper.formerDigests(text).some((former) => sameDigest(stored.digest, former))) {
    await database.write([
      database.build
        .updateTable("secret_check")
        .set({ digest: expected })
        .where("pepper_version", "=", pepper.version)
        .compile(),
    ]);
    return;
  }
  throw new SecretError(
    `${secret.file ?? "INTERLINGUA_SECRET"}: this is not the secret that the access keys of this database were made with; where it was changed, INTERLINGUA_FORMER_SECRETS must name the one before`,
  );
}

/** Compares digests in a time that tells nothing of them. */
export function sameDigest(first: Uint8Array, second: Uint8Array): boolean {
  return first.length === second.length && timingSafeEqual(first, second);
}
