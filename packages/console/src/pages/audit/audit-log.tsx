import { Button, Drawer, Group, Menu, Select, Stack, Table, Text, TextInput, Title } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconDownload, IconShieldCheck } from "@tabler/icons-react";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import { CopyId } from "../../shared/copy.tsx";
import { type Column, DataTable } from "../../shared/data-table.tsx";
import { Empty } from "../../shared/empty.tsx";
import { FilterBar } from "../../shared/filter-bar.tsx";
import { useFormat } from "../../shared/format.ts";
import { NothingFound } from "../../shared/nothing-found.tsx";
import { sharedTexts } from "../../shared/shared-text.ts";
import { type Say, useText } from "../../shared/text.ts";
import { urlNumber, urlOneOf, urlText, useUrlState } from "../../shared/url-state.ts";
import { usePages } from "../../shared/use-pages.ts";
import { type AuditEntry, readDetail, shortDetail, textOf } from "./audit-detail.ts";
import { auditTexts } from "./texts.ts";

const ranges = ["day", "week", "month"] as const;
const rangeMs = { day: 86_400_000, week: 7 * 86_400_000, month: 30 * 86_400_000 } as const;
const fields = {
  actor: urlText,
  action: urlText,
  target: urlText,
  account: urlText,
  range: urlOneOf(...ranges),
  entry: urlNumber,
};

/** The audit log of the installation, or of one account. */
export function AuditLog({ accountId }: { accountId?: string }) {
  const t = useText(auditTexts);
  const s = useText(sharedTexts);
  const format = useFormat();
  const [url, setUrl] = useUrlState(fields);
  const { actor, action, target, account, range, entry } = url;
  // The list's begin stays where it was when the range was chosen.
  const from = useMemo(() => (range === undefined ? undefined : Date.now() - rangeMs[range]), [range]);
  const filter = {
    ...(actor && { actor }),
    ...(action && { action }),
    ...(target && { target }),
    ...(from !== undefined && { from }),
    ...(account && accountId === undefined && { account }),
  };
  const list = usePages(["audit", accountId, filter], (cursor) => {
    const query = { ...filter, ...(cursor && { cursor }) };
    if (accountId === undefined) return unwrap(api.GET("/api/v1/audit-events", { params: { query } }));
    const path = { account: accountId };
    return unwrap(api.GET("/api/v1/accounts/{account}/audit-events", { params: { path, query } }));
  });
  const columns = useMemo(() => auditColumns(t, format.timeShort, format.time), [t, format]);
  const isFiltered = Object.keys(filter).length > 0;
  const clear = () =>
    setUrl({ actor: undefined, action: undefined, target: undefined, account: undefined, range: undefined });
  const opened = entry === undefined ? undefined : list.rows?.find(({ sequence }) => sequence === entry);
  const field = (name: "actor" | "action" | "target" | "account") => ({
    label: t(name),
    placeholder: t(`${name}Placeholder`),
    value: url[name] ?? "",
    onChange: (text: string) => setUrl({ [name]: text === "" ? undefined : text }),
  });
  return (
    <>
      <FilterBar onClear={isFiltered ? clear : undefined}>
        <FilterText {...field("actor")} />
        <FilterText {...field("action")} />
        <FilterText {...field("target")} />
        {accountId === undefined && <FilterText {...field("account")} />}
        <Select
          label={t("range")}
          w={160}
          data={[
            { value: "", label: t("range_all") },
            ...ranges.map((value) => ({ value, label: t(`range_${value}`) })),
          ]}
          value={range ?? ""}
          allowDeselect={false}
          onChange={(value) => setUrl({ range: ranges.find((each) => each === value) })}
        />
        <ExportMenu filter={filter} accountId={accountId} />
      </FilterBar>
      <DataTable
        label={t("list")}
        columns={columns}
        rowId={({ id }: AuditEntry) => id}
        minWidth={860}
        {...list}
        onOpen={({ sequence }) => setUrl({ entry: sequence }, { push: true })}
        isMarked={({ sequence }) => sequence === entry}
        empty={
          isFiltered ? (
            <NothingFound title={t("noneTitle")} text={t("noneText")} onClear={clear} />
          ) : (
            <Empty icon={<IconShieldCheck size={28} stroke={1.4} />} title={t("emptyTitle")} text={t("emptyText")} />
          )
        }
      />
      {entry !== undefined && (
        <Drawer
          opened
          onClose={() => setUrl({ entry: undefined })}
          title={t("entryTitle", { sequence: entry })}
          size={560}
          closeButtonProps={{ "aria-label": s("close") }}
        >
          {opened ? <Entry entry={opened} /> : list.rows && <Text fz="sm">{t("notShown")}</Text>}
        </Drawer>
      )}
    </>
  );
}

/** A filter that is typed: it goes into the address a moment after the last letter. */
function FilterText(props: { label: string; placeholder: string; value: string; onChange: (text: string) => void }) {
  const { label, placeholder, value, onChange } = props;
  const [typed, setTyped] = useState(value);
  const [settled] = useDebouncedValue(typed, 300);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was typed goes into the address
  useEffect(() => {
    if (settled.trim() !== value) onChange(settled.trim());
  }, [settled]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the address goes into the box
  useEffect(() => {
    if (value !== typed.trim()) setTyped(value);
  }, [value]);
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      autoComplete="off"
      spellCheck={false}
      flex="1 1 150px"
      maw={240}
    />
  );
}

function ExportMenu({
  filter,
  accountId,
}: {
  filter: Readonly<Record<string, string | number>>;
  accountId: string | undefined;
}) {
  const t = useText(auditTexts);
  const path = accountId === undefined ? "/api/v1" : `/api/v1/accounts/${encodeURIComponent(accountId)}`;
  const href = (format: string) => {
    const search = new URLSearchParams({ format });
    for (const [name, value] of Object.entries(filter)) search.set(name, String(value));
    return `${path}/audit-events/export?${search.toString()}`;
  };
  return (
    <Menu position="bottom-end" withinPortal shadow="md">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={15} aria-hidden="true" />}>
          {t("export")}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={href("csv")} download>
          {t("exportCsv")}
        </Menu.Item>
        <Menu.Item component="a" href={href("ndjson")} download>
          {t("exportNdjson")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

type AuditText = Say<(typeof auditTexts)["texts"]>;

function auditColumns(
  t: AuditText,
  short: (at: number) => string,
  whole: (at: number) => string,
): Column<AuditEntry>[] {
  return [
    {
      id: "time",
      header: t("columnTime"),
      width: 180,
      cell: ({ at }) => (
        <Text span fz="sm" className="figures" title={whole(at)}>
          {short(at)}
        </Text>
      ),
    },
    {
      id: "actor",
      header: t("columnActor"),
      cell: ({ actor }) => (
        <Stack gap={0}>
          <Text fz="sm" truncate maw={240} title={actor.name}>
            {actor.name}
          </Text>
          <Text fz="xs" c="dimmed" className="figures">
            {actor.kind === "user" ? (actor.address ?? t("kind_user")) : t(`kind_${actor.kind}`)}
          </Text>
        </Stack>
      ),
    },
    {
      id: "action",
      header: t("columnAction"),
      cell: ({ action }) => (
        <Text span fz="xs" ff="monospace">
          {action}
        </Text>
      ),
    },
    {
      id: "target",
      header: t("columnTarget"),
      cell: ({ target }) => (target === null ? t("noTarget") : <CopyId value={target.id} />),
    },
    {
      id: "detail",
      header: t("columnDetail"),
      cell: ({ detail }) => (
        <Text fz="xs" c="dimmed" truncate maw={420} title={shortDetail(detail)}>
          {shortDetail(detail)}
        </Text>
      ),
    },
  ];
}

function Entry({ entry }: { entry: AuditEntry }) {
  const t = useText(auditTexts);
  const format = useFormat();
  const { changes, others } = readDetail(entry.detail);
  const { actor, target, account } = entry;
  const facts: [string, ReactNode][] = [
    [t("factTime"), format.time(entry.at)],
    [t("factActor"), actor.name],
    ...(actor.id === null
      ? []
      : [[t(`kind_${actor.kind}`), <CopyId key="id" value={actor.id} />] as [string, ReactNode]]),
    ...(actor.address === null ? [] : [[t("factAddress"), actor.address] as [string, ReactNode]]),
    [t("factAction"), entry.action],
    ...(target === null
      ? []
      : [[t("factTarget"), <TargetText key="target" kind={target.kind} id={target.id} />] as [string, ReactNode]]),
    ...(account === null ? [] : [[t("factAccount"), <CopyId key="account" value={account} />] as [string, ReactNode]]),
    [t("factHash"), <CopyId key="hash" value={entry.hash} shown={`${entry.hash.slice(0, 16)}…`} />],
  ];
  return (
    <Stack gap="xl">
      <Pairs pairs={facts} />
      {changes.length > 0 && (
        <section>
          <Title order={3} mb="xs">
            {t("changes")}
          </Title>
          <Table withTableBorder fz="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{t("field")}</Table.Th>
                <Table.Th scope="col">{t("before")}</Table.Th>
                <Table.Th scope="col">{t("after")}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {changes.map(({ field, before, after }) => (
                <Table.Tr key={field}>
                  <Table.Th scope="row" fw={500} ff="monospace" fz="xs">
                    {field}
                  </Table.Th>
                  <Table.Td>{textOf(before) ?? <Dimmed text={t("nothing")} />}</Table.Td>
                  <Table.Td fw={550}>{textOf(after) ?? <Dimmed text={t("nothing")} />}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </section>
      )}
      {others.length > 0 && (
        <section>
          <Title order={3} mb="xs">
            {t("more")}
          </Title>
          <Pairs
            pairs={others.map(([name, value]) => [name, textOf(value) ?? <Dimmed key={name} text={t("nothing")} />])}
          />
        </section>
      )}
      {changes.length + others.length === 0 && (
        <Text fz="sm" c="dimmed">
          {t("noDetail")}
        </Text>
      )}
    </Stack>
  );
}

function TargetText({ kind, id }: { kind: string; id: string }) {
  return (
    <Group gap={6} wrap="nowrap">
      <span>{kind}</span>
      <CopyId value={id} />
    </Group>
  );
}

function Dimmed({ text }: { text: string }) {
  return (
    <Text span fz="sm" c="dimmed">
      {text}
    </Text>
  );
}

function Pairs({ pairs }: { pairs: readonly [string, ReactNode][] }) {
  return (
    <Table variant="vertical" layout="fixed" withTableBorder fz="sm">
      <Table.Tbody>
        {pairs.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" w={130} fw={500}>
              {name}
            </Table.Th>
            <Table.Td style={{ overflowWrap: "anywhere" }}>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
