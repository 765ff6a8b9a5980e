import { codecs, type JsonValue, type ProtocolName } from "@interlingua/protocols";
import { z } from "zod";
import { redact } from "../telemetry/redact.ts";
import { type AskParts, askUpstream, jsonOrText, type UpstreamReply } from "./ask-upstream.ts";
import type { Channel } from "./channel.ts";
import { matchesModel } from "./model-pattern.ts";

/** What an upstream says that it offers. */
export type UpstreamModels =
  | {
      ok: true;
      /** In the upstream's order; `listed`: an entry of the channel's list fits it. */
      models: readonly { id: string; listed: boolean }[];
      /** Entries of the channel's list, without `*`, that the upstream does not name. */
      gone: readonly string[];
      /** There are more than were read. */
      cut: boolean;
    }
  | { ok: false; status: number | null; problem: string; message: string | null };

const timeoutMs = 10_000;
const pageBytes = 4 * 1024 * 1024;
const mostPages = 10;
const mostModels = 5000;

const data = z.object({ data: z.array(z.object({ id: z.string() })) });
const anthropic = data.extend({ has_more: z.boolean().optional(), last_id: z.string().nullish() });
const gemini = z.object({
  models: z.array(z.object({ name: z.string() })),
  nextPageToken: z.string().optional(),
});

interface Page {
  ids: string[];
  /** The path of the page behind it. */
  next: string | undefined;
}

/** How each protocol lists its models. */
const lists: Record<ProtocolName, { path: string; read(body: unknown): Page }> = {
  "chat-completions": { path: "/models", read: readOpenai },
  responses: { path: "/models", read: readOpenai },
  messages: {
    path: "/v1/models?limit=1000",
    read(body) {
      const page = anthropic.parse(body);
      const last = page.has_more === true ? page.last_id : undefined;
      const next = last ? `/v1/models?limit=1000&after_id=${encodeURIComponent(last)}` : undefined;
      return { ids: page.data.map(({ id }) => id), next };
    },
  },
  "generate-content": {
    path: "/v1beta/models?pageSize=1000",
    read(body) {
      const { models, nextPageToken } = gemini.parse(body);
      const next = nextPageToken
        ? `/v1beta/models?pageSize=1000&pageToken=${encodeURIComponent(nextPageToken)}`
        : undefined;
      return { ids: models.map(({ name }) => name.replace(/^models\//, "")), next };
    },
  },
};

function readOpenai(body: unknown): Page {
  return { ids: data.parse(body).data.map(({ id }) => id), next: undefined };
}

/** Asks the upstream for its models by the channel's preferred protocol. Never rejects for what the upstream does. */
export async function listUpstreamModels(parts: AskParts, channel: Channel): Promise<UpstreamModels> {
  const protocol = channel.protocols[0] ?? "chat-completions";
  const end = parts.platform.monotonic() + timeoutMs;
  const ids = new Set<string>();
  let path: string | undefined = lists[protocol].path;
  for (let pages = 0; path !== undefined && pages < mostPages && ids.size < mostModels; pages++) {
    const left = Math.max(1, end - parts.platform.monotonic());
    const request = {
      channel,
      protocol,
      method: "GET",
      path,
      body: null,
      timeoutMs: left,
      maximumBytes: pageBytes,
    } as const;
    const page = readPage(protocol, await askUpstream(request, parts));
    if ("problem" in page) return page;
    for (const id of page.ids) ids.add(id);
    path = page.next;
  }
  const found = [...ids].slice(0, mostModels);
  // A list may name models as callers do or as the upstream does.
  const known = channel.models.map((entry) => ({ ...entry, upstream: entry.upstreamId ?? entry.id }));
  const models = found.map((id) => ({ id, listed: known.some(({ upstream }) => matchesModel(upstream, id)) }));
  const gone = known.filter(({ upstream }) => !upstream.includes("*") && !ids.has(upstream)).map(({ id }) => id);
  return { ok: true, models, gone, cut: path !== undefined || ids.size > mostModels };
}

function readPage(protocol: ProtocolName, reply: UpstreamReply): Page | Extract<UpstreamModels, { ok: false }> {
  if (reply.kind === "fault") return { ok: false, status: reply.status, problem: reply.fault, message: null };
  const { status, headers } = reply;
  const body = jsonOrText(reply.body);
  if (status !== 200) {
    // What a provider sends is JSON or text.
    const { kind, message } = codecs[protocol].decodeError({ status, headers, body: body as JsonValue | undefined });
    return { ok: false, status, problem: kind, message: redact(message).slice(0, 500) };
  }
  try {
    return lists[protocol].read(body);
  } catch (cause) {
    if (!(cause instanceof z.ZodError)) throw cause;
    return { ok: false, status, problem: "upstream_bad", message: null };
  }
}
