import { Anchor, Button, Group, Text, Title } from "@mantine/core";
import { IconPlug } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { StateBadge } from "../../shared/badges.tsx";
import { type Column, DataTable } from "../../shared/data-table.tsx";
import { Empty } from "../../shared/empty.tsx";
import { useFormat } from "../../shared/format.ts";
import { Money } from "../../shared/money.tsx";
import { Sparkline } from "../../shared/sparkline.tsx";
import { useText } from "../../shared/text.ts";
import { type Channel, channelsQuery, isNotWell } from "./installation-data.ts";
import classes from "./operator-home.module.css";
import { operatorHomeTexts } from "./texts.ts";

/** Rows that are shown here; the page of channels has all. */
const most = 8;

/** How the channels are, those that need a look first. */
export function ChannelStates() {
  const t = useText(operatorHomeTexts);
  const query = useQuery(channelsQuery);
  const columns = useColumns();
  const on = useMemo(() => query.data?.items.filter(({ setting }) => setting !== "disabled"), [query.data]);
  const rows = useMemo(
    () => on?.toSorted((a, b) => Number(isNotWell(b)) - Number(isNotWell(a)) || b.usage.day.calls - a.usage.day.calls),
    [on],
  );
  const unwell = on?.filter(isNotWell).length ?? 0;
  return (
    <section>
      <Group justify="space-between" mb="xs" gap="xs">
        <Group gap="sm" align="baseline">
          <Title order={2}>{t("channels")}</Title>
          {on !== undefined && on.length > 0 && (
            <Text fz="sm" className={unwell > 0 ? classes.unwell : classes.well}>
              {unwell > 0 ? t("notWell", { count: unwell }) : t("allWell", { count: on.length })}
            </Text>
          )}
        </Group>
        <Anchor fz="sm" renderRoot={(props) => <Link {...props} to="/operator/channels" />}>
          {t("allChannels")}
        </Anchor>
      </Group>
      <DataTable
        label={t("channels")}
        columns={columns}
        rows={rows?.slice(0, most)}
        rowId={({ name }) => name}
        error={query.error}
        onRetry={() => void query.refetch()}
        minWidth={760}
        empty={
          <Empty
            icon={<IconPlug size={32} stroke={1.4} />}
            title={t("noChannels")}
            text={t("noChannelsText")}
            action={
              <Button renderRoot={(props) => <Link {...props} to="/operator/channels" />}>{t("addChannel")}</Button>
            }
          />
        }
      />
    </section>
  );
}

function useColumns(): readonly Column<Channel>[] {
  const t = useText(operatorHomeTexts);
  const format = useFormat();
  return useMemo(
    (): Column<Channel>[] => [
      {
        id: "channel",
        header: t("channel"),
        cell: ({ name }) => (
          <Text span fz="sm" fw={500}>
            {name}
          </Text>
        ),
      },
      { id: "state", header: t("state"), cell: (channel) => <ChannelState channel={channel} /> },
      { id: "calls", header: t("calls"), align: "right", cell: ({ usage }) => format.count(usage.day.calls) },
      {
        id: "rate",
        header: t("errorRate"),
        align: "right",
        cell: ({ usage: { day } }) => (day.calls === 0 ? "–" : format.percent(day.failed / day.calls)),
      },
      {
        id: "hours",
        header: t("lastDay"),
        width: 160,
        cell: ({ name, usage: { day, hours } }) => (
          <Sparkline
            values={hours.map(({ failed }) => failed)}
            label={t("lastDayOf", { name, failed: format.count(day.failed), calls: format.count(day.calls) })}
          />
        ),
      },
      { id: "spend", header: t("spend"), align: "right", cell: ({ usage }) => <Money nano={usage.day.charge} short /> },
    ],
    [t, format],
  );
}

function ChannelState({ channel: { state, setting, rejected } }: { channel: Channel }) {
  const t = useText(operatorHomeTexts);
  switch (state) {
    case "operational":
      return <StateBadge state={setting === "under_observation" ? "under_observation" : "operational"} />;
    case "degraded":
    case "down":
      return <StateBadge state={state} />;
    case "credential_failed":
      return <Bad text={t("credentialFailed")} />;
    case "rejected":
      return <Bad text={t("rejected")} title={rejected ?? undefined} />;
  }
}

function Bad({ text, title }: { text: string; title?: string | undefined }) {
  return (
    <Text span fz="sm" className={classes.unwell} title={title}>
      {text}
    </Text>
  );
}
