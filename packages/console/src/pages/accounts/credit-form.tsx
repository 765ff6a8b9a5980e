import { Alert, Button, Group, SegmentedControl, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { ApiError } from "../../api/api-error.ts";
import { parseDollars } from "../../shared/dollars.ts";
import { useFormat } from "../../shared/format.ts";
import { notifyDone } from "../../shared/notify.tsx";
import { useText } from "../../shared/text.ts";
import { type Account, useAccountChanges } from "./account-api.ts";
import { accountsTexts } from "./texts.ts";

/** Nano-dollars of what was typed, where the sign may be a minus of either kind; undefined where it is no amount. */
export function parseSigned(text: string): string | undefined {
  const match = /^\s*([-−]?)(.*)$/.exec(text);
  const amount = parseDollars(match?.[2] ?? "");
  if (amount === undefined || amount === "0") return undefined;
  return match?.[1] ? `-${amount}` : amount;
}

/** Money that an operator writes into the ledger of an account. */
export function CreditForm({ account, onDone }: { account: Account; onDone: () => void }) {
  const t = useText(accountsTexts);
  const format = useFormat();
  const { credit } = useAccountChanges();
  const [kind, setKind] = useState<"top_up" | "adjustment">("top_up");
  const [typed, setTyped] = useState("");
  const [note, setNote] = useState("");
  const [reference, setReference] = useState("");
  const [tried, setTried] = useState(false);
  const parsed = parseSigned(typed);
  const amount = kind === "top_up" && parsed?.startsWith("-") ? undefined : parsed;
  const { error } = credit;
  const refused = error instanceof ApiError ? error : undefined;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (amount === undefined) return;
    const more = {
      ...(note.trim() && { note: note.trim() }),
      ...(reference.trim() && { reference: reference.trim() }),
    };
    credit.mutate(
      { account: account.id, body: { kind, amount, ...more } },
      {
        onSuccess({ outcome, balance }) {
          const told = { amount: format.money(amount), balance: format.money(balance) };
          notifyDone(outcome === "credited" ? t("credited", told) : t("repeated"));
          onDone();
        },
      },
    );
  };

  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {error && refused?.field !== "amount" && (
          <Alert color="red" variant="light" role="alert">
            {error.message}
          </Alert>
        )}
        <SegmentedControl
          aria-label={t("kind")}
          value={kind}
          data={(["top_up", "adjustment"] as const).map((value) => ({ value, label: t(`kind_${value}`) }))}
          onChange={(value) => setKind(value === "adjustment" ? "adjustment" : "top_up")}
        />
        <TextInput
          label={t("amount")}
          {...(kind === "adjustment" && { description: t("adjustmentText") })}
          required
          inputMode="decimal"
          data-autofocus
          leftSection="$"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={
            tried && amount === undefined ? t("badAmount") : refused?.field === "amount" ? refused.message : undefined
          }
        />
        {amount !== undefined && (
          <Text fz="sm" className="figures" aria-live="polite">
            {t("balanceAfter", { amount: format.money(String(BigInt(account.balance) + BigInt(amount))) })}
          </Text>
        )}
        <TextInput
          label={t("note")}
          description={t("noteText")}
          maxLength={500}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <TextInput
          label={t("reference")}
          description={t("referenceText")}
          maxLength={200}
          value={reference}
          onChange={(event) => setReference(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={credit.isPending}>
            {t("creditButton")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
