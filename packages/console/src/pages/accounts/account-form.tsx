import { Alert, Button, Group, NumberInput, SegmentedControl, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { ApiError } from "../../api/api-error.ts";
import { useText } from "../../shared/text.ts";
import type { AccountSettings } from "./account-api.ts";
import { type AccountFields, type LimitFields, settingsOf } from "./account-fields.ts";
import { accountsTexts } from "./texts.ts";

/** The settings of an account. */
export function AccountForm({
  initial,
  action,
  busy,
  error,
  onSubmit,
}: {
  initial: AccountFields;
  action: string;
  busy: boolean;
  error: Error | null;
  onSubmit: (settings: AccountSettings & { name: string }) => void;
}) {
  const t = useText(accountsTexts);
  const [fields, setFields] = useState(initial);
  const [badCredit, setBadCredit] = useState(false);
  const refused = error instanceof ApiError ? error : undefined;
  const errorOf = (field: string) => (refused?.field === field ? refused.message : undefined);
  const known = ["name", "credit_limit", "markup_ppm"];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const settings = settingsOf(fields);
    setBadCredit(settings === undefined);
    if (settings) onSubmit(settings);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {error && !known.includes(refused?.field ?? "") && (
          <Alert color="red" variant="light" role="alert">
            {error.message}
          </Alert>
        )}
        <TextInput
          label={t("name")}
          required
          maxLength={100}
          data-autofocus
          value={fields.name}
          onChange={({ currentTarget: { value: name } }) => setFields((before) => ({ ...before, name }))}
          error={errorOf("name")}
        />
        <Stack gap={6}>
          <Text fz="sm" fw={500} id="account-billing">
            {t("billing")}
          </Text>
          <SegmentedControl
            aria-labelledby="account-billing"
            value={fields.billing}
            data={(["prepaid", "postpaid"] as const).map((value) => ({ value, label: t(`billing_${value}`) }))}
            onChange={(value) =>
              setFields((before) => ({ ...before, billing: value === "postpaid" ? "postpaid" : "prepaid" }))
            }
          />
          <Text fz="xs" c="dimmed">
            {t(`billingText_${fields.billing}`)}
          </Text>
        </Stack>
        {fields.billing === "postpaid" && (
          <TextInput
            label={t("creditLimit")}
            description={t("creditLimitText")}
            inputMode="decimal"
            value={fields.creditLimit}
            onChange={({ currentTarget: { value: creditLimit } }) =>
              setFields((before) => ({ ...before, creditLimit }))
            }
            error={badCredit ? t("badAmount") : errorOf("credit_limit")}
          />
        )}
        <NumberInput
          label={t("markup")}
          description={t("markupText")}
          value={fields.markup}
          onChange={(markup) => setFields((before) => ({ ...before, markup }))}
          suffix="%"
          min={-100}
          max={99_900}
          decimalScale={4}
          error={errorOf("markup_ppm")}
        />
        <LimitInputs limits={fields.limits} onChange={(limits) => setFields((before) => ({ ...before, limits }))} />
        <Group justify="flex-end">
          <Button type="submit" loading={busy}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Limits that the keys of an account share. */
export function LimitInputs({ limits, onChange }: { limits: LimitFields; onChange: (limits: LimitFields) => void }) {
  const t = useText(accountsTexts);
  return (
    <Stack gap="xs" component="fieldset" bd={0} p={0} m={0}>
      <Text component="legend" fz="sm" fw={600} p={0}>
        {t("limitsTitle")}
      </Text>
      <Text fz="xs" c="dimmed">
        {t("limitsText")}
      </Text>
      {(["requests", "tokens", "concurrency"] as const).map((name) => (
        <NumberInput
          key={name}
          label={t(name)}
          value={limits[name]}
          onChange={(value) => onChange({ ...limits, [name]: value })}
          min={1}
          max={1_000_000_000}
          allowDecimal={false}
          thousandSeparator=","
        />
      ))}
    </Stack>
  );
}
