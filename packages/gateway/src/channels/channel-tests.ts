import type { Selectable } from "kysely";
import type { ChannelTestTable } from "../storage/channels-schema.ts";
import type { Database, Statement } from "../storage/database.ts";
import type { TestResult } from "./test-channel.ts";

/** As many tests of a channel are kept. */
const kept = 20;

/** The statements that keep a test and let go of those that are too many. */
export async function keepTest(
  database: Pick<Database, "read" | "build">,
  test: { id: string; channel: string; at: number; model: string; result: TestResult },
): Promise<{ row: Selectable<ChannelTestTable>; statements: Statement[] }> {
  const { id, channel, at, model, result } = test;
  const row = {
    id,
    channel,
    at,
    model,
    upstream_model: result.upstreamModel,
    protocol: result.protocol,
    succeeded: result.succeeded ? 1 : 0,
    status: result.status,
    first_byte_ms: result.firstByteMs,
    total_ms: result.totalMs,
    // No half of a surrogate pair and no U+0000: both engines store it alike.
    text: stored(result.text) ?? "",
    problem: stored(result.problem),
    message: stored(result.message),
  };
  const last = await database.read
    .selectFrom("channel_test")
    .select(["at", "id"])
    .where("channel", "=", channel)
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .offset(kept - 2)
    .limit(1)
    .executeTakeFirst();
  const statements = [database.build.insertInto("channel_test").values(row).compile()];
  if (last) {
    const old = database.build
      .deleteFrom("channel_test")
      .where("channel", "=", channel)
      .where((query) =>
        query.or([query("at", "<", last.at), query.and([query("at", "=", last.at), query("id", "<", last.id)])]),
      );
    statements.push(old.compile());
  }
  return { row, statements };
}

/** The tests of a channel that are kept, the newest first. */
export function listTests({ read }: Pick<Database, "read">, channel: string): Promise<Selectable<ChannelTestTable>[]> {
  return read
    .selectFrom("channel_test")
    .selectAll()
    .where("channel", "=", channel)
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(kept)
    .execute();
}

function stored<Text extends string | null>(text: Text): Text | string {
  return text === null ? text : text.replaceAll("\0", "\uFFFD").toWellFormed();
}
