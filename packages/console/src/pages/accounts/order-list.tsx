import { Button, Select } from "@mantine/core";
import { IconReceipt } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import type { components } from "../../api/schema.d.ts";
import { Confirm } from "../../shared/confirm.tsx";
import { CopyId } from "../../shared/copy.tsx";
import { type Column, DataTable } from "../../shared/data-table.tsx";
import { Empty } from "../../shared/empty.tsx";
import { FilterBar } from "../../shared/filter-bar.tsx";
import { Money } from "../../shared/money.tsx";
import { notifyDone, notifyFailed } from "../../shared/notify.tsx";
import { useLanguage, useText } from "../../shared/text.ts";
import { Time } from "../../shared/time.tsx";
import { urlOneOf, useUrlState } from "../../shared/url-state.ts";
import { usePages } from "../../shared/use-pages.ts";
import { accountsTexts } from "./texts.ts";

type Order = components["schemas"]["OperatedPaymentOrder"];
const states = ["open", "paid", "cancelled"] as const;
const fields = { order_state: urlOneOf(...states) };

/** What accounts are to pay, and have paid, through providers. */
export function OrderList() {
  const t = useText(accountsTexts);
  const language = useLanguage();
  const queries = useQueryClient();
  const [{ order_state: state }, setUrl] = useUrlState(fields);
  const [cancelling, setCancelling] = useState<string>();
  const list = usePages(["payment-orders", state], (cursor) =>
    unwrap(
      api.GET("/api/v1/payment-orders", { params: { query: { ...(state && { state }), ...(cursor && { cursor }) } } }),
    ),
  );
  const cancel = useMutation({
    mutationFn: (order: string) =>
      unwrap(api.POST("/api/v1/payment-orders/{order}/cancel", { params: { path: { order } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["payment-orders"] }),
    onError: notifyFailed,
  });
  const columns = useMemo<Column<Order>[]>(
    () => [
      { id: "id", header: t("columnId"), cell: ({ id }) => <CopyId value={id} /> },
      { id: "account", header: t("columnAccount"), cell: ({ account }) => <CopyId value={account} /> },
      { id: "state", header: t("columnState"), cell: ({ state: shown }) => t(`orderState_${shown}`) },
      {
        id: "price",
        header: t("columnPrice"),
        align: "right",
        cell: ({ amount_minor, currency }) => (
          <span className="figures">{minor(amount_minor, currency, language)}</span>
        ),
      },
      { id: "credit", header: t("columnCreditFor"), align: "right", cell: ({ credit }) => <Money nano={credit} /> },
      { id: "created", header: t("columnCreated"), cell: ({ created_at }) => <Time at={created_at} /> },
      { id: "paid", header: t("columnPaid"), cell: ({ paid_at }) => paid_at !== null && <Time at={paid_at} /> },
      {
        id: "actions",
        header: t("columnActions"),
        align: "right",
        cell: ({ id, state: shown }) =>
          shown === "open" && (
            <Button
              size="compact-xs"
              variant="subtle"
              color="red"
              aria-label={t("cancelOrderOf", { id })}
              onClick={() => setCancelling(id)}
            >
              {t("cancelOrder")}
            </Button>
          ),
      },
    ],
    [t, language],
  );
  return (
    <>
      <FilterBar onClear={state === undefined ? undefined : () => setUrl({ order_state: undefined })}>
        <Select
          aria-label={t("stateLabel")}
          w={160}
          data={[
            { value: "", label: t("anyState") },
            ...states.map((value) => ({ value, label: t(`orderState_${value}`) })),
          ]}
          value={state ?? ""}
          allowDeselect={false}
          onChange={(value) => setUrl({ order_state: states.find((each) => each === value) })}
        />
      </FilterBar>
      <DataTable
        label={t("orderList")}
        columns={columns}
        rowId={(order: Order) => order.id}
        minWidth={860}
        {...list}
        empty={
          <Empty
            icon={<IconReceipt size={28} stroke={1.4} />}
            title={t("ordersEmptyTitle")}
            text={t("ordersEmptyText")}
          />
        }
      />
      <Confirm
        opened={cancelling !== undefined}
        title={t("cancelTitle")}
        text={t("cancelText")}
        action={t("cancelOrder")}
        onConfirm={async () => {
          if (cancelling !== undefined) await cancel.mutateAsync(cancelling);
          notifyDone(t("cancelled"));
        }}
        onClose={() => setCancelling(undefined)}
      />
    </>
  );
}

/** An amount in a currency's smallest unit, as that currency is written. */
function minor(amount: number, currency: string, language: string): string {
  const format = new Intl.NumberFormat(language, { style: "currency", currency: currency.toUpperCase() });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amount / 10 ** digits);
}
