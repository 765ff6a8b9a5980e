import { protocolNames } from "@interlingua/protocols";
import { z } from "zod";
import type { AuditDetail } from "../../audit/audit-log.ts";
import type { AskParts } from "../../channels/ask-upstream.ts";
import { keepTest, listTests } from "../../channels/channel-tests.ts";
import { testChannel } from "../../channels/test-channel.ts";
import { listUpstreamModels } from "../../channels/upstream-models.ts";
import type { Database } from "../../storage/database.ts";
import { apiRoute } from "../api-route.ts";
import { ManagementError, notFound } from "../failure.ts";
import { nextSchema } from "../paging.ts";
import type { ManagementRoute } from "../routes.ts";
import { channelTestJson } from "./channel-answers.ts";
import { channelTestSchema, upstreamModelsSchema } from "./channel-schemas.ts";
import type { ChannelRoutesParts } from "./channels.ts";

const common = { tag: "Channels", scope: "installation", role: "operator" } as const;

/** What operators ask of a provider through a channel: a small call, and which models it has. */
export function channelActionRoutes(parts: ChannelRoutesParts & { timers: AskParts["timers"] }): ManagementRoute[] {
  const { database, platform, channels } = parts;

  /** The connections stay open until the work is done, whatever is changed meanwhile. */
  const throughChannel = async <Result>(name: string, work: (channel: LiveChannel) => Promise<Result>) => {
    const held = channels.set.hold();
    try {
      const channel = held.routes.channels.find((each) => each.name === name);
      if (!channel) throw await absence(parts, name);
      return await work(channel);
    } finally {
      held.release();
    }
  };

  return [
    apiRoute({
      ...common,
      method: "GET",
      path: "/api/v1/channels/:channel/tests",
      summary: "List a channel's tests",
      description: "The last twenty, the newest first.",
      audit: "none",
      answer: z.object({ items: z.array(channelTestSchema), next: nextSchema }),
      async handle({ params }) {
        const rows = await listTests(database, params.channel);
        if (rows.length === 0) {
          const known = channels.set.current.channels.some(({ name }) => name === params.channel);
          if (!known) await mustExist(database, params.channel);
        }
        return { body: { items: rows.map(channelTestJson), next: null } };
      },
    }),
    apiRoute({
      ...common,
      method: "POST",
      path: "/api/v1/channels/:channel/tests",
      summary: "Test a channel",
      description: "Sends a small call straight to the provider. It takes ten seconds at most, and nobody is charged.",
      audit: "channel.tested",
      body: z.strictObject({
        model: z.string().min(1).max(128).describe("As a caller would name it."),
        protocol: z
          .enum(protocolNames)
          .optional()
          .describe("One that the channel speaks; its preferred one if absent."),
      }),
      answer: channelTestSchema,
      status: 201,
      async handle({ params, body, audit }) {
        const result = await throughChannel(params.channel, (channel) =>
          testChannel(parts, channel, body.model, body.protocol),
        );
        if (!result) {
          const message = "The channel does not offer this model.";
          throw new ManagementError(400, "model_not_offered", message, { field: "model" });
        }
        const { row, statements } = await keepTest(database, {
          id: platform.id("chtest"),
          channel: params.channel,
          at: platform.now(),
          model: body.model,
          result,
        });
        const detail = {
          model: body.model,
          protocol: result.protocol,
          succeeded: result.succeeded,
          status: result.status,
        };
        const entry = audit({ target: { kind: "channel", id: params.channel }, accountId: null, detail });
        await database.write([...statements, entry]);
        return { body: channelTestJson(row) };
      },
    }),
    apiRoute({
      ...common,
      method: "POST",
      path: "/api/v1/channels/:channel/fetch-models",
      summary: "Fetch a channel's models",
      description: "Asks the provider for the models that it has. Changes nothing.",
      audit: "channel.models_fetched",
      answer: upstreamModelsSchema,
      async handle({ params, audit }) {
        const found = await throughChannel(params.channel, (channel) => listUpstreamModels(parts, channel));
        const detail: AuditDetail = found.ok
          ? { models: found.models.length }
          : { problem: found.problem, status: found.status };
        const entry = audit({ target: { kind: "channel", id: params.channel }, accountId: null, detail });
        await database.write([entry]);
        if (!found.ok) {
          const status = found.status === null ? "" : ` with status ${found.status}`;
          const words = found.message === null ? "" : ` It says: ${found.message}`;
          const message = `The provider did not list its models${status} (${found.problem}).${words}`;
          throw new ManagementError(502, "upstream_failed", message);
        }
        return { body: { items: [...found.models], gone: [...found.gone], cut: found.cut } };
      },
    }),
  ];
}

type LiveChannel = ChannelRoutesParts["channels"]["set"]["current"]["channels"][number];

async function absence({ database, channels }: ChannelRoutesParts, name: string): Promise<ManagementError> {
  const rejected = channels.rejected.find(({ kind, id }) => kind === "channel" && id === name);
  if (rejected) return new ManagementError(409, "channel_rejected", `The channel takes no part. ${rejected.reason}`);
  await mustExist(database, name);
  return notFound();
}

async function mustExist({ read }: Pick<Database, "read">, name: string): Promise<void> {
  const row = await read.selectFrom("channel").select("id").where("name", "=", name).executeTakeFirst();
  if (!row) throw notFound();
}
