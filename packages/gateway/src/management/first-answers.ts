import { createHash } from "node:crypto";
import { z } from "zod";
import type { Secret } from "../accounts/secret.ts";
import type { Platform } from "../platform.ts";
import { type Database, StorageError } from "../storage/database.ts";
import { createSealer } from "../storage/sealed-value.ts";
import { errorFields } from "../telemetry/error-fields.ts";
import type { Log } from "../telemetry/log.ts";
import { ManagementError } from "./failure.ts";
import type { ManagementAnswer } from "./routes.ts";

/** How long a first answer is kept, in milliseconds. */
export const answerLife = 24 * 3_600_000;

/** No request takes longer; one that has no answer by then was cut off. */
const longestRequest = 10 * 60_000;

/** A request that names a key, so that it may be sent again. */
export interface RepeatableRequest {
  /** The user, or the API token. */
  caller: string;
  /** Path and query. */
  target: string;
  key: string;
  body: unknown;
}

/** Answers to requests with an `idempotency-key`: the first one does the work, the others are told what it was answered. */
export interface FirstAnswers {
  /**
   * Does the work, or gives the answer of the request that did it. A refused request may be sent again under its key, since
   * it changed nothing. Throws 409 where the key was for something else, or nobody knows (yet) how the first one ended.
   */
  run(request: RepeatableRequest, work: () => Promise<ManagementAnswer>): Promise<ManagementAnswer>;
}

const keptSchema = z.object({ status: z.number(), body: z.unknown() });

export function createFirstAnswers(options: {
  database: Database;
  platform: Platform;
  secret: Secret;
  log: Log;
}): FirstAnswers {
  const { database, platform, log } = options;
  const { build } = database;
  const { randomBytes } = platform;
  // An answer may hold a secret that is shown this once.
  const { bytes: secret, former: formerSecrets } = options.secret;
  const sealer = createSealer({ secret, formerSecrets, purpose: "first answers", randomBytes });
  const placeOf = (request: Buffer) => ({
    table: "first_answer",
    row: request.toString("base64url"),
    column: "answer",
  });

  /** Whether this is the first request; it is on record from then on. */
  const begin = async (request: Buffer, bodyDigest: Buffer): Promise<boolean> => {
    const now = platform.now();
    const row = { request, body_digest: bodyDigest, created_at: now, answer: null };
    const [, inserted] = await database.write([
      build
        .deleteFrom("first_answer")
        .where("request", "=", request)
        .where("created_at", "<=", now - answerLife)
        .compile(),
      build
        .insertInto("first_answer")
        .values(row)
        .onConflict((conflict) => conflict.column("request").doNothing())
        .compile(),
    ]);
    return inserted?.changes === 1;
  };

  const forget = async (request: Buffer): Promise<void> => {
    await database.write([build.deleteFrom("first_answer").where("request", "=", request).compile()]);
  };

  const keep = async (request: Buffer, { status = 200, body }: ManagementAnswer): Promise<void> => {
    const sealed = sealer.seal(placeOf(request), Buffer.from(JSON.stringify({ status, body })));
    const row = build.updateTable("first_answer").set({ answer: sealed }).where("request", "=", request);
    await database.write([row.compile()]);
  };

  const repeat = async (request: Buffer, bodyDigest: Buffer): Promise<ManagementAnswer> => {
    const row = await database.read
      .selectFrom("first_answer")
      .selectAll()
      .where("request", "=", request)
      .executeTakeFirst();
    // Refused just now, and with it gone.
    if (!row) throw conflict("in_progress", "A request with this idempotency key has just ended. Send it again.");
    if (!bodyDigest.equals(row.body_digest)) {
      throw conflict("idempotency_key_reused", "The idempotency key was sent before with another body.");
    }
    if (row.answer === null) {
      throw platform.now() - row.created_at < longestRequest
        ? conflict("in_progress", "The first request with this idempotency key is still being answered.")
        : conflict(
            "outcome_unknown",
            "The first request with this idempotency key was cut off. Look whether it took effect; use another key then.",
          );
    }
    const { status, body } = keptSchema.parse(
      JSON.parse(Buffer.from(sealer.open(placeOf(request), row.answer)).toString()),
    );
    return { status, ...(body === undefined ? {} : { body }), headers: { "idempotent-replayed": "true" } };
  };

  return {
    async run({ caller, target, key, body }, work) {
      if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
        const text = "The header 'idempotency-key' must be 1 to 255 printable ASCII characters.";
        throw new ManagementError(400, "invalid_request", text, { field: "idempotency-key" });
      }
      const request = digestOf(JSON.stringify([caller, target, key]));
      const bodyDigest = digestOf(JSON.stringify(body));
      if (!(await begin(request, bodyDigest))) return repeat(request, bodyDigest);
      let answer: ManagementAnswer;
      try {
        answer = await work();
      } catch (error) {
        if (changedNothing(error)) await forget(request);
        throw error;
      }
      // What was done is done, whether this is written or not: its outcome is then not known to the next one.
      await keep(request, answer).catch((error: unknown) => {
        log.warn("the answer to a request with an idempotency key could not be kept", errorFields(error));
      });
      return answer;
    },
  };
}

/** Removes the answers whose time is over. `now` in unix milliseconds. */
export async function sweepFirstAnswers(
  { build, write }: Pick<Database, "build" | "write">,
  now: number,
): Promise<void> {
  await write([
    build
      .deleteFrom("first_answer")
      .where("created_at", "<=", now - answerLife)
      .compile(),
  ]);
}

/** Where a commit's acknowledgement was lost, or something broke inside of us, nobody knows. */
function changedNothing(error: unknown): boolean {
  if (error instanceof StorageError) return error.kind !== "unavailable";
  return error instanceof ManagementError && error.status < 500;
}

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function conflict(code: string, message: string): ManagementError {
  return new ManagementError(409, code, message, { field: "idempotency-key" });
}
