import {
  Button,
  Checkbox,
  Collapse,
  Group,
  MultiSelect,
  NumberInput,
  PasswordInput,
  SegmentedControl,
  Select,
  Stack,
  Textarea,
  TextInput,
} from "@mantine/core";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { ApiError } from "../../api/client.ts";
import { protocols } from "../../shared/gateway-call.ts";
import { LoadFailed } from "../../shared/load-failed.tsx";
import { sharedTexts } from "../../shared/shared-text.ts";
import { useText } from "../../shared/text.ts";
import type { Channel, ChannelChanges, ChannelModel } from "./channel-api.ts";
import { highestNumber } from "./channel-columns.tsx";
import { dialectName, dialects } from "./dialects.ts";
import { readHeaderLines, readModelLines, writeModelLines } from "./model-lines.ts";
import { providers } from "./providers.ts";
import { channelsTexts } from "./texts.ts";

const settings = ["operational", "under_observation", "disabled"] as const;
const disconnects = ["default", "received", "drain", "free"] as const;
const protocolKeys = {
  "chat-completions": "protocol_chat_completions",
  responses: "protocol_responses",
  messages: "protocol_messages",
  "generate-content": "protocol_generate_content",
} as const;

/** What a form gives: all fields but those of secrets that stay as they are. */
export type ChannelSettings = Required<Omit<ChannelChanges, "credential" | "headers">> &
  Pick<ChannelChanges, "credential" | "headers">;

/** The fields of a channel, of a new one without `channel`. */
export function ChannelForm({
  channel,
  action,
  busy,
  error,
  onSubmit,
}: {
  channel?: Channel;
  /** What the button says. */
  action: string;
  busy: boolean;
  /** What the last try came to. */
  error: Error | null;
  onSubmit: (settings: ChannelSettings, name: string) => void;
}) {
  const t = useText(channelsTexts);
  const s = useText(sharedTexts);
  const [provider, setProvider] = useState<keyof typeof providers>("openai");
  const [fields, setFields] = useState(() => fieldsOf(channel));
  const [wrong, setWrong] = useState<{ field: string; message: string }>();
  const [opened, setOpened] = useState(false);
  const field = wrong?.field ?? (error instanceof ApiError ? error.field : undefined);
  const root = field?.split(".")[0];
  const hidden = root !== undefined && moreFields.has(root);
  const message = wrong?.message ?? error?.message;
  const told = (name: string) => (root === name ? message : undefined);
  const set = (change: Partial<ReturnType<typeof fieldsOf>>) => {
    setWrong(undefined);
    setFields((before) => ({ ...before, ...change }));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const models = readModelLines(fields.models);
    if ("line" in models) return setWrong({ field: "models", message: t("badModel", { line: models.line }) });
    const headers = readHeaderLines(fields.headers);
    if ("line" in headers) return setWrong({ field: "headers", message: t("badHeader", { line: headers.line }) });
    onSubmit(settingsOf(fields, models.models, headers.headers), fields.name.trim());
  };

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {!channel && (
          <>
            <SegmentedControl
              fullWidth
              aria-label={t("provider")}
              data={Object.keys(providers).map((value) => ({
                value,
                // The keys of the table are those of the texts.
                label: t(`provider_${value as keyof typeof providers}`),
              }))}
              value={provider}
              onChange={(value) => {
                const chosen = value as keyof typeof providers;
                setProvider(chosen);
                const { protocols: spoken, baseUrl, models } = providers[chosen];
                set({ protocols: [...spoken], baseUrl, models });
              }}
            />
            <TextInput
              label={t("name")}
              description={t("nameHelp")}
              inputWrapperOrder={["label", "input", "description", "error"]}
              value={fields.name}
              onChange={(event) => set({ name: event.currentTarget.value })}
              error={told("name")}
              maxLength={64}
              autoComplete="off"
              data-autofocus
            />
          </>
        )}
        <TextInput
          label={t("address")}
          description={t("addressHelp")}
          inputWrapperOrder={["label", "input", "description", "error"]}
          value={fields.baseUrl}
          onChange={(event) => set({ baseUrl: event.currentTarget.value })}
          error={told("base_url")}
          autoComplete="off"
          spellCheck={false}
        />
        <MultiSelect
          label={t("protocols")}
          data={protocols.map((value) => ({ value, label: s(protocolKeys[value]) }))}
          value={fields.protocols}
          onChange={(values) =>
            set({
              protocols: protocols
                .filter((each) => values.includes(each))
                .toSorted((a, b) => values.indexOf(a) - values.indexOf(b)),
            })
          }
          error={told("protocols")}
          clearButtonProps={{ "aria-label": s("clearFilters") }}
        />
        <PasswordInput
          label={t("credential")}
          description={channel?.has_credential ? t("credentialKeep") : t("credentialHelp")}
          inputWrapperOrder={["label", "input", "description", "error"]}
          value={fields.credential}
          disabled={fields.removeCredential}
          onChange={(event) => set({ credential: event.currentTarget.value })}
          error={told("credential")}
          autoComplete="new-password"
        />
        {channel?.has_credential && (
          <Checkbox
            size="xs"
            label={t("removeCredential")}
            checked={fields.removeCredential}
            onChange={(event) => set({ removeCredential: event.currentTarget.checked, credential: "" })}
          />
        )}
        <Textarea
          label={t("models")}
          description={t("modelsHelp")}
          inputWrapperOrder={["label", "input", "description", "error"]}
          value={fields.models}
          onChange={(event) => set({ models: event.currentTarget.value })}
          error={told("models")}
          autosize
          minRows={3}
          maxRows={14}
          spellCheck={false}
          styles={{
            input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: "var(--mantine-font-size-xs)" },
          }}
        />
        <Group grow align="flex-start" gap="sm">
          <NumberInput
            label={t("columnPriority")}
            description={t("priorityHelp")}
            inputWrapperOrder={["label", "input", "description", "error"]}
            hideControls
            allowDecimal={false}
            min={-highestNumber}
            max={highestNumber}
            value={fields.priority}
            onChange={(value) => set({ priority: value })}
            error={told("priority")}
          />
          <NumberInput
            label={t("columnWeight")}
            description={t("weightHelp")}
            inputWrapperOrder={["label", "input", "description", "error"]}
            placeholder={t("inOrder")}
            hideControls
            allowDecimal={false}
            min={0}
            max={highestNumber}
            value={fields.weight}
            onChange={(value) => set({ weight: value })}
            error={told("weight")}
          />
        </Group>
        <Select
          label={t("setting")}
          data={settings.map((value) => ({ value, label: s(`state_${value}`) }))}
          value={fields.setting}
          allowDeselect={false}
          onChange={(value) => set({ setting: settings.find((each) => each === value) ?? "operational" })}
        />
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
          <Stack gap="md">
            <TextInput
              label={t("credentialHeader")}
              description={t("credentialHeaderHelp")}
              inputWrapperOrder={["label", "input", "description", "error"]}
              value={fields.credentialHeader}
              onChange={(event) => set({ credentialHeader: event.currentTarget.value })}
              error={told("credential_header")}
              autoComplete="off"
              spellCheck={false}
            />
            <Textarea
              label={t("headers")}
              description={
                channel && channel.header_names.length > 0
                  ? t("headersKeep", { names: channel.header_names.join(", ") })
                  : t("headersHelp")
              }
              inputWrapperOrder={["label", "input", "description", "error"]}
              value={fields.headers}
              disabled={fields.removeHeaders}
              onChange={(event) => set({ headers: event.currentTarget.value })}
              error={told("headers")}
              autosize
              minRows={2}
              maxRows={8}
              spellCheck={false}
            />
            {channel && channel.header_names.length > 0 && (
              <Checkbox
                size="xs"
                label={t("removeHeaders")}
                checked={fields.removeHeaders}
                onChange={(event) => set({ removeHeaders: event.currentTarget.checked, headers: "" })}
              />
            )}
            <Select
              label={t("onDisconnect")}
              data={disconnects.map((value) => ({ value, label: t(`disconnect_${value}`) }))}
              value={fields.onDisconnect}
              allowDeselect={false}
              onChange={(value) => set({ onDisconnect: disconnects.find((each) => each === value) ?? "default" })}
            />
            <Select
              label={t("dialect")}
              description={t("dialectHelp")}
              inputWrapperOrder={["label", "input", "description", "error"]}
              data={[
                { value: "auto", label: dialectName(null, t) },
                ...dialects.map((value) => ({ value, label: dialectName(value, t) })),
              ]}
              value={fields.dialect}
              allowDeselect={false}
              onChange={(value) => set({ dialect: dialects.find((each) => each === value) ?? "auto" })}
              error={told("dialect")}
            />
            <Textarea
              label={t("note")}
              value={fields.note}
              onChange={(event) => set({ note: event.currentTarget.value })}
              error={told("note")}
              autosize
              maxRows={6}
              maxLength={2000}
            />
          </Stack>
        </Collapse>
        {error && (root === undefined || !shownFields.has(root)) && <LoadFailed error={error} />}
        <Group justify="flex-end">
          <Button type="submit" loading={busy}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const moreFields: ReadonlySet<string> = new Set(["credential_header", "headers", "dialect", "note"]);
const shownFields: ReadonlySet<string> = new Set([
  ...moreFields,
  "name",
  "base_url",
  "protocols",
  "credential",
  "models",
  "priority",
  "weight",
]);

function fieldsOf(channel: Channel | undefined) {
  const preset = providers.openai;
  return {
    name: "",
    baseUrl: channel ? (channel.base_url ?? "") : preset.baseUrl,
    protocols: [...(channel ? channel.protocols : preset.protocols)],
    credential: "",
    removeCredential: false,
    models: channel ? writeModelLines(channel.models) : preset.models,
    priority: (channel?.priority ?? 0) as number | string,
    weight: (channel?.weight ?? "") as number | string,
    setting: channel?.setting ?? ("operational" as const),
    credentialHeader: channel?.credential_header ?? "",
    headers: "",
    removeHeaders: false,
    onDisconnect: channel?.on_disconnect ?? ("default" as const),
    dialect: channel?.dialect ?? ("auto" as const),
    note: channel?.note ?? "",
  };
}

type Fields = ReturnType<typeof fieldsOf>;

function settingsOf(fields: Fields, models: ChannelModel[], headers: Record<string, string>): ChannelSettings {
  const { credential, removeCredential, removeHeaders, onDisconnect } = fields;
  return {
    base_url: fields.baseUrl.trim(),
    protocols: fields.protocols,
    models,
    priority: Number(fields.priority),
    weight: fields.weight === "" ? null : Number(fields.weight),
    setting: fields.setting,
    credential_header: fields.credentialHeader.trim() || null,
    on_disconnect: onDisconnect === "default" ? null : onDisconnect,
    dialect: fields.dialect === "auto" ? null : fields.dialect,
    note: fields.note.trim() || null,
    ...(removeCredential ? { credential: null } : credential === "" ? {} : { credential: credential.trim() }),
    ...(removeHeaders ? { headers: null } : Object.keys(headers).length === 0 ? {} : { headers }),
  };
}
