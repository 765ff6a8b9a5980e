import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import type { components } from "../../api/schema.d.ts";

export type Overview = components["schemas"]["AccountOverview"];
export type Call = components["schemas"]["Call"];
export type PeriodFigures = components["schemas"]["PeriodFigures"];

/** How often the page looks again: soon while a first call is awaited. */
const everyMs = { awaited: 2500, usual: 15_000 };

/** Where days of the reader begin, minutes ahead of UTC. */
export function zoneMinutes(): number {
  return -new Date().getTimezoneOffset();
}

export function overviewQuery(account: string) {
  return queryOptions({
    queryKey: ["overview", account],
    queryFn: () =>
      unwrap(
        api.GET("/api/v1/accounts/{account}/overview", {
          params: { path: { account }, query: { zone_minutes: zoneMinutes() } },
        }),
      ),
    refetchInterval: ({ state }) => (state.data?.checklist.done === false ? everyMs.awaited : everyMs.usual),
  });
}

/** All tokens of a call that are known; null where nobody told any. */
export function tokensOf({ usage }: Pick<Call, "usage">): number | null {
  if (!usage) return null;
  const { input_uncached, input_cache_read, input_cache_write, input_tool_prompt, output_total } = usage;
  const told = [input_uncached, input_cache_read, input_cache_write, input_tool_prompt, output_total];
  return told.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}
