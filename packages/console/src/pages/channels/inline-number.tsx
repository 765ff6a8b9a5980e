import { NumberInput } from "@mantine/core";
import { useEffect, useState } from "react";
import classes from "./channels.module.css";

/** A number that is changed in its place: taken over by Enter or by leaving the field, put back by Escape or a failure. */
export function InlineNumber({
  value,
  label,
  min,
  max,
  placeholder,
  onChange,
}: {
  /** Null: none, where `placeholder` says what that means. */
  value: number | null;
  label: string;
  min: number;
  max: number;
  placeholder?: string;
  onChange: (value: number | null) => Promise<unknown>;
}) {
  const [typed, setTyped] = useState<number | string>(value ?? "");
  const [busy, setBusy] = useState(false);
  useEffect(() => setTyped(value ?? ""), [value]);
  const restore = () => setTyped(value ?? "");
  const take = async () => {
    const wanted = typed === "" ? null : Number(typed);
    if (wanted === value) return;
    if (wanted === null && placeholder === undefined) return restore();
    setBusy(true);
    try {
      await onChange(wanted);
    } catch {
      // Whoever changes it has told of the failure.
      restore();
    } finally {
      setBusy(false);
    }
  };
  return (
    <NumberInput
      aria-label={label}
      size="xs"
      w={76}
      ml="auto"
      hideControls
      allowDecimal={false}
      min={min}
      max={max}
      value={typed}
      disabled={busy}
      {...(placeholder !== undefined && { placeholder })}
      classNames={{ input: classes.inline ?? "" }}
      onChange={setTyped}
      onBlur={() => void take()}
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        if (event.key === "Enter") event.currentTarget.blur();
        if (event.key === "Escape") restore();
      }}
    />
  );
}
