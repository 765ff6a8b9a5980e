import type { Selectable } from "kysely";
import { z } from "zod";
import type { AuditDetail } from "../../audit/audit-log.ts";
import { lastErrors } from "../../channels/channel-errors.ts";
import { type ChannelDraft, ChannelDraftError, insertChannel, updateChannel } from "../../channels/channel-writing.ts";
import type { LiveChannels } from "../../channels/open-channels.ts";
import type { Platform } from "../../platform.ts";
import type { ChannelTable } from "../../storage/channels-schema.ts";
import { type Database, expecting, type Statement, StorageError } from "../../storage/database.ts";
import { apiRoute } from "../api-route.ts";
import { ManagementError, notFound } from "../failure.ts";
import { nextSchema } from "../paging.ts";
import type { ManagementRoute } from "../routes.ts";
import { channelErrorJson, declaredChannelJson, storedChannelJson } from "./channel-answers.ts";
import { changedChannelBody, channelDetailSchema, channelSchema, newChannelBody } from "./channel-schemas.ts";
import { channelUsage, channelWaits } from "./channel-usage.ts";

export interface ChannelRoutesParts {
  database: Database;
  platform: Pick<Platform, "now" | "id" | "monotonic">;
  channels: LiveChannels;
}

const common = { tag: "Channels", scope: "installation", role: "operator" } as const;
const onePath = "/api/v1/channels/:channel";
const errorsShown = 10;

/** Connections to providers: all of them can be read, and those made in the console changed. */
export function channelRoutes(parts: ChannelRoutesParts): ManagementRoute[] {
  const { database, platform, channels } = parts;

  const rowOf = (name: string) =>
    database.read.selectFrom("channel").selectAll().where("name", "=", name).executeTakeFirst();
  const declared = (name: string) => channels.configured.find((entry) => entry.name === name);
  const changeable = async (name: string) => {
    if (declared(name)) {
      const message = "The channel stands in the configuration: change it there.";
      throw new ManagementError(409, "declared_in_configuration", message);
    }
    const row = await rowOf(name);
    if (!row) throw notFound();
    return row;
  };
  const detail = async (name: string) => {
    const now = platform.now();
    const [usageOf, waits, errors, row] = await Promise.all([
      channelUsage(database, now, name),
      channelWaits(database, now, name),
      lastErrors(database, name, errorsShown),
      rowOf(name),
    ]);
    const entry = declared(name);
    if (!entry && !row) throw notFound();
    const usage = usageOf(name);
    return {
      // One of them is there.
      ...(entry ? declaredChannelJson(channels, entry, usage) : storedChannelJson(channels, row as Row, usage)),
      first_token: { p50_ms: waits.p50, p95_ms: waits.p95, counted: waits.counted },
      errors: errors.map(channelErrorJson),
    };
  };
  const write = async (id: string, statements: readonly Statement[], audit: Statement) => {
    const told = database.build
      .insertInto("change_sequence")
      .values({ entity: "channel", entity_id: id, changed_at: platform.now() })
      .compile();
    await database.write([...statements, told, audit], { alone: true });
    await channels.changed();
  };
  const writing = () => ({ database, sealer: channels.sealer, guard: channels.guard, now: platform.now() });

  return [
    apiRoute({
      ...common,
      method: "GET",
      path: "/api/v1/channels",
      summary: "List channels",
      description: "All of them: those of the configuration in its order, then those of the console by name.",
      audit: "none",
      answer: z.object({ items: z.array(channelSchema), next: nextSchema }),
      async handle() {
        const [usageOf, rows] = await Promise.all([
          channelUsage(database, platform.now()),
          database.read.selectFrom("channel").selectAll().orderBy("name").execute(),
        ]);
        const items = [
          ...channels.configured.map((entry) => declaredChannelJson(channels, entry, usageOf(entry.name))),
          ...rows
            .filter(({ name }) => !declared(name))
            .map((row) => storedChannelJson(channels, row, usageOf(row.name))),
        ];
        return { body: { items, next: null } };
      },
    }),
    apiRoute({
      ...common,
      method: "GET",
      path: onePath,
      summary: "Get a channel",
      audit: "none",
      answer: channelDetailSchema,
      handle: async ({ params }) => ({ body: await detail(params.channel) }),
    }),
    apiRoute({
      ...common,
      method: "POST",
      path: "/api/v1/channels",
      summary: "Create a channel",
      description: "It takes calls at once. Its address must be public and https, or named in `outbound.allow`.",
      audit: "channel.created",
      bodyBytes: 1_048_576,
      body: newChannelBody,
      answer: channelDetailSchema,
      status: 201,
      async handle({ body, audit }) {
        if (declared(body.name)) throw nameTaken();
        const id = platform.id("chn");
        const insert = orRefused(() => insertChannel(writing(), id, body));
        const entry = audit({
          target: { kind: "channel", id: body.name },
          accountId: null,
          detail: detailOf(undefined, body),
        });
        try {
          await write(id, [insert], entry);
        } catch (cause) {
          if (cause instanceof StorageError && cause.kind === "constraint") throw nameTaken();
          throw cause;
        }
        return { body: await detail(body.name) };
      },
    }),
    apiRoute({
      ...common,
      method: "PATCH",
      path: onePath,
      summary: "Change a channel",
      description: "A new address of another host or port wants credential and headers again, or null for them.",
      audit: "channel.changed",
      bodyBytes: 1_048_576,
      body: changedChannelBody,
      answer: channelDetailSchema,
      async handle({ params, body, audit }) {
        const row = await changeable(params.channel);
        const { version, ...changes } = body;
        if (version !== row.version) throw changedMeanwhile();
        const draft = draftOf(row, changes);
        const update = orRefused(() => updateChannel(writing(), row, draft));
        const entry = audit({
          target: { kind: "channel", id: row.name },
          accountId: null,
          detail: detailOf(draftOf(row, {}), draft),
        });
        await write(row.id, [update], entry).catch(asConflict);
        return { body: await detail(row.name) };
      },
    }),
    apiRoute({
      ...common,
      method: "DELETE",
      path: onePath,
      summary: "Delete a channel",
      description: "Running calls end as they would have; records of past ones stay.",
      audit: "channel.deleted",
      async handle({ params, audit }) {
        const row = await changeable(params.channel);
        const statements = [
          expecting(1, database.build.deleteFrom("channel").where("id", "=", row.id).compile()),
          database.build.deleteFrom("channel_test").where("channel", "=", row.name).compile(),
        ];
        const detail = { base_url: row.base_url };
        const entry = audit({ target: { kind: "channel", id: row.name }, accountId: null, detail });
        await write(row.id, statements, entry).catch(asConflict);
        return {};
      },
    }),
  ];
}

type Row = Selectable<ChannelTable>;

function draftOf(row: Row, changes: Partial<ChannelDraft>): ChannelDraft {
  const draft: ChannelDraft = {
    name: row.name,
    protocols: JSON.parse(row.protocols),
    base_url: row.base_url,
    models: JSON.parse(row.models),
    setting: row.setting,
    priority: row.priority,
    weight: row.weight,
    on_disconnect: row.on_disconnect,
    dialect: row.dialect,
    credential_header: row.credential_header,
    note: row.note,
  };
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...draft, ...Object.fromEntries(given) };
}

/** What changed, for the audit log: never a credential or the value of a header (S1, S16). */
function detailOf(before: ChannelDraft | undefined, after: ChannelDraft): AuditDetail {
  const plain = ({ credential: _credential, headers: _headers, models, name: _name, ...rest }: ChannelDraft) => ({
    ...rest,
    protocols: rest.protocols.join(", "),
    models: JSON.stringify(models).slice(0, 4096),
  });
  const old: Record<string, unknown> = before ? plain(before) : {};
  const detail: Record<string, string | number | null | readonly string[]> = {};
  for (const [name, value] of Object.entries(plain(after))) {
    if (before && old[name] === value) continue;
    if (before) detail[`${name}_before`] = textOf(old[name]);
    detail[before ? `${name}_after` : name] = value ?? null;
  }
  if (after.credential !== undefined) detail.credential = after.credential === null ? "removed" : "set";
  if (after.headers !== undefined) detail.header_names = Object.keys(after.headers ?? {});
  return detail;
}

function textOf(value: unknown): string | number | null {
  return typeof value === "string" || typeof value === "number" ? value : null;
}

function orRefused(make: () => Statement): Statement {
  try {
    return make();
  } catch (cause) {
    if (!(cause instanceof ChannelDraftError)) throw cause;
    const message = `The field '${cause.field}' ${cause.message.replace(/\.$/, "")}.`;
    throw new ManagementError(400, "invalid_request", message, { field: cause.field });
  }
}

function nameTaken(): ManagementError {
  return new ManagementError(409, "name_taken", "Another channel has this name.", { field: "name" });
}

function changedMeanwhile(): ManagementError {
  return new ManagementError(409, "changed_meanwhile", "The channel was changed meanwhile: look at it again.");
}

function asConflict(cause: unknown): never {
  if (cause instanceof StorageError && cause.kind === "condition") throw changedMeanwhile();
  throw cause;
}
