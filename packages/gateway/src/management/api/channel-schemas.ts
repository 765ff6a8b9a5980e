import { dialects, protocolNames } from "@interlingua/protocols";
import { z } from "zod";
import { highestPriority, highestWeight } from "../../config/config.ts";
import { moneySchema, timeSchema } from "../api-schemas.ts";

const protocolSchema = z.enum(protocolNames);
const settingSchema = z.enum(["operational", "under_observation", "disabled"]);
const disconnectSchema = z.enum(["received", "drain", "free"]);
const dialectSchema = z
  .enum(dialects)
  .nullable()
  .describe("The make of the server, which says what it takes; null: as its address or the model's name tells.");

const modelSchema = z
  .strictObject({
    id: z.string().describe("The name that callers use; `*` stands for any run of characters."),
    upstream_id: z.string().optional().describe("The upstream's own name, where it differs."),
    protocols: z.array(protocolSchema).optional().describe("Narrows the channel's protocols for this model."),
  })
  .meta({ id: "ChannelModel" });

const usageSumsSchema = z
  .object({
    calls: z.number().int(),
    failed: z.number().int().describe("Calls that did not succeed, for whatever reason."),
    charge: moneySchema,
  })
  .meta({ id: "ChannelUsageSums" });

export const channelSchema = z
  .object({
    name: z.string(),
    origin: z
      .enum(["configuration", "console"])
      .describe("What stands in the configuration is changed there alone and read here."),
    sandbox: z.boolean().describe("The simulated provider."),
    protocols: z.array(protocolSchema).describe("What the upstream speaks, preferred first."),
    base_url: z.string().nullable().describe("Null: the gateway itself."),
    models: z.array(modelSchema),
    setting: settingSchema,
    priority: z.number().int().describe("Channels of a higher one are tried first."),
    weight: z.number().int().nullable().describe("Its share among channels of the same priority."),
    on_disconnect: disconnectSchema
      .nullable()
      .describe("What a caller pays that leaves before the end; null: as set for all."),
    dialect: dialectSchema,
    has_credential: z.boolean(),
    credential_header: z.string().nullable(),
    header_names: z.array(z.string()).describe("Headers that are sent besides; their values are not told."),
    note: z.string().nullable(),
    state: z
      .enum(["operational", "degraded", "down", "credential_failed", "rejected"])
      .describe("As measured by the gateway that answers; `rejected`: it does not hold, for the reason told."),
    rejected: z.string().nullable().describe("Why it takes no part."),
    version: z.number().int().nullable().describe("Null for a channel of the configuration."),
    created_at: timeSchema.nullable(),
    updated_at: timeSchema.nullable(),
    usage: z.object({
      day: usageSumsSchema.describe("The last 24 hours."),
      month: usageSumsSchema.describe("The last 30 days."),
      hours: z
        .array(z.object({ hour: timeSchema, calls: z.number().int(), failed: z.number().int() }))
        .describe("The last 24 hours one by one, the earliest first."),
    }),
  })
  .meta({ id: "Channel" });

export const channelErrorSchema = z
  .object({
    call_id: z.string(),
    at: timeSchema.describe("When the call began."),
    account_id: z.string(),
    model: z.string().nullable(),
    upstream_model: z.string(),
    status: z.number().int().nullable().describe("Of HTTP; null where no answer came."),
    kind: z.string(),
    code: z.string().nullable(),
  })
  .meta({ id: "ChannelError" });

export const channelDetailSchema = z
  .object({
    ...channelSchema.shape,
    first_token: z
      .object({
        p50_ms: z.number().nullable(),
        p95_ms: z.number().nullable(),
        counted: z.number().int(),
      })
      .describe("How long the first token let callers wait, in the last 24 hours."),
    errors: z.array(channelErrorSchema).describe("The last ten tries that failed."),
  })
  .meta({ id: "ChannelDetail" });

export const channelTestSchema = z
  .object({
    id: z.string(),
    at: timeSchema,
    model: z.string(),
    upstream_model: z.string(),
    protocol: protocolSchema,
    succeeded: z.boolean(),
    status: z.number().int().nullable().describe("Of HTTP; null where no answer came."),
    first_byte_ms: z.number().nullable(),
    total_ms: z.number(),
    text: z.string().describe("What the model said."),
    problem: z.string().nullable().describe("A fault of the connection, or the kind of the upstream's error."),
    message: z.string().nullable().describe("The upstream's own words."),
  })
  .meta({ id: "ChannelTest" });

export const upstreamModelsSchema = z
  .object({
    items: z.array(
      z.object({ id: z.string(), listed: z.boolean().describe("An entry of the channel's list fits it.") }),
    ),
    gone: z.array(z.string()).describe("Models of the channel's list that the upstream does not name."),
    cut: z.boolean().describe("The upstream has more than were read."),
  })
  .meta({ id: "UpstreamModels" });

const secretText = z.string().min(1).max(8192);

/** What an operator may set of a channel. The rules of the configuration file are checked on top of these shapes. */
const draft = {
  protocols: z.array(protocolSchema).min(1).max(8),
  base_url: z.string().min(1).max(2048),
  models: z.array(modelSchema).min(1).max(5000),
  setting: settingSchema,
  priority: z.number().int().min(-highestPriority).max(highestPriority),
  weight: z.number().int().min(0).max(highestWeight).nullable(),
  on_disconnect: disconnectSchema.nullable(),
  dialect: dialectSchema,
  credential: secretText.nullable().optional().describe("Is never told again, only replaced. Null: none."),
  credential_header: z
    .string()
    .max(128)
    .nullable()
    .describe("Where the upstream wants it, if not where its protocol says."),
  headers: z
    .record(z.string().max(128), z.string().max(8192))
    .nullable()
    .optional()
    .describe("Sent with every request. Values are never told again; all are replaced together."),
  note: z.string().trim().max(2000).nullable(),
};

export const newChannelBody = z
  .strictObject({
    name: z.string().min(1).max(64),
    ...draft,
    setting: draft.setting.default("operational"),
    priority: draft.priority.default(0),
    weight: draft.weight.default(null),
    on_disconnect: draft.on_disconnect.default(null),
    dialect: draft.dialect.default(null),
    credential_header: draft.credential_header.default(null),
    note: draft.note.default(null),
  })
  .meta({ id: "NewChannel" });

export const changedChannelBody = z
  .strictObject({
    version: z.number().int().min(1).describe("As it was read: a change that came between is not written over."),
    ...z.object(draft).partial().shape,
  })
  .meta({ id: "ChangedChannel" });
