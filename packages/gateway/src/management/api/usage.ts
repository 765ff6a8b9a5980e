import { protocolNames } from "@interlingua/protocols";
import { z } from "zod";
import { CallsError } from "../../calls/calls-error.ts";
import { csvCell } from "../../calls/export-calls.ts";
import { type UsageFilter, type UsageRow, usageTable, type ValueDimension } from "../../calls/usage.ts";
import { hourMs, hourOf } from "../../calls/usage-hour.ts";
import { type UsageReport, usageReport } from "../../calls/usage-report.ts";
import { formatDollars } from "../../catalogue/prices/money.ts";
import type { Platform } from "../../platform.ts";
import type { Database } from "../../storage/database.ts";
import { apiRoute } from "../api-route.ts";
import { moneySchema, timeSchema } from "../api-schemas.ts";
import { ManagementError } from "../failure.ts";
import type { ManagementRoute } from "../routes.ts";
import { usageSumsJson, usageSumsSchema, zoneParam } from "./usage-schemas.ts";

export interface UsageParts {
  database: Database;
  platform: Pick<Platform, "now">;
}

const dayMs = 24 * hourMs;

/** A range as long as this is shown by hour, a longer one by day, unless told otherwise. */
const longestByHour = 3 * dayMs;

/** Most lines of an exported file. */
const mostLines = 20_000;

/** The dimensions in the API's words, which are those of its filters. */
const dimensionOf = {
  model: "model",
  key: "accessKey",
  client_protocol: "clientProtocol",
  channel: "channel",
  account: "account",
} as const satisfies Record<string, ValueDimension>;

const accountDimensions = ["model", "key", "client_protocol", "channel"] as const;
const allDimensions = [...accountDimensions, "account"] as const;

const rangeQuery = {
  from: z.coerce.number().int().min(0).optional().describe("Unix milliseconds; seven days before the end unless told."),
  to: z.coerce.number().int().min(0).optional().describe("Unix milliseconds, not part of the range; now unless told."),
  by: z.enum(["hour", "day"]).optional().describe("The steps; hours for up to three days unless told otherwise."),
  zone_minutes: zoneParam,
  model: z.string().max(256).optional().describe("As the caller wrote it; empty: calls without one."),
  key: z.string().min(1).max(64).optional().describe("The id of an access key."),
  client_protocol: z.enum(protocolNames).optional(),
  channel: z.string().max(256).optional().describe("Empty: calls that reached none."),
};

type RangeQuery = z.output<z.ZodObject<typeof rangeQuery>>;

const topQuery = {
  top: z.coerce.number().int().min(1).max(20).default(8).describe("Values that are told apart, by what they paid."),
};

const accountQuery = z.object({ ...rangeQuery, ...topQuery, dimension: z.enum(accountDimensions).default("model") });
const operatorQuery = z.object({
  ...rangeQuery,
  ...topQuery,
  dimension: z.enum(allDimensions).default("account"),
  account: z.string().min(1).max(64).optional(),
});
const accountExport = z.object({ ...rangeQuery, dimension: z.enum(accountDimensions).default("model") });
const operatorExport = z.object({
  ...rangeQuery,
  dimension: z.enum(allDimensions).default("account"),
  account: z.string().min(1).max(64).optional(),
});

const step = z
  .object({ calls: z.number().int(), failed: z.number().int(), tokens: z.number().int(), charge: moneySchema })
  .meta({ id: "UsageStep" });

const reportSchema = z
  .object({
    from: timeSchema.describe("The begin of the first whole hour of UTC that was summed up, unix milliseconds."),
    to: timeSchema.describe("The end of the last one: the list of calls from 'from' to 'to' has these very sums."),
    by: z.enum(["hour", "day"]),
    dimension: z.enum(allDimensions),
    total: usageSumsSchema,
    before: z
      .object({ from: timeSchema, to: timeSchema, total: usageSumsSchema })
      .describe("The time of the same length before."),
    groups: z.array(
      z
        .object({
          value: z.string().describe("Empty: calls that had none."),
          name: z.string().nullable().describe("Of an access key or account."),
          sums: usageSumsSchema,
          before: usageSumsSchema,
        })
        .meta({ id: "UsageGroup" }),
    ),
    other: z
      .object({ sums: usageSumsSchema, before: usageSumsSchema })
      .nullable()
      .describe("All other values together; null: there are none."),
    ranked: z
      .boolean()
      .describe(
        "False: there were too many keys to look at all, and one that is not shown may have cost more than one that is. All sums are exact all the same.",
      ),
    series: z.array(
      z
        .object({
          time: timeSchema,
          total: step,
          values: z.array(step).describe("In the order of the groups."),
          other: step.nullable(),
        })
        .meta({ id: "UsagePoint" }),
    ),
  })
  .meta({ id: "UsageReport" });

const reportText =
  "Sums are kept by the hour of UTC: a range counts in whole hours, which the answer names. They are those of the list of calls exactly.";
const exportText =
  "A line for each hour or day and each value, as CSV. At most 20,000 lines; the last one says so where there is more.";

/** What was used, by one dimension, with the time before beside it. */
export function usageRoutes({ database, platform }: UsageParts): ManagementRoute[] {
  const report = async (filter: UsageFilter, query: z.output<typeof accountQuery> | z.output<typeof operatorQuery>) => {
    const { dimension, top, zone_minutes: zoneMinutes } = query;
    const by = stepOf(filter, query.by);
    const found = await orRefused(
      usageReport(database, { ...filter, by, dimension: dimensionOf[dimension], top, zoneMinutes }),
    );
    const names = await namesOf(
      database,
      dimension,
      found.groups.map(({ value }) => value),
    );
    return { body: reportJson(found, by, dimension, names) };
  };

  const file = async (filter: UsageFilter, query: z.output<typeof accountExport> | z.output<typeof operatorExport>) => {
    const { dimension, zone_minutes: zoneMinutes } = query;
    const column = dimensionOf[dimension];
    const by = stepOf(filter, query.by);
    const { rows, cut } = await orRefused(
      usageTable(database, { ...filter, by: [by, column], zoneMinutes, limit: mostLines }),
    );
    const names = await namesOf(
      database,
      dimension,
      rows.map((row) => row[column] ?? ""),
    );
    const lines = rows.map((row) => lineOf(row, row[column] ?? "", names));
    const head = ["time", dimension, "name", ...figures.map(({ name }) => name)].join(",");
    const end = cut ? [`# cut: there are more than ${mostLines} lines; narrow the filter or the time range`] : [];
    return {
      body: `${[head, ...lines, ...end].join("\r\n")}\r\n`,
      headers: { "content-disposition": `attachment; filename="usage-by-${dimension}.csv"` },
    };
  };

  const accountFilter = (accountId: string, query: RangeQuery) => ({
    ...filterOf(query, platform.now()),
    accountId,
  });
  const operatorFilter = async (query: z.output<typeof operatorExport>): Promise<UsageFilter> => {
    const filter = filterOf(query, platform.now());
    const accountId = query.account ?? (await accountOfKey(database, query.key));
    return { ...filter, ...(accountId === undefined ? {} : { accountId }) };
  };

  return [
    apiRoute({
      method: "GET",
      path: "/api/v1/accounts/:account/usage",
      tag: "Usage",
      summary: "Show usage",
      description: reportText,
      role: "viewer",
      scope: "account",
      audit: "none",
      query: accountQuery,
      answer: reportSchema,
      handle: ({ accountId, query }) => report(accountFilter(accountId, query), query),
    }),
    apiRoute({
      method: "GET",
      path: "/api/v1/usage",
      tag: "Usage",
      summary: "Show usage of all accounts",
      description: reportText,
      role: "operator",
      scope: "installation",
      audit: "none",
      query: operatorQuery,
      answer: reportSchema,
      handle: async ({ query }) => report(await operatorFilter(query), query),
    }),
    apiRoute({
      method: "GET",
      path: "/api/v1/accounts/:account/usage/export",
      tag: "Usage",
      summary: "Export usage",
      description: exportText,
      role: "viewer",
      scope: "account",
      audit: "none",
      query: accountExport,
      answer: z.string(),
      answerType: "text/csv; charset=utf-8",
      handle: ({ accountId, query }) => file(accountFilter(accountId, query), query),
    }),
    apiRoute({
      method: "GET",
      path: "/api/v1/usage/export",
      tag: "Usage",
      summary: "Export usage of all accounts",
      description: exportText,
      role: "operator",
      scope: "installation",
      audit: "none",
      query: operatorExport,
      answer: z.string(),
      answerType: "text/csv; charset=utf-8",
      handle: async ({ query }) => file(await operatorFilter(query), query),
    }),
  ];
}

function filterOf(query: RangeQuery, now: number): UsageFilter {
  const to = query.to ?? now + 1;
  const from = query.from ?? to - 7 * dayMs;
  if (from >= to) {
    throw new ManagementError(400, "invalid_request", "The range must end after it begins.", { field: "from" });
  }
  return {
    from,
    to,
    ...(query.model === undefined ? {} : { model: query.model }),
    ...(query.key === undefined ? {} : { accessKeyId: query.key }),
    ...(query.client_protocol === undefined ? {} : { clientProtocol: query.client_protocol }),
    ...(query.channel === undefined ? {} : { channel: query.channel }),
  };
}

function stepOf({ from, to }: UsageFilter, by: "hour" | "day" | undefined): "hour" | "day" {
  return by ?? (hourOf(to + hourMs - 1) - hourOf(from) <= longestByHour ? "hour" : "day");
}

async function orRefused<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (cause) {
    if (!(cause instanceof CallsError)) throw cause;
    throw new ManagementError(400, "invalid_request", `${cause.message.replace(/\.$/, "")}.`, { field: "from" });
  }
}

/** Sums of a key are found by its account. */
async function accountOfKey({ read }: Pick<Database, "read">, key: string | undefined): Promise<string | undefined> {
  if (key === undefined) return undefined;
  const row = await read.selectFrom("access_key").select("account_id").where("id", "=", key).executeTakeFirst();
  if (row) return row.account_id;
  throw new ManagementError(400, "invalid_request", "There is no such access key.", { field: "key" });
}

type Dimension = (typeof allDimensions)[number];

/** The names of keys or accounts; what else calls are told apart by is a name itself. */
async function namesOf(
  { read }: Pick<Database, "read">,
  dimension: Dimension,
  values: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (dimension !== "key" && dimension !== "account") return new Map();
  const table = dimension === "key" ? "access_key" : "account";
  const ids = [...new Set(values)];
  const names = new Map<string, string>();
  for (let begin = 0; begin < ids.length; begin += namesAtOnce) {
    const some = ids.slice(begin, begin + namesAtOnce);
    const rows = await read.selectFrom(table).select(["id", "name"]).where("id", "in", some).execute();
    for (const { id, name } of rows) names.set(id, name);
  }
  return names;
}

/** Parameters of one query are bounded; a page never needs a second one. */
const namesAtOnce = 5000;

function reportJson(
  report: UsageReport,
  by: "hour" | "day",
  dimension: Dimension,
  names: ReadonlyMap<string, string>,
): z.input<typeof reportSchema> {
  return {
    from: report.from,
    to: report.to,
    by,
    dimension,
    total: usageSumsJson(report.total),
    before: { from: report.before.from, to: report.before.to, total: usageSumsJson(report.before.total) },
    groups: report.groups.map(({ value, sums, before }) => ({
      value,
      name: names.get(value) ?? null,
      sums: usageSumsJson(sums),
      before: usageSumsJson(before),
    })),
    other: report.other && { sums: usageSumsJson(report.other.sums), before: usageSumsJson(report.other.before) },
    ranked: report.ranked,
    series: report.series.map(({ time, total, values, other }) => ({
      time,
      total: stepJson(total),
      values: values.map(stepJson),
      other: other && stepJson(other),
    })),
  };
}

function stepJson(sums: Parameters<typeof usageSumsJson>[0]): z.input<typeof step> {
  const { calls, failed, tokens, charge } = usageSumsJson(sums);
  return { calls, failed, tokens, charge };
}

const figures: readonly { name: string; value(row: UsageRow): string | number }[] = [
  { name: "calls", value: (row) => row.calls },
  { name: "succeeded", value: (row) => row.succeeded },
  { name: "input_uncached", value: (row) => row.inputUncached },
  { name: "input_cache_read", value: (row) => row.inputCacheRead },
  { name: "input_cache_write", value: (row) => row.inputCacheWrite },
  { name: "output_total", value: (row) => row.outputTotal },
  { name: "output_reasoning", value: (row) => row.outputReasoning },
  // Never below zero, so that no spreadsheet takes it for a formula.
  { name: "charge_usd", value: (row) => formatDollars(row.charge).slice(1) },
  { name: "charge_nano_usd", value: (row) => String(row.charge) },
];

function lineOf(row: UsageRow, value: string, names: ReadonlyMap<string, string>): string {
  const cells = [
    new Date(row.time ?? 0).toISOString(),
    value,
    names.get(value),
    ...figures.map((one) => one.value(row)),
  ];
  return cells.map(csvCell).join(",");
}
