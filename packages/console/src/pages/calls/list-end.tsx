import { Button, Group, Loader, Text } from "@mantine/core";
import { useIntersection } from "@mantine/hooks";
import { useEffect } from "react";
import { useFormat } from "../../shared/format.ts";
import { useText } from "../../shared/text.ts";
import { callsTexts } from "./texts.ts";
import { mostRows, type useCalls } from "./use-calls.ts";

/** Below the table: loads the next page when it is reached, or says why the list ends here. */
export function ListEnd({
  shown,
  more,
  onGoOn,
}: {
  shown: number;
  more: ReturnType<typeof useCalls>["more"];
  /** Begins the list anew at the cursor. */
  onGoOn: (cursor: string) => void;
}) {
  const t = useText(callsTexts);
  const format = useFormat();
  const { ref, entry } = useIntersection({ rootMargin: "400px" });
  const full = shown >= mostRows;
  const waits = more.searchedTo !== undefined || full || more.failed;
  const reached = entry?.isIntersecting === true;
  const { has, loading, load } = more;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the next page is asked for once a page is there and its end is seen
  useEffect(() => {
    if (reached && has && !loading && !waits) load();
  }, [reached, has, loading, waits, shown]);

  const words = (text: string, action?: { label: string; run: () => void }) => (
    <Group justify="center" gap="sm" py="md" ref={ref}>
      <Text fz="sm" c="dimmed">
        {text}
      </Text>
      {action && (
        <Button variant="default" size="xs" loading={loading} onClick={action.run}>
          {action.label}
        </Button>
      )}
    </Group>
  );
  if (!has) return shown > 20 ? words(t("thatIsAll")) : null;
  if (more.failed) return words("", { label: t("reload"), run: load });
  if (full) {
    const { cursor } = more;
    return words(t("cap", { count: format.count(shown) }), {
      label: t("goOnFromHere"),
      run: () => cursor !== undefined && onGoOn(cursor),
    });
  }
  if (more.searchedTo !== undefined) {
    return words(t("searchedTo", { time: format.time(more.searchedTo) }), { label: t("searchOn"), run: load });
  }
  return (
    <Group justify="center" mih={52} ref={ref} role="status">
      {loading && (
        <>
          <Loader size="xs" />
          <Text fz="sm" c="dimmed">
            {t("loadingMore")}
          </Text>
        </>
      )}
    </Group>
  );
}
