import { Button, Group, Select } from "@mantine/core";
import { IconBuilding, IconPlus } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { DataTable } from "../../shared/data-table.tsx";
import { Empty } from "../../shared/empty.tsx";
import { FilterBar } from "../../shared/filter-bar.tsx";
import { useFormat } from "../../shared/format.ts";
import { NothingFound } from "../../shared/nothing-found.tsx";
import { notifyUndo } from "../../shared/notify.tsx";
import { SearchBox } from "../../shared/search-box.tsx";
import { sharedTexts } from "../../shared/shared-text.ts";
import { useText } from "../../shared/text.ts";
import { urlOneOf, urlText, useUrlState } from "../../shared/url-state.ts";
import { usePages } from "../../shared/use-pages.ts";
import { type Account, accountSorts, accountStates, billings, loadAccounts, useAccountChanges } from "./account-api.ts";
import { type AccountActions, accountColumns } from "./account-columns.tsx";
import { AccountPanel, CreateAccount } from "./account-panels.tsx";
import { BulkBar } from "./bulk-bar.tsx";
import { accountsTexts } from "./texts.ts";

const fields = {
  search: urlText,
  state: urlOneOf(...accountStates),
  billing: urlOneOf(...billings),
  sort: urlOneOf(...accountSorts),
  account: urlText,
  panel: urlOneOf("create", "edit", "credit"),
};

/** All accounts: found, made, changed, credited, and changed many at once. */
export function AccountList() {
  const t = useText(accountsTexts);
  const s = useText(sharedTexts);
  const format = useFormat();
  const navigate = useNavigate();
  const [url, setUrl] = useUrlState(fields);
  const { search, state, billing, sort = "name" } = url;
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const changes = useAccountChanges();
  const query = { ...(search && { search }), ...(state && { state }), ...(billing && { billing }), sort };
  const list = usePages(["operated-accounts", query], (cursor) =>
    loadAccounts({ ...query, ...(cursor && { cursor }) }),
  );

  const open = (id: string) => void navigate({ to: `/operator/accounts/${encodeURIComponent(id)}` });
  const setState = ({ id, name }: Account, wanted: "active" | "suspended") =>
    changes.setState.mutate(
      { account: id, state: wanted },
      {
        onSuccess: () =>
          notifyUndo(t(wanted === "active" ? "activated" : "suspended", { name }), () =>
            changes.setState.mutate({ account: id, state: wanted === "active" ? "suspended" : "active" }),
          ),
      },
    );
  const actions: AccountActions = {
    open: ({ id }) => open(id),
    panel: ({ id }, panel) => setUrl({ account: id, panel }, { push: true }),
    setState,
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the rows ask for does the same in every render
  const columns = useMemo(() => accountColumns(t, format, actions), [t, format]);
  const close = () => setUrl({ account: undefined, panel: undefined });
  const clear = () => setUrl({ search: undefined, state: undefined, billing: undefined });
  const isFiltered = search !== undefined || state !== undefined || billing !== undefined;
  const createButton = (
    <Button
      leftSection={<IconPlus size={16} aria-hidden="true" />}
      onClick={() => setUrl({ panel: "create", account: undefined }, { push: true })}
    >
      {t("create")}
    </Button>
  );

  return (
    <>
      <FilterBar onClear={isFiltered ? clear : undefined}>
        <SearchBox
          value={search ?? ""}
          onChange={(text) => setUrl({ search: text === "" ? undefined : text })}
          label={t("search")}
          placeholder={t("searchPlaceholder")}
        />
        <Select
          aria-label={t("stateLabel")}
          w={140}
          data={[
            { value: "", label: t("anyState") },
            ...accountStates.map((value) => ({ value, label: s(`state_${value}`) })),
          ]}
          value={state ?? ""}
          allowDeselect={false}
          onChange={(value) => setUrl({ state: accountStates.find((each) => each === value) })}
        />
        <Select
          aria-label={t("billing")}
          w={140}
          data={[
            { value: "", label: t("anyBilling") },
            ...billings.map((value) => ({ value, label: t(`billing_${value}`) })),
          ]}
          value={billing ?? ""}
          allowDeselect={false}
          onChange={(value) => setUrl({ billing: billings.find((each) => each === value) })}
        />
        <Select
          aria-label={t("sort")}
          w={180}
          data={accountSorts.map((value) => ({ value, label: t(`sort_${value}`) }))}
          value={sort}
          allowDeselect={false}
          onChange={(value) => setUrl({ sort: accountSorts.find((each) => each === value) })}
        />
        <Group ml="auto">{createButton}</Group>
      </FilterBar>
      <DataTable
        label={t("list")}
        columns={columns}
        rowId={(account: Account) => account.id}
        minWidth={1180}
        {...list}
        onOpen={({ id }) => open(id)}
        isMarked={({ id }) => id === url.account}
        selection={{ selected, onChange: setSelected }}
        empty={
          isFiltered ? (
            <NothingFound title={t("noneTitle")} text={t("noneText")} onClear={clear} />
          ) : (
            <Empty
              icon={<IconBuilding size={28} stroke={1.4} />}
              title={t("emptyTitle")}
              text={t("emptyText")}
              action={createButton}
            />
          )
        }
      />
      <BulkBar selected={selected} onClear={() => setSelected(new Set())} />
      {url.panel === "create" && <CreateAccount onClose={close} onMade={open} />}
      {url.panel !== undefined && url.panel !== "create" && url.account !== undefined && (
        <AccountPanel account={url.account} panel={url.panel} onClose={close} />
      )}
    </>
  );
}
