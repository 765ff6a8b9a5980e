import { Badge, Button, Group, NumberInput, Select, Switch, Text, TextInput, Tooltip } from "@mantine/core";
import type { ReactNode } from "react";
import type { components } from "../../api/schema.d.ts";
import { useFormat } from "../../shared/format.ts";
import { type Say, useText } from "../../shared/text.ts";
import classes from "./settings.module.css";
import { settingsTexts } from "./texts.ts";

export type Setting = components["schemas"]["Setting"];
export type SettingValue = Setting["value"];
type SettingsText = Say<(typeof settingsTexts)["texts"]>;

/** The names of settings in the catalogue: without the full stop. */
function keyOf(name: string) {
  // Every setting of the gateway has its texts; one that is new is shown by its key until it has.
  return name.replace(".", "_") as "calls_retention";
}

/** One setting: what it is, its value, and who decides it. */
export function SettingRow({
  setting,
  value,
  changed,
  error,
  onChange,
  onReset,
}: {
  setting: Setting;
  value: SettingValue;
  changed: boolean;
  error: string | undefined;
  onChange: (value: SettingValue) => void;
  onReset: () => void;
}) {
  const t = useText(settingsTexts);
  const format = useFormat();
  const key = keyOf(setting.name);
  // Numbers without a unit are counts.
  const figure = (text: string) => (/^[0-9]+$/.test(text) ? format.count(Number(text)) : text);
  const label = t(key);
  const bounds = boundsOf(setting, figure, t);
  const standard = t("standard", { value: figure(shownValue(setting, setting.default, t)) });
  return (
    <div className={classes.row} data-changed={changed || undefined}>
      <div className={classes.about}>
        <Group gap={8}>
          <Text fz="sm" fw={550}>
            {label}
          </Text>
          <Origin setting={setting} />
        </Group>
        <Text fz="xs" c="dimmed">
          {t(`${key}Text` as "calls_retentionText")} {bounds}
        </Text>
        <Text fz="xs" c="dimmed" className="figures">
          {standard}
          {setting.updated_at !== null && ` · ${t("changedAt", { when: format.relative(setting.updated_at) })}`}
        </Text>
      </div>
      <div className={classes.control}>
        <Control setting={setting} label={label} value={value} error={error} onChange={onChange} />
        {setting.origin === "console" && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            aria-label={t("resetOf", { name: label })}
            onClick={onReset}
          >
            {t("reset")}
          </Button>
        )}
      </div>
    </div>
  );
}

function Origin({ setting }: { setting: Setting }) {
  const t = useText(settingsTexts);
  if (setting.origin === "default") return null;
  const badge = (
    <Badge variant="default" size="xs" radius="sm" tt="none" fw={500}>
      {t(`origin_${setting.origin}`)}
    </Badge>
  );
  return setting.origin === "file" ? <Tooltip label={t("origin_fileText")}>{badge}</Tooltip> : badge;
}

interface ControlProps {
  setting: Setting;
  label: string;
  value: SettingValue;
  error: string | undefined;
  onChange: (value: SettingValue) => void;
}

function Control({ setting, label, value, error, onChange }: ControlProps): ReactNode {
  const t = useText(settingsTexts);
  const common = { "aria-label": label, disabled: setting.origin === "file", error, name: setting.name };
  switch (setting.kind) {
    case "flag":
      return (
        <Switch
          {...common}
          checked={value === true}
          label={t(value === true ? "on" : "off")}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case "choice":
      return (
        <Select
          {...common}
          data={setting.choices.map((choice) => ({ value: choice, label: t(`choice_${choice}` as "choice_allow") }))}
          value={String(value)}
          allowDeselect={false}
          onChange={(chosen) => chosen !== null && onChange(chosen)}
        />
      );
    case "count":
      return (
        <NumberInput
          {...common}
          value={typeof value === "boolean" ? "" : value}
          allowDecimal={false}
          allowNegative={false}
          thousandSeparator=","
          onChange={onChange}
        />
      );
    case "duration":
    case "size":
    case "text":
      return (
        <TextInput
          {...common}
          value={String(value)}
          autoComplete="off"
          spellCheck={setting.kind === "text"}
          maxLength={500}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
}

function shownValue({ kind }: Setting, value: SettingValue, t: SettingsText): string {
  if (kind === "flag") return t(value === true ? "on" : "off");
  if (kind === "choice") return t(`choice_${value}` as "choice_allow");
  return value === "" ? t("empty") : String(value);
}

function boundsOf({ kind, least, most }: Setting, figure: (text: string) => string, t: SettingsText): string {
  if (least === null || kind === "text") return "";
  if (most === null) return t("atLeast", { least: figure(least) });
  return t("bounds", { least: figure(least), most: figure(most) });
}
