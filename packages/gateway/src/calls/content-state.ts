import type { Config } from "../config/config.ts";
import type { Database } from "../storage/database.ts";
import type { ContentPart } from "../storage/schema.ts";
import type { CallRecord } from "./call-record.ts";

/** The parts of a call's content in the order of the wire. */
const contentParts: readonly ContentPart[] = ["client_request", "upstream_request", "upstream_answer", "client_answer"];

/**
 * What is kept of a call's content, or why nothing is.
 * `installation_off`, `key_off`: the configuration or the access key does not want it now. `expired`: it would have been
 * removed by now. `not_kept`: both want it now; they did not when the call ran, or it had none.
 */
export interface ContentState {
  state: "kept" | "expired" | "installation_off" | "key_off" | "not_kept";
  /** Empty unless kept. Sizes in bytes as they went over the wire. */
  parts: readonly { part: ContentPart; size: number; cut: boolean; expiresAt: number }[];
}

/** Tells of a call's content without reading it: nothing is opened, and nothing is audited. */
export async function contentState(
  { read }: Pick<Database, "read">,
  call: Pick<CallRecord, "id" | "startedAt" | "accessKeyId" | "timings">,
  { settings, now }: { settings: Config["contentLogging"]; now: number },
): Promise<ContentState> {
  const rows = await read
    .selectFrom("call_content")
    .select(["part", "size", "cut", "expires_at"])
    .where("call_id", "=", call.id)
    .execute();
  const kept = rows.filter((row) => row.expires_at > now);
  if (kept.length > 0) {
    const parts = kept
      .toSorted((a, b) => contentParts.indexOf(a.part) - contentParts.indexOf(b.part))
      .map(({ part, size, cut, expires_at }) => ({ part, size, cut: cut === 1, expiresAt: expires_at }));
    return { state: "kept", parts };
  }
  if (rows.length > 0) return { state: "expired", parts: [] };
  return { state: await whyNothing(read, call, settings, now), parts: [] };
}

async function whyNothing(
  read: Database["read"],
  { accessKeyId, startedAt, timings }: Pick<CallRecord, "startedAt" | "accessKeyId" | "timings">,
  settings: Config["contentLogging"],
  now: number,
): Promise<Exclude<ContentState["state"], "kept">> {
  if (!settings.enabled) return "installation_off";
  const key = await read
    .selectFrom("access_key")
    .select("content_logging")
    .where("id", "=", accessKeyId)
    .executeTakeFirst();
  if (key?.content_logging !== 1) return "key_off";
  return startedAt + (timings.end ?? 0) + settings.retentionMs <= now ? "expired" : "not_kept";
}
