import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import type { components } from "../../api/schema.d.ts";

export type Status = components["schemas"]["PublicStatus"];
export type Day = components["schemas"]["StatusDay"];
export type PublicIncident = components["schemas"]["PublicIncident"];
export type Incident = components["schemas"]["Incident"];

/** What goes on, looked at again and again. */
export const statusQuery = queryOptions({
  queryKey: ["public", "status"],
  queryFn: () => unwrap(api.GET("/api/v1/public/status")),
  refetchInterval: 30_000,
});

/** One note as operators see it. */
export const incidentQuery = (id: string) =>
  queryOptions({
    queryKey: ["incidents", id],
    queryFn: () => unwrap(api.GET("/api/v1/incidents/{incident}", { params: { path: { incident: id } } })),
  });
