import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useState } from "react";

/** A box for a search that stands in the address: what is typed goes there a moment after the last letter. */
export function SearchBox({
  value,
  onChange,
  label,
  placeholder,
}: {
  value: string;
  onChange: (text: string) => void;
  label: string;
  placeholder: string;
}) {
  const [typed, setTyped] = useState(value);
  const [settled] = useDebouncedValue(typed, 250);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was typed goes into the address
  useEffect(() => {
    if (settled.trim() !== value) onChange(settled.trim());
  }, [settled]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the address goes into the box
  useEffect(() => {
    if (value !== typed.trim()) setTyped(value);
  }, [value]);
  return (
    <TextInput
      aria-label={label}
      placeholder={placeholder}
      leftSection={<IconSearch size={15} aria-hidden="true" />}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      autoComplete="off"
      spellCheck={false}
      miw={220}
      flex="1 1 220px"
      maw={360}
    />
  );
}
