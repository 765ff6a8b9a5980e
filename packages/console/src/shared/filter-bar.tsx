import { Button, Group } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { sharedTexts } from "./shared-text.ts";
import { useText } from "./text.ts";

/** The row of filters above a list. `onClear` is given where something is filtered. */
export function FilterBar({ children, onClear }: { children: ReactNode; onClear?: (() => void) | undefined }) {
  const t = useText(sharedTexts);
  return (
    <Group gap="xs" mb="sm" align="flex-end">
      {children}
      {onClear && (
        <Button
          variant="subtle"
          color="gray"
          size="sm"
          leftSection={<IconX size={14} aria-hidden="true" />}
          onClick={onClear}
        >
          {t("clearFilters")}
        </Button>
      )}
    </Group>
  );
}
