import { Badge, Button, Checkbox, Group, ScrollArea, Stack, Text, TextInput } from "@mantine/core";
import { IconDownload, IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { ProtocolBadge } from "../../shared/badges.tsx";
import { type Column, DataTable } from "../../shared/data-table.tsx";
import { useFormat } from "../../shared/format.ts";
import { LoadFailed } from "../../shared/load-failed.tsx";
import { notifyDone } from "../../shared/notify.tsx";
import { useText } from "../../shared/text.ts";
import { type Channel, type ChannelModel, useChannelChanges, useFetchModels } from "./channel-api.ts";
import { channelsTexts } from "./texts.ts";

/** What a channel offers, and what its provider has. */
export function ChannelModels({ channel }: { channel: Channel }) {
  const t = useText(channelsTexts);
  const fetching = useFetchModels(channel.name);
  const declared = channel.version === null;
  const columns: Column<ChannelModel>[] = [
    {
      id: "id",
      header: t("modelName"),
      cell: ({ id }) => (
        <Text span ff="monospace" fz="xs">
          {id}
        </Text>
      ),
    },
    {
      id: "upstream",
      header: t("modelUpstream"),
      cell: ({ upstream_id }) =>
        upstream_id === undefined ? (
          <Text span fz="sm" c="dimmed">
            {t("same")}
          </Text>
        ) : (
          <Text span ff="monospace" fz="xs">
            {upstream_id}
          </Text>
        ),
    },
    {
      id: "protocols",
      header: t("modelProtocols"),
      cell: ({ protocols }) =>
        protocols ? (
          <Group gap={4}>
            {protocols.map((protocol) => (
              <ProtocolBadge key={protocol} protocol={protocol} />
            ))}
          </Group>
        ) : (
          <Text span fz="sm" c="dimmed">
            {t("allProtocols")}
          </Text>
        ),
    },
  ];
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <Text fz="sm" c="dimmed">
          {declared ? t("fetchNoteDeclared") : t("fetchNote")}
        </Text>
        <Button
          size="xs"
          variant="default"
          miw={130}
          leftSection={<IconDownload size={15} aria-hidden="true" />}
          loading={fetching.isPending}
          onClick={() => fetching.mutate()}
        >
          {t("fetch")}
        </Button>
      </Group>
      {fetching.error && <LoadFailed error={fetching.error} onRetry={() => fetching.mutate()} />}
      {fetching.data && (
        <Fetched
          key={channel.version}
          channel={channel}
          items={fetching.data.items}
          gone={fetching.data.gone}
          cut={fetching.data.cut}
        />
      )}
      <DataTable
        label={t("modelsOffered")}
        columns={columns}
        rows={channel.models}
        rowId={({ id }) => id}
        minWidth={420}
        empty={null}
      />
    </Stack>
  );
}

const mostShown = 500;

function Fetched({
  channel,
  items,
  gone,
  cut,
}: {
  channel: Channel;
  items: readonly { id: string; listed: boolean }[];
  gone: readonly string[];
  cut: boolean;
}) {
  const t = useText(channelsTexts);
  const format = useFormat();
  const { changeNow, busy } = useChannelChanges();
  const [search, setSearch] = useState("");
  /** What was ticked or unticked, by the provider's name. */
  const [changed, setChanged] = useState<ReadonlyMap<string, boolean>>(new Map());
  const own = new Map(channel.models.map((model) => [model.upstream_id ?? model.id, model]));
  const declared = channel.version === null;
  const rows = [
    ...gone.map((id) => ({ id: own.get(id)?.upstream_id ?? id, gone: true, listed: true })),
    ...items.map((item) => ({ ...item, gone: false })),
  ].filter(({ id }) => id.toLowerCase().includes(search.trim().toLowerCase()));
  const set = (id: string, ticked: boolean) => {
    const next = new Map(changed);
    if (own.has(id) === ticked) next.delete(id);
    else next.set(id, ticked);
    setChanged(next);
  };
  const save = async () => {
    const kept = channel.models.filter((model) => changed.get(model.upstream_id ?? model.id) !== false);
    const added = [...changed].flatMap(([id, ticked]) => (ticked ? [{ id }] : []));
    await changeNow(channel, { models: [...kept, ...added] });
    notifyDone(t("changed", { name: channel.name }));
  };
  return (
    <Stack gap="xs">
      <Group justify="space-between" align="flex-end">
        <TextInput
          aria-label={t("modelFilter")}
          placeholder={t("modelFilter")}
          leftSection={<IconSearch size={15} aria-hidden="true" />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <Text fz="xs" c="dimmed">
          {t("fetched", { count: items.length })}
          {cut && ` ${t("fetchedCut")}`}
        </Text>
      </Group>
      <ScrollArea.Autosize
        mah={320}
        type="auto"
        viewportProps={{ tabIndex: 0, "aria-label": t("modelFilter"), role: "group" }}
      >
        <Stack gap={10} py={4} pl={4}>
          {rows.length === 0 && (
            <Text fz="sm" c="dimmed">
              {t("noMatch")}
            </Text>
          )}
          {rows.slice(0, mostShown).map((row) => (
            <Group key={row.id} gap="sm" wrap="nowrap">
              <Checkbox
                size="xs"
                label={row.id}
                disabled={declared}
                checked={changed.get(row.id) ?? own.has(row.id)}
                onChange={(event) => set(row.id, event.currentTarget.checked)}
                styles={{ label: { fontFamily: "var(--mantine-font-family-monospace)" } }}
              />
              <Mark row={row} exact={own.has(row.id)} />
            </Group>
          ))}
        </Stack>
      </ScrollArea.Autosize>
      {rows.length > mostShown && (
        <Text fz="xs" c="dimmed">
          {format.count(rows.length - mostShown)} +
        </Text>
      )}
      {!declared && (
        <Group justify="flex-end">
          <Button
            size="xs"
            disabled={changed.size === 0}
            loading={busy}
            // What fails is told where it is done.
            onClick={() => void save().catch(() => undefined)}
          >
            {t("saveModels", { count: changed.size })}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function Mark({ row, exact }: { row: { gone: boolean; listed: boolean }; exact: boolean }) {
  const t = useText(channelsTexts);
  const text = row.gone ? t("modelGone") : row.listed ? (exact ? undefined : t("modelPattern")) : t("modelNew");
  if (text === undefined) return null;
  return (
    <Badge variant="default" size="xs" radius="sm" tt="none" fw={500}>
      {text}
    </Badge>
  );
}
