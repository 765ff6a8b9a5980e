import { ActionIcon, Badge, Group, Menu, Stack, Switch, Text, Tooltip } from "@mantine/core";
import { IconBan, IconDots, IconEdit, IconListDetails, IconPlugConnected, IconRefresh } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { StateBadge } from "../../shared/badges.tsx";
import { CopyId } from "../../shared/copy.tsx";
import type { Column } from "../../shared/data-table.tsx";
import type { Format } from "../../shared/format.ts";
import { Money } from "../../shared/money.tsx";
import { Sparkline } from "../../shared/sparkline.tsx";
import type { Say } from "../../shared/text.ts";
import { Time } from "../../shared/time.tsx";
import type { AccessKey } from "./key-api.ts";
import { QuotaBar } from "./quota-bar.tsx";
import type { keysTexts } from "./texts.ts";

export type KeysText = Say<(typeof keysTexts)["texts"]>;

/** What the rows can ask for. */
export interface KeyActions {
  mayChange: boolean;
  setEnabled: (key: AccessKey, enabled: boolean) => void;
  open: (key: AccessKey, what: "edit" | "rotate" | "revoke") => void;
}

/** The key as it may be shown: what is secret is left out. */
export function shownKey({ public_id }: AccessKey): string {
  return public_id.startsWith("declared_") ? `${public_id.slice(0, 16)}…` : `ilk_${public_id}…`;
}

export function keyColumns(t: KeysText, format: Format, account: string, actions: KeyActions): Column<AccessKey>[] {
  return [
    {
      id: "state",
      header: t("columnState"),
      width: 96,
      cell: (key) => <StateCell keyShown={key} t={t} actions={actions} />,
    },
    {
      id: "name",
      header: t("columnName"),
      cell: (key) => (
        <Group gap={8} wrap="nowrap">
          <Text fz="sm" fw={550} truncate maw={260} title={key.name}>
            {key.name}
          </Text>
          {key.declared && (
            <Tooltip label={t("declaredText")}>
              <Badge variant="default" size="xs" radius="sm" tt="none" fw={500}>
                {t("declared")}
              </Badge>
            </Tooltip>
          )}
        </Group>
      ),
    },
    { id: "id", header: t("columnId"), cell: (key) => <CopyId value={key.public_id} shown={shownKey(key)} /> },
    { id: "quota", header: t("columnQuota"), width: 190, cell: (key) => <QuotaBar quota={key.quota} /> },
    {
      id: "days",
      header: t("columnDays"),
      align: "right",
      width: 150,
      cell: (key) => <DaysCell keyShown={key} t={t} />,
    },
    {
      id: "used",
      header: t("columnUsed"),
      width: 120,
      cell: (key) =>
        key.last_used_at === null ? (
          <Text span fz="sm" c="dimmed">
            {t("never")}
          </Text>
        ) : (
          <Time at={key.last_used_at} relative />
        ),
    },
    { id: "limits", header: t("columnLimits"), cell: (key) => <LimitsCell keyShown={key} t={t} format={format} /> },
    {
      id: "actions",
      header: t("columnActions"),
      align: "right",
      width: 72,
      cell: (key) => <KeyMenu keyShown={key} t={t} account={account} actions={actions} />,
    },
  ];
}

function StateCell({ keyShown, t, actions }: { keyShown: AccessKey; t: KeysText; actions: KeyActions }) {
  const { state, name } = keyShown;
  if (!actions.mayChange || state === "expired" || state === "revoked") return <StateBadge state={state} />;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a click on the switch does not open the row
    <span onClick={(event) => event.stopPropagation()} onKeyDown={(event) => event.stopPropagation()}>
      <Switch
        size="sm"
        aria-label={t("switchOf", { name })}
        checked={state === "enabled"}
        onChange={(event) => actions.setEnabled(keyShown, event.currentTarget.checked)}
      />
    </span>
  );
}

function DaysCell({ keyShown, t }: { keyShown: AccessKey; t: KeysText }) {
  const counts = keyShown.days.map(({ calls }) => calls);
  const spend = keyShown.days.reduce((sum, { charge }) => sum + BigInt(charge), 0n);
  return (
    <Group gap={10} justify="flex-end" wrap="nowrap">
      <Money nano={String(spend)} short />
      <Sparkline values={counts} label={t("daysOf", { name: keyShown.name, counts: counts.join(", ") })} />
    </Group>
  );
}

/** Limits of the key's own, in short. */
export function limitsOf({ limits }: AccessKey, t: KeysText, format: Format): string[] {
  const { requests_per_minute: requests, tokens_per_minute: tokens, concurrency } = limits;
  return [
    ...(requests === null ? [] : [t("perMinute", { count: format.countShort(requests) })]),
    ...(tokens === null ? [] : [t("tokensPerMinute", { count: format.countShort(tokens) })]),
    ...(concurrency === null ? [] : [t("atOnce", { count: format.countShort(concurrency) })]),
  ];
}

function LimitsCell({ keyShown, t, format }: { keyShown: AccessKey; t: KeysText; format: Format }) {
  const own = limitsOf(keyShown, t, format);
  return (
    <Stack gap={0}>
      <Text fz="xs" className="figures" {...(own.length === 0 && { c: "dimmed" })}>
        {own.length === 0 ? t("usual") : own.join(" · ")}
      </Text>
    </Stack>
  );
}

function KeyMenu(props: { keyShown: AccessKey; t: KeysText; account: string; actions: KeyActions }) {
  const { keyShown, t, account, actions } = props;
  const navigate = useNavigate();
  const to = (page: string, search: Record<string, string>) =>
    void navigate({ to: `/a/${encodeURIComponent(account)}/${page}`, search: search as never });
  const mayChange = actions.mayChange && !keyShown.declared && keyShown.state !== "revoked";
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a click in the menu does not open the row
    <span onClick={(event) => event.stopPropagation()} onKeyDown={(event) => event.stopPropagation()}>
      <Menu position="bottom-end" withinPortal shadow="md">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t("actionsOf", { name: keyShown.name })}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPlugConnected size={15} />} onClick={() => to("connect", { key: keyShown.id })}>
            {t("connect")}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconListDetails size={15} />}
            onClick={() => to("calls", { access_key: keyShown.id })}
          >
            {t("calls")}
          </Menu.Item>
          {mayChange && (
            <>
              <Menu.Divider />
              <Menu.Item leftSection={<IconEdit size={15} />} onClick={() => actions.open(keyShown, "edit")}>
                {t("edit")}
              </Menu.Item>
              <Menu.Item leftSection={<IconRefresh size={15} />} onClick={() => actions.open(keyShown, "rotate")}>
                {t("rotate")}
              </Menu.Item>
              <Menu.Item
                color="red"
                leftSection={<IconBan size={15} />}
                onClick={() => actions.open(keyShown, "revoke")}
              >
                {t("revoke")}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
    </span>
  );
}
