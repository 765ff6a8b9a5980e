import { Alert, Button, Code, Group, SimpleGrid, Stack, Table, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { ProtocolBadge, StateBadge } from "../../shared/badges.tsx";
import { CopyId } from "../../shared/copy.tsx";
import { Figure } from "../../shared/figure.tsx";
import { useFormat } from "../../shared/format.ts";
import { Money } from "../../shared/money.tsx";
import { notifyDone, notifyUndo } from "../../shared/notify.tsx";
import { sharedTexts } from "../../shared/shared-text.ts";
import { useText } from "../../shared/text.ts";
import { Time } from "../../shared/time.tsx";
import { type Channel, type ChannelDetail, useChannelChanges } from "./channel-api.ts";
import { dialectName } from "./dialects.ts";
import { channelsTexts } from "./texts.ts";

/** How a channel does, how it is set, and what can be done with it at once. */
export function ChannelOverview({ channel, onDelete }: { channel: ChannelDetail; onDelete: () => void }) {
  const t = useText(channelsTexts);
  return (
    <Stack gap="md">
      {channel.rejected !== null && (
        <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} aria-hidden="true" />}>
          {t("rejected", { reason: channel.rejected })}
        </Alert>
      )}
      {channel.state === "credential_failed" && (
        <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} aria-hidden="true" />}>
          {t("credentialFailed")}
        </Alert>
      )}
      <Figures channel={channel} />
      <Facts channel={channel} />
      {channel.version !== null ? (
        <Actions channel={channel} onDelete={onDelete} />
      ) : (
        <Text fz="sm" c="dimmed">
          {t("declaredText")}
        </Text>
      )}
    </Stack>
  );
}

function Figures({ channel: { usage, first_token } }: { channel: ChannelDetail }) {
  const t = useText(channelsTexts);
  const format = useFormat();
  const { day, month } = usage;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <Figure
        label={t("callsDay")}
        value={format.count(day.calls)}
        note={t("callsMonth", { count: format.count(month.calls) })}
      />
      <Figure
        label={t("errorRate")}
        value={day.calls === 0 ? "–" : format.percent(day.failed / day.calls)}
        note={t("failedMonth", { count: format.count(month.failed) })}
      />
      <Figure
        label={t("spendDay")}
        value={<Money nano={day.charge} short />}
        note={t("spendMonth", { amount: format.moneyShort(month.charge) })}
      />
      <Figure
        label={t("firstToken")}
        value={first_token.p50_ms === null ? "–" : format.duration(first_token.p50_ms)}
        note={
          first_token.p95_ms === null
            ? t("noCalls")
            : t("firstTokenNote", { value: format.duration(first_token.p95_ms) })
        }
      />
    </SimpleGrid>
  );
}

function Facts({ channel }: { channel: Channel }) {
  const t = useText(channelsTexts);
  const s = useText(sharedTexts);
  const format = useFormat();
  const weight = channel.weight === null ? t("inOrder") : format.count(channel.weight);
  return (
    <Table fz="sm" verticalSpacing={6} horizontalSpacing={0} withRowBorders={false}>
      <Table.Tbody>
        <Fact label={t("setting")}>
          <StateBadge state={channel.setting} />
        </Fact>
        <Fact label={t("address")}>
          {channel.base_url === null ? t("ownAddress") : <CopyId value={channel.base_url} />}
        </Fact>
        <Fact label={t("columnProtocols")}>
          <Group gap={4}>
            {channel.protocols.map((protocol) => (
              <ProtocolBadge key={protocol} protocol={protocol} />
            ))}
          </Group>
        </Fact>
        <Fact label={t("priorityAndWeight")}>
          {format.count(channel.priority)}, {weight}
        </Fact>
        <Fact label={t("credential")}>{channel.has_credential ? t("credentialStored") : t("credentialNone")}</Fact>
        <Fact label={t("headers")}>
          {channel.header_names.length === 0
            ? s("none")
            : channel.header_names.map((name) => <Code key={name}>{name}</Code>)}
        </Fact>
        <Fact label={t("dialect")}>{dialectName(channel.dialect, t)}</Fact>
        <Fact label={t("onDisconnect")}>{t(`disconnect_${channel.on_disconnect ?? "default"}`)}</Fact>
        {channel.note !== null && <Fact label={t("note")}>{channel.note}</Fact>}
        {channel.updated_at !== null && (
          <Fact label={t("updated")}>
            <Time at={channel.updated_at} />
          </Fact>
        )}
      </Table.Tbody>
    </Table>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" w={150} fw={500} c="dimmed" ta="left" style={{ verticalAlign: "top" }}>
        {label}
      </Table.Th>
      <Table.Td>{children}</Table.Td>
    </Table.Tr>
  );
}

const settingTexts = {
  operational: { act: "enable", done: "enabledNow" },
  under_observation: { act: "observe", done: "observedNow" },
  disabled: { act: "disable", done: "disabledNow" },
} as const;

function Actions({ channel, onDelete }: { channel: Channel; onDelete: () => void }) {
  const t = useText(channelsTexts);
  const { changeNow, busy } = useChannelChanges();
  const set = async (setting: Channel["setting"]) => {
    const changed = await changeNow(channel, { setting });
    notifyUndo(t(settingTexts[setting].done, { name: channel.name }), () => {
      void changeNow(changed, { setting: channel.setting }).then(() =>
        notifyDone(t("changed", { name: channel.name })),
      );
    });
  };
  const others = (["operational", "under_observation", "disabled"] as const).filter((each) => each !== channel.setting);
  return (
    <Group gap="xs">
      {others.map((setting) => (
        // What fails is told where it is done.
        <Button
          key={setting}
          variant="default"
          size="xs"
          loading={busy}
          onClick={() => void set(setting).catch(() => undefined)}
        >
          {t(settingTexts[setting].act)}
        </Button>
      ))}
      <Button variant="subtle" color="red" size="xs" ml="auto" onClick={onDelete}>
        {t("delete")}
      </Button>
    </Group>
  );
}
