import {
  ActionIcon,
  Anchor,
  Button,
  Group,
  Paper,
  SegmentedControl,
  SimpleGrid,
  Skeleton,
  Tabs,
  Text,
  Tooltip,
} from "@mantine/core";
import { IconChartBar, IconDownload, IconRefresh, IconX } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { type PageScope, usePageScope } from "../../app/account.ts";
import { Empty } from "../../shared/empty.tsx";
import { FilterBar } from "../../shared/filter-bar.tsx";
import { useFormat } from "../../shared/format.ts";
import { Loaded } from "../../shared/loaded.tsx";
import { PageHeader } from "../../shared/page-header.tsx";
import { sharedTexts } from "../../shared/shared-text.ts";
import { useText } from "../../shared/text.ts";
import { useUrlState } from "../../shared/url-state.ts";
import { usageTexts } from "./texts.ts";
import classes from "./usage.module.css";
import { UsageChart } from "./usage-chart.tsx";
import { UsageFigures } from "./usage-figures.tsx";
import { UsageRange } from "./usage-range.tsx";
import {
  activeFilters,
  callsSearch,
  type Dimension,
  dimensions,
  measures,
  searchFields,
  type UsageReport,
  type UsageSearch,
  type UsageSearchChange,
} from "./usage-search.ts";
import { UsageTable } from "./usage-table.tsx";
import { exportAddress, useUsage } from "./use-usage.ts";

const dayMs = 86_400_000;

/** What was used: by one account, or by all for operators. */
export default function UsagePage() {
  const t = useText(usageTexts);
  const scope = usePageScope();
  const [search, setSearch] = useUrlState(searchFields);
  const change = useCallback((to: UsageSearchChange) => setSearch(to, { push: true }), [setSearch]);
  const ofAll = scope.kind === "installation";
  const offered = dimensions.filter((name) => ofAll || name !== "account");
  const dimension = offered.find((name) => name === search.dimension) ?? (ofAll ? "account" : "model");
  const measure = search.measure ?? "charge";
  const usage = useUsage(scope, search, dimension);
  const nameOf = useValueNames(dimension);
  const filters = activeFilters(search).filter(({ name }) => ofAll || name !== "account");
  const clear = () => change(Object.fromEntries(dimensions.map((name) => [name, undefined])));

  return (
    <>
      <PageHeader
        title={ofAll ? t("titleAll") : t("title")}
        description={ofAll ? t("descriptionAll") : t("description")}
        actions={
          <Button
            variant="default"
            component="a"
            href={exportAddress(scope, search, dimension)}
            download
            leftSection={<IconDownload size={16} aria-hidden="true" />}
          >
            {t("export")}
          </Button>
        }
      />
      <FilterBar {...(filters.length > 0 && { onClear: clear })}>
        <UsageRange search={search} onChange={change} />
        <Tooltip label={t("reload")}>
          <ActionIcon
            variant="default"
            size={36}
            aria-label={t("reload")}
            loading={usage.isRefetching}
            onClick={() => void usage.refetch()}
          >
            <IconRefresh size={16} />
          </ActionIcon>
        </Tooltip>
      </FilterBar>
      <FilterPills filters={filters} report={usage.data} onRemove={(name) => change({ [name]: undefined })} />
      <Loaded query={usage} skeleton={<Waiting />}>
        {(report) =>
          report.total.calls === 0 && report.before.total.calls === 0 ? (
            <NoUsage scope={scope} filtered={filters.length > 0} onClear={clear} onChange={change} />
          ) : (
            <div className={usage.isPlaceholderData ? classes.stale : undefined}>
              <UsageFigures report={report} />
              <Group justify="space-between" mb="xs" gap="sm">
                <Tabs
                  value={dimension}
                  onChange={(value) => change({ dimension: dimensions.find((name) => name === value) })}
                  variant="default"
                  keepMounted={false}
                >
                  <Tabs.List aria-label={t("by")}>
                    {offered.map((name) => (
                      <Tabs.Tab key={name} value={name}>
                        {t(`dimension_${name}`)}
                      </Tabs.Tab>
                    ))}
                  </Tabs.List>
                </Tabs>
                <SegmentedControl
                  size="xs"
                  aria-label={t("measure")}
                  data={measures.map((name) => ({ value: name, label: t(name) }))}
                  value={measure}
                  onChange={(value) => setSearch({ measure: measures.find((name) => name === value) })}
                />
              </Group>
              <Paper p="sm" mb="sm">
                <UsageChart
                  report={report}
                  measure={measure}
                  nameOf={nameOf}
                  {...(report.by === "day" && {
                    onPick: (from: number) =>
                      change({ range: "custom", from: String(from), to: String(from + dayMs), step: undefined }),
                  })}
                />
              </Paper>
              <UsageTable
                report={report}
                nameOf={nameOf}
                onFilter={(value) => change({ [dimension]: value, dimension: nextDimension(dimension, ofAll) })}
              />
              <Footnotes scope={scope} report={report} filters={filters} />
            </div>
          )
        }
      </Loaded>
    </>
  );
}

/** Where a value was chosen, what it is made of is of interest next. */
function nextDimension(dimension: Dimension, ofAll: boolean): Dimension | undefined {
  if (dimension === "account") return "model";
  if (dimension === "model") return "key";
  return ofAll ? "model" : undefined;
}

/** How values are called: protocols and what has no value by words of ours, keys and accounts by their names. */
function useValueNames(dimension: Dimension): (group: { value: string; name: string | null }) => string {
  const t = useText(usageTexts);
  const shared = useText(sharedTexts);
  return useMemo(
    () =>
      ({ value, name }) => {
        if (value === "") return t(`noValue_${dimension}`);
        if (dimension !== "client_protocol") return name ?? value;
        switch (value) {
          case "chat-completions":
            return shared("protocol_chat_completions");
          case "responses":
            return shared("protocol_responses");
          case "messages":
            return shared("protocol_messages");
          case "generate-content":
            return shared("protocol_generate_content");
          default:
            return value;
        }
      },
    [dimension, t, shared],
  );
}

function FilterPills({
  filters,
  report,
  onRemove,
}: {
  filters: readonly { name: Dimension; value: string }[];
  report: UsageReport | undefined;
  onRemove: (name: Dimension) => void;
}) {
  const t = useText(usageTexts);
  if (filters.length === 0) return null;
  return (
    <Group gap="xs" mb="md">
      {filters.map(({ name, value }) => {
        const named =
          report?.dimension === name ? report.groups.find((group) => group.value === value)?.name : undefined;
        return (
          <Button
            key={name}
            size="compact-sm"
            variant="light"
            rightSection={<IconX size={13} aria-hidden="true" />}
            aria-label={t("removeFilter", { name: `${t(`dimension_${name}`)}: ${named ?? value}` })}
            onClick={() => onRemove(name)}
          >
            {t(`dimension_${name}`)}: {named ?? value}
          </Button>
        );
      })}
    </Group>
  );
}

function Footnotes({
  scope,
  report,
  filters,
}: {
  scope: PageScope;
  report: UsageReport;
  filters: readonly { name: Dimension; value: string }[];
}) {
  const t = useText(usageTexts);
  const format = useFormat();
  const search = callsSearch(filters, report.from, report.to) as never;
  return (
    <Group justify="space-between" mt="sm" gap="xs">
      <Text fz="xs" c="dimmed">
        {t("range_is", { from: format.time(report.from), to: format.time(report.to) })} · {t("wholeHours")}
        {report.by === "day" && ` ${t("pickBar")}`}
        {!report.ranked && ` ${t("notRanked")}`}
      </Text>
      <Anchor
        fz="sm"
        renderRoot={(props) =>
          scope.kind === "account" ? (
            <Link {...props} to="/a/$account/calls" params={{ account: scope.accountId }} search={search} />
          ) : (
            <Link {...props} to="/operator/calls" search={search} />
          )
        }
      >
        {t("seeCalls")}
      </Anchor>
    </Group>
  );
}

function NoUsage({
  scope,
  filtered,
  onClear,
  onChange,
}: {
  scope: PageScope;
  filtered: boolean;
  onClear: () => void;
  onChange: (change: UsageSearch) => void;
}) {
  const t = useText(usageTexts);
  return (
    <Empty
      icon={<IconChartBar size={32} stroke={1.4} />}
      title={filtered ? t("emptyFilteredTitle") : t("emptyTitle")}
      text={filtered ? t("emptyFilteredText") : t("emptyText")}
      action={
        <Group gap="xs" justify="center">
          {filtered && <Button onClick={onClear}>{t("clearFilters")}</Button>}
          <Button variant="default" onClick={() => onChange({ range: "30d" })}>
            {t("longer")}
          </Button>
          {!filtered && scope.kind === "account" && (
            <Button
              renderRoot={(props) => <Link {...props} to="/a/$account/connect" params={{ account: scope.accountId }} />}
            >
              {t("connect")}
            </Button>
          )}
        </Group>
      }
    />
  );
}

function Waiting() {
  return (
    <>
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm" mb="md">
        {["charge", "calls", "tokens", "errors"].map((name) => (
          <Skeleton key={name} h={94} />
        ))}
      </SimpleGrid>
      <Skeleton h={36} mb="xs" />
      <Skeleton h={306} mb="sm" />
      <Skeleton h={300} />
    </>
  );
}
