import {
  Button,
  Fieldset,
  Group,
  MultiSelect,
  SegmentedControl,
  Select,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ApiError } from "../../api/client.ts";
import { protocols } from "../../shared/gateway-call.ts";
import { LoadFailed } from "../../shared/load-failed.tsx";
import { useText } from "../../shared/text.ts";
import { AccountSelect } from "./account-select.tsx";
import { channelNamesQuery, type NewRule, type RoutingAction, type RoutingRule } from "./routing-api.ts";
import { routingTexts } from "./texts.ts";

const kinds = ["only", "prefer", "rewrite", "refuse"] as const;

/** The fields of a rule. */
export function RuleForm({
  rule,
  action,
  busy,
  error,
  onSubmit,
}: {
  rule?: RoutingRule;
  /** What the button says. */
  action: string;
  busy: boolean;
  /** What the last try came to. */
  error: Error | null;
  onSubmit: (rule: NewRule) => void;
}) {
  const t = useText(routingTexts);
  const known = useQuery(channelNamesQuery);
  const [fields, setFields] = useState(() => fieldsOf(rule));
  const set = (change: Partial<Fields>) => setFields((before) => ({ ...before, ...change }));
  const field = error instanceof ApiError ? error.field : undefined;
  const told = (name: string) => (field === name && error ? error.message : undefined);
  const names = [...new Set([...(known.data ?? []), ...fields.channels])];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(ruleOf(fields));
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Fieldset legend={t("conditions")}>
          <Stack gap="sm">
            <Text fz="xs" c="dimmed">
              {t("conditionsHelp")}
            </Text>
            <TextInput
              label={t("model")}
              description={t("modelHelp")}
              inputWrapperOrder={["label", "input", "description", "error"]}
              placeholder={t("any")}
              value={fields.model}
              onChange={(event) => set({ model: event.currentTarget.value })}
              error={told("model")}
              autoComplete="off"
              spellCheck={false}
              data-autofocus
            />
            <Select
              label={t("protocol")}
              data={[{ value: "", label: t("any") }, ...protocols.map((value) => ({ value, label: value }))]}
              value={fields.protocol}
              allowDeselect={false}
              onChange={(value) => set({ protocol: value ?? "" })}
              error={told("client_protocol")}
            />
            <AccountSelect
              value={fields.account}
              name={rule?.account_name ?? undefined}
              onChange={(account) => set({ account })}
              error={told("account_id")}
            />
            <TextInput
              label={t("key")}
              placeholder={t("any")}
              value={fields.key}
              onChange={(event) => set({ key: event.currentTarget.value })}
              error={told("access_key_id")}
              autoComplete="off"
              spellCheck={false}
            />
          </Stack>
        </Fieldset>
        <Fieldset legend={t("action")}>
          <Stack gap="sm">
            <SegmentedControl
              fullWidth
              size="xs"
              aria-label={t("action")}
              data={kinds.map((value) => ({ value, label: t(`action_${value}`) }))}
              value={fields.kind}
              onChange={(value) => set({ kind: kinds.find((each) => each === value) ?? "only" })}
            />
            {(fields.kind === "only" || fields.kind === "prefer") && (
              <MultiSelect
                label={t("channels")}
                data={names}
                value={fields.channels}
                onChange={(channels) => set({ channels })}
                error={told("action.channels")}
                searchable
              />
            )}
            {fields.kind === "rewrite" && (
              <TextInput
                label={t("rewriteTo")}
                description={t("rewriteHelp")}
                inputWrapperOrder={["label", "input", "description", "error"]}
                value={fields.rewrite}
                onChange={(event) => set({ rewrite: event.currentTarget.value })}
                error={told("action.model")}
                autoComplete="off"
                spellCheck={false}
              />
            )}
            {fields.kind === "refuse" && (
              <Textarea
                label={t("message")}
                value={fields.message}
                onChange={(event) => set({ message: event.currentTarget.value })}
                error={told("action.message")}
                autosize
                maxRows={5}
                maxLength={500}
              />
            )}
          </Stack>
        </Fieldset>
        <Textarea
          label={t("note")}
          value={fields.note}
          onChange={(event) => set({ note: event.currentTarget.value })}
          error={told("note")}
          autosize
          maxRows={5}
          maxLength={2000}
        />
        <Switch
          label={t("enabled")}
          checked={fields.enabled}
          onChange={(event) => set({ enabled: event.currentTarget.checked })}
        />
        {error && (field === undefined || !shownFields.has(field)) && <LoadFailed error={error} />}
        <Group justify="flex-end">
          <Button type="submit" loading={busy}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const shownFields: ReadonlySet<string> = new Set([
  "model",
  "client_protocol",
  "account_id",
  "access_key_id",
  "action.channels",
  "action.model",
  "action.message",
  "note",
]);

function fieldsOf(rule: RoutingRule | undefined) {
  const action = rule?.action ?? null;
  return {
    model: rule?.model ?? "",
    protocol: rule?.client_protocol ?? "",
    account: rule?.account_id ?? "",
    key: rule?.access_key_id ?? "",
    kind: action?.kind ?? ("only" as const),
    channels: action && "channels" in action ? [...action.channels] : [],
    rewrite: action?.kind === "rewrite" ? action.model : "",
    message: action?.kind === "refuse" ? action.message : "",
    note: rule?.note ?? "",
    enabled: rule?.enabled ?? true,
  };
}

type Fields = Omit<ReturnType<typeof fieldsOf>, "protocol"> & { protocol: string };

function ruleOf(fields: Fields): NewRule {
  return {
    model: fields.model.trim() || null,
    client_protocol: protocols.find((each) => each === fields.protocol) ?? null,
    account_id: fields.account.trim() || null,
    access_key_id: fields.key.trim() || null,
    action: actionOf(fields),
    note: fields.note.trim() || null,
    enabled: fields.enabled,
  };
}

function actionOf({ kind, channels, rewrite, message }: Fields): RoutingAction {
  switch (kind) {
    case "only":
    case "prefer":
      return { kind, channels };
    case "rewrite":
      return { kind, model: rewrite.trim() };
    case "refuse":
      return { kind, message: message.trim() };
  }
}
