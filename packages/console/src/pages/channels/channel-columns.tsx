import { Group, Text, Tooltip } from "@mantine/core";
import { IconFileText } from "@tabler/icons-react";
import { ProtocolBadge } from "../../shared/badges.tsx";
import type { Column } from "../../shared/data-table.tsx";
import type { Format } from "../../shared/format.ts";
import { Money } from "../../shared/money.tsx";
import { Sparkline } from "../../shared/sparkline.tsx";
import type { Channel, ChannelChanges } from "./channel-api.ts";
import { ChannelState } from "./channel-state.tsx";
import classes from "./channels.module.css";
import { InlineNumber } from "./inline-number.tsx";
import type { ChannelsText } from "./texts.ts";

export const highestNumber = 1_000_000;

export function channelColumns(
  t: ChannelsText,
  format: Format,
  change: (channel: Channel, changes: ChannelChanges) => Promise<unknown>,
): Column<Channel>[] {
  return [
    {
      id: "name",
      header: t("columnName"),
      width: 190,
      cell: (channel) => (
        <Group gap={6} wrap="nowrap">
          <Text fz="sm" fw={550} truncate maw={240} title={channel.name}>
            {channel.name}
          </Text>
          {channel.origin === "configuration" && (
            <Tooltip label={t("declaredText")}>
              <IconFileText size={14} stroke={1.6} aria-label={t("declared")} role="img" className={classes.origin} />
            </Tooltip>
          )}
        </Group>
      ),
    },
    {
      id: "state",
      header: t("columnState"),
      width: 155,
      cell: (channel) => (
        <span className={classes.state}>
          <ChannelState channel={channel} />
        </span>
      ),
    },
    {
      id: "protocols",
      header: t("columnProtocols"),
      width: 170,
      cell: (channel) => (
        <div className={classes.protocols} title={channel.protocols.join(", ")}>
          {channel.protocols.slice(0, 1).map((protocol) => (
            <ProtocolBadge key={protocol} protocol={protocol} />
          ))}
          {channel.protocols.length > 1 && (
            <Text span fz="xs" c="dimmed">
              {`+${channel.protocols.length - 1}`}
            </Text>
          )}
        </div>
      ),
    },
    {
      id: "models",
      header: t("columnModels"),
      align: "right",
      cell: (channel) => (
        <span
          title={channel.models
            .slice(0, 40)
            .map(({ id }) => id)
            .join("\n")}
        >
          {format.count(channel.models.length)}
        </span>
      ),
    },
    {
      id: "priority",
      header: t("columnPriority"),
      align: "right",
      width: 92,
      cell: (channel) =>
        channel.version === null ? (
          format.count(channel.priority)
        ) : (
          <InlineNumber
            value={channel.priority}
            label={t("priorityOf", { name: channel.name })}
            min={-highestNumber}
            max={highestNumber}
            onChange={(priority) => change(channel, { priority: priority ?? 0 })}
          />
        ),
    },
    {
      id: "weight",
      header: t("columnWeight"),
      align: "right",
      width: 92,
      cell: (channel) => <Weight channel={channel} t={t} format={format} change={change} />,
    },
    {
      id: "calls",
      header: t("columnCalls"),
      align: "right",
      cell: ({ usage }) => <span title={format.count(usage.day.calls)}>{format.countShort(usage.day.calls)}</span>,
    },
    {
      id: "errors",
      header: t("columnErrors"),
      align: "right",
      width: 190,
      cell: ({ usage: { day, hours } }) => (
        <Group gap={8} wrap="nowrap" justify="flex-end">
          <Sparkline
            values={hours.map(({ calls, failed }) => (calls === 0 ? 0 : failed / calls))}
            label={t("errorsByHour", { count: day.failed, calls: day.calls })}
          />
          <Text span fz="sm" w={52} ta="right" className="figures">
            {day.calls === 0 ? "–" : format.percent(day.failed / day.calls)}
          </Text>
        </Group>
      ),
    },
    {
      id: "spend",
      header: t("columnSpend"),
      align: "right",
      cell: ({ usage }) => <Money nano={usage.month.charge} short />,
    },
  ];
}

function Weight({
  channel,
  t,
  format,
  change,
}: {
  channel: Channel;
  t: ChannelsText;
  format: Format;
  change: (channel: Channel, changes: ChannelChanges) => Promise<unknown>;
}) {
  if (channel.version !== null) {
    return (
      <InlineNumber
        value={channel.weight}
        label={t("weightOf", { name: channel.name })}
        min={0}
        max={highestNumber}
        placeholder={t("inOrder")}
        onChange={(weight) => change(channel, { weight })}
      />
    );
  }
  if (channel.weight !== null) return format.count(channel.weight);
  return (
    <Text span fz="sm" c="dimmed">
      {t("inOrder")}
    </Text>
  );
}
