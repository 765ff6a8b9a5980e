import {
  ActionIcon,
  Anchor,
  Badge,
  Button,
  Group,
  Select,
  Text,
  TextInput,
  Title,
  Tooltip,
  UnstyledButton,
} from "@mantine/core";
import { IconReceipt, IconRefresh, IconX } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { type Column, DataTable } from "../../shared/data-table.tsx";
import { Empty } from "../../shared/empty.tsx";
import { FilterBar } from "../../shared/filter-bar.tsx";
import { useFormat } from "../../shared/format.ts";
import { Money } from "../../shared/money.tsx";
import { useText } from "../../shared/text.ts";
import { Time } from "../../shared/time.tsx";
import { urlOneOf, urlText, useUrlState } from "../../shared/url-state.ts";
import { usePages } from "../../shared/use-pages.ts";
import classes from "./balance.module.css";
import { type LedgerEntry, loadLedger, moneyKeys } from "./balance-data.ts";
import { balanceTexts } from "./texts.ts";

const kinds = ["credit", "charge", "top_up", "payment", "redemption", "adjustment", "refund"] as const;

const fields = {
  kind: urlOneOf(...kinds),
  key: urlText,
  /** Days of the reader, `2026-11-21`; both count whole. */
  from: urlText,
  to: urlText,
} as const;

/** The ledger as a running table: every change with the balance after it. */
export function Ledger({ account }: { account: string }) {
  const t = useText(balanceTexts);
  const [search, setSearch] = useUrlState(fields);
  const change = (to: Parameters<typeof setSearch>[0]) => setSearch(to, { push: true });
  const { kind, key } = search;
  const [from, to] = [dayOf(search.from), dayOf(search.to)];
  const query = {
    ...(kind && { kind }),
    ...(key !== undefined && { key }),
    ...(from && { from: from.getTime() }),
    ...(to && { to: new Date(to.getFullYear(), to.getMonth(), to.getDate() + 1).getTime() }),
  };
  const list = usePages([...moneyKeys.ledger(account), query], (cursor) =>
    loadLedger(account, { ...query, limit: 50, ...(cursor !== undefined && { cursor }) }),
  );
  const columns = useColumns(account, (id) => change({ key: id }));
  const filtered = Object.keys(query).length > 0;
  const clear = () => change({ kind: undefined, key: undefined, from: undefined, to: undefined });
  const keyName = list.rows?.find((entry) => entry.access_key_id === key)?.access_key_name;
  return (
    <section>
      <Title order={2}>{t("ledger")}</Title>
      <Text fz="sm" c="dimmed" mb="sm">
        {t("ledgerText")}
      </Text>
      <FilterBar {...(filtered && { onClear: clear })}>
        <Select
          label={t("kind")}
          w={170}
          allowDeselect={false}
          data={[
            { value: "all", label: t("kind_all") },
            ...kinds.map((name) => ({ value: name, label: t(`kind_${name}`) })),
          ]}
          value={kind ?? "all"}
          onChange={(value) => change({ kind: kinds.find((name) => name === value) })}
        />
        {(["from", "to"] as const).map((side) => (
          <TextInput
            key={side}
            label={t(side)}
            type="date"
            w={150}
            value={search[side] ?? ""}
            onChange={(event) => change({ [side]: event.currentTarget.value || undefined })}
          />
        ))}
        {key !== undefined && (
          <Button
            variant="light"
            rightSection={<IconX size={14} aria-hidden="true" />}
            aria-label={t("removeKey")}
            onClick={() => change({ key: undefined })}
          >
            {t("onlyKey", { key: keyName ?? key })}
          </Button>
        )}
        <Tooltip label={t("reload")}>
          <ActionIcon variant="default" size={36} aria-label={t("reload")} onClick={list.onRetry}>
            <IconRefresh size={16} />
          </ActionIcon>
        </Tooltip>
      </FilterBar>
      <DataTable
        label={t("ledger")}
        columns={columns}
        {...list}
        rowId={({ id }) => id}
        minWidth={760}
        empty={
          <Empty
            icon={<IconReceipt size={32} stroke={1.4} />}
            title={filtered ? t("emptyFilteredTitle") : t("emptyTitle")}
            text={filtered ? t("emptyFilteredText") : t("emptyText")}
            {...(filtered && { action: <Button onClick={clear}>{t("clearFilters")}</Button> })}
          />
        }
      />
    </section>
  );
}

/** Midnight of a day as the field writes it; undefined where it is none. */
function dayOf(text: string | undefined): Date | undefined {
  if (text === undefined || !/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return undefined;
  const day = new Date(`${text}T00:00`);
  return Number.isNaN(day.getTime()) ? undefined : day;
}

function useColumns(account: string, onKey: (id: string) => void): readonly Column<LedgerEntry>[] {
  const t = useText(balanceTexts);
  const format = useFormat();
  // biome-ignore lint/correctness/useExhaustiveDependencies: choosing a key does the same in every render
  return useMemo(
    (): Column<LedgerEntry>[] => [
      {
        id: "time",
        header: t("time"),
        width: 180,
        cell: ({ at }) => (
          <span className={classes.time}>
            <Time at={at} />
          </span>
        ),
      },
      {
        id: "kind",
        header: t("kind"),
        width: 120,
        cell: ({ kind }) => (
          <Badge variant="default" size="sm" radius="sm" fw={500} tt="none">
            {t(`kind_${kind}`)}
          </Badge>
        ),
      },
      { id: "about", header: t("about"), cell: (entry) => <About account={account} entry={entry} onKey={onKey} /> },
      {
        id: "change",
        header: t("change"),
        align: "right",
        cell: ({ amount }) => (
          <span className={amount.startsWith("-") || amount === "0" ? undefined : classes.in}>
            {!amount.startsWith("-") && amount !== "0" && "+"}
            <Money nano={amount} />
          </span>
        ),
      },
      { id: "after", header: t("after"), align: "right", cell: ({ balance_after }) => <Money nano={balance_after} /> },
    ],
    [account, t, format],
  );
}

/** What an entry comes from: the call, the key, or what somebody has written. */
function About({ account, entry, onKey }: { account: string; entry: LedgerEntry; onKey: (id: string) => void }) {
  const t = useText(balanceTexts);
  const { call_id: call, access_key_id: key, access_key_name: name, note, reference, actor, actor_name } = entry;
  if (call !== null) {
    return (
      <Group gap="sm" wrap="nowrap">
        <Anchor
          fz="sm"
          ff="monospace"
          className={classes.id}
          title={call}
          renderRoot={(props) => (
            <Link {...props} to="/a/$account/calls/$call" params={{ account, call }} preload={false} />
          )}
        >
          {call}
        </Anchor>
        {key !== null && (
          <UnstyledButton
            className={classes.key}
            aria-label={t("filterByKey", { key: name ?? key })}
            title={key}
            onClick={() => onKey(key)}
          >
            {name ?? key}
          </UnstyledButton>
        )}
      </Group>
    );
  }
  return (
    <Text span fz="sm" className={classes.note} title={actor}>
      {[note, reference, t("doneBy", { name: actor_name ?? actor })].filter((text) => text !== null).join(" · ")}
    </Text>
  );
}
