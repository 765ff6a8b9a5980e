import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import type { components, operations } from "../../api/schema.d.ts";
import { notifyFailed } from "../../shared/notify.tsx";

export type Channel = components["schemas"]["Channel"];
export type ChannelDetail = components["schemas"]["ChannelDetail"];
export type ChannelModel = components["schemas"]["ChannelModel"];
export type ChannelTest = components["schemas"]["ChannelTest"];
export type Protocol = Channel["protocols"][number];
export type NewChannel = operations["createAChannel"]["requestBody"]["content"]["application/json"];
export type ChannelChanges = Omit<
  operations["changeAChannel"]["requestBody"]["content"]["application/json"],
  "version"
>;

/** What is measured changes by itself. */
const freshMs = 15_000;

export const channelsQuery = {
  queryKey: ["channels"] as const,
  queryFn: () => unwrap(api.GET("/api/v1/channels")),
  refetchInterval: freshMs,
};

export function channelQuery(channel: string) {
  return {
    queryKey: ["channel", channel] as const,
    queryFn: () => unwrap(api.GET("/api/v1/channels/{channel}", { params: { path: { channel } } })),
    refetchInterval: freshMs,
  };
}

export function testsQuery(channel: string) {
  return {
    queryKey: ["channel", channel, "tests"] as const,
    queryFn: () => unwrap(api.GET("/api/v1/channels/{channel}/tests", { params: { path: { channel } } })),
  };
}

/** What can be done with channels. Failures of `change` and `remove` are told; promises reject nevertheless. */
export function useChannelChanges() {
  const queries = useQueryClient();
  const reload = () => queries.invalidateQueries({ queryKey: ["channels"] });
  const keep = (channel: ChannelDetail) => {
    queries.setQueryData(channelQuery(channel.name).queryKey, channel);
    return reload();
  };
  const create = useMutation({
    mutationFn: (body: NewChannel) => unwrap(api.POST("/api/v1/channels", { body })),
    onSuccess: keep,
  });
  const save = useMutation({
    mutationFn: ({ channel, changes }: { channel: Channel; changes: ChannelChanges }) =>
      unwrap(
        api.PATCH("/api/v1/channels/{channel}", {
          params: { path: { channel: channel.name } },
          body: { ...changes, version: channel.version ?? 0 },
        }),
      ),
    onSuccess: keep,
    // Somebody else may have changed it.
    onError: reload,
  });
  const changeNow = (channel: Channel, changes: ChannelChanges) =>
    save.mutateAsync({ channel, changes }).catch((error: unknown) => {
      notifyFailed(error);
      throw error;
    });
  const remove = useMutation({
    mutationFn: (channel: string) =>
      unwrap(api.DELETE("/api/v1/channels/{channel}", { params: { path: { channel } } })),
    onSuccess: reload,
    onError: notifyFailed,
  });
  return { create, save, changeNow, remove, busy: save.isPending };
}

export function useChannelTest(channel: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { model: string; protocol?: Protocol }) =>
      unwrap(api.POST("/api/v1/channels/{channel}/tests", { params: { path: { channel } }, body })),
    onSettled: () => queries.invalidateQueries({ queryKey: testsQuery(channel).queryKey }),
  });
}

export function useFetchModels(channel: string) {
  return useMutation({
    mutationFn: () => unwrap(api.POST("/api/v1/channels/{channel}/fetch-models", { params: { path: { channel } } })),
  });
}
