import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import type { components } from "../../api/schema.d.ts";
import { zoneMinutes } from "../home/overview-data.ts";

export type TopValue = components["schemas"]["TopValue"];
export type Channel = components["schemas"]["Channel"];

const everyMs = 15_000;

export const installationQuery = queryOptions({
  queryKey: ["overview"],
  queryFn: () => unwrap(api.GET("/api/v1/overview", { params: { query: { zone_minutes: zoneMinutes() } } })),
  refetchInterval: everyMs,
});

export const channelsQuery = queryOptions({
  queryKey: ["channels", "overview"],
  queryFn: () => unwrap(api.GET("/api/v1/channels")),
  refetchInterval: everyMs,
});

/** From this share of failed calls on a channel is worth a look, if it had some. */
const highRate = 0.05;
const someCalls = 20;

/** Whether somebody should look at the channel. */
export function isNotWell({ setting, state, usage: { day } }: Channel): boolean {
  if (setting === "disabled") return false;
  return state !== "operational" || (day.calls >= someCalls && day.failed / day.calls >= highRate);
}
