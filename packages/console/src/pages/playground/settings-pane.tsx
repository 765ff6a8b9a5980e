import {
  Button,
  Group,
  JsonInput,
  NumberInput,
  PasswordInput,
  Radio,
  Select,
  Stack,
  Switch,
  Text,
  Textarea,
} from "@mantine/core";
import { useText } from "../../shared/text.ts";
import { efforts, exampleSchema, exampleTools, type Settings } from "./conversation.ts";
import classes from "./playground.module.css";
import { playgroundTexts } from "./texts.ts";

/** The key that calls are made with. */
export interface KeyMode {
  kind: "own" | "pasted";
  /** A pasted one, in memory alone. */
  secret: string;
}

/** Everything that can be set beside the conversation. */
export function SettingsPane({
  settings,
  set,
  keyMode,
  setKeyMode,
  mayUseOwn,
  unreadable,
}: {
  settings: Settings;
  set: (change: Partial<Settings>) => void;
  keyMode: KeyMode;
  setKeyMode: (mode: KeyMode) => void;
  mayUseOwn: boolean;
  unreadable: { field: "tools" | "schema"; message: string } | undefined;
}) {
  const t = useText(playgroundTexts);
  const wrong = (field: "tools" | "schema") =>
    unreadable?.field === field ? t("unreadable", { why: unreadable.message }) : undefined;
  const json = (field: "tools" | "schema", help: string, example: string) => (
    <div>
      <JsonInput
        label={t(field)}
        description={help}
        value={settings[field]}
        onChange={(value) => set({ [field]: value })}
        error={wrong(field)}
        autosize
        minRows={2}
        maxRows={14}
        formatOnBlur
        classNames={{ input: classes.json ?? "" }}
        spellCheck={false}
      />
      {settings[field] === "" && (
        <Button size="compact-xs" variant="subtle" mt={4} onClick={() => set({ [field]: example })}>
          {t("example")}
        </Button>
      )}
    </div>
  );
  return (
    <Stack gap="md">
      <Textarea
        label={t("system")}
        value={settings.system}
        onChange={(event) => set({ system: event.currentTarget.value })}
        autosize
        minRows={2}
        maxRows={10}
      />
      <Group grow gap="sm" align="flex-end">
        <NumberInput
          label={t("temperature")}
          value={settings.temperature ?? ""}
          onChange={(value) => set({ temperature: typeof value === "number" ? value : null })}
          min={0}
          max={2}
          step={0.1}
        />
        <NumberInput
          label={t("maxTokens")}
          value={settings.maxTokens ?? ""}
          onChange={(value) => set({ maxTokens: typeof value === "number" ? value : null })}
          min={1}
          allowDecimal={false}
          hideControls
        />
      </Group>
      <Select
        label={t("effort")}
        placeholder={t("usual")}
        data={efforts.map((effort) => effort)}
        value={settings.effort}
        onChange={(value) => set({ effort: efforts.find((effort) => effort === value) ?? null })}
        clearable
      />
      <Switch
        label={t("stream")}
        checked={settings.stream}
        onChange={(event) => set({ stream: event.currentTarget.checked })}
      />
      {json("tools", t("toolsHelp"), exampleTools)}
      {json("schema", t("schemaHelp"), exampleSchema)}
      <Radio.Group
        label={t("key")}
        value={keyMode.kind}
        onChange={(kind) => setKeyMode({ ...keyMode, kind: kind === "pasted" ? "pasted" : "own" })}
      >
        <Stack gap={6} mt={4}>
          <Radio size="xs" value="own" label={t("key_own")} description={t("keyHelp")} disabled={!mayUseOwn} />
          <Radio size="xs" value="pasted" label={t("key_pasted")} />
        </Stack>
      </Radio.Group>
      {!mayUseOwn && (
        <Text fz="xs" c="dimmed">
          {t("noRole")}
        </Text>
      )}
      {keyMode.kind === "pasted" && (
        <PasswordInput
          label={t("pastedKey")}
          placeholder="ilk_…"
          value={keyMode.secret}
          onChange={(event) => setKeyMode({ kind: "pasted", secret: event.currentTarget.value.trim() })}
          autoComplete="off"
        />
      )}
    </Stack>
  );
}
