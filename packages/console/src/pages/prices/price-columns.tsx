import { Badge, Group, Stack, Text } from "@mantine/core";
import type { components } from "../../api/schema.d.ts";
import type { Column } from "../../shared/data-table.tsx";
import type { Format } from "../../shared/format.ts";
import type { Say } from "../../shared/text.ts";
import { Time } from "../../shared/time.tsx";
import type { pricesTexts } from "./texts.ts";

export type PricesText = Say<(typeof pricesTexts)["texts"]>;
export type CurrentPrice = components["schemas"]["CurrentPrice"];
export type SetPrice = components["schemas"]["SetPriceVersion"];
type Version = components["schemas"]["PriceVersion"];

/** What models cost now, channel by channel. */
export function currentColumns(t: PricesText, format: Format): Column<CurrentPrice>[] {
  return [
    {
      id: "model",
      header: t("columnModel"),
      cell: ({ model, upstream_model }) => (
        <Stack gap={0}>
          <Text fz="sm" fw={550}>
            {model}
          </Text>
          {upstream_model !== model && (
            <Text fz="xs" c="dimmed">
              {upstream_model}
            </Text>
          )}
        </Stack>
      ),
    },
    { id: "channel", header: t("columnChannel"), cell: ({ channel }) => channel },
    {
      id: "source",
      header: t("columnSource"),
      cell: ({ price }) => (price ? <Source source={price.source} t={t} /> : <Dimmed text={t("noPrice")} />),
    },
    ...amountColumns<CurrentPrice>(t, format, ({ price }) => price),
  ];
}

/** What operators and the configuration have set. */
export function versionColumns(t: PricesText, format: Format): Column<SetPrice>[] {
  return [
    {
      id: "model",
      header: t("columnModel"),
      cell: ({ model }) => (
        <Text span fz="sm" fw={550}>
          {model}
        </Text>
      ),
    },
    {
      id: "channel",
      header: t("columnChannel"),
      cell: ({ channel }) => channel ?? <Dimmed text={t("allChannels")} />,
    },
    { id: "source", header: t("columnSource"), cell: ({ source }) => <Source source={source} t={t} /> },
    ...amountColumns<SetPrice>(t, format, (version) => version),
    {
      id: "from",
      header: t("columnFrom"),
      cell: ({ valid_from }) => (valid_from === 0 ? <Dimmed text={t("always")} /> : <Time at={valid_from} />),
    },
  ];
}

/** Figures under each other; the first tier's, with a word on the others. */
function amountColumns<Row>(t: PricesText, format: Format, versionOf: (row: Row) => Version | null): Column<Row>[] {
  const amount = (row: Row, name: string) => {
    const nano = versionOf(row)?.tiers[0]?.prices[name];
    return nano === undefined ? <Dimmed text="–" /> : <span className="figures">{format.money(nano)}</span>;
  };
  const head = (text: string) => <span title={t("perMillion")}>{text}</span>;
  return [
    { id: "input", header: head(t("columnInput")), align: "right", cell: (row) => amount(row, "input") },
    { id: "cached", header: head(t("columnCached")), align: "right", cell: (row) => amount(row, "cache_read") },
    {
      id: "output",
      header: head(t("columnOutput")),
      align: "right",
      cell: (row) => {
        const above = versionOf(row)?.tiers[1]?.above_input_tokens;
        return (
          <Group gap={4} justify="flex-end" wrap="nowrap">
            {amount(row, "output")}
            {above !== undefined && (
              <Text span fz="xs" c="dimmed" title={t("tiers", { count: above })}>
                *
              </Text>
            )}
          </Group>
        );
      },
    },
    {
      id: "request",
      header: t("columnRequest"),
      align: "right",
      cell: (row) => {
        const nano = versionOf(row)?.per_request;
        return nano === undefined || nano === "0" ? (
          <Dimmed text="–" />
        ) : (
          <span className="figures">{format.money(nano)}</span>
        );
      },
    },
  ];
}

function Source({ source, t }: { source: Version["source"]; t: PricesText }) {
  return (
    <Badge variant="default" size="sm" radius="sm" tt="none" fw={500}>
      {t(`source_${source}`)}
    </Badge>
  );
}

function Dimmed({ text }: { text: string }) {
  return (
    <Text span fz="sm" c="dimmed">
      {text}
    </Text>
  );
}
