import { Button, Drawer, Group, Stack, Switch, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import type { components } from "../../api/schema.d.ts";
import { useMay } from "../../app/account.ts";
import { Loaded } from "../../shared/loaded.tsx";
import { notifyDone, notifyFailed } from "../../shared/notify.tsx";
import { sharedTexts } from "../../shared/shared-text.ts";
import { useText } from "../../shared/text.ts";
import { alertSettingsQuery } from "./balance-data.ts";
import { balanceTexts } from "./texts.ts";
import { thresholdsOf } from "./typed.ts";

type Settings = components["schemas"]["AlertSettings"];

/** Chooses when the account is told that its money runs low. */
export function AlertSettings({ account, opened, onClose }: { account: string; opened: boolean; onClose: () => void }) {
  const t = useText(balanceTexts);
  const shared = useText(sharedTexts);
  const settings = useQuery({ ...alertSettingsQuery(account), enabled: opened });
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={t("alertsTitle")}
      closeButtonProps={{ "aria-label": shared("close") }}
    >
      <Text fz="sm" c="dimmed" mb="md">
        {t("alertsText")}
      </Text>
      <Loaded query={settings}>
        {(data) => <Form key={JSON.stringify(data)} account={account} settings={data} onClose={onClose} />}
      </Loaded>
    </Drawer>
  );
}

function Form({ account, settings, onClose }: { account: string; settings: Settings; onClose: () => void }) {
  const t = useText(balanceTexts);
  const shared = useText(sharedTexts);
  const queries = useQueryClient();
  const may = useMay("owner");
  const [text, setText] = useState(settings.thresholds.join(", "));
  const [balance, setBalance] = useState(settings.balance);
  const [quotas, setQuotas] = useState(settings.quotas);
  const thresholds = thresholdsOf(text);
  const save = useMutation({
    mutationFn: (body: Settings) =>
      unwrap(api.PUT("/api/v1/accounts/{account}/alert-settings", { params: { path: { account } }, body })),
    async onSuccess(saved) {
      queries.setQueryData(alertSettingsQuery(account).queryKey, saved);
      notifyDone(t("saved"));
      onClose();
      await queries.invalidateQueries({ queryKey: ["alerts", account] });
    },
    onError: notifyFailed,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (thresholds) save.mutate({ thresholds, balance, quotas });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          label={t("thresholds")}
          description={t("thresholdsHint")}
          value={text}
          disabled={!may}
          inputMode="numeric"
          error={thresholds === undefined && t("thresholdsWrong")}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Switch
          label={t("watchBalance")}
          checked={balance}
          disabled={!may}
          onChange={(event) => setBalance(event.currentTarget.checked)}
        />
        <Switch
          label={t("watchQuotas")}
          checked={quotas}
          disabled={!may}
          onChange={(event) => setQuotas(event.currentTarget.checked)}
        />
        {may ? (
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {shared("cancel")}
            </Button>
            <Button type="submit" loading={save.isPending} disabled={thresholds === undefined}>
              {shared("save")}
            </Button>
          </Group>
        ) : (
          <Text fz="sm" c="dimmed">
            {t("onlyOwners")}
          </Text>
        )}
      </Stack>
    </form>
  );
}
