import type { components, operations } from "../../api/schema.d.ts";
import { protocols } from "../../shared/gateway-call.ts";
import { type UrlValues, urlFlag, urlOneOf, urlText } from "../../shared/url-state.ts";

export type Call = components["schemas"]["Call"];
export type CallQuery = NonNullable<operations["listCallsOfAllAccounts"]["parameters"]["query"]>;

export const outcomes = [
  "succeeded",
  "failed",
  "refused",
  "client_closed",
  "upstream_incomplete",
  "drained",
  "interrupted",
] as const;
export const errorKinds = [
  "bad_request",
  "context_too_long",
  "unauthenticated",
  "billing",
  "forbidden",
  "not_found",
  "method_not_allowed",
  "conflict",
  "too_large",
  "unsupported_media",
  "rate_limit",
  "cancelled",
  "upstream_bad",
  "upstream_incomplete",
  "no_channel",
  "internal",
  "overloaded",
  "timeout",
] as const;

/** Times from now back; `all` and `custom` (`from` and `to`) besides. */
export const ranges = ["15m", "1h", "24h", "7d", "all", "custom"] as const;
export type RangeName = (typeof ranges)[number];
export const usualRange: RangeName = "7d";
const lengths: Readonly<Partial<Record<RangeName, number>>> = {
  "15m": 900_000,
  "1h": 3_600_000,
  "24h": 86_400_000,
  "7d": 604_800_000,
};

/** What the list can be filtered by, as it stands in the address: in the words of the API. */
const filterFields = {
  account: urlText,
  access_key: urlText,
  model: urlText,
  channel: urlText,
  client_protocol: urlOneOf(...protocols),
  upstream_protocol: urlOneOf(...protocols),
  status: urlText,
  outcome: urlOneOf(...outcomes),
  failed: urlFlag,
  stream: urlOneOf("true", "false"),
  error_kind: urlOneOf(...errorKinds),
  losses: urlFlag,
  min_charge: urlText,
  id: urlText,
} as const;

export const searchFields = {
  ...filterFields,
  range: urlOneOf(...ranges),
  /** Unix milliseconds, for a range of one's own. */
  from: urlText,
  to: urlText,
  /** Where the list begins, where that is not the newest call. */
  at: urlText,
  live: urlFlag,
} as const;

export type FilterName = keyof typeof filterFields;
export type CallSearch = UrlValues<typeof searchFields>;

export const filterNames = Object.keys(filterFields) as FilterName[];

/** The filters that are set, with their values as texts. */
export function activeFilters(search: CallSearch): [FilterName, string][] {
  return filterNames.flatMap((name): [FilterName, string][] => {
    const value = search[name];
    return value === undefined ? [] : [[name, String(value)]];
  });
}

/** The search as the API asks for it. `now`: what times are counted back from. */
export function queryOf(search: CallSearch, now: number): CallQuery {
  const { failed, losses, id, range = usualRange } = search;
  const query: CallQuery = {};
  for (const name of ["account", "access_key", "model", "channel", "status", "min_charge", "stream"] as const) {
    const value = search[name];
    if (value !== undefined) query[name] = value;
  }
  if (search.client_protocol) query.client_protocol = search.client_protocol;
  if (search.upstream_protocol) query.upstream_protocol = search.upstream_protocol;
  if (search.outcome) query.outcome = search.outcome;
  if (search.error_kind) query.error_kind = search.error_kind;
  if (failed) query.failed = "true";
  if (losses) query.losses = "true";
  if (id !== undefined && id.length >= 3) query.id = id;
  const length = lengths[range];
  if (length !== undefined) query.from = now - length;
  if (range === "custom") {
    const [from, to] = [Number(search.from), Number(search.to)];
    if (search.from !== undefined && Number.isFinite(from)) query.from = from;
    if (search.to !== undefined && Number.isFinite(to)) query.to = to;
  }
  return query;
}

/** All input of a call, however it was priced; undefined where nobody told. */
export function inputTokens({ usage }: Pick<Call, "usage">): number | undefined {
  if (!usage) return undefined;
  const { input_uncached, input_cache_read, input_cache_write, input_tool_prompt } = usage;
  const told = [input_uncached, input_cache_read, input_cache_write, input_tool_prompt].filter(
    (count) => count !== undefined,
  );
  return told.length === 0 ? undefined : told.reduce((sum, count) => sum + count, 0);
}
