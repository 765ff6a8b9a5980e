import { Button, Group, Paper, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconInfoCircle } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useMay } from "../../app/account.ts";
import { type Format, useFormat } from "../format.ts";
import { type Say, useText } from "../text.ts";
import classes from "./alerts.module.css";
import { alertTexts } from "./texts.ts";
import { type MoneyAlert, useAcknowledge, useAlerts } from "./use-alerts.ts";

/** Alerts that are shown before somebody asks for all. */
const shownAtFirst = 2;

/**
 * Money that runs low, until somebody has seen it. Nothing while there is nothing to tell; a failure to ask is left to the
 * page, which asks for the same money.
 */
export function AlertBanner({ accountId, onBalance = false }: { accountId: string; onBalance?: boolean }) {
  const t = useText(alertTexts);
  const [all, setAll] = useState(false);
  const alerts = useAlerts(accountId).data?.items ?? [];
  if (alerts.length === 0) return null;
  const shown = all ? alerts : alerts.slice(0, shownAtFirst);
  const rest = alerts.length - shownAtFirst;
  return (
    <Stack gap="xs" mb="lg">
      {shown.map((alert) => (
        <OneAlert key={alert.id} alert={alert} accountId={accountId} onBalance={onBalance} />
      ))}
      {rest > 0 && (
        <Button variant="subtle" size="compact-sm" w="fit-content" onClick={() => setAll(!all)}>
          {all ? t("fewer") : t("more", { count: rest })}
        </Button>
      )}
    </Stack>
  );
}

function OneAlert({ alert, accountId, onBalance }: { alert: MoneyAlert; accountId: string; onBalance: boolean }) {
  const t = useText(alertTexts);
  const format = useFormat();
  const mayAcknowledge = useMay("member");
  const acknowledge = useAcknowledge(accountId);
  const urgent = alert.percent >= 95;
  const title = t(alert.subject, { percent: alert.percent, name: alert.access_key?.name ?? "" });
  const Icon = urgent ? IconAlertTriangle : IconInfoCircle;
  return (
    <Paper className={classes.alert} data-urgent={urgent || undefined} role="status">
      <Icon size={18} aria-hidden="true" className={classes.icon} />
      <Group justify="space-between" gap="sm" flex={1}>
        <div>
          <Text fz="sm" fw={600}>
            {title}
          </Text>
          <Text fz="sm">{explained(alert, t, format)}</Text>
        </div>
        <Group gap="xs">
          {alert.access_key ? (
            <Button
              size="xs"
              variant="default"
              renderRoot={(props) => (
                <Link
                  {...props}
                  to="/a/$account/keys"
                  params={{ account: accountId }}
                  search={{ key: alert.access_key?.id, panel: "details" } as never}
                />
              )}
            >
              {t("toKey")}
            </Button>
          ) : (
            !onBalance && (
              <Button
                size="xs"
                variant="default"
                renderRoot={(props) => <Link {...props} to="/a/$account/balance" params={{ account: accountId }} />}
              >
                {t("toBalance")}
              </Button>
            )
          )}
          {mayAcknowledge && (
            <Button
              size="xs"
              variant="default"
              aria-label={t("acknowledgeLabel", { title })}
              onClick={() => acknowledge.mutate(alert)}
            >
              {t("acknowledge")}
            </Button>
          )}
        </Group>
      </Group>
    </Paper>
  );
}

function explained(alert: MoneyAlert, t: Say<typeof alertTexts.texts>, format: Format): string {
  const [used, of] = [BigInt(alert.used), BigInt(alert.of)];
  const amounts = { used: format.money(alert.used), of: format.money(alert.of), left: format.money(String(of - used)) };
  if (used >= of) return alert.subject === "key_quota" ? t("quotaUsedUp") : t("usedUp");
  switch (alert.subject) {
    case "balance":
      return t("balanceText", amounts);
    case "credit_limit":
      return t("creditLimitText", amounts);
    case "key_quota":
      return t("keyQuotaText", amounts);
  }
}
