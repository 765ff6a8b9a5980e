import { Select, TextInput } from "@mantine/core";
import { useText } from "../../shared/text.ts";
import { usageTexts } from "./texts.ts";
import { rangeOf, ranges, type UsageSearch, type UsageSearchChange, usualRange } from "./usage-search.ts";

/** The time that is summed up, and its steps. */
export function UsageRange({
  search,
  onChange,
}: {
  search: UsageSearch;
  onChange: (change: UsageSearchChange) => void;
}) {
  const t = useText(usageTexts);
  const range = search.range ?? usualRange;
  return (
    <>
      <Select
        label={t("range")}
        w={170}
        allowDeselect={false}
        data={ranges.map((name) => ({ value: name, label: t(`range_${name}`) }))}
        value={range}
        onChange={(value) => {
          const chosen = ranges.find((name) => name === value);
          if (chosen === undefined) return;
          const { from, to } = rangeOf(search, new Date());
          onChange({
            range: chosen === usualRange ? undefined : chosen,
            step: undefined,
            ...(chosen === "custom" ? { from: String(from), to: String(to) } : { from: undefined, to: undefined }),
          });
        }}
      />
      {range === "custom" &&
        (["from", "to"] as const).map((side) => (
          <TextInput
            key={side}
            label={t(side)}
            type="datetime-local"
            step={3600}
            w={190}
            value={localTime(search[side])}
            onChange={(event) => {
              const at = new Date(event.currentTarget.value).getTime();
              if (!Number.isNaN(at)) onChange({ [side]: String(at) });
            }}
          />
        ))}
      <Select
        label={t("step")}
        w={130}
        allowDeselect={false}
        data={(["auto", "hour", "day"] as const).map((name) => ({ value: name, label: t(`step_${name}`) }))}
        value={search.step ?? "auto"}
        onChange={(value) => onChange({ step: value === "hour" || value === "day" ? value : undefined })}
      />
    </>
  );
}

/** Unix milliseconds as the field writes a moment, to the minute, in the reader's zone. */
function localTime(at: string | undefined): string {
  const time = new Date(Number(at));
  if (at === undefined || Number.isNaN(time.getTime())) return "";
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
