import { Anchor, Button, Group, Text, Title } from "@mantine/core";
import { IconListSearch } from "@tabler/icons-react";
import { Link, useNavigate } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import type { PageScope } from "../../app/account.ts";
import { OutcomeBadge, ProtocolBadge } from "../../shared/badges.tsx";
import { type Column, DataTable } from "../../shared/data-table.tsx";
import { Empty } from "../../shared/empty.tsx";
import { useFormat } from "../../shared/format.ts";
import { Money } from "../../shared/money.tsx";
import { useText } from "../../shared/text.ts";
import { Time } from "../../shared/time.tsx";
import { type Call, tokensOf } from "./overview-data.ts";
import { homeTexts } from "./texts.ts";

/** The newest calls, each a way to all that is known of it. */
export function LastCalls({ calls, scope }: { calls: readonly Call[]; scope: PageScope }) {
  const t = useText(homeTexts);
  const navigate = useNavigate();
  const columns = useColumns(scope);
  const open = useCallback(
    ({ id }: Call) =>
      void (scope.kind === "account"
        ? navigate({ to: "/a/$account/calls/$call", params: { account: scope.accountId, call: id } })
        : navigate({ to: "/operator/calls/$call", params: { call: id } })),
    [navigate, scope],
  );
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <Title order={2}>{t("lastCalls")}</Title>
        <Anchor
          fz="sm"
          renderRoot={(props) =>
            scope.kind === "account" ? (
              <Link {...props} to="/a/$account/calls" params={{ account: scope.accountId }} />
            ) : (
              <Link {...props} to="/operator/calls" />
            )
          }
        >
          {t("allCalls")}
        </Anchor>
      </Group>
      <DataTable
        label={t("lastCalls")}
        columns={columns}
        rows={calls}
        rowId={({ id }) => id}
        onOpen={open}
        minWidth={scope.kind === "account" ? 880 : 1020}
        empty={
          <Empty
            icon={<IconListSearch size={32} stroke={1.4} />}
            title={t("noCalls")}
            text={t("noCallsText")}
            {...(scope.kind === "account" && {
              action: (
                <Button
                  renderRoot={(props) => (
                    <Link {...props} to="/a/$account/connect" params={{ account: scope.accountId }} />
                  )}
                >
                  {t("connect")}
                </Button>
              ),
            })}
          />
        }
      />
    </section>
  );
}

function useColumns(scope: PageScope): readonly Column<Call>[] {
  const t = useText(homeTexts);
  const format = useFormat();
  return useMemo(() => {
    const columns: Column<Call>[] = [
      { id: "time", header: t("time"), cell: ({ started_at }) => <Time at={started_at} /> },
      {
        id: "account",
        header: t("account"),
        cell: ({ account_id, account_name }) => <Named id={account_id} name={account_name} />,
      },
      {
        id: "key",
        header: t("key"),
        cell: ({ access_key_id, access_key_name }) => <Named id={access_key_id} name={access_key_name} />,
      },
      { id: "protocol", header: t("protocol"), cell: (call) => <ProtocolBadge protocol={call.client_protocol} /> },
      { id: "model", header: t("model"), cell: ({ model }) => model ?? "–" },
      {
        id: "status",
        header: t("status"),
        cell: ({ outcome, status }) => <OutcomeBadge outcome={outcome} status={status} />,
      },
      {
        id: "tokens",
        header: t("tokens"),
        align: "right",
        cell: (call) => {
          const tokens = tokensOf(call);
          return tokens === null ? "–" : format.count(tokens);
        },
      },
      { id: "cost", header: t("cost"), align: "right", cell: ({ charge }) => <Money nano={charge} /> },
      {
        id: "duration",
        header: t("duration"),
        align: "right",
        cell: ({ end_ms }) => (end_ms === null ? "–" : <span title={`${end_ms} ms`}>{format.duration(end_ms)}</span>),
      },
    ];
    return scope.kind === "installation" ? columns : columns.filter(({ id }) => id !== "account");
  }, [scope.kind, t, format]);
}

function Named({ id, name }: { id: string; name: string | null }) {
  return (
    <Text span fz="sm" title={id}>
      {name ?? id}
    </Text>
  );
}
