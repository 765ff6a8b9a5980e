import { Select, TextInput } from "@mantine/core";
import { useText } from "../../shared/text.ts";
import { type CallSearch, ranges, usualRange } from "./call-search.ts";
import { callsTexts } from "./texts.ts";

/** The time that the list is about: back from now, or from one moment to another. */
export function RangePicker({
  search,
  onChange,
}: {
  search: CallSearch;
  onChange: (change: CallSearchChange) => void;
}) {
  const t = useText(callsTexts);
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
          const now = Date.now();
          const custom = { from: String(now - 86_400_000), to: String(now) };
          onChange({
            range: chosen === usualRange ? undefined : chosen,
            ...(chosen === "custom" ? custom : { from: undefined, to: undefined }),
          });
        }}
      />
      {range === "custom" &&
        (["from", "to"] as const).map((side) => (
          <TextInput
            key={side}
            label={t(side)}
            type="datetime-local"
            w={190}
            value={localTime(search[side])}
            onChange={(event) => {
              const at = new Date(event.currentTarget.value).getTime();
              onChange({ [side]: Number.isNaN(at) ? undefined : String(at) });
            }}
          />
        ))}
    </>
  );
}

export type CallSearchChange = { readonly [Name in keyof CallSearch]?: CallSearch[Name] | undefined };

/** Unix milliseconds as the field writes a moment, to the minute, in the reader's zone. */
function localTime(at: string | undefined): string {
  if (at === undefined) return "";
  const time = new Date(Number(at));
  if (Number.isNaN(time.getTime())) return "";
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
