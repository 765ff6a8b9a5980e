import { Anchor, Button, Group, SimpleGrid, Skeleton, Stack, Table, Text, Title } from "@mantine/core";
import { IconArrowLeft, IconUsers } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api, unwrap } from "../../api/client.ts";
import { StateBadge } from "../../shared/badges.tsx";
import { CopyId } from "../../shared/copy.tsx";
import { DataTable } from "../../shared/data-table.tsx";
import { Empty } from "../../shared/empty.tsx";
import { Figure } from "../../shared/figure.tsx";
import { useFormat } from "../../shared/format.ts";
import { Loaded } from "../../shared/loaded.tsx";
import { notifyUndo } from "../../shared/notify.tsx";
import { PageHeader } from "../../shared/page-header.tsx";
import { useText } from "../../shared/text.ts";
import { Time } from "../../shared/time.tsx";
import { urlOneOf, useUrlState } from "../../shared/url-state.ts";
import { usePages } from "../../shared/use-pages.ts";
import { type Account, accountQuery, useAccountChanges } from "./account-api.ts";
import { DeclaredBadge, LimitsText } from "./account-columns.tsx";
import { AccountPanel } from "./account-panels.tsx";
import { accountsTexts } from "./texts.ts";

const fields = { panel: urlOneOf("edit", "credit") };

/** One account, as operators see it. */
export default function AccountPage() {
  const t = useText(accountsTexts);
  const { account: id = "" }: { account?: string } = useParams({ strict: false });
  const [{ panel }, setUrl] = useUrlState(fields);
  const query = useQuery(accountQuery(id));
  return (
    <>
      <Button
        component={Link}
        to="/operator/accounts"
        variant="subtle"
        color="gray"
        size="compact-sm"
        mb="xs"
        leftSection={<IconArrowLeft size={14} aria-hidden="true" />}
      >
        {t("back")}
      </Button>
      <PageHeader
        title={query.data?.name ?? t("columnName")}
        description={query.data ? <AccountLine account={query.data} /> : <Skeleton h={18} w={240} />}
        actions={
          query.data && (
            <AccountButtons account={query.data} onPanel={(wanted) => setUrl({ panel: wanted }, { push: true })} />
          )
        }
      />
      <Loaded query={query} skeleton={<Skeleton h={220} />}>
        {(account) => (
          <Stack gap="xl">
            <AccountFigures account={account} />
            <AccountFacts account={account} />
            <AccountLinks id={account.id} />
            <Members accountId={account.id} />
          </Stack>
        )}
      </Loaded>
      {panel !== undefined && <AccountPanel account={id} panel={panel} onClose={() => setUrl({ panel: undefined })} />}
    </>
  );
}

function AccountLine({ account }: { account: Account }) {
  const t = useText(accountsTexts);
  return (
    <Group gap="md" mt={4}>
      <StateBadge state={account.state} />
      <span>{t(`billing_${account.billing}`)}</span>
      {account.declared && <DeclaredBadge t={t} />}
      <CopyId value={account.id} />
    </Group>
  );
}

function AccountButtons({ account, onPanel }: { account: Account; onPanel: (panel: "edit" | "credit") => void }) {
  const t = useText(accountsTexts);
  const { setState } = useAccountChanges();
  const { id, name, state, declared } = account;
  const set = (wanted: "active" | "suspended") =>
    setState.mutate(
      { account: id, state: wanted },
      {
        onSuccess: () =>
          notifyUndo(t(wanted === "active" ? "activated" : "suspended", { name }), () =>
            setState.mutate({ account: id, state: wanted === "active" ? "suspended" : "active" }),
          ),
      },
    );
  return (
    <>
      <Button
        variant="default"
        loading={setState.isPending}
        onClick={() => set(state === "active" ? "suspended" : "active")}
      >
        {t(state === "active" ? "suspend" : "activate")}
      </Button>
      {!declared && (
        <Button variant="default" onClick={() => onPanel("edit")}>
          {t("edit")}
        </Button>
      )}
      <Button onClick={() => onPanel("credit")}>{t("credit")}</Button>
    </>
  );
}

function AccountFigures({ account }: { account: Account }) {
  const t = useText(accountsTexts);
  const format = useFormat();
  const { available, balance, reserved, spent_today, spent_this_month } = account;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="md">
      <Figure
        label={t("columnBalance")}
        value={format.moneyShort(balance)}
        title={format.money(balance)}
        note={t("reservedNote", { amount: format.moneyShort(reserved) })}
      />
      <Figure
        label={t("available")}
        value={available === null ? t("unbounded") : format.moneyShort(available)}
        {...(available !== null && { title: format.money(available) })}
      />
      <Figure label={t("spentToday")} value={format.moneyShort(spent_today)} title={format.money(spent_today)} />
      <Figure
        label={t("spentMonth")}
        value={format.moneyShort(spent_this_month)}
        title={format.money(spent_this_month)}
      />
    </SimpleGrid>
  );
}

function AccountFacts({ account }: { account: Account }) {
  const t = useText(accountsTexts);
  const format = useFormat();
  const markup = (account.markup_ppm - 1_000_000) / 1_000_000;
  const rows: [string, ReactNode][] = [
    [t("columnLimits"), <LimitsText key="limits" account={account} t={t} format={format} />],
    [t("markupLabel"), <span key="markup">{format.percent(markup)}</span>],
    ...(account.billing === "postpaid"
      ? [
          [
            t("columnCredit"),
            account.credit_limit === null ? t("unbounded") : format.money(account.credit_limit),
          ] satisfies [string, ReactNode],
        ]
      : []),
    [t("keys"), account.keys >= 1000 ? `${format.count(1000)}+` : format.count(account.keys)],
    [t("createdAt"), <Time key="created" at={account.created_at} />],
  ];
  return (
    <section>
      <Title order={2} mb="xs">
        {t("facts")}
      </Title>
      <Table variant="vertical" layout="fixed" withTableBorder maw={640} fz="sm">
        <Table.Tbody>
          {rows.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" w={180} fw={500}>
                {name}
              </Table.Th>
              <Table.Td className="figures">{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

function AccountLinks({ id }: { id: string }) {
  const t = useText(accountsTexts);
  const at = `/a/${encodeURIComponent(id)}`;
  const links: [string, string, Record<string, string>][] = [
    [t("linkCalls"), `${at}/calls`, {}],
    [t("linkKeys"), `${at}/keys`, {}],
    [t("linkUsage"), `${at}/usage`, {}],
    [t("linkBalance"), `${at}/balance`, {}],
    [t("linkAudit"), "/operator/audit", { account: id }],
  ];
  return (
    <section>
      <Title order={2} mb="xs">
        {t("links")}
      </Title>
      <Group gap="lg">
        {links.map(([label, to, search]) => (
          <Anchor key={to} component={Link} to={to} search={search as never} fz="sm">
            {label}
          </Anchor>
        ))}
      </Group>
    </section>
  );
}

function Members({ accountId }: { accountId: string }) {
  const t = useText(accountsTexts);
  const list = usePages(["members", accountId], (cursor) =>
    unwrap(
      api.GET("/api/v1/accounts/{account}/members", {
        params: { path: { account: accountId }, query: { ...(cursor && { cursor }) } },
      }),
    ),
  );
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <Title order={2}>{t("members")}</Title>
        <Anchor component={Link} to="/operator/users" search={{ account: accountId } as never} fz="sm">
          {t("toUsers")}
        </Anchor>
      </Group>
      <DataTable
        label={t("members")}
        columns={[
          {
            id: "user",
            header: t("name"),
            cell: ({ name, email }) => (
              <Stack gap={0}>
                <Text fz="sm" fw={550}>
                  {name}
                </Text>
                <Text fz="xs" c="dimmed">
                  {email}
                </Text>
              </Stack>
            ),
          },
          { id: "role", header: t("columnRole"), cell: ({ role }) => t(`role_${role}`) },
        ]}
        rowId={({ user }) => user}
        minWidth={320}
        {...list}
        empty={
          <Empty
            icon={<IconUsers size={28} stroke={1.4} />}
            title={t("membersEmpty")}
            text={t("membersEmptyText")}
            action={
              <Button component={Link} to="/operator/users" variant="default">
                {t("toUsers")}
              </Button>
            }
          />
        }
      />
    </section>
  );
}
