import type { Selectable } from "kysely";
import type { z } from "zod";
import { channelSchema } from "../config/channel-schema.ts";
import type { ChannelTable } from "../storage/channels-schema.ts";
import { type Database, expecting, type Statement } from "../storage/database.ts";
import type { Sealer } from "../storage/sealed-value.ts";
import { columnsOf, sealFor } from "./channel-rows.ts";
import type { OutboundGuard } from "./outbound-guard.ts";

/** A channel as an operator writes it; what is absent in a change stays as it is. */
export interface ChannelDraft {
  name: string;
  protocols: readonly string[];
  base_url: string;
  /** Null: none, or none any more. Absent: as it is. */
  credential?: string | null | undefined;
  credential_header?: string | null | undefined;
  headers?: Readonly<Record<string, string>> | null | undefined;
  models: readonly unknown[];
  setting: string;
  priority: number;
  weight: number | null;
  on_disconnect: string | null;
  /** Null: as its address or the model's name tells. */
  dialect: string | null;
  note: string | null;
}

/** A draft breaks a rule. The field is the one of the draft. */
export class ChannelDraftError extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.name = "ChannelDraftError";
    this.field = field;
  }
}

export interface ChannelWriting {
  database: Pick<Database, "build">;
  sealer: Sealer;
  guard: OutboundGuard;
  now: number;
}

/** The statement that adds the channel. Throws a ChannelDraftError. */
export function insertChannel(
  { database, sealer, guard, now }: ChannelWriting,
  id: string,
  draft: ChannelDraft,
): Statement {
  const { columns, headers } = checked(draft, guard);
  const { credential } = draft;
  const insert = database.build.insertInto("channel").values({
    ...columns,
    id,
    credential: typeof credential === "string" ? sealFor(sealer, id, "credential", credential) : null,
    headers: hasNames(headers) ? sealFor(sealer, id, "headers", JSON.stringify(headers)) : null,
    note: draft.note,
    created_at: now,
    updated_at: now,
    version: 1,
  });
  return insert.compile();
}

/**
 * The statement that changes the channel where it still is of the version that was read: else its unit fails with the kind
 * `condition`. Throws a ChannelDraftError, also where a stored credential would go to another place than it was given for.
 */
export function updateChannel(
  { database, sealer, guard, now }: ChannelWriting,
  row: Selectable<ChannelTable>,
  draft: ChannelDraft,
): Statement {
  const { columns, headers } = checked(draft, guard);
  const { credential } = draft;
  if (originOf(row.base_url) !== originOf(columns.base_url)) {
    const again = "must be given again, or set to null: it was given for another address";
    if (row.credential !== null && credential === undefined) throw new ChannelDraftError("credential", again);
    if (row.headers !== null && headers === undefined) throw new ChannelDraftError("headers", again);
  }
  const sealed = {
    ...(credential === undefined
      ? {}
      : { credential: credential === null ? null : sealFor(sealer, row.id, "credential", credential) }),
    ...(headers === undefined
      ? {}
      : { headers: hasNames(headers) ? sealFor(sealer, row.id, "headers", JSON.stringify(headers)) : null }),
  };
  const update = database.build
    .updateTable("channel")
    .set({ ...columns, ...sealed, note: draft.note, updated_at: now, version: row.version + 1 })
    .where("id", "=", row.id)
    .where("version", "=", row.version);
  return expecting(1, update.compile());
}

/** Holds a draft to the rules of the configuration file and of where it may lead. */
function checked(draft: ChannelDraft, guard: OutboundGuard) {
  const {
    credential,
    credential_header,
    headers,
    setting,
    weight,
    on_disconnect,
    dialect,
    note: _note,
    ...same
  } = draft;
  const parsed = channelSchema.safeParse({
    ...same,
    status: setting,
    ...(typeof credential === "string" ? { api_key: credential } : {}),
    ...(typeof credential_header === "string" ? { credential_header } : {}),
    ...(headers ? { headers } : {}),
    ...(weight === null ? {} : { weight }),
    ...(on_disconnect === null ? {} : { on_disconnect }),
    ...(dialect === null ? {} : { dialect }),
  });
  if (!parsed.success) throw draftError(parsed.error);
  const refusal = guard.refusal(parsed.data.baseUrl);
  if (refusal !== undefined) throw new ChannelDraftError("base_url", refusal);
  // Names in lower case, as they were checked.
  return { columns: columnsOf(parsed.data), headers: headers ? parsed.data.headers : headers };
}

const fieldNames: Readonly<Record<string, string>> = { api_key: "credential", status: "setting" };

function draftError({ issues }: z.ZodError): ChannelDraftError {
  const [issue] = issues;
  const path = (issue?.path ?? []).map(String);
  const [first = "", ...rest] = path;
  const field = [fieldNames[first] ?? first, ...rest].join(".");
  return new ChannelDraftError(field, issue?.message ?? "is not right");
}

function hasNames(headers: Readonly<Record<string, string>> | null | undefined): boolean {
  return headers !== null && headers !== undefined && Object.keys(headers).length > 0;
}

function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : "";
}
