import { createHash } from "node:crypto";
import type { Expression, ExpressionBuilder, SqlBool } from "kysely";

const hours = 3_600_000;

/** How long a session lives, in milliseconds: without a request, and in all (S8). */
export const sessionLife = { idle: 8 * hours, absolute: 24 * hours };

/** A session's last use is noted when it is this much older. */
export const seenEvery = 60_000;

/** Bytes of a session's token. */
export const tokenBytes = 32;

/** What is stored of a session's token. */
export function tokenDigest(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

/** A session that was last used then, or before, is over. */
export function idleSince(now: number): number {
  return now - sessionLife.idle;
}

/** Tables whose columns are named when a statement is run. */
export type LooseSchema = Record<string, Record<string, unknown>>;

/** Of rows of `user_session`: which are sessions still, of users who may sign in. */
export function isLive(expression: ExpressionBuilder<LooseSchema, string>, now: number): Expression<SqlBool> {
  return expression.and([
    expression("expires_at", ">", now),
    expression("seen_at", ">", idleSince(now)),
    expression("user_id", "in", expression.selectFrom("user").select("user.id").where("user.disabled_at", "is", null)),
  ]);
}
