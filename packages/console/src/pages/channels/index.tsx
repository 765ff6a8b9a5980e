import { Button } from "@mantine/core";
import { IconPlug, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { DataTable } from "../../shared/data-table.tsx";
import { Empty } from "../../shared/empty.tsx";
import { useFormat } from "../../shared/format.ts";
import { notifyDone } from "../../shared/notify.tsx";
import { PageHeader } from "../../shared/page-header.tsx";
import { useText } from "../../shared/text.ts";
import { urlFlag, urlOneOf, urlText, useUrlState } from "../../shared/url-state.ts";
import { type Channel, type ChannelChanges, channelsQuery, useChannelChanges } from "./channel-api.ts";
import { channelColumns } from "./channel-columns.tsx";
import { ChannelDrawer, CreateChannelDrawer, channelTabs } from "./channel-drawer.tsx";
import { channelsTexts } from "./texts.ts";

const fields = { channel: urlText, tab: urlOneOf(...channelTabs), create: urlFlag };

/** The connections to providers: how they do, in which order they are tried, and all that can be set of them. */
export default function ChannelsPage() {
  const t = useText(channelsTexts);
  const format = useFormat();
  const [url, setUrl] = useUrlState(fields);
  const list = useQuery(channelsQuery);
  const { changeNow } = useChannelChanges();
  const change = async (channel: Channel, changes: ChannelChanges) => {
    await changeNow(channel, changes);
    notifyDone(t("changed", { name: channel.name }));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the rows ask for does the same in every render
  const columns = useMemo(() => channelColumns(t, format, change), [t, format]);
  // In the order in which they are tried.
  const rows = useMemo(() => list.data?.items.toSorted((a, b) => b.priority - a.priority), [list.data]);
  const createButton = (
    <Button
      leftSection={<IconPlus size={16} aria-hidden="true" />}
      onClick={() => setUrl({ create: true, channel: undefined, tab: undefined }, { push: true })}
    >
      {t("create")}
    </Button>
  );
  const close = () => setUrl({ channel: undefined, tab: undefined, create: undefined });
  return (
    <>
      <PageHeader title={t("title")} description={t("description")} actions={createButton} />
      <DataTable
        label={t("list")}
        columns={columns}
        rows={rows}
        error={list.error}
        onRetry={() => void list.refetch()}
        rowId={({ name }) => name}
        minWidth={1080}
        onOpen={({ name }) => setUrl({ channel: name, create: undefined }, { push: true })}
        isMarked={({ name }) => name === url.channel}
        empty={
          <Empty
            icon={<IconPlug size={28} stroke={1.4} />}
            title={t("emptyTitle")}
            text={t("emptyText")}
            action={createButton}
          />
        }
      />
      {url.create && (
        <CreateChannelDrawer
          onClose={close}
          onMade={(channel) => setUrl({ create: undefined, channel, tab: "tests" })}
        />
      )}
      {url.channel !== undefined && !url.create && (
        <ChannelDrawer
          name={url.channel}
          tab={url.tab ?? "overview"}
          onTab={(tab) => setUrl({ tab: tab === "overview" ? undefined : tab })}
          onClose={close}
        />
      )}
    </>
  );
}
