import { Progress, Text } from "@mantine/core";
import { useFormat } from "../../shared/format.ts";
import { useText } from "../../shared/text.ts";
import type { AccessKey } from "./key-api.ts";
import { keysTexts } from "./texts.ts";

/** How much of the current window is used; what is set aside for running calls counts. */
export function QuotaBar({ quota }: { quota: AccessKey["quota"] }) {
  const t = useText(keysTexts);
  const format = useFormat();
  if (quota === null) {
    return (
      <Text span fz="xs" c="dimmed">
        {t("noQuota")}
      </Text>
    );
  }
  const used = BigInt(quota.used) + BigInt(quota.reserved);
  const amount = BigInt(quota.amount);
  // In hundredths of a percent, as far as a bar can show it.
  const share = amount === 0n ? 100 : Math.min(100, Number((used * 10_000n) / amount) / 100);
  const tone = share >= 95 ? "red.7" : share >= 80 ? "yellow.6" : "teal";
  const exact = t("ofQuota", { used: format.money(String(used)), amount: format.money(quota.amount) });
  return (
    <div title={exact}>
      <Text fz="xs" className="figures" lh={1.4}>
        {t("ofQuota", { used: format.moneyShort(String(used)), amount: format.moneyShort(quota.amount) })}{" "}
        <Text span fz="xs" c="dimmed">
          {t(`period_${quota.period}`)}
        </Text>
      </Text>
      <Progress value={share} color={tone} size={4} mt={2} aria-label={exact} />
    </div>
  );
}
