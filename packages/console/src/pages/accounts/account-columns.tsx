import { ActionIcon, Badge, Group, Menu, Text, Tooltip } from "@mantine/core";
import { IconBan, IconCash, IconDots, IconEdit, IconListDetails, IconPlayerPlay } from "@tabler/icons-react";
import { StateBadge } from "../../shared/badges.tsx";
import { CopyId } from "../../shared/copy.tsx";
import type { Column } from "../../shared/data-table.tsx";
import type { Format } from "../../shared/format.ts";
import { Money } from "../../shared/money.tsx";
import type { Say } from "../../shared/text.ts";
import type { Account } from "./account-api.ts";
import type { accountsTexts } from "./texts.ts";

export type AccountsText = Say<(typeof accountsTexts)["texts"]>;

/** What the rows can ask for. */
export interface AccountActions {
  open: (account: Account) => void;
  panel: (account: Account, panel: "edit" | "credit") => void;
  setState: (account: Account, state: "active" | "suspended") => void;
}

/** Keys are counted up to here by the gateway. */
const mostKeys = 1000;

export function accountColumns(t: AccountsText, format: Format, actions: AccountActions): Column<Account>[] {
  return [
    {
      id: "name",
      header: t("columnName"),
      cell: (account) => (
        <>
          <AccountName account={account} t={t} />
          <CopyId value={account.id} shown={shortId(account.id)} />
        </>
      ),
    },
    { id: "state", header: t("columnState"), width: 110, cell: ({ state }) => <StateBadge state={state} /> },
    { id: "billing", header: t("columnBilling"), width: 100, cell: ({ billing }) => t(`billing_${billing}`) },
    {
      id: "balance",
      header: t("columnBalance"),
      align: "right",
      width: 130,
      cell: ({ balance }) => (
        <Text span fz="sm" fw={550} {...(balance.startsWith("-") && { c: "var(--console-bad)" })}>
          <Money nano={balance} short />
        </Text>
      ),
    },
    {
      id: "reserved",
      header: t("columnReserved"),
      align: "right",
      width: 110,
      cell: ({ reserved }) => <Money nano={reserved} short />,
    },
    {
      id: "credit",
      header: t("columnCredit"),
      align: "right",
      width: 120,
      cell: ({ billing, credit_limit }) =>
        billing === "prepaid" ? (
          <Text span fz="sm" c="dimmed">
            {t("noLimit")}
          </Text>
        ) : credit_limit === null ? (
          <Text span fz="sm" c="dimmed">
            {t("unbounded")}
          </Text>
        ) : (
          <Money nano={credit_limit} short />
        ),
    },
    {
      id: "today",
      header: <span title={t("todayTitle")}>{t("columnToday")}</span>,
      align: "right",
      width: 110,
      cell: ({ spent_today }) => <Money nano={spent_today} short />,
    },
    {
      id: "month",
      header: <span title={t("monthTitle")}>{t("columnMonth")}</span>,
      align: "right",
      width: 120,
      cell: ({ spent_this_month }) => <Money nano={spent_this_month} short />,
    },
    {
      id: "keys",
      header: t("columnKeys"),
      align: "right",
      width: 80,
      cell: ({ keys }) => (
        <span className="figures">{keys >= mostKeys ? `${format.count(mostKeys)}+` : format.count(keys)}</span>
      ),
    },
    {
      id: "limits",
      header: t("columnLimits"),
      cell: (account) => <LimitsText account={account} t={t} format={format} />,
    },
    {
      id: "actions",
      header: t("columnActions"),
      align: "right",
      width: 72,
      cell: (account) => <AccountMenu account={account} t={t} actions={actions} />,
    },
  ];
}

/** Long ids take the room that figures need; the whole one is copied. */
function shortId(id: string): string {
  return id.length > 18 ? `${id.slice(0, 12)}…${id.slice(-4)}` : id;
}

function AccountName({ account, t }: { account: Account; t: AccountsText }) {
  return (
    <Group gap={8} wrap="nowrap">
      <Text fz="sm" fw={550} truncate maw={240} title={account.name}>
        {account.name}
      </Text>
      {account.declared && <DeclaredBadge t={t} />}
    </Group>
  );
}

/** Says that the configuration file decides. */
export function DeclaredBadge({ t }: { t: AccountsText }) {
  return (
    <Tooltip label={t("declaredText")}>
      <Badge variant="default" size="xs" radius="sm" tt="none" fw={500}>
        {t("declared")}
      </Badge>
    </Tooltip>
  );
}

/** The limits of the whole account, in short. */
export function LimitsText({ account, t, format }: { account: Account; t: AccountsText; format: Format }) {
  const { requests_per_minute: requests, tokens_per_minute: tokens, concurrency } = account.limits;
  const own = [
    ...(requests === null ? [] : [t("perMinute", { count: format.countShort(requests) })]),
    ...(tokens === null ? [] : [t("tokensPerMinute", { count: format.countShort(tokens) })]),
    ...(concurrency === null ? [] : [t("atOnce", { count: format.countShort(concurrency) })]),
  ];
  return (
    <Text fz="xs" className="figures" {...(own.length === 0 && { c: "dimmed" })}>
      {own.length === 0 ? t("noLimit") : own.join(" · ")}
    </Text>
  );
}

function AccountMenu({ account, t, actions }: { account: Account; t: AccountsText; actions: AccountActions }) {
  const { state, name, declared } = account;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a click in the menu does not open the row
    <span onClick={(event) => event.stopPropagation()} onKeyDown={(event) => event.stopPropagation()}>
      <Menu position="bottom-end" withinPortal shadow="md">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t("actionsOf", { name })}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconListDetails size={15} />} onClick={() => actions.open(account)}>
            {t("open")}
          </Menu.Item>
          {!declared && (
            <Menu.Item leftSection={<IconEdit size={15} />} onClick={() => actions.panel(account, "edit")}>
              {t("edit")}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconCash size={15} />} onClick={() => actions.panel(account, "credit")}>
            {t("credit")}
          </Menu.Item>
          <Menu.Divider />
          {state === "active" ? (
            <Menu.Item
              color="red"
              leftSection={<IconBan size={15} />}
              onClick={() => actions.setState(account, "suspended")}
            >
              {t("suspend")}
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<IconPlayerPlay size={15} />} onClick={() => actions.setState(account, "active")}>
              {t("activate")}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </span>
  );
}
