import {
  Button,
  Collapse,
  Group,
  NumberInput,
  Radio,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
} from "@mantine/core";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { ApiError } from "../../api/client.ts";
import { LoadFailed } from "../../shared/load-failed.tsx";
import { useText } from "../../shared/text.ts";
import { type KeySettings, quotaPeriods } from "./key-api.ts";
import { expiryChoices, type KeyFields, settingsOf } from "./key-settings.ts";
import { keysTexts } from "./texts.ts";

/** The fields of a key: those that most need first, the others behind a button. */
export function KeyForm({
  initial,
  action,
  busy,
  error,
  onSubmit,
}: {
  initial: KeyFields;
  /** What the button says. */
  action: string;
  busy: boolean;
  /** What the last try came to. */
  error: Error | null;
  onSubmit: (settings: KeySettings) => void;
}) {
  const t = useText(keysTexts);
  const [fields, setFields] = useState(initial);
  const [wrong, setWrong] = useState<string>();
  const field = wrong ?? (error instanceof ApiError ? error.field : undefined);
  const hidden = field !== undefined && !["name", "quota", "expires_at"].includes(field);
  const [opened, setOpened] = useState(() => hasMore(initial));
  const set = (change: Partial<KeyFields>) => {
    setWrong(undefined);
    setFields((before) => ({ ...before, ...change }));
  };
  const told = (name: string) => (field === name && error ? error.message : undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = settingsOf(fields, Date.now());
    if ("wrong" in read) setWrong(read.wrong);
    else onSubmit(read.settings);
  };

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          label={t("name")}
          placeholder={t("namePlaceholder")}
          value={fields.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
          error={wrong === "name" ? true : told("name")}
          maxLength={100}
          autoComplete="off"
          data-autofocus
        />
        <Group grow align="flex-start" gap="sm">
          <TextInput
            label={t("quota")}
            description={t("quotaHelp")}
            inputWrapperOrder={["label", "input", "description", "error"]}
            leftSection="$"
            inputMode="decimal"
            value={fields.quota}
            onChange={(event) => set({ quota: event.currentTarget.value })}
            error={wrong === "quota" ? t("invalidAmount") : told("quota")}
            autoComplete="off"
          />
          <Select
            label={t("quotaPeriod")}
            data={quotaPeriods.map((value) => ({ value, label: t(`period_${value}`) }))}
            value={fields.quotaPeriod}
            allowDeselect={false}
            onChange={(value) => set({ quotaPeriod: quotaPeriods.find((each) => each === value) ?? "month" })}
          />
        </Group>
        <Group grow align="flex-start" gap="sm">
          <Select
            label={t("expiry")}
            data={expiryChoices.map((value) => ({ value, label: t(`expiry_${value}`) }))}
            value={fields.expiry}
            allowDeselect={false}
            onChange={(value) => set({ expiry: expiryChoices.find((each) => each === value) ?? "never" })}
            error={told("expires_at")}
          />
          {fields.expiry === "at" && (
            <TextInput
              type="datetime-local"
              label={t("expiryAt")}
              value={fields.expiresAt === null ? "" : localText(fields.expiresAt)}
              onChange={(event) => {
                const at = new Date(event.currentTarget.value).getTime();
                set({ expiresAt: Number.isNaN(at) ? null : at });
              }}
            />
          )}
        </Group>
        <div>
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            aria-expanded={opened || hidden}
            rightSection={opened || hidden ? <IconChevronUp size={14} /> : <IconChevronDown size={14} />}
            onClick={() => setOpened(!opened)}
          >
            {opened || hidden ? t("less") : t("more")}
          </Button>
        </div>
        <Collapse expanded={opened || hidden}>
          <MoreFields fields={fields} set={set} told={told} />
        </Collapse>
        {error && field === undefined && <LoadFailed error={error} />}
        <Group justify="flex-end">
          <Button type="submit" loading={busy}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** As the field has it: the time of this place, to the minute. */
function localText(at: number): string {
  const minutes = new Date(at).getTimezoneOffset();
  return new Date(at - minutes * 60_000).toISOString().slice(0, 16);
}

function hasMore({ requests, tokens, concurrency, models, addresses, lossy, contentLogging }: KeyFields): boolean {
  const limits = [requests, tokens, concurrency].some((limit) => limit !== null);
  return limits || models !== null || addresses !== null || lossy === "refuse" || contentLogging;
}

function MoreFields({
  fields,
  set,
  told,
}: {
  fields: KeyFields;
  set: (change: Partial<KeyFields>) => void;
  told: (name: string) => string | undefined;
}) {
  const t = useText(keysTexts);
  const limit = (label: string, field: "requests" | "tokens" | "concurrency", name: string) => (
    <NumberInput
      label={label}
      value={fields[field] ?? ""}
      onChange={(value) => set({ [field]: typeof value === "number" ? value : null })}
      error={told(name)}
      min={1}
      max={1_000_000_000}
      allowDecimal={false}
      thousandSeparator=","
      hideControls
    />
  );
  return (
    <Stack gap="lg" pt={4}>
      <div>
        <Text fz="sm" fw={500}>
          {t("limits")}
        </Text>
        <Text fz="xs" c="dimmed" mb={6}>
          {t("limitsHelp")}
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
          {limit(t("requests"), "requests", "requests_per_minute")}
          {limit(t("tokens"), "tokens", "tokens_per_minute")}
          {limit(t("concurrency"), "concurrency", "concurrency")}
        </SimpleGrid>
      </div>
      <ListField
        label={t("models")}
        help={t("modelsHelp")}
        all={t("models_all")}
        some={t("models_some")}
        value={fields.models}
        error={told("models")}
        onChange={(models) => set({ models })}
      />
      <ListField
        label={t("addresses")}
        help={t("addressesHelp")}
        all={t("addresses_all")}
        some={t("addresses_some")}
        value={fields.addresses}
        error={told("addresses")}
        onChange={(addresses) => set({ addresses })}
      />
      <div>
        <Text fz="sm" fw={500} mb={4} id="key-lossy">
          {t("lossy")}
        </Text>
        <SegmentedControl
          size="xs"
          aria-labelledby="key-lossy"
          value={fields.lossy}
          onChange={(value) => set({ lossy: value === "refuse" ? "refuse" : "allow" })}
          data={[
            { value: "allow", label: t("lossy_allow") },
            { value: "refuse", label: t("lossy_refuse") },
          ]}
        />
      </div>
      <Switch
        label={t("content")}
        description={t("contentHelp")}
        checked={fields.contentLogging}
        onChange={(event) => set({ contentLogging: event.currentTarget.checked })}
      />
    </Stack>
  );
}

/** Everything, or a list. */
function ListField(props: {
  label: string;
  help: string;
  all: string;
  some: string;
  value: readonly string[] | null;
  error: string | undefined;
  onChange: (value: readonly string[] | null) => void;
}) {
  const { label, help, all, some, value, error, onChange } = props;
  return (
    <Stack gap={6}>
      <Radio.Group
        label={label}
        value={value === null ? "all" : "some"}
        onChange={(chosen) => onChange(chosen === "all" ? null : [])}
      >
        <Group gap="lg" mt={4}>
          <Radio size="xs" value="all" label={all} />
          <Radio size="xs" value="some" label={some} />
        </Group>
      </Radio.Group>
      {value !== null && (
        <TagsInput
          aria-label={label}
          description={help}
          value={[...value]}
          onChange={onChange}
          error={error}
          splitChars={[",", " "]}
          acceptValueOnBlur
        />
      )}
    </Stack>
  );
}
