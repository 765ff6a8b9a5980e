import type { ProtocolName } from "@interlingua/protocols";
import { loadSecret } from "../accounts/secret.ts";
import { callJson } from "../calls/call-json.ts";
import type { CallRecord } from "../calls/call-record.ts";
import { CallsError } from "../calls/calls-error.ts";
import { createContentStore } from "../calls/content-store.ts";
import { type CallPage, type ListCallsOptions, listCalls } from "../calls/list-calls.ts";
import { readCall } from "../calls/read-call.ts";
import { createRetention } from "../calls/retention.ts";
import { formatDollars } from "../catalogue/prices/money.ts";
import type { Config } from "../config/config.ts";
import { loadConfig } from "../config/load-config.ts";
import { systemEvery } from "../platform.ts";
import { createSettings } from "../settings/settings.ts";
import type { Database } from "../storage/database.ts";
import { openDatabase } from "../storage/open-database.ts";
import { createLog } from "../telemetry/log.ts";
import { fileOption } from "./config-command.ts";
import type { CommandContext, CommonOptions } from "./context.ts";
import { dateText, table } from "./table.ts";

/** What `calls list` is told. */
export type CallListOptions = CommonOptions & {
  account?: string;
  key?: string;
  model?: string;
  channel?: string;
  clientProtocol?: ProtocolName;
  upstreamProtocol?: ProtocolName;
  status?: NonNullable<ListCallsOptions["status"]>;
  failed?: boolean;
  notices?: boolean;
  from?: number;
  to?: number;
  id?: string;
  minCharge?: bigint | null;
  oldest?: boolean;
  limit?: number;
  cursor?: string;
  json?: boolean;
};

/** What `calls show` is told. */
export type ShowCallOptions = CommonOptions & { content?: boolean; json?: boolean };

/** Prints a page of recorded calls. */
export async function listRecordedCalls(options: CallListOptions, context: CommandContext): Promise<void> {
  const { json, account, key, clientProtocol, upstreamProtocol, notices, id, oldest, ...rest } = options;
  const { model, channel, status, failed, from, to, minCharge, limit, cursor } = rest;
  const query: ListCallsOptions = {
    ...(account === undefined ? {} : { accountId: account }),
    ...(key === undefined ? {} : { accessKeyId: key }),
    ...(id === undefined ? {} : { idPrefix: id }),
    ...(notices ? { withNotices: true } : {}),
    ...{
      clientProtocol,
      upstreamProtocol,
      model,
      channel,
      status,
      failed,
      from,
      to,
      limit,
      cursor,
      minCharge: minCharge ?? undefined,
    },
    order: oldest ? "oldest" : "newest",
  };
  const page = await withDatabase(options, context, (database) => listCalls(database, query));
  if (json) context.out(`${JSON.stringify({ ...page, calls: page.calls.map(callJson) }, null, 2)}\n`);
  else print(page, context);
}

function print({ calls, next, searchedTo }: CallPage, context: CommandContext): void {
  if (calls.length > 0) context.out(table([columns, ...calls.map(cells)]));
  else if (next === null) context.err("There is no such call.\n");
  if (searchedTo !== null) context.err(`Searched as far as ${dateText(searchedTo)}.\n`);
  if (next !== null) context.err(`More: --cursor ${next}\n`);
}

const columns = ["ID", "BEGUN", "KEY", "MODEL", "CHANNEL", "STATUS", "OUTCOME", "TOKENS IN/OUT", "MS", "CHARGE"];

function cells(call: CallRecord): string[] {
  const { usage } = call;
  const read = usage ? (usage.input.uncached ?? 0) + (usage.input.cacheRead ?? 0) + (usage.input.cacheWrite ?? 0) : 0;
  return [
    call.id,
    dateText(call.startedAt),
    call.accessKeyId,
    printable(call.model),
    call.channel ?? "-",
    String(call.status),
    call.outcome,
    usage ? `${read}/${usage.output.total ?? 0}` : "-",
    call.timings.end === null ? "-" : String(Math.round(call.timings.end)),
    formatDollars(call.charge),
  ];
}

/** A model's name is what a caller wrote: it must not move the terminal's cursor, nor break the line. */
function printable(text: string | null): string {
  return text === null ? "-" : text.slice(0, 60).replaceAll(/[^\x20-\x7e\xa0-\u{10ffff}]/gu, "\uFFFD");
}

/** Prints all that is recorded of a call. */
export async function showCall(id: string, options: ShowCallOptions, context: CommandContext): Promise<void> {
  const found = await withDatabase(options, context, async (database, config) => {
    const call = await readCall(database, id);
    if (!call) throw new CallsError(`There is no call "${printable(id)}"`);
    if (!options.content) return { call, contents: undefined };
    const { platform } = context;
    const { bytes: secret, former: formerSecrets } = loadSecret(config, platform);
    const settings = config.contentLogging;
    const store = createContentStore({ database, secret, formerSecrets, platform, settings });
    return { call, contents: await store.read(id, commandLine) };
  });
  const { call, contents } = found;
  const content = contents?.map(({ part, text, size, cut }) => ({ part, size, cut, text }));
  const document = content ? { ...callJson(call), content } : callJson(call);
  if (options.json) {
    context.out(`${JSON.stringify(document, null, 2)}\n`);
    return;
  }
  for (const [name, value] of Object.entries(document)) {
    if (value !== null && value !== undefined) context.out(`${name}: ${lineOf(value)}\n`);
  }
}

const commandLine = { kind: "command", id: null, name: "command line", address: null } as const;

function lineOf(value: unknown): string {
  return typeof value === "string" ? printable(value) : JSON.stringify(value);
}

/** Deletes what was kept long enough. */
export async function pruneCalls(options: CommonOptions, context: CommandContext): Promise<void> {
  const { platform } = context;
  const log = createLog({ now: platform.now, destination: { write: context.err } });
  const pruned = await withDatabase(options, context, async (database, config) => {
    // What operators have set in the console holds here, too.
    const { live: settings } = await createSettings({ database, config, platform, log });
    return createRetention({ database, platform, settings, log, every: systemEvery }).run();
  });
  const { calls, contents, reservations, idempotencyKeys, storedResponses } = pruned;
  context.out(
    `Deleted ${calls} calls, ${contents} bodies, ${reservations} reservations, ${idempotencyKeys} idempotency keys, ${storedResponses} stored responses.\n`,
  );
}

async function withDatabase<Result>(
  options: CommonOptions,
  context: CommandContext,
  task: (database: Database, config: Config) => Promise<Result>,
): Promise<Result> {
  // The local server is of no interest here, and asking it would take time.
  const config = await loadConfig({ ...fileOption(options), env: context.env, localModels: async () => [] });
  const database = await openDatabase(config.database);
  try {
    return await task(database, config);
  } finally {
    await database.close();
  }
}
