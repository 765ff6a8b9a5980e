import type { Database } from "../storage/database.ts";
import { idleSince } from "./session-rules.ts";

/** Removes sessions, challenges and setup links that are over. `now` in unix milliseconds. */
export async function sweepSignIns({ build, write }: Pick<Database, "build" | "write">, now: number): Promise<void> {
  await write([
    build
      .deleteFrom("user_session")
      .where((row) => row.or([row("expires_at", "<=", now), row("seen_at", "<=", idleSince(now))]))
      .compile(),
    build.deleteFrom("user_verification").where("expires_at", "<=", now).compile(),
    build.deleteFrom("setup_token").where("expires_at", "<=", now).compile(),
  ]);
}
