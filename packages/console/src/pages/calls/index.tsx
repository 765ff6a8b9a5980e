import { ActionIcon, Alert, Button, Group, Text, Tooltip } from "@mantine/core";
import { useHotkeys, useMediaQuery } from "@mantine/hooks";
import { IconListSearch, IconRefresh } from "@tabler/icons-react";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect } from "react";
import { usePageScope } from "../../app/account.ts";
import { DataTable } from "../../shared/data-table.tsx";
import { Empty } from "../../shared/empty.tsx";
import { FilterBar } from "../../shared/filter-bar.tsx";
import { PageHeader } from "../../shared/page-header.tsx";
import { useText } from "../../shared/text.ts";
import { useUrlState } from "../../shared/url-state.ts";
import { useCallColumns } from "./call-columns.tsx";
import { activeFilters, type Call, type CallSearch, filterNames, searchFields, usualRange } from "./call-search.ts";
import classes from "./calls.module.css";
import { ColumnChooser, useHiddenColumns } from "./column-chooser.tsx";
import { ExportMenu } from "./export-menu.tsx";
import { FilterPills } from "./filter-pills.tsx";
import { keepSearch } from "./last-search.ts";
import { ListEnd } from "./list-end.tsx";
import { MoreFilters, Typed } from "./more-filters.tsx";
import { type CallSearchChange, RangePicker } from "./range-picker.tsx";
import { SavedViews } from "./saved-views.tsx";
import { callsTexts } from "./texts.ts";
import { useCalls, useHasCalls } from "./use-calls.ts";

/** The call log: of one account, or of all for operators. */
export default function CallsPage() {
  const t = useText(callsTexts);
  const scope = usePageScope();
  const navigate = useNavigate();
  const raw: Readonly<Record<string, string>> = useSearch({ strict: false });
  const [search, setSearch] = useUrlState(searchFields);
  // Another question begins at its own newest call.
  const change = useCallback(
    (to: CallSearchChange) => setSearch({ at: undefined, ...to }, { push: true }),
    [setSearch],
  );
  const filter = useCallback((to: CallSearch) => change(to), [change]);
  const calls = useCalls(scope, search);
  const narrow = useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false });
  const columns = useCallColumns(scope, filter, narrow);
  const [hidden, setHidden] = useHiddenColumns();
  const filtered = activeFilters(search).length > 0;
  const clear = () => change(Object.fromEntries(filterNames.map((name) => [name, undefined])));
  const open = useCallback(
    ({ id }: Call) =>
      void (scope.kind === "account"
        ? navigate({ to: "/a/$account/calls/$call", params: { account: scope.accountId, call: id } })
        : navigate({ to: "/operator/calls/$call", params: { call: id } })),
    [navigate, scope],
  );
  useEffect(() => keepSearch(scope, raw), [scope, raw]);
  useHotkeys([["j", focusFirstRow]]);

  return (
    <>
      <PageHeader
        title={scope.kind === "account" ? t("title") : t("titleAll")}
        description={scope.kind === "account" ? t("description") : t("descriptionAll")}
        actions={
          <>
            <Tooltip label={search.live ? t("liveOn") : t("liveOff")}>
              <Button
                variant="default"
                aria-pressed={search.live === true}
                leftSection={<span className={classes.liveDot} data-on={search.live === true} aria-hidden="true" />}
                onClick={() => setSearch({ live: search.live ? undefined : true, at: undefined })}
              >
                {t("live")}
              </Button>
            </Tooltip>
            <SavedViews
              scope={scope}
              search={raw}
              onOpen={(view) => void navigate({ to: ".", search: () => view as never })}
            />
            <ExportMenu scope={scope} search={search} />
          </>
        }
      />
      <FilterBar {...(filtered && { onClear: clear })}>
        <RangePicker search={search} onChange={change} />
        <Typed
          label={t("callId")}
          placeholder={t("callIdHint")}
          width={210}
          value={search.id}
          onType={(id) => change({ id })}
        />
        <MoreFilters search={search} onChange={change} />
        <Button
          variant={search.failed ? "outline" : "default"}
          leftSection={<span className={classes.failedDot} aria-hidden="true" />}
          aria-pressed={search.failed === true}
          onClick={() => change({ failed: search.failed ? undefined : true })}
        >
          {t("failedOnly")}
        </Button>
        <ColumnChooser available={columns.map(({ id }) => id)} hidden={hidden} onChange={setHidden} />
        <Tooltip label={t("reload")}>
          <ActionIcon
            variant="default"
            size={36}
            aria-label={t("reload")}
            loading={calls.refreshing}
            onClick={calls.refetch}
          >
            <IconRefresh size={16} />
          </ActionIcon>
        </Tooltip>
      </FilterBar>
      <FilterPills search={search} rows={calls.rows} onRemove={(name) => change({ [name]: undefined })} />
      {search.at !== undefined && (
        <Group gap="sm" mb="sm">
          <Text fz="sm" c="dimmed">
            {t("behindNewest")}
          </Text>
          <Button variant="default" size="compact-sm" onClick={() => setSearch({ at: undefined })}>
            {t("backToNewest")}
          </Button>
        </Group>
      )}
      {calls.behind && (
        <Alert color="yellow" variant="light" mb="sm" p="xs" role="status">
          {t("liveBehind")}
        </Alert>
      )}
      <div className={classes.log}>
        <DataTable
          label={t("table")}
          columns={columns}
          hidden={hidden}
          rows={calls.more.has && calls.rows?.length === 0 ? noRowsYet : calls.rows}
          rowId={callId}
          error={calls.error}
          onRetry={calls.refetch}
          onOpen={open}
          minWidth={860}
          empty={
            calls.more.has ? null : <NoCalls search={search} filtered={filtered} onClear={clear} onChange={change} />
          }
        />
      </div>
      {calls.rows && (
        <ListEnd
          shown={calls.rows.length}
          more={calls.more}
          onGoOn={(at) => {
            setSearch({ at, live: undefined }, { push: true });
            window.scrollTo({ top: 0 });
          }}
        />
      )}
    </>
  );
}

const noRowsYet: Call[] = [];
const callId = ({ id }: Call) => id;

/** The list is walked by j and k; the first j goes into it. */
function focusFirstRow(): void {
  if (document.activeElement instanceof HTMLTableRowElement) return;
  document.querySelector<HTMLTableRowElement>("main tbody tr[tabindex]")?.focus();
}

function NoCalls({
  search,
  filtered,
  onClear,
  onChange,
}: {
  search: CallSearch;
  filtered: boolean;
  onClear: () => void;
  onChange: (change: CallSearchChange) => void;
}) {
  const t = useText(callsTexts);
  const scope = usePageScope();
  const narrowed = (search.range ?? usualRange) !== "all" || search.at !== undefined;
  const has = useHasCalls(scope, narrowed && !filtered) ?? narrowed;
  const icon = <IconListSearch size={32} stroke={1.4} />;
  const allTime = (
    <Button variant="default" onClick={() => onChange({ range: "all", from: undefined, to: undefined })}>
      {t("showAllTime")}
    </Button>
  );
  if (filtered) {
    return (
      <Empty
        icon={icon}
        title={t("emptyFilteredTitle")}
        text={t("emptyFilteredText")}
        action={
          <Group gap="xs" justify="center">
            <ClearButton onClear={onClear} />
            {search.range !== "all" && allTime}
          </Group>
        }
      />
    );
  }
  if (has) return <Empty icon={icon} title={t("emptyRangeTitle")} text={t("emptyRangeText")} action={allTime} />;
  return (
    <Empty
      icon={icon}
      title={t("emptyTitle")}
      text={t("emptyText")}
      {...(scope.kind === "account" && {
        action: (
          <Button
            renderRoot={(props) => <Link to="/a/$account/connect" params={{ account: scope.accountId }} {...props} />}
          >
            {t("emptyAction")}
          </Button>
        ),
      })}
    />
  );
}

function ClearButton({ onClear }: { onClear: () => void }) {
  const t = useText(callsTexts);
  return <Button onClick={onClear}>{t("clearFilters")}</Button>;
}
