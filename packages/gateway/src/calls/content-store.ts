import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import { type AuditActor, auditStatement } from "../audit/audit-log.ts";
import type { Config } from "../config/config.ts";
import type { Platform } from "../platform.ts";
import type { Database, Statement } from "../storage/database.ts";
import type { ContentPart } from "../storage/schema.ts";
import { createSealer } from "../storage/sealed-value.ts";
import { CallsError } from "./calls-error.ts";
import { type CapturedPart, type ContentCapture, createContentCapture } from "./content-capture.ts";
import { redactContent } from "./redact-content.ts";

/** One kept body of a call. */
interface StoredContent {
  part: ContentPart;
  /** Unix milliseconds. */
  storedAt: number;
  expiresAt: number;
  /** Redacted. Where it was no text, its bytes that are none are shown as U+FFFD. */
  text: string;
  /** Bytes that went over the wire. */
  size: number;
  /** Not all of it was kept. */
  cut: boolean;
}

/** Keeps the content of calls, where the installation and the access key want it (S2). */
export interface ContentStore {
  /** What gathers the content of a call of this key; null, and nothing is kept, unless both have turned it on. */
  captureFor(key: { contentLogging: boolean }): ContentCapture | null;
  /**
   * What keeps the content of a call: redacted, compressed, sealed. To be written in the unit of the call's record, behind the
   * record's own statements.
   */
  statements(callId: string, capture: ContentCapture): Promise<Statement[]>;
  /**
   * What is kept of a call and has not expired, in the order of the wire; empty where there is nothing. That it was read stands
   * in the audit log before it is given. Throws a CallsError for a call that is not there, a SealError for content that was
   * tampered with.
   */
  read(callId: string, reader: AuditActor): Promise<StoredContent[]>;
}

export interface ContentStoreOptions {
  database: Database;
  /** The installation's secret. */
  secret: Uint8Array;
  /** Those before it. */
  formerSecrets?: readonly Uint8Array[] | undefined;
  platform: Pick<Platform, "now" | "id" | "randomBytes">;
  /** May be another one at each look. */
  readonly settings: Config["contentLogging"];
}

const order: readonly ContentPart[] = ["client_request", "upstream_request", "upstream_answer", "client_answer"];

const compress = promisify(deflateRaw);
const expand = promisify(inflateRaw);

export function createContentStore(options: ContentStoreOptions): ContentStore {
  const { database, secret, formerSecrets, platform } = options;
  const { randomBytes } = platform;
  const sealer = createSealer({ secret, formerSecrets, purpose: "call content", randomBytes });
  const placeOf = (callId: string, part: ContentPart) => ({
    table: "call_content",
    row: `${callId}:${part}`,
    column: "bytes",
  });

  const statementOf = async (callId: string, captured: CapturedPart, now: number) => {
    const cut = captured.size > captured.bytes.length;
    const text = redactContent(textOf(captured.bytes, cut));
    const packed = await compress(Buffer.from(text, "utf8"));
    return database.build
      .insertInto("call_content")
      .values({
        call_id: callId,
        part: captured.part,
        stored_at: now,
        expires_at: now + options.settings.retentionMs,
        size: captured.size,
        cut: cut ? 1 : 0,
        bytes: sealer.seal(placeOf(callId, captured.part), packed),
      })
      .compile();
  };

  return {
    captureFor({ contentLogging }) {
      const { enabled, maxBytes } = options.settings;
      return enabled && contentLogging ? createContentCapture(maxBytes) : null;
    },
    statements(callId, capture) {
      const now = platform.now();
      return Promise.all(capture.parts().map((captured) => statementOf(callId, captured, now)));
    },
    async read(callId, reader) {
      const call = await database.read
        .selectFrom("call")
        .select("account_id")
        .where("id", "=", callId)
        .executeTakeFirst();
      if (!call) throw new CallsError("There is no such call");
      const rows = await database.read
        .selectFrom("call_content")
        .selectAll()
        .where("call_id", "=", callId)
        .where("expires_at", ">", platform.now())
        .execute();
      if (rows.length === 0) return [];
      const contents: StoredContent[] = [];
      for (const row of rows.toSorted((a, b) => order.indexOf(a.part) - order.indexOf(b.part))) {
        const packed = sealer.open(placeOf(callId, row.part), row.bytes);
        contents.push({
          part: row.part,
          storedAt: row.stored_at,
          expiresAt: row.expires_at,
          text: (await expand(packed)).toString("utf8"),
          size: row.size,
          cut: row.cut === 1,
        });
      }
      const target = { kind: "call", id: callId };
      const event = { actor: reader, action: "call_content.read", target, accountId: call.account_id };
      await database.write([auditStatement(database, platform, event)]);
      return contents;
    },
  };
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * The text of a body. Where it was cut, its last word goes, too: half a card number or half an address would not be
 * recognised as one.
 */
function textOf(bytes: Uint8Array, cut: boolean): string {
  const text = decoder.decode(bytes);
  if (!cut) return text;
  const tail = text.slice(-256);
  return text.slice(0, text.length - tail.length) + tail.replace(/[\p{L}\p{N}\p{M}_.%+@ ()/\uFFFD-]*$/u, "");
}
