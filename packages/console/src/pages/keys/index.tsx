import { Button, Group, Select, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconKey, IconPlus, IconSearch } from "@tabler/icons-react";
import { useEffect, useMemo, useState } from "react";
import { useAccountId, useMay } from "../../app/account.ts";
import { DataTable } from "../../shared/data-table.tsx";
import { Empty } from "../../shared/empty.tsx";
import { FilterBar } from "../../shared/filter-bar.tsx";
import { useFormat } from "../../shared/format.ts";
import { NothingFound } from "../../shared/nothing-found.tsx";
import { notifyDone, notifyUndo } from "../../shared/notify.tsx";
import { PageHeader } from "../../shared/page-header.tsx";
import { sharedTexts } from "../../shared/shared-text.ts";
import { useText } from "../../shared/text.ts";
import { urlOneOf, urlText, useUrlState } from "../../shared/url-state.ts";
import { usePages } from "../../shared/use-pages.ts";
import { type AccessKey, keySorts, keyStates, keysQueryKey, loadKeys, useKeyChanges } from "./key-api.ts";
import { type KeyActions, keyColumns } from "./key-columns.tsx";
import { CreateKeyDrawer, KeyPanels } from "./key-drawers.tsx";
import classes from "./keys.module.css";
import { keysTexts } from "./texts.ts";

const fields = {
  search: urlText,
  state: urlOneOf(...keyStates),
  sort: urlOneOf(...keySorts),
  key: urlText,
  panel: urlOneOf("create", "details", "edit", "rotate", "revoke"),
};

/** The keys of an account: found, made, switched, rotated and ended. */
export default function KeysPage() {
  const t = useText(keysTexts);
  const s = useText(sharedTexts);
  const format = useFormat();
  const account = useAccountId();
  const mayChange = useMay("member");
  const [url, setUrl] = useUrlState(fields);
  const { search, state, sort = "newest" } = url;
  const changes = useKeyChanges(account);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());

  const query = { ...(search && { search: publicPart(search) }), ...(state && { state }), sort };
  const list = usePages(keysQueryKey(account, query), (cursor) =>
    loadKeys(account, { ...query, ...(cursor !== undefined && { cursor }) }),
  );
  const open = (key: AccessKey, panel: "details" | "edit" | "rotate" | "revoke") =>
    setUrl({ key: key.id, panel }, { push: true });
  const close = () => setUrl({ key: undefined, panel: undefined });
  const setEnabled = (key: AccessKey, enabled: boolean) =>
    changes.setEnabled.mutate(
      { key, enabled },
      {
        onSuccess: (changed) =>
          notifyUndo(t(enabled ? "enabledNow" : "disabledNow", { name: key.name }), () =>
            changes.setEnabled.mutate({ key: changed, enabled: !enabled }),
          ),
      },
    );
  const actions: KeyActions = { mayChange, setEnabled, open };
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the rows ask for does the same in every render
  const columns = useMemo(() => keyColumns(t, format, account, actions), [t, format, account, mayChange]);
  const createButton = (
    <Button
      leftSection={<IconPlus size={16} aria-hidden="true" />}
      onClick={() => setUrl({ panel: "create", key: undefined }, { push: true })}
    >
      {t("create")}
    </Button>
  );
  const isFiltered = search !== undefined || state !== undefined;

  return (
    <>
      <PageHeader title={t("title")} description={t("description")} {...(mayChange && { actions: createButton })} />
      {!mayChange && (
        <Text fz="sm" c="dimmed" mb="sm">
          {t("readOnly")}
        </Text>
      )}
      <FilterBar onClear={isFiltered ? () => setUrl({ search: undefined, state: undefined }) : undefined}>
        <SearchBox value={search ?? ""} onChange={(text) => setUrl({ search: text === "" ? undefined : text })} />
        <Select
          aria-label={t("state")}
          className={classes.choice ?? ""}
          data={[
            { value: "", label: t("anyState") },
            ...keyStates.map((value) => ({ value, label: s(`state_${value}`) })),
          ]}
          value={state ?? ""}
          allowDeselect={false}
          onChange={(value) => setUrl({ state: keyStates.find((each) => each === value) })}
        />
        <Select
          aria-label={t("sort")}
          className={classes.choice ?? ""}
          // A search is ordered by name.
          disabled={search !== undefined}
          data={keySorts.map((value) => ({ value, label: t(`sort_${value}`) }))}
          value={search === undefined ? sort : "name"}
          allowDeselect={false}
          onChange={(value) => setUrl({ sort: keySorts.find((each) => each === value) })}
        />
      </FilterBar>
      <DataTable
        label={t("list")}
        columns={columns}
        rowId={(key: AccessKey) => key.id}
        minWidth={1040}
        {...list}
        onOpen={(key) => open(key, "details")}
        isMarked={(key) => key.id === url.key}
        {...(mayChange && { selection: { selected, onChange: setSelected } })}
        empty={
          isFiltered ? (
            <NothingFound
              title={t("noneTitle")}
              text={t("noneText")}
              onClear={() => setUrl({ search: undefined, state: undefined })}
            />
          ) : (
            <Empty
              icon={<IconKey size={28} stroke={1.4} />}
              title={t("emptyTitle")}
              text={t("emptyText")}
              {...(mayChange && { action: createButton })}
            />
          )
        }
      />
      {selected.size > 0 && (
        <Group
          className={classes.bulk ?? ""}
          gap="md"
          role="region"
          aria-label={t("selected", { count: selected.size })}
        >
          <Text fz="sm" fw={550}>
            {t("selected", { count: selected.size })}
          </Text>
          <Button
            size="xs"
            variant="default"
            loading={changes.disableAll.isPending}
            onClick={() =>
              changes.disableAll.mutate([...selected], {
                onSuccess: ({ items }) => {
                  setSelected(new Set());
                  notifyDone(t("disabledMany", { count: items.length }));
                },
              })
            }
          >
            {t("disableSelected")}
          </Button>
          <Button size="xs" variant="subtle" color="gray" onClick={() => setSelected(new Set())}>
            {t("clearSelection")}
          </Button>
        </Group>
      )}
      {url.panel === "create" && mayChange && <CreateKeyDrawer account={account} onClose={close} />}
      {url.panel !== undefined && url.panel !== "create" && url.key !== undefined && (
        <KeyPanels account={account} keyId={url.key} panel={url.panel} actions={actions} onClose={close} />
      )}
    </>
  );
}

/** Of a whole key only what is no secret: nothing else gets into an address. */
function publicPart(text: string): string {
  return /^(ilk_[0-9A-Za-z]{1,10})/.exec(text)?.[1] ?? text;
}

/** Types into the address, a moment after the last letter. */
function SearchBox({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const t = useText(keysTexts);
  const [typed, setTyped] = useState(value);
  const [settled] = useDebouncedValue(typed, 250);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was typed goes into the address
  useEffect(() => {
    const text = publicPart(settled.trim());
    if (text !== value) onChange(text);
  }, [settled]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the address goes into the box
  useEffect(() => {
    if (value !== publicPart(typed.trim())) setTyped(value);
  }, [value]);
  return (
    <TextInput
      className={classes.search ?? ""}
      aria-label={t("search")}
      placeholder={t("searchPlaceholder")}
      leftSection={<IconSearch size={15} aria-hidden="true" />}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      autoComplete="off"
      spellCheck={false}
    />
  );
}
