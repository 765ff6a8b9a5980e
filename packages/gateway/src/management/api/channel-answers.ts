import type { Selectable } from "kysely";
import type { z } from "zod";
import type { AddressedChannel } from "../../channels/channel.ts";
import type { ChannelError } from "../../channels/channel-errors.ts";
import { headerNamesOf, writeModel } from "../../channels/channel-rows.ts";
import type { LiveChannels } from "../../channels/open-channels.ts";
import type { ChannelTable, ChannelTestTable } from "../../storage/channels-schema.ts";
import type { channelErrorSchema, channelSchema, channelTestSchema } from "./channel-schemas.ts";
import type { ChannelSums, ChannelUsage } from "./channel-usage.ts";

type ChannelJson = z.output<typeof channelSchema>;

/** A channel of the database as the API shows it: nothing that is sealed. */
export function storedChannelJson(live: LiveChannels, row: Selectable<ChannelTable>, usage: ChannelUsage): ChannelJson {
  const rejected = live.rejected.find(({ kind, id }) => kind === "channel" && id === row.name)?.reason ?? null;
  return {
    name: row.name,
    origin: "console",
    sandbox: false,
    protocols: JSON.parse(row.protocols),
    base_url: row.base_url,
    models: JSON.parse(row.models),
    setting: row.setting,
    priority: row.priority,
    weight: row.weight,
    on_disconnect: row.on_disconnect,
    dialect: row.dialect,
    has_credential: row.credential !== null,
    credential_header: row.credential_header,
    header_names: headerNamesOf(row, live.sealer),
    note: row.note,
    state: rejected === null ? stateOf(live, row.name) : "rejected",
    rejected,
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
    usage: usageJson(usage),
  };
}

/** A channel of the configuration. */
export function declaredChannelJson(live: LiveChannels, entry: AddressedChannel, usage: ChannelUsage): ChannelJson {
  return {
    name: entry.name,
    origin: "configuration",
    sandbox: entry.sandbox ?? false,
    protocols: [...entry.protocols],
    base_url: entry.sandbox ? null : entry.baseUrl,
    models: entry.models.map(writeModel),
    setting: entry.status,
    priority: entry.priority ?? 0,
    weight: entry.weight ?? null,
    on_disconnect: entry.onDisconnect ?? null,
    dialect: entry.dialect ?? null,
    has_credential: entry.apiKey !== undefined && !entry.sandbox,
    credential_header: entry.credentialHeader ?? null,
    header_names: Object.keys(entry.headers),
    note: null,
    state: stateOf(live, entry.name),
    rejected: null,
    version: null,
    created_at: null,
    updated_at: null,
    usage: usageJson(usage),
  };
}

export function channelErrorJson(error: ChannelError): z.output<typeof channelErrorSchema> {
  const { callId, accountId, upstreamModel, at, model, status, kind, code } = error;
  return { call_id: callId, at, account_id: accountId, model, upstream_model: upstreamModel, status, kind, code };
}

export function channelTestJson(row: Selectable<ChannelTestTable>): z.output<typeof channelTestSchema> {
  const { channel: _channel, succeeded, ...same } = row;
  return { ...same, succeeded: succeeded === 1 };
}

function stateOf({ set }: LiveChannels, name: string): ChannelJson["state"] {
  return set.current.channels.find((channel) => channel.name === name)?.health.state ?? "operational";
}

function usageJson({ day, month, hours }: ChannelUsage): ChannelJson["usage"] {
  return { day: sumsJson(day), month: sumsJson(month), hours };
}

function sumsJson({ calls, failed, charge }: ChannelSums): ChannelJson["usage"]["day"] {
  return { calls, failed, charge: String(charge) };
}
