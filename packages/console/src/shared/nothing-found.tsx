import { Button } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { Empty } from "./empty.tsx";
import { sharedTexts } from "./shared-text.ts";
import { useText } from "./text.ts";

/** Nothing fits what is filtered by; the filters can be taken away here. */
export function NothingFound({ title, text, onClear }: { title: string; text?: string; onClear: () => void }) {
  const t = useText(sharedTexts);
  return (
    <Empty
      icon={<IconSearch size={28} stroke={1.4} />}
      title={title}
      {...(text !== undefined && { text })}
      action={
        <Button variant="default" onClick={onClear}>
          {t("clearFilters")}
        </Button>
      }
    />
  );
}
