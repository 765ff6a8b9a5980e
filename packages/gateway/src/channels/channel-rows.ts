import type { Insertable, Selectable } from "kysely";
import { channelSchema } from "../config/channel-schema.ts";
import type { ModelEntry } from "../config/config.ts";
import type { ChannelTable } from "../storage/channels-schema.ts";
import { SealError, type SealedPlace, type Sealer } from "../storage/sealed-value.ts";
import type { AddressedChannel } from "./channel.ts";
import type { OutboundGuard } from "./outbound-guard.ts";

/** A row of the database as a channel, or why it is none (O2). */
export type ReadChannel = { ok: true; entry: AddressedChannel } | { ok: false; name: string; reason: string };

/**
 * Reads a row by the rules of the configuration file, which it must keep as well as those of where it may lead. Never
 * throws for what stands in the row.
 */
export function readChannelRow(
  row: Selectable<ChannelTable>,
  parts: { sealer: Sealer; guard: OutboundGuard; taken: ReadonlySet<string> },
): ReadChannel {
  const refuse = (reason: string) => ({ ok: false, name: row.name, reason }) as const;
  if (parts.taken.has(row.name)) return refuse("The configuration has a channel of this name, which counts.");
  try {
    const document = documentOf(row, parts.sealer);
    const parsed = channelSchema.safeParse(document);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return refuse(`'${issue?.path.join(".")}' ${issue?.message}.`);
    }
    const refusal = parts.guard.refusal(parsed.data.baseUrl);
    if (refusal !== undefined) return refuse(`'base_url' ${refusal}.`);
    return { ok: true, entry: { ...parsed.data, origin: "console" } };
  } catch (cause) {
    if (cause instanceof SealError) {
      return refuse("Its credential does not open: it was changed, or the installation has another secret.");
    }
    if (cause instanceof SyntaxError) return refuse("What is stored of it cannot be read.");
    throw cause;
  }
}

/** The row as an entry of the configuration's `channels`. */
function documentOf(row: Selectable<ChannelTable>, sealer: Sealer): object {
  const open = (column: "credential" | "headers", sealed: Uint8Array) =>
    Buffer.from(sealer.open(placeOf(row.id, column), sealed)).toString("utf8");
  return {
    name: row.name,
    protocols: JSON.parse(row.protocols),
    base_url: row.base_url,
    models: JSON.parse(row.models),
    status: row.setting,
    priority: row.priority,
    ...(row.weight === null ? {} : { weight: row.weight }),
    ...(row.credential === null ? {} : { api_key: open("credential", row.credential) }),
    ...(row.credential_header === null ? {} : { credential_header: row.credential_header }),
    ...(row.headers === null ? {} : { headers: JSON.parse(open("headers", row.headers)) }),
    ...(row.on_disconnect === null ? {} : { on_disconnect: row.on_disconnect }),
    ...(row.dialect === null ? {} : { dialect: row.dialect }),
  };
}

/** What of a channel decides where calls go, as the columns hold it. */
export function columnsOf(entry: AddressedChannel) {
  return {
    name: entry.name,
    protocols: JSON.stringify(entry.protocols),
    models: JSON.stringify(entry.models.map(writeModel)),
    base_url: entry.baseUrl,
    credential_header: entry.credentialHeader ?? null,
    setting: entry.status,
    priority: entry.priority ?? 0,
    weight: entry.weight ?? null,
    on_disconnect: entry.onDisconnect ?? null,
    dialect: entry.dialect ?? null,
  } satisfies Partial<Insertable<ChannelTable>>;
}

/** The names of the headers that go with every request; none where they do not open. */
export function headerNamesOf(row: Pick<Selectable<ChannelTable>, "id" | "headers">, sealer: Sealer): string[] {
  if (row.headers === null) return [];
  try {
    const text = Buffer.from(sealer.open(placeOf(row.id, "headers"), row.headers)).toString("utf8");
    return Object.keys(JSON.parse(text));
  } catch (cause) {
    if (cause instanceof SealError) return [];
    throw cause;
  }
}

/** A model of a channel's list as the configuration spells it. */
export function writeModel({ id, upstreamId, protocols }: ModelEntry) {
  return {
    id,
    ...(upstreamId === undefined ? {} : { upstream_id: upstreamId }),
    ...(protocols === undefined ? {} : { protocols: [...protocols] }),
  };
}

/** Seals what the channel's row must not tell. */
export function sealFor(sealer: Sealer, id: string, column: "credential" | "headers", text: string): Uint8Array {
  return sealer.seal(placeOf(id, column), Buffer.from(text, "utf8"));
}

/** Where a sealed column of a channel stands. */
export function placeOf(id: string, column: string): SealedPlace {
  return { table: "channel", row: id, column };
}
