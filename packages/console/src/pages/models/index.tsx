import { Badge, Button, Group, Select, Text, TextInput } from "@mantine/core";
import { IconSearch, IconStack2 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { useMaybeMe } from "../../app/session.ts";
import { StateBadge } from "../../shared/badges.tsx";
import { type Column, DataTable } from "../../shared/data-table.tsx";
import { Empty } from "../../shared/empty.tsx";
import { FilterBar } from "../../shared/filter-bar.tsx";
import { useFormat } from "../../shared/format.ts";
import { protocols } from "../../shared/gateway-call.ts";
import { Money } from "../../shared/money.tsx";
import { PageHeader } from "../../shared/page-header.tsx";
import { sharedTexts } from "../../shared/shared-text.ts";
import { useText } from "../../shared/text.ts";
import { urlOneOf, urlText, useUrlState } from "../../shared/url-state.ts";
import { fits, sortModels } from "./choose-models.ts";
import { ModelDrawer, protocolKeys } from "./model-drawer.tsx";
import { type Model, modelsQuery, priceOf } from "./models-query.ts";
import { modelTexts } from "./texts.ts";

const states = ["operational", "under_observation", "degraded", "down", "unknown"] as const;
const capabilities = [
  "audio_input",
  "image_input",
  "audio_output",
  "image_output",
  "prompt_caching",
  "reasoning",
  "web_search",
  "long_context_tier",
] as const;
const sorts = ["model", "input", "output", "context", "firstToken", "pace", "availability"] as const;

const fields = {
  search: urlText,
  family: urlOneOf(...protocols),
  capability: urlOneOf(...capabilities),
  state: urlOneOf(...states),
  sort: urlOneOf(...sorts),
  order: urlOneOf("asc", "desc"),
  model: urlText,
  example: urlOneOf(...protocols),
};

/** The published models, for everybody. */
export default function ModelsPage() {
  const t = useText(modelTexts);
  const shared = useText(sharedTexts);
  const [url, setUrl] = useUrlState(fields);
  const query = useQuery(modelsQuery);
  const columns = useColumns();
  const { search, family, capability, state, sort, order = "asc" } = url;
  const all = query.data?.items;
  const rows = useMemo(() => {
    const found = all?.filter((model) => fits(model, { search, family, capability, state }));
    return found && sort ? sortModels(found, { column: sort, direction: order }) : found;
  }, [all, search, family, capability, state, sort, order]);
  const filtered = [search, family, capability, state].some((value) => value !== undefined);
  const clear = () => setUrl({ search: undefined, family: undefined, capability: undefined, state: undefined });
  return (
    <>
      <PageHeader title={t("title")} description={t("description")} />
      <FilterBar onClear={filtered ? clear : undefined}>
        <TextInput
          aria-label={t("search")}
          placeholder={t("search")}
          leftSection={<IconSearch size={15} aria-hidden="true" />}
          value={search ?? ""}
          onChange={(event) => setUrl({ search: event.currentTarget.value || undefined })}
          w={{ base: "100%", xs: 240 }}
        />
        <Choice
          label={t("family")}
          any={t("anyFamily")}
          value={family}
          options={protocols.map((value) => ({ value, label: shared(protocolKeys[value]) }))}
          onChange={(value) => setUrl({ family: value })}
        />
        <Choice
          label={t("capability")}
          any={t("anyCapability")}
          value={capability}
          options={capabilities.map((value) => ({ value, label: t(`capability_${value}`) }))}
          onChange={(value) => setUrl({ capability: value })}
        />
        <Choice
          label={t("state")}
          any={t("anyState")}
          value={state}
          options={states.map((value) => ({ value, label: shared(`state_${value}`) }))}
          onChange={(value) => setUrl({ state: value })}
        />
        {rows && (
          <Text fz="sm" c="dimmed" ml="auto" role="status">
            {t("count", { count: rows.length })}
          </Text>
        )}
      </FilterBar>
      <DataTable
        label={t("list")}
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        error={query.error}
        onRetry={() => void query.refetch()}
        onOpen={({ id }) => setUrl({ model: id }, { push: true })}
        isMarked={({ id }) => id === url.model}
        minWidth={860}
        {...(sort && { sort: { column: sort, direction: order } })}
        onSort={({ column, direction }) => setUrl({ sort: sorts.find((name) => name === column), order: direction })}
        empty={filtered ? <NoMatch onClear={clear} /> : <NonePublished />}
      />
      <ModelDrawer
        model={all?.find(({ id }) => id === url.model)}
        protocol={url.example}
        onProtocol={(example) => setUrl({ example })}
        onClose={() => setUrl({ model: undefined, example: undefined })}
      />
    </>
  );
}

function useColumns(): Column<Model>[] {
  const t = useText(modelTexts);
  const format = useFormat();
  return useMemo((): Column<Model>[] => {
    const figure = { align: "right", sortable: true } as const;
    const price = (model: Model, tokenClass: string) => {
      const nano = priceOf(model, tokenClass);
      return nano === undefined ? <Absent why={t("noPrice")} /> : <Money nano={nano} />;
    };
    return [
      { id: "model", header: t("model"), sortable: true, cell: (model) => <Name model={model} /> },
      { id: "state", header: t("state"), cell: ({ state }) => <StateBadge state={state} /> },
      { id: "input", header: t("input"), ...figure, cell: (model) => price(model, "input") },
      { id: "output", header: t("output"), ...figure, cell: (model) => price(model, "output") },
      {
        id: "context",
        header: t("context"),
        ...figure,
        cell: ({ context_window: tokens }) =>
          tokens === null ? (
            <Absent why={t("unknown")} />
          ) : (
            <span title={format.count(tokens)}>{format.countShort(tokens)}</span>
          ),
      },
      {
        id: "firstToken",
        header: t("firstToken"),
        ...figure,
        cell: ({ speed }) => (speed ? format.duration(speed.first_token_p50_ms) : <Absent why={t("notMeasured")} />),
      },
      {
        id: "pace",
        header: t("pace"),
        ...figure,
        cell: ({ speed }) =>
          speed?.output_tokens_per_second == null ? (
            <Absent why={t("notMeasured")} />
          ) : (
            format.count(speed.output_tokens_per_second)
          ),
      },
      {
        id: "availability",
        header: t("availability"),
        ...figure,
        cell: ({ availability }) =>
          availability === null ? <Absent why={t("fewCalls")} /> : format.percentAligned(availability / 100),
      },
    ];
  }, [t, format]);
}

function Name({ model }: { model: Model }) {
  const t = useText(modelTexts);
  return (
    <Group gap={8} wrap="nowrap">
      <Text span fz="sm" ff="monospace" style={{ overflowWrap: "anywhere" }}>
        {model.id}
      </Text>
      {model.pattern && (
        <Badge variant="default" size="xs" radius="sm" fw={500} tt="none" title={t("patternText")}>
          {t("pattern")}
        </Badge>
      )}
    </Group>
  );
}

/** There is no figure, which is not the same as 0. */
function Absent({ why }: { why: string }) {
  return (
    <Text span inherit c="dimmed" title={why} aria-label={why} role="img">
      –
    </Text>
  );
}

function Choice<Value extends string>({
  label,
  any,
  value,
  options,
  onChange,
}: {
  label: string;
  any: string;
  value: Value | undefined;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value | undefined) => void;
}) {
  return (
    <Select
      aria-label={label}
      placeholder={any}
      data={[...options]}
      value={value ?? null}
      onChange={(chosen) => onChange(options.find((option) => option.value === chosen)?.value)}
      clearable
      w={{ base: "calc(50% - 5px)", xs: 190 }}
    />
  );
}

function NoMatch({ onClear }: { onClear: () => void }) {
  const t = useText(modelTexts);
  const shared = useText(sharedTexts);
  const action = (
    <Button variant="default" onClick={onClear}>
      {shared("clearFilters")}
    </Button>
  );
  return <Empty icon={<IconSearch size={28} />} title={t("noMatch")} text={t("noMatchText")} action={action} />;
}

function NonePublished() {
  const t = useText(modelTexts);
  const me = useMaybeMe();
  const action = me?.user.operator ? (
    <Button renderRoot={(props) => <Link to="/operator/channels" {...props} />}>{t("addChannel")}</Button>
  ) : undefined;
  return (
    <Empty
      icon={<IconStack2 size={28} />}
      title={t("nonePublished")}
      text={t("nonePublishedText")}
      {...(action && { action })}
    />
  );
}
