import { Alert, Anchor, Badge, Drawer, Group, Select, Stack, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ProtocolBadge, StateBadge } from "../../shared/badges.tsx";
import { CopyBlock, CopyIcon } from "../../shared/copy.tsx";
import { useFormat } from "../../shared/format.ts";
import { sharedTexts } from "../../shared/shared-text.ts";
import { useText } from "../../shared/text.ts";
import type { Model, Protocol } from "./models-query.ts";
import { PriceTable } from "./price-table.tsx";
import { snippet } from "./snippet.ts";
import { modelTexts } from "./texts.ts";

/** All that is known of one model. */
export function ModelDrawer({
  model,
  protocol,
  onProtocol,
  onClose,
}: {
  model: Model | undefined;
  /** Of the example; one that needs no conversion where none was chosen. */
  protocol: Protocol | undefined;
  onProtocol: (protocol: Protocol) => void;
  onClose: () => void;
}) {
  const shared = useText(sharedTexts);
  const t = useText(modelTexts);
  return (
    <Drawer
      opened={model !== undefined}
      onClose={onClose}
      size="lg"
      title={model?.id ?? t("model")}
      closeButtonProps={{ "aria-label": shared("close") }}
    >
      {model && <Detail model={model} protocol={protocol} onProtocol={onProtocol} />}
    </Drawer>
  );
}

function Detail({
  model,
  protocol,
  onProtocol,
}: {
  model: Model;
  protocol: Protocol | undefined;
  onProtocol: (protocol: Protocol) => void;
}) {
  const t = useText(modelTexts);
  const shared = useText(sharedTexts);
  const format = useFormat();
  const chosen = protocol ?? model.families.find(({ lane }) => lane === "direct")?.protocol ?? "chat-completions";
  return (
    <Stack gap="xl">
      <Stack gap="xs">
        <Group gap="md">
          <StateBadge state={model.state} />
          {model.availability !== null && (
            <Text fz="sm" className="figures" title={t("availability")}>
              {format.percent(model.availability / 100)}
            </Text>
          )}
          <CopyIcon value={model.id} />
          <Anchor renderRoot={(props) => <Link to="/status" {...props} />} fz="sm">
            {t("seeStatus")}
          </Anchor>
        </Group>
        {model.under_observation && (
          <Text fz="sm" c="dimmed">
            {shared("observationText")}
          </Text>
        )}
        {model.pattern && (
          <Alert color="gray" variant="light" title={t("patternTitle")}>
            {t("patternText")}
          </Alert>
        )}
      </Stack>
      {!model.pattern && (
        <Section title={t("price")}>
          <PriceTable price={model.price} />
        </Section>
      )}
      <Section title={t("speed")}>
        <Speed speed={model.speed} />
      </Section>
      <Section title={t("limits")}>
        <Fact label={t("contextLong")}>
          {model.context_window === null ? (
            <Text span inherit c="dimmed">
              {t("unknown")}
            </Text>
          ) : (
            t("tokens", { count: format.count(model.context_window) })
          )}
        </Fact>
        {model.capabilities.length > 0 && (
          <Group gap={6} title={t("capabilityNote")}>
            {model.capabilities.map((name) => (
              <Badge key={name} variant="default" size="sm" radius="sm" fw={500} tt="none">
                {t(`capability_${name}`)}
              </Badge>
            ))}
          </Group>
        )}
      </Section>
      <Section title={t("tryIt")}>
        <Select
          aria-label={t("snippetProtocol")}
          w={220}
          size="xs"
          value={chosen}
          data={model.families.map((family) => ({
            value: family.protocol,
            label: shared(protocolKeys[family.protocol]),
          }))}
          allowDeselect={false}
          onChange={(value) => {
            const found = model.families.find((family) => family.protocol === value);
            if (found) onProtocol(found.protocol);
          }}
        />
        <CopyBlock code={snippet(chosen, window.location.origin, model.id)} label="curl" />
      </Section>
      <Section title={t("reach")}>
        {model.families.map((family) => (
          <Group key={family.protocol} justify="space-between">
            <ProtocolBadge protocol={family.protocol} />
            <Text fz="sm" c="dimmed" title={t(family.lane === "direct" ? "directText" : "convertedText")}>
              {t(family.lane)}
            </Text>
          </Group>
        ))}
      </Section>
      <Section title={t("channels")}>
        <Text fz="sm" c="dimmed">
          {t("channelCount", { count: model.channel_count })}
        </Text>
        {model.channels.map(({ number, name, state }) => (
          <Group key={number} justify="space-between">
            <Text fz="sm">{name ?? t("channelNumber", { number })}</Text>
            <StateBadge state={state} />
          </Group>
        ))}
      </Section>
    </Stack>
  );
}

function Speed({ speed }: { speed: Model["speed"] }) {
  const t = useText(modelTexts);
  const format = useFormat();
  if (!speed) {
    return (
      <Text fz="sm" c="dimmed">
        {t("notMeasured")}
      </Text>
    );
  }
  return (
    <>
      <Fact label={t("half")}>{format.duration(speed.first_token_p50_ms)}</Fact>
      <Fact label={t("most")}>{format.duration(speed.first_token_p95_ms)}</Fact>
      {speed.output_tokens_per_second !== null && (
        <Fact label={t("paceLong")}>{format.count(speed.output_tokens_per_second)}</Fact>
      )}
      {speed.few && (
        <Text fz="xs" c="dimmed">
          {t("fewAnswers")}
        </Text>
      )}
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap={8} component="section">
      <Title order={3}>{title}</Title>
      {children}
    </Stack>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Group justify="space-between" gap="md" wrap="nowrap">
      <Text fz="sm" c="dimmed">
        {label}
      </Text>
      <Text fz="sm" className="figures" component="div">
        {children}
      </Text>
    </Group>
  );
}

export const protocolKeys = {
  "chat-completions": "protocol_chat_completions",
  responses: "protocol_responses",
  messages: "protocol_messages",
  "generate-content": "protocol_generate_content",
} as const;
