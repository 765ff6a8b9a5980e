import { Autocomplete } from "@mantine/core";
import { useModels } from "./use-models.ts";

/** A model's name: chosen among those that are published, or written, since patterns allow others. */
export function ModelInput({
  label,
  value,
  onChange,
  placeholder,
}: {
  label: string;
  value: string;
  onChange: (model: string) => void;
  placeholder?: string;
}) {
  const { data } = useModels();
  const names = data?.filter(({ pattern }) => !pattern).map(({ id }) => id) ?? [];
  return (
    <Autocomplete
      label={label}
      value={value}
      onChange={onChange}
      data={[...new Set(names)]}
      limit={50}
      maxDropdownHeight={320}
      autoComplete="off"
      spellCheck={false}
      {...(placeholder !== undefined && { placeholder })}
    />
  );
}
