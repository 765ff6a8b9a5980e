import { Button, Checkbox, Popover, Stack } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { IconColumns3 } from "@tabler/icons-react";
import { useText } from "../../shared/text.ts";
import { type ColumnName, columnNames, usuallyHidden } from "./call-columns.tsx";
import { callsTexts } from "./texts.ts";

/** The columns that this reader does not want to see, kept in the browser. */
export function useHiddenColumns(): [readonly ColumnName[], (hidden: readonly ColumnName[]) => void] {
  const [stored, store] = useLocalStorage<readonly string[]>({
    key: "interlingua.calls.hidden",
    defaultValue: usuallyHidden,
    getInitialValueInEffect: false,
  });
  return [columnNames.filter((name) => Array.isArray(stored) && stored.includes(name)), store];
}

export function ColumnChooser({
  available,
  hidden,
  onChange,
}: {
  available: readonly ColumnName[];
  hidden: readonly ColumnName[];
  onChange: (hidden: readonly ColumnName[]) => void;
}) {
  const t = useText(callsTexts);
  return (
    <Popover position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconColumns3 size={15} aria-hidden="true" />}>
          {t("columns")}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t("columns")}>
        <Stack gap={8}>
          {available.map((name) => (
            <Checkbox
              key={name}
              size="sm"
              label={t(name)}
              checked={!hidden.includes(name)}
              disabled={name === "time"}
              onChange={(event) =>
                onChange(event.currentTarget.checked ? hidden.filter((one) => one !== name) : [...hidden, name])
              }
            />
          ))}
          <Button size="compact-sm" variant="subtle" disabled={hidden.length === 0} onClick={() => onChange([])}>
            {t("resetColumns")}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
