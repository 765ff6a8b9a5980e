import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import type { components } from "../../api/schema.d.ts";

export type Model = components["schemas"]["PublicModel"];
export type ListPrice = components["schemas"]["ListPrice"];
export type Protocol = Model["families"][number]["protocol"];

/** All that is published; the gateway keeps it for some seconds. */
export const modelsQuery = queryOptions({
  queryKey: ["public", "models"],
  queryFn: () => unwrap(api.GET("/api/v1/public/models")),
  refetchInterval: 60_000,
});

/** What a class of tokens costs a million, in nano-dollars, for short inputs; undefined where there is no price. */
export function priceOf({ price }: Model, tokenClass: string): string | undefined {
  return price?.tiers[0]?.per_million.find((line) => line.class === tokenClass)?.price;
}
