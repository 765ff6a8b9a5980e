import { Button, Drawer, Tabs, Text } from "@mantine/core";
import { IconCoins, IconPlus, IconSearch } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { api, unwrap } from "../../api/client.ts";
import { DataTable } from "../../shared/data-table.tsx";
import { Empty } from "../../shared/empty.tsx";
import { FilterBar } from "../../shared/filter-bar.tsx";
import { useFormat } from "../../shared/format.ts";
import { PageHeader } from "../../shared/page-header.tsx";
import { SearchBox } from "../../shared/search-box.tsx";
import { sharedTexts } from "../../shared/shared-text.ts";
import { useText } from "../../shared/text.ts";
import { urlOneOf, urlText, useUrlState } from "../../shared/url-state.ts";
import { type CurrentPrice, currentColumns, type SetPrice, versionColumns } from "./price-columns.tsx";
import { PriceForm } from "./price-form.tsx";
import { pricesTexts } from "./texts.ts";

const tabs = ["current", "versions"] as const;
const fields = { tab: urlOneOf(...tabs), search: urlText, panel: urlOneOf("set"), model: urlText };

/** What calls cost, and what people have set. */
export default function PricesPage() {
  const t = useText(pricesTexts);
  const s = useText(sharedTexts);
  const [{ tab = "current", panel, model }, setUrl] = useUrlState(fields);
  const close = () => setUrl({ panel: undefined, model: undefined });
  const open = (wanted?: string) => setUrl({ panel: "set", model: wanted }, { push: true });
  return (
    <>
      <PageHeader
        title={t("title")}
        description={t("description")}
        actions={
          <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={() => open()}>
            {t("set")}
          </Button>
        }
      />
      <Tabs
        value={tab}
        onChange={(value) => setUrl({ tab: tabs.find((each) => each === value && each !== "current") })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {tabs.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {t(`tab_${each}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="current">
          <CurrentPrices onOpen={open} />
        </Tabs.Panel>
        <Tabs.Panel value="versions">
          <SetPrices onSet={() => open()} />
        </Tabs.Panel>
      </Tabs>
      {panel === "set" && (
        <Drawer opened onClose={close} title={t("setTitle")} size={460} closeButtonProps={{ "aria-label": s("close") }}>
          <PriceForm model={model ?? ""} onDone={close} />
        </Drawer>
      )}
    </>
  );
}

function CurrentPrices({ onOpen }: { onOpen: (model: string) => void }) {
  const t = useText(pricesTexts);
  const format = useFormat();
  const [{ search }, setUrl] = useUrlState(fields);
  const query = useQuery({
    queryKey: ["prices", "current", search],
    queryFn: () => unwrap(api.GET("/api/v1/prices", { params: { query: { ...(search && { search }) } } })),
    placeholderData: keepPreviousData,
  });
  const columns = useMemo(() => currentColumns(t, format), [t, format]);
  return (
    <>
      <FilterBar onClear={search === undefined ? undefined : () => setUrl({ search: undefined })}>
        <SearchBox
          value={search ?? ""}
          onChange={(text) => setUrl({ search: text === "" ? undefined : text })}
          label={t("search")}
          placeholder={t("searchPlaceholder")}
        />
      </FilterBar>
      {query.data?.cut && (
        <Text fz="sm" mb="xs" role="status">
          {t("cut")}
        </Text>
      )}
      <DataTable
        label={t("currentList")}
        columns={columns}
        rows={query.data?.items}
        error={query.error}
        onRetry={() => void query.refetch()}
        rowId={({ model, channel }: CurrentPrice) => `${channel} ${model}`}
        minWidth={860}
        onOpen={({ model }) => onOpen(model)}
        empty={
          search === undefined ? (
            <Empty
              icon={<IconCoins size={28} stroke={1.4} />}
              title={t("noModelsTitle")}
              text={t("noModelsText")}
              action={
                <Button component={Link} to="/operator/channels" variant="default">
                  {t("toChannels")}
                </Button>
              }
            />
          ) : (
            <Empty icon={<IconSearch size={28} stroke={1.4} />} title={t("noneTitle")} text={t("noneText")} />
          )
        }
      />
    </>
  );
}

function SetPrices({ onSet }: { onSet: () => void }) {
  const t = useText(pricesTexts);
  const format = useFormat();
  const query = useQuery({
    queryKey: ["prices", "versions"],
    queryFn: () => unwrap(api.GET("/api/v1/price-versions")),
  });
  const columns = useMemo(() => versionColumns(t, format), [t, format]);
  return (
    <DataTable
      label={t("versionList")}
      columns={columns}
      rows={query.data?.items}
      error={query.error}
      onRetry={() => void query.refetch()}
      rowId={({ id }: SetPrice) => id}
      minWidth={860}
      empty={
        <Empty
          icon={<IconCoins size={28} stroke={1.4} />}
          title={t("versionsEmptyTitle")}
          text={t("versionsEmptyText")}
          action={
            <Button variant="default" onClick={onSet}>
              {t("set")}
            </Button>
          }
        />
      }
    />
  );
}
