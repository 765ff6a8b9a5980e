import { UnstyledButton } from "@mantine/core";
import type { MouseEvent, ReactNode } from "react";
import { useText } from "../../shared/text.ts";
import classes from "./calls.module.css";
import { callsTexts } from "./texts.ts";

/** A value in a cell that filters the list by itself. */
export function FilterValue({
  name,
  value,
  title,
  narrow = false,
  onFilter,
  children,
}: {
  /** What the value is of, as the reader calls it. */
  name: string;
  value: string;
  title?: string | undefined;
  /** For names, which may be long. */
  narrow?: boolean;
  onFilter: () => void;
  children: ReactNode;
}) {
  const t = useText(callsTexts);
  return (
    <UnstyledButton
      className={narrow ? `${classes.value} ${classes.name}` : classes.value}
      aria-label={t("filterBy", { name, value })}
      title={title}
      onClick={(event: MouseEvent) => {
        event.stopPropagation();
        onFilter();
      }}
    >
      {children}
    </UnstyledButton>
  );
}
