import { Anchor, Text } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { type Column, DataTable } from "../../shared/data-table.tsx";
import { Empty } from "../../shared/empty.tsx";
import { useText } from "../../shared/text.ts";
import { Time } from "../../shared/time.tsx";
import type { ChannelDetail } from "./channel-api.ts";
import { channelsTexts } from "./texts.ts";

type ChannelError = ChannelDetail["errors"][number];

/** The last tries of a channel that failed, each with the call it was for. */
export function ChannelErrors({ errors }: { errors: readonly ChannelError[] }) {
  const t = useText(channelsTexts);
  const columns: Column<ChannelError>[] = [
    { id: "at", header: t("errorTime"), width: 150, cell: ({ at }) => <Time at={at} /> },
    {
      id: "kind",
      header: t("errorKind"),
      cell: ({ kind, code }) => (
        <>
          <Text fz="sm">{kind}</Text>
          {code !== null && code !== kind && (
            <Text fz="xs" c="dimmed" ff="monospace">
              {code}
            </Text>
          )}
        </>
      ),
    },
    { id: "status", header: t("errorStatus"), align: "right", width: 70, cell: ({ status }) => status ?? "–" },
    {
      id: "model",
      header: t("errorModel"),
      cell: ({ model, upstream_model }) => (
        <Text span ff="monospace" fz="xs">
          {model ?? upstream_model}
        </Text>
      ),
    },
    {
      id: "call",
      header: t("errorCall"),
      cell: ({ call_id }) => (
        <Anchor
          fz="xs"
          ff="monospace"
          renderRoot={(props) => <Link {...props} to="/operator/calls/$call" params={{ call: call_id }} />}
        >
          {`…${call_id.slice(-8)}`}
        </Anchor>
      ),
    },
  ];
  return (
    <DataTable
      label={t("errorsList")}
      columns={columns}
      rows={errors}
      rowId={({ call_id, at, kind }) => `${call_id} ${at} ${kind}`}
      minWidth={520}
      empty={
        <Empty icon={<IconCircleCheck size={28} stroke={1.4} />} title={t("noErrorsTitle")} text={t("noErrorsText")} />
      }
    />
  );
}
