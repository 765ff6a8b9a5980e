import { Group, Paper, Progress, SimpleGrid, Text } from "@mantine/core";
import { Figure } from "../../shared/figure.tsx";
import { type Format, useFormat } from "../../shared/format.ts";
import { type Say, useText } from "../../shared/text.ts";
import type { Balance } from "./balance-data.ts";
import { balanceTexts } from "./texts.ts";

/** What there is, what of it is set aside, and how long it lasts. */
export function BalanceFigures({ balance }: { balance: Balance }) {
  const t = useText(balanceTexts);
  const format = useFormat();
  const { available, last_top_up: last } = balance;
  return (
    <>
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm" mb="sm">
        <Figure
          label={t("available")}
          value={available === null ? t("noLimit") : format.moneyShort(available)}
          {...(available !== null && { title: format.money(available) })}
          note={
            available === null
              ? t("noLimitText")
              : balance.billing === "prepaid"
                ? t("availablePrepaid")
                : t("availablePostpaid")
          }
        />
        <Figure
          label={t("balance")}
          value={format.moneyShort(balance.balance)}
          title={format.money(balance.balance)}
          note={
            last
              ? t("lastTopUp", { amount: format.moneyShort(last.amount), when: format.relative(last.at) })
              : t("neverToppedUp")
          }
        />
        <Figure
          label={t("reserved")}
          value={format.moneyShort(balance.reserved)}
          title={format.money(balance.reserved)}
          note={t("reservedText")}
        />
        <Figure
          label={t("spent")}
          value={format.moneyShort(balance.spent_7_days)}
          title={format.money(balance.spent_7_days)}
          note={paceOf(balance, t, format)}
        />
      </SimpleGrid>
      {balance.used_percent !== null && <UsedBar balance={balance} percent={balance.used_percent} />}
    </>
  );
}

function paceOf({ days_left: days, available }: Balance, t: Say<typeof balanceTexts.texts>, format: Format): string {
  if (days === null) return available === null ? t("noLimitText") : t("noPace");
  if (days > 366) return t("manyDays");
  const shown = days < 10 ? Math.round(days * 10) / 10 : Math.round(days);
  return t("daysLeft", { count: shown }).replace(String(shown), shown < 10 ? String(shown) : format.count(shown));
}

function UsedBar({ balance, percent }: { balance: Balance; percent: number }) {
  const t = useText(balanceTexts);
  const format = useFormat();
  const prepaid = balance.billing === "prepaid";
  const of = prepaid ? balance.last_top_up?.balance_after : balance.credit_limit;
  const label = prepaid ? t("usedOfTopUp") : t("usedOfLimit");
  return (
    <Paper p="md" mb="sm">
      <Group justify="space-between" mb={6}>
        <Text fz="xs" c="dimmed" fw={550}>
          {label}
        </Text>
        <Text fz="xs" className="figures">
          {t("used", { percent, of: format.money(of ?? "0") })}
        </Text>
      </Group>
      <Progress
        value={Math.min(percent, 100)}
        size="sm"
        aria-label={label}
        color={percent >= 95 ? "red" : percent >= 80 ? "yellow" : "teal"}
      />
    </Paper>
  );
}
