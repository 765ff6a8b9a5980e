import { createHash, timingSafeEqual } from "node:crypto";
import { type CanonicalError, canonicalError } from "@interlingua/protocols";
import { formatDollars } from "../catalogue/prices/money.ts";
import type { Database } from "../storage/database.ts";
import { moneyText } from "../storage/money-column.ts";
import type { IncomingCall } from "./incoming-call.ts";
import { stillRunning } from "./own-errors.ts";

/** What makes two calls the same (M8): the caller's word for it, and the proof that the body is the same. */
export interface Idempotency {
  digest: Uint8Array;
  bodyDigest: Uint8Array;
}

/** Undefined where the caller did not ask for it. */
export function idempotencyOf(call: IncomingCall): Idempotency | undefined {
  if (call.idempotencyKey === null) return undefined;
  return { digest: sha256(call.idempotencyKey), bodyDigest: sha256(call.document.bytes) };
}

function sha256(value: string | Buffer): Uint8Array {
  return createHash("sha256").update(value).digest();
}

/** What a caller is told whose idempotency key is in use; undefined where it is not. Rejects with a StorageError. */
export async function explainRepeat(
  database: Pick<Database, "read">,
  accessKeyId: string,
  { digest, bodyDigest }: Idempotency,
): Promise<CanonicalError | undefined> {
  const first = await database.read
    .selectFrom("idempotency_key")
    .leftJoin("call", "call.id", "idempotency_key.call_id")
    .select(["idempotency_key.call_id", "body_digest", "call.outcome", moneyText("charge").as("charge")])
    .where("idempotency_key.access_key_id", "=", accessKeyId)
    .where("digest", "=", digest)
    .executeTakeFirst();
  if (!first) return undefined;
  if (first.body_digest.length !== bodyDigest.length || !timingSafeEqual(first.body_digest, bodyDigest)) {
    const message = "The idempotency key was used with another request body.";
    return canonicalError("conflict", message, { status: 422, param: "idempotency-key", code: "idempotency_mismatch" });
  }
  if (first.outcome === null) return stillRunning();
  const message = `The call with this idempotency key has run already: ${first.call_id}, charged ${formatDollars(BigInt(first.charge))}.`;
  return canonicalError("conflict", message, { code: "already_completed" });
}
