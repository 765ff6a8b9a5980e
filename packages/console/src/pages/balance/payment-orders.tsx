import { Button, Group, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import { useMay } from "../../app/account.ts";
import { CopyId } from "../../shared/copy.tsx";
import { type Column, DataTable } from "../../shared/data-table.tsx";
import { useFormat } from "../../shared/format.ts";
import { LoadFailed } from "../../shared/load-failed.tsx";
import { Money } from "../../shared/money.tsx";
import { notifyDone, notifyFailed } from "../../shared/notify.tsx";
import { useText } from "../../shared/text.ts";
import { Time } from "../../shared/time.tsx";
import { moneyKeys, type Order, ordersQuery } from "./balance-data.ts";
import { balanceTexts } from "./texts.ts";
import { centsOf } from "./typed.ts";

/** Orders of payments; nothing where no provider takes payments and there never was an order. */
export function PaymentOrders({ account }: { account: string }) {
  const t = useText(balanceTexts);
  const orders = useQuery(ordersQuery(account));
  const columns = useColumns(account);
  if (orders.error) return <LoadFailed error={orders.error} onRetry={() => void orders.refetch()} />;
  if (!orders.data) return null;
  const { items, providers } = orders.data;
  if (providers.length === 0 && items.length === 0) return null;
  return (
    <Paper p="md" component="section">
      <Title order={2}>{t("ordersTitle")}</Title>
      {providers.length > 0 && (
        <>
          <Text fz="sm" c="dimmed" mb="sm">
            {t("ordersText", { providers: providers.join(", ") })}
          </Text>
          <NewOrder account={account} />
        </>
      )}
      <DataTable
        label={t("orderTable")}
        columns={columns}
        rows={items}
        rowId={({ id }) => id}
        minWidth={560}
        empty={
          <Text fz="sm" c="dimmed">
            {t("noOrders")}
          </Text>
        }
      />
    </Paper>
  );
}

function NewOrder({ account }: { account: string }) {
  const t = useText(balanceTexts);
  const queries = useQueryClient();
  const may = useMay("member");
  const [amount, setAmount] = useState("");
  const cents = centsOf(amount);
  const create = useMutation({
    mutationFn: (amount_minor: number) =>
      unwrap(api.POST("/api/v1/accounts/{account}/orders", { params: { path: { account } }, body: { amount_minor } })),
    async onSuccess({ id }) {
      setAmount("");
      notifyDone(t("ordered", { id }));
      await queries.invalidateQueries({ queryKey: moneyKeys.orders(account) });
    },
    onError: notifyFailed,
  });
  if (!may) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (cents !== undefined) create.mutate(cents);
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="xs" mb="md" wrap="nowrap">
        <TextInput
          label={t("amount")}
          placeholder={t("amountHint")}
          inputMode="decimal"
          flex={1}
          maw={220}
          value={amount}
          error={amount !== "" && cents === undefined && t("amountWrong")}
          inputWrapperOrder={["label", "error", "input"]}
          onChange={(event) => setAmount(event.currentTarget.value)}
        />
        <Button type="submit" loading={create.isPending} disabled={cents === undefined}>
          {t("order")}
        </Button>
      </Group>
    </form>
  );
}

function useColumns(account: string): Column<Order>[] {
  const t = useText(balanceTexts);
  const format = useFormat();
  return [
    { id: "id", header: t("orderId"), cell: ({ id }) => <CopyId value={id} /> },
    { id: "state", header: t("orderState"), cell: ({ state }) => t(`state_${state}`) },
    {
      id: "pay",
      header: t("toPay"),
      align: "right",
      cell: ({ amount_minor, currency }) =>
        currency === "usd"
          ? format.money(String(BigInt(amount_minor) * 10_000_000n))
          : `${format.count(amount_minor)} ${currency.toUpperCase()}`,
    },
    { id: "credit", header: t("credit"), align: "right", cell: ({ credit }) => <Money nano={credit} /> },
    { id: "created", header: t("created"), cell: ({ created_at }) => <Time at={created_at} relative /> },
    { id: "cancel", header: "", align: "right", cell: (order) => <CancelOrder account={account} order={order} /> },
  ];
}

function CancelOrder({ account, order }: { account: string; order: Order }) {
  const t = useText(balanceTexts);
  const queries = useQueryClient();
  const may = useMay("member");
  const cancel = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/api/v1/accounts/{account}/orders/{order}/cancel", {
          params: { path: { account, order: order.id } },
        }),
      ),
    onError: notifyFailed,
    onSettled: () => queries.invalidateQueries({ queryKey: moneyKeys.orders(account) }),
  });
  if (!may || order.state !== "open") return null;
  return (
    <Stack gap={0} align="flex-end">
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        loading={cancel.isPending}
        aria-label={t("cancelOrderLabel", { id: order.id })}
        onClick={() => cancel.mutate()}
      >
        {t("cancelOrder")}
      </Button>
    </Stack>
  );
}
