import { Button, Group, Stack, Table, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { StateBadge } from "../../shared/badges.tsx";
import { CopyId } from "../../shared/copy.tsx";
import { useFormat } from "../../shared/format.ts";
import { Money } from "../../shared/money.tsx";
import { useText } from "../../shared/text.ts";
import { Time } from "../../shared/time.tsx";
import type { AccessKey } from "./key-api.ts";
import { type KeyActions, limitsOf, shownKey } from "./key-columns.tsx";
import classes from "./keys.module.css";
import { QuotaBar } from "./quota-bar.tsx";
import { keysTexts } from "./texts.ts";

/** All that is known of a key, and what can be done with it. */
export function KeyDetails({
  keyShown,
  account,
  actions,
}: {
  keyShown: AccessKey;
  account: string;
  actions: KeyActions;
}) {
  const t = useText(keysTexts);
  const format = useFormat();
  const { state, quota } = keyShown;
  const base = `/a/${encodeURIComponent(account)}`;
  const limits = limitsOf(keyShown, t, format);
  return (
    <Stack gap="lg">
      <Group gap="xs">
        <Button
          variant="default"
          size="compact-sm"
          component={Link}
          to={`${base}/connect`}
          search={{ key: keyShown.id } as never}
        >
          {t("connect")}
        </Button>
        <Button
          variant="default"
          size="compact-sm"
          component={Link}
          to={`${base}/calls`}
          search={{ access_key: keyShown.id } as never}
        >
          {t("calls")}
        </Button>
        {actions.mayChange && (state === "enabled" || state === "disabled") && (
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => actions.setEnabled(keyShown, state === "disabled")}
          >
            {state === "enabled" ? t("disable") : t("enable")}
          </Button>
        )}
        {actions.mayChange && !keyShown.declared && state !== "revoked" && (
          <>
            <Button variant="default" size="compact-sm" onClick={() => actions.open(keyShown, "edit")}>
              {t("edit")}
            </Button>
            <Button variant="default" size="compact-sm" onClick={() => actions.open(keyShown, "rotate")}>
              {t("rotate")}
            </Button>
            <Button variant="subtle" color="red" size="compact-sm" onClick={() => actions.open(keyShown, "revoke")}>
              {t("revoke")}
            </Button>
          </>
        )}
      </Group>
      {keyShown.declared && (
        <Text fz="sm" c="dimmed">
          {t("declaredText")}
        </Text>
      )}
      <dl className={classes.facts}>
        <Fact name={t("state")}>
          <StateBadge state={state} />
        </Fact>
        <Fact name={t("id")}>
          <CopyId value={keyShown.id} />
        </Fact>
        <Fact name={t("columnId")}>
          <CopyId value={keyShown.public_id} shown={shownKey(keyShown)} />
        </Fact>
        <Fact name={t("created")}>
          <Time at={keyShown.created_at} />
        </Fact>
        <Fact name={t("lastUsed")}>
          {keyShown.last_used_at === null ? t("never") : <Time at={keyShown.last_used_at} />}
        </Fact>
        <Fact name={t("expires")}>
          {keyShown.expires_at === null ? t("expiry_never") : <Time at={keyShown.expires_at} />}
        </Fact>
        <Fact name={t("limits")}>{limits.length === 0 ? t("usual") : limits.join(" · ")}</Fact>
        <Fact name={t("models")}>{listed(keyShown.models, t("all"), t("none"))}</Fact>
        <Fact name={t("addresses")}>{listed(keyShown.addresses, t("anywhere"), t("none"))}</Fact>
        <Fact name={t("lossyShort")}>{t(`lossy_${keyShown.lossy}`)}</Fact>
        <Fact name={t("contentShort")}>{keyShown.content_logging ? t("on") : t("off")}</Fact>
      </dl>
      <section aria-labelledby="key-quota">
        <Title order={3} id="key-quota" mb={6}>
          {t("quota")}
        </Title>
        <QuotaBar quota={quota} />
        {quota !== null && (
          <Text fz="xs" c="dimmed" mt={4}>
            {quota.resets_at !== null && t("resets", { when: format.relative(quota.resets_at) })}
            {quota.reserved !== "0" && ` · ${t("reserved", { amount: format.money(quota.reserved) })}`}
          </Text>
        )}
      </section>
      <Days keyShown={keyShown} />
      {keyShown.former_secrets.length > 0 && (
        <section aria-labelledby="key-former">
          <Title order={3} id="key-former" mb={6}>
            {t("formerSecrets")}
          </Title>
          {keyShown.former_secrets.map(({ public_id, expires_at }) => (
            <Group key={public_id} gap="md">
              <CopyId value={public_id} shown={`ilk_${public_id}…`} />
              <Text fz="sm" c="dimmed">
                {t("goodUntil", { when: format.time(expires_at) })}
              </Text>
            </Group>
          ))}
        </section>
      )}
    </Stack>
  );
}

function listed(entries: readonly string[] | null, all: string, none: string): string {
  if (entries === null) return all;
  return entries.length === 0 ? none : entries.join(", ");
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** Each day with its figures: what the bars of the list show. */
function Days({ keyShown }: { keyShown: AccessKey }) {
  const t = useText(keysTexts);
  const format = useFormat();
  const { days } = keyShown;
  const calls = days.reduce((sum, day) => sum + day.calls, 0);
  const charge = days.reduce((sum, day) => sum + BigInt(day.charge), 0n);
  return (
    <section aria-labelledby="key-days">
      <Title order={3} id="key-days" mb={6}>
        {t("lastDays")}
      </Title>
      <Table fz="sm" verticalSpacing={4} horizontalSpacing={0}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t("day")}</Table.Th>
            <Table.Th scope="col" ta="right">
              {t("callCount")}
            </Table.Th>
            <Table.Th scope="col" ta="right">
              {t("spend")}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.toReversed().map((day) => (
            <Table.Tr key={day.day}>
              <Table.Td>{new Date(day.day).toISOString().slice(0, 10)}</Table.Td>
              <Table.Td ta="right">{format.count(day.calls)}</Table.Td>
              <Table.Td ta="right">
                <Money nano={day.charge} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th scope="row">{t("sum")}</Table.Th>
            <Table.Td ta="right">{format.count(calls)}</Table.Td>
            <Table.Td ta="right">
              <Money nano={String(charge)} />
            </Table.Td>
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </section>
  );
}
