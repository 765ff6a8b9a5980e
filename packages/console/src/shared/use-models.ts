import { useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../api/client.ts";

/** The models that the gateway publishes. */
export function useModels() {
  return useQuery({
    queryKey: ["public-models"],
    staleTime: 60_000,
    queryFn: async () => (await unwrap(api.GET("/api/v1/public/models"))).items,
  });
}
