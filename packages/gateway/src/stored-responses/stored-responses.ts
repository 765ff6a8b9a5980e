import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import type { JsonObject } from "@interlingua/protocols";
import type { Config } from "../config/config.ts";
import type { Platform } from "../platform.ts";
import type { Database, Statement } from "../storage/database.ts";
import { createSealer, SealError } from "../storage/sealed-value.ts";
import { errorFields } from "../telemetry/error-fields.ts";
import type { Log } from "../telemetry/log.ts";
import { isObject, itemsOf, listedInput } from "./items.ts";
import { isOwnId } from "./own-id.ts";

/** An answer that is kept, and all that the model had seen before it but the instructions. */
export interface StoredResponse {
  /** The response object as the caller got it. */
  response: JsonObject;
  /** Items in the order of the conversation, those of earlier turns included; each has an id. */
  input: readonly JsonObject[];
}

/** Keeps the answer of one call. */
export interface AnswerKeeper {
  /** Takes the whole answer, a response object as JSON text; gives whether it will be kept. */
  keep(answer: string): boolean;
  /** What writes it down; nothing where no answer was taken. To be written in the unit of the call's record. */
  statements(): Promise<Statement[]>;
}

/**
 * Answers of the responses protocol that callers come back to by their id: sealed, and each for its account alone
 * (conversion.md R1, R2, R5). What does not open (it was tampered with, or its secret is gone) is not there, and the operator
 * is told. All reads reject with a StorageError.
 */
export interface StoredResponses {
  /**
   * What keeps the answer to a request; undefined where it is not to be kept, or the request is too large already.
   * `size`: the request in bytes.
   */
  keeperFor(accountId: string, request: { body: JsonObject; size: number }): AnswerKeeper | undefined;
  /** Undefined where there is none, it has expired, or it is another account's. */
  read(accountId: string, id: string): Promise<StoredResponse | undefined>;
  /** The items of kept answers by their ids; without those that are not kept. */
  findItems(accountId: string, ids: readonly string[]): Promise<Map<string, JsonObject>>;
  /** Gives whether it was there. */
  remove(accountId: string, id: string): Promise<boolean>;
}

export interface StoredResponsesOptions {
  database: Database;
  /** The installation's secret. */
  secret: Uint8Array;
  /** Those before it. */
  formerSecrets?: readonly Uint8Array[] | undefined;
  platform: Pick<Platform, "now" | "id" | "randomBytes">;
  log: Pick<Log, "warn">;
  /** May be another one at each look. */
  readonly settings: Config["storedResponses"];
}

const deflate = promisify(deflateRaw);
/** At the fastest level: a caller waits for the end of its answer meanwhile. */
const compress = (text: string) => deflate(text, { level: 1 });
const expand = promisify(inflateRaw);

/** Rows of one statement, far from what an engine takes as parameters. */
const batch = 500;

export function createStoredResponses(options: StoredResponsesOptions): StoredResponses {
  const { database, secret, formerSecrets, platform, log } = options;
  const { read, build } = database;
  const { randomBytes } = platform;
  const sealer = createSealer({ secret, formerSecrets, purpose: "stored responses", randomBytes });
  const placeOf = (accountId: string, id: string) => ({
    table: "stored_response",
    row: `${accountId}:${id}`,
    column: "bytes",
  });

  const statementsOf = async (accountId: string, id: string, text: string, items: readonly JsonObject[]) => {
    const now = platform.now();
    const bytes = sealer.seal(placeOf(accountId, id), await compress(text));
    const row = { id, account_id: accountId, stored_at: now, expires_at: now + options.settings.ttlMs, bytes };
    const statements: Statement[] = [build.insertInto("stored_response").values(row).compile()];
    // In one order everywhere, so that two calls that keep the same items do not wait for each other.
    const ids = [...new Set(items.map((item) => item.id))].filter((value) => typeof value === "string").sort();
    for (let start = 0; start < ids.length; start += batch) {
      const rows = ids
        .slice(start, start + batch)
        .map((itemId) => ({ account_id: accountId, item_id: itemId, response_id: id }));
      statements.push(
        build
          .insertInto("stored_response_item")
          .values(rows)
          .onConflict((conflict) => conflict.columns(["account_id", "item_id"]).doUpdateSet({ response_id: id }))
          .compile(),
      );
    }
    return statements;
  };

  const opened = async (accountId: string, row: { id: string; bytes: Uint8Array }): Promise<StoredResponse> => {
    const text = await expand(sealer.open(placeOf(accountId, row.id), row.bytes));
    const stored: unknown = JSON.parse(text.toString("utf8"));
    if (!isObject(stored) || !isObject(stored.response)) throw new Error(`The stored response ${row.id} is none.`);
    return { response: stored.response, input: itemsOf(stored.input) };
  };

  const readRow = async (accountId: string, id: string): Promise<StoredResponse | undefined> => {
    const row = await read
      .selectFrom("stored_response")
      .select(["id", "bytes"])
      .where("id", "=", id)
      .where("account_id", "=", accountId)
      .where("expires_at", ">", platform.now())
      .executeTakeFirst();
    try {
      return row && (await opened(accountId, row));
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      log.warn("a stored response cannot be opened", errorFields(error));
      return undefined;
    }
  };

  /** The ids of the newest answers that hold these items. */
  const answersWith = async (accountId: string, itemIds: readonly string[]): Promise<string[]> => {
    const answers = new Set<string>();
    for (let start = 0; start < itemIds.length; start += batch) {
      const rows = await read
        .selectFrom("stored_response_item")
        .select("response_id")
        .where("account_id", "=", accountId)
        .where("item_id", "in", itemIds.slice(start, start + batch))
        .execute();
      for (const row of rows) answers.add(row.response_id);
    }
    return [...answers];
  };

  return {
    keeperFor(accountId, { body, size }) {
      const { keep, maxBytes } = options.settings;
      if (!wantsKeeping(body, keep) || size > maxBytes) return undefined;
      let kept: { id: string; text: string; items: JsonObject[] } | undefined;
      return {
        keep(answer) {
          const response: unknown = JSON.parse(answer);
          if (!isObject(response) || typeof response.id !== "string") throw new Error("An answer without an id.");
          const input = listedInput(body.input, (prefix) => prefix + platform.id("").slice(1));
          const text = `{"response":${answer},"input":${JSON.stringify(input)}}`;
          const fits = Buffer.byteLength(text) <= maxBytes;
          kept = fits ? { id: response.id, text, items: itemsOf(response.output) } : undefined;
          return fits;
        },
        statements: async () => (kept ? statementsOf(accountId, kept.id, kept.text, kept.items) : []),
      };
    },

    read: async (accountId, id) => (isOwnId(id) ? readRow(accountId, id) : undefined),

    async findItems(accountId, ids) {
      const found = new Map<string, JsonObject>();
      const missing = new Set(ids);
      // Ids begin with their time, and an answer's input holds what was referred to before: the newest mostly has them all.
      for (const id of (await answersWith(accountId, [...missing])).toSorted().reverse()) {
        if (missing.size === 0) break;
        const stored = await readRow(accountId, id);
        for (const item of stored ? [...stored.input, ...itemsOf(stored.response.output)] : []) {
          if (typeof item.id === "string" && missing.delete(item.id)) found.set(item.id, item);
        }
      }
      return found;
    },

    async remove(accountId, id) {
      if (!isOwnId(id)) return false;
      const statement = build
        .deleteFrom("stored_response")
        .where("id", "=", id)
        .where("account_id", "=", accountId)
        .where("expires_at", ">", platform.now())
        .compile();
      const [result] = await database.write([statement], { order: `${accountId}/~` });
      return (result?.changes ?? 0) > 0;
    },
  };
}

/** A caller that says nothing wishes to have its answer kept only where the operator reads its silence so (R2). */
function wantsKeeping({ store }: JsonObject, keep: Config["storedResponses"]["keep"]): boolean {
  switch (keep) {
    case "never":
      return false;
    case "asked":
      return store === true;
    case "default":
      return store !== false;
  }
}
