import type { components, operations } from "../../api/schema.d.ts";
import { protocols } from "../../shared/gateway-call.ts";
import { type UrlValues, urlOneOf, urlText } from "../../shared/url-state.ts";

export type UsageReport = components["schemas"]["UsageReport"];
export type UsageSums = components["schemas"]["UsageSums"];
type UsageQuery = NonNullable<operations["showUsageOfAllAccounts"]["parameters"]["query"]>;

export const ranges = ["today", "24h", "7d", "30d", "month", "custom"] as const;
export type RangeName = (typeof ranges)[number];
export const usualRange: RangeName = "7d";

export const dimensions = ["model", "key", "client_protocol", "channel", "account"] as const;
export type Dimension = (typeof dimensions)[number];

export const measures = ["charge", "calls", "tokens"] as const;
export type Measure = (typeof measures)[number];

/** What the page shows, as it stands in the address. */
export const searchFields = {
  range: urlOneOf(...ranges),
  /** Unix milliseconds, for a range of one's own. */
  from: urlText,
  to: urlText,
  step: urlOneOf("hour", "day"),
  dimension: urlOneOf(...dimensions),
  measure: urlOneOf(...measures),
  account: urlText,
  model: urlText,
  key: urlText,
  client_protocol: urlOneOf(...protocols),
  channel: urlText,
} as const;

export type UsageSearch = UrlValues<typeof searchFields>;
export type UsageSearchChange = { readonly [Name in keyof UsageSearch]?: UsageSearch[Name] | undefined };

/** The filters that are set; their names are those of the dimensions. */
export function activeFilters(search: UsageSearch): { name: Dimension; value: string }[] {
  return dimensions.flatMap((name) => {
    const value = search[name];
    return value === undefined ? [] : [{ name, value }];
  });
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Where days of the reader begin, minutes ahead of UTC. */
export function zoneMinutes(now: Date): number {
  return -now.getTimezoneOffset();
}

/**
 * The range in unix milliseconds, up to `now` unless it has an end of its own. Its days are those of the zone as it is now,
 * as the API counts them: where the clocks were changed since, they begin an hour off.
 */
export function rangeOf(search: UsageSearch, now: Date): { from: number; to: number } {
  const to = Math.ceil((now.getTime() + 1) / hourMs) * hourMs;
  const shift = zoneMinutes(now) * 60_000;
  const local = now.getTime() + shift;
  const midnight = local - (local % dayMs) - shift;
  switch (search.range ?? usualRange) {
    case "today":
      return { from: midnight, to };
    case "24h":
      return { from: to - dayMs, to };
    case "7d":
      return { from: midnight - 6 * dayMs, to };
    case "30d":
      return { from: midnight - 29 * dayMs, to };
    case "month":
      return { from: midnight - (now.getDate() - 1) * dayMs, to };
    case "custom": {
      const [from, end] = [Number(search.from), Number(search.to)];
      const known = search.from !== undefined && search.to !== undefined && end > from;
      return known ? { from, to: end } : { from: to - dayMs, to };
    }
  }
}

/** The search as the API asks for it. */
export function queryOf(search: UsageSearch, dimension: Dimension, now: Date): UsageQuery {
  const { account, model, key, client_protocol, channel, step } = search;
  return {
    ...rangeOf(search, now),
    zone_minutes: zoneMinutes(now),
    dimension,
    ...(step && { by: step }),
    ...(account !== undefined && { account }),
    ...(model !== undefined && { model }),
    ...(key !== undefined && { key }),
    ...(client_protocol !== undefined && { client_protocol }),
    ...(channel !== undefined && { channel }),
  };
}

/** The same search in the words of the list of calls, for whole hours that were summed up. */
export function callsSearch(filters: readonly { name: Dimension; value: string }[], from: number, to: number) {
  const named = filters
    .filter(({ value }) => value !== "")
    .map(({ name, value }) => [name === "key" ? "access_key" : name, value] as const);
  return { range: "custom", from: String(from), to: String(to), ...Object.fromEntries(named) };
}
