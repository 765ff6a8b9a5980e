import { Badge, VisuallyHidden } from "@mantine/core";
import { useText } from "../text.ts";
import { alertTexts } from "./texts.ts";
import { useAlerts } from "./use-alerts.ts";

/** How many alerts of an account nobody has seen; nothing where there are none. For the shell's link to the balance. */
export function AlertsBadge({ accountId }: { accountId: string }) {
  const t = useText(alertTexts);
  const count = useAlerts(accountId).data?.items.length ?? 0;
  if (count === 0) return null;
  return (
    <Badge size="sm" ml="auto" circle={count < 10} color="red" variant="light" title={t("badge", { count })}>
      <span aria-hidden="true">{count}</span>
      <VisuallyHidden>{t("badge", { count })}</VisuallyHidden>
    </Badge>
  );
}
