import { Alert, Badge, Button, Drawer, Group, NumberInput, Select, Stack, Text, TextInput } from "@mantine/core";
import { IconPlus, IconTicket } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import type { components } from "../../api/schema.d.ts";
import { Confirm } from "../../shared/confirm.tsx";
import { CopyBlock, CopyId } from "../../shared/copy.tsx";
import { type Column, DataTable } from "../../shared/data-table.tsx";
import { Empty } from "../../shared/empty.tsx";
import { FilterBar } from "../../shared/filter-bar.tsx";
import { Money } from "../../shared/money.tsx";
import { notifyDone, notifyFailed } from "../../shared/notify.tsx";
import { sharedTexts } from "../../shared/shared-text.ts";
import { useText } from "../../shared/text.ts";
import { Time } from "../../shared/time.tsx";
import { urlOneOf, useUrlState } from "../../shared/url-state.ts";
import { usePages } from "../../shared/use-pages.ts";
import { parseSigned } from "./credit-form.tsx";
import { accountsTexts } from "./texts.ts";

type Code = components["schemas"]["RedemptionCode"];
const states = ["open", "redeemed", "expired", "revoked"] as const;
const fields = { code_state: urlOneOf(...states), panel: urlOneOf("codes") };
const tones = { open: "teal", redeemed: "gray", expired: "yellow", revoked: "gray" } as const;

/** Codes that are worth money, without the codes themselves. */
export function CodeList() {
  const t = useText(accountsTexts);
  const s = useText(sharedTexts);
  const queries = useQueryClient();
  const [{ code_state: state, panel }, setUrl] = useUrlState(fields);
  const [revoking, setRevoking] = useState<string>();
  const list = usePages(["redemption-codes", state], (cursor) =>
    unwrap(
      api.GET("/api/v1/redemption-codes", {
        params: { query: { ...(state && { state }), ...(cursor && { cursor }) } },
      }),
    ),
  );
  const revoke = useMutation({
    mutationFn: (code: string) =>
      unwrap(api.POST("/api/v1/redemption-codes/{code}/revoke", { params: { path: { code } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["redemption-codes"] }),
    onError: notifyFailed,
  });
  const columns = useMemo<Column<Code>[]>(
    () => [
      { id: "id", header: t("columnId"), cell: ({ id }) => <CopyId value={id} /> },
      {
        id: "state",
        header: t("columnState"),
        cell: ({ state: shown }) => (
          <Badge variant="default" color={tones[shown]} radius="sm" tt="none" fw={500}>
            {t(`codeState_${shown}`)}
          </Badge>
        ),
      },
      { id: "amount", header: t("columnAmount"), align: "right", cell: ({ amount }) => <Money nano={amount} /> },
      { id: "created", header: t("columnCreated"), cell: ({ created_at }) => <Time at={created_at} /> },
      {
        id: "expires",
        header: t("columnExpires"),
        cell: ({ expires_at }) => (expires_at === null ? t("never") : <Time at={expires_at} />),
      },
      {
        id: "redeemed",
        header: t("columnRedeemed"),
        cell: ({ redeemed_at, redeemed_by }) =>
          redeemed_at === null ? null : (
            <Stack gap={0}>
              <Time at={redeemed_at} />
              {redeemed_by !== null && <CopyId value={redeemed_by} />}
            </Stack>
          ),
      },
      { id: "note", header: t("columnNote"), cell: ({ note }) => note },
      {
        id: "actions",
        header: t("columnActions"),
        align: "right",
        cell: ({ id, state: shown }) =>
          shown === "open" ? (
            <Button
              size="compact-xs"
              variant="subtle"
              color="red"
              aria-label={t("revokeOf", { id })}
              onClick={() => setRevoking(id)}
            >
              {t("revoke")}
            </Button>
          ) : null,
      },
    ],
    [t],
  );
  const createButton = (
    <Button
      leftSection={<IconPlus size={16} aria-hidden="true" />}
      onClick={() => setUrl({ panel: "codes" }, { push: true })}
    >
      {t("createCodes")}
    </Button>
  );
  return (
    <>
      <FilterBar onClear={state === undefined ? undefined : () => setUrl({ code_state: undefined })}>
        <Select
          aria-label={t("stateLabel")}
          w={160}
          data={[
            { value: "", label: t("anyState") },
            ...states.map((value) => ({ value, label: t(`codeState_${value}`) })),
          ]}
          value={state ?? ""}
          allowDeselect={false}
          onChange={(value) => setUrl({ code_state: states.find((each) => each === value) })}
        />
        <Group ml="auto">{createButton}</Group>
      </FilterBar>
      <DataTable
        label={t("codeList")}
        columns={columns}
        rowId={(code: Code) => code.id}
        minWidth={860}
        {...list}
        empty={
          <Empty
            icon={<IconTicket size={28} stroke={1.4} />}
            title={t("codesEmptyTitle")}
            text={t("codesEmptyText")}
            action={createButton}
          />
        }
      />
      <Confirm
        opened={revoking !== undefined}
        title={t("revokeTitle")}
        text={t("revokeText")}
        action={t("revoke")}
        onConfirm={async () => {
          if (revoking !== undefined) await revoke.mutateAsync(revoking);
          notifyDone(t("revokedCode"));
        }}
        onClose={() => setRevoking(undefined)}
      />
      {panel === "codes" && (
        <Drawer
          opened
          onClose={() => setUrl({ panel: undefined })}
          title={t("createCodes")}
          size={460}
          closeOnClickOutside={false}
          closeButtonProps={{ "aria-label": s("close") }}
        >
          <NewCodes onDone={() => setUrl({ panel: undefined })} />
        </Drawer>
      )}
    </>
  );
}

/** Makes codes and shows them, once. */
function NewCodes({ onDone }: { onDone: () => void }) {
  const t = useText(accountsTexts);
  const queries = useQueryClient();
  const [typed, setTyped] = useState("");
  const [count, setCount] = useState<number | string>(10);
  const [days, setDays] = useState<number | string>("");
  const [note, setNote] = useState("");
  const [tried, setTried] = useState(false);
  const parsed = parseSigned(typed);
  const amount = parsed?.startsWith("-") ? undefined : parsed;
  const create = useMutation({
    mutationFn: (worth: string) =>
      unwrap(
        api.POST("/api/v1/redemption-codes", {
          body: {
            amount: worth,
            count: Number(count),
            expires_at: days === "" ? null : Date.now() + Number(days) * 86_400_000,
            ...(note.trim() && { note: note.trim() }),
          },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["redemption-codes"] }),
  });
  if (create.data) {
    return (
      <Stack gap="md">
        <Alert color="yellow" variant="light">
          <Text fz="sm" fw={600}>
            {t("codesMadeTitle")}
          </Text>
          {t("codesMadeText")}
        </Alert>
        <CopyBlock label={t("codesMade")} code={create.data.items.map(({ code }) => code).join("\n")} />
        <Group justify="flex-end">
          <Button onClick={onDone}>{t("done")}</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (amount !== undefined) create.mutate(amount);
      }}
    >
      <Stack gap="md">
        <Text fz="sm" c="dimmed">
          {t("codesText")}
        </Text>
        {create.error && (
          <Alert color="red" variant="light" role="alert">
            {create.error.message}
          </Alert>
        )}
        <TextInput
          label={t("amount")}
          required
          leftSection="$"
          inputMode="decimal"
          data-autofocus
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={tried && amount === undefined && t("badAmount")}
        />
        <NumberInput
          label={t("count")}
          value={count}
          onChange={setCount}
          min={1}
          max={1000}
          allowDecimal={false}
          required
        />
        <NumberInput
          label={t("expiresDays")}
          description={t("expiresDaysText")}
          value={days}
          onChange={setDays}
          min={1}
          max={3650}
          allowDecimal={false}
        />
        <TextInput
          label={t("note")}
          maxLength={500}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={create.isPending}>
            {t("createCodesButton")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
