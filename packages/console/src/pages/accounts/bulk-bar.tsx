import { Alert, Button, Group, List, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { Confirm } from "../../shared/confirm.tsx";
import { notifyDone } from "../../shared/notify.tsx";
import { sharedTexts } from "../../shared/shared-text.ts";
import { useText } from "../../shared/text.ts";
import { type BulkChange, useAccountChanges } from "./account-api.ts";
import { limitsOf, noLimits } from "./account-fields.ts";
import { LimitInputs } from "./account-form.tsx";
import classes from "./bulk-bar.module.css";
import { parseSigned } from "./credit-form.tsx";
import { accountsTexts } from "./texts.ts";

type Wanted = "suspend" | "set_limits" | "credit";
type Result = { account: string; done: boolean; error: string | null };

/** What can be done with all accounts that are ticked. */
export function BulkBar({ selected, onClear }: { selected: ReadonlySet<string>; onClear: () => void }) {
  const t = useText(accountsTexts);
  const { bulk } = useAccountChanges();
  const [wanted, setWanted] = useState<Wanted>();
  const [failed, setFailed] = useState<{ done: number; failed: Result[] }>();
  const accounts = [...selected];
  const count = accounts.length;

  const apply = async (body: BulkChange) => {
    const { items } = await bulk.mutateAsync(body);
    const refused = items.filter(({ done }) => !done);
    const done = items.length - refused.length;
    setWanted(undefined);
    onClear();
    if (refused.length === 0) notifyDone(t("bulkDone", { count: done }));
    else setFailed({ done, failed: refused });
  };

  return (
    <>
      {count > 0 && (
        <Group className={classes.bar ?? ""} gap="sm" role="region" aria-label={t("selected", { count })}>
          <Text fz="sm" fw={550}>
            {t("selected", { count })}
          </Text>
          <Button
            size="xs"
            variant="default"
            loading={bulk.isPending}
            onClick={() => void apply({ action: "activate", accounts }).catch(() => undefined)}
          >
            {t("activate")}
          </Button>
          <Button size="xs" variant="default" onClick={() => setWanted("suspend")}>
            {t("suspend")}
          </Button>
          <Button size="xs" variant="default" onClick={() => setWanted("set_limits")}>
            {t("setLimits")}
          </Button>
          <Button size="xs" variant="default" onClick={() => setWanted("credit")}>
            {t("addCredit")}
          </Button>
          <Button size="xs" variant="subtle" color="gray" onClick={onClear}>
            {t("clearSelection")}
          </Button>
        </Group>
      )}
      <Confirm
        opened={wanted === "suspend"}
        title={t("suspendTitle", { count })}
        text={t("suspendText")}
        action={t("suspend")}
        onConfirm={() => apply({ action: "suspend", accounts })}
        onClose={() => setWanted(undefined)}
      />
      {wanted === "set_limits" && (
        <BulkLimits
          count={count}
          busy={bulk.isPending}
          onClose={() => setWanted(undefined)}
          onApply={(limits) => void apply({ action: "set_limits", accounts, limits }).catch(() => undefined)}
        />
      )}
      {wanted === "credit" && (
        <BulkCredit
          count={count}
          busy={bulk.isPending}
          onClose={() => setWanted(undefined)}
          onApply={(credit) => void apply({ action: "credit", accounts, ...credit }).catch(() => undefined)}
        />
      )}
      <BulkFailed result={failed} onClose={() => setFailed(undefined)} />
    </>
  );
}

interface BulkFormProps<Given> {
  count: number;
  busy: boolean;
  onClose: () => void;
  onApply: (given: Given) => void;
}

function BulkLimits({ count, busy, onClose, onApply }: BulkFormProps<ReturnType<typeof limitsOf>>) {
  const t = useText(accountsTexts);
  const s = useText(sharedTexts);
  const [limits, setLimits] = useState(noLimits);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("bulkTitle_set_limits", { count })}
      closeButtonProps={{ "aria-label": s("close") }}
    >
      <Stack gap="md">
        <LimitInputs limits={limits} onChange={setLimits} />
        <Group justify="flex-end">
          <Button loading={busy} onClick={() => onApply(limitsOf(limits))}>
            {t("bulkApply", { count })}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function BulkCredit({
  count,
  busy,
  onClose,
  onApply,
}: BulkFormProps<{ amount: string; note?: string; reference: string }>) {
  const t = useText(accountsTexts);
  const s = useText(sharedTexts);
  const [typed, setTyped] = useState("");
  const [note, setNote] = useState("");
  const [tried, setTried] = useState(false);
  // One for as long as the question stands: sent twice, it is credited once.
  const [reference] = useState(() => `bulk-${crypto.randomUUID()}`);
  const parsed = parseSigned(typed);
  const amount = parsed?.startsWith("-") ? undefined : parsed;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("bulkTitle_credit", { count })}
      closeButtonProps={{ "aria-label": s("close") }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (amount !== undefined) onApply({ amount, reference, ...(note.trim() && { note: note.trim() }) });
        }}
      >
        <Stack gap="md">
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
          <TextInput
            label={t("note")}
            description={t("noteText")}
            maxLength={500}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button type="submit" loading={busy}>
              {t("bulkApply", { count })}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function BulkFailed({
  result,
  onClose,
}: {
  result: { done: number; failed: Result[] } | undefined;
  onClose: () => void;
}) {
  const t = useText(accountsTexts);
  const s = useText(sharedTexts);
  if (!result) return null;
  return (
    <Modal opened onClose={onClose} title={t("bulkFailedTitle")} closeButtonProps={{ "aria-label": s("close") }}>
      <Alert color="red" variant="light" role="alert">
        <Text fz="sm" mb="xs">
          {t("bulkFailed", { done: result.done, failed: result.failed.length })}
        </Text>
        <List fz="sm" spacing={4}>
          {result.failed.map(({ account, error }) => (
            <List.Item key={account}>{error}</List.Item>
          ))}
        </List>
      </Alert>
    </Modal>
  );
}
