import { Badge, Group, Text, Tooltip } from "@mantine/core";
import classes from "./badges.module.css";
import type { Protocol } from "./gateway-call.ts";
import { useProtocolName } from "./protocol-name.ts";
import { sharedTexts } from "./shared-text.ts";
import { useText } from "./text.ts";

type State =
  | "operational"
  | "degraded"
  | "down"
  | "under_observation"
  | "disabled"
  | "unknown"
  | "enabled"
  | "expired"
  | "revoked"
  | "active"
  | "suspended"
  | "credential_failed"
  | "rejected";

const tones: Readonly<Record<State, "good" | "warn" | "bad" | "none">> = {
  operational: "good",
  enabled: "good",
  active: "good",
  degraded: "warn",
  under_observation: "warn",
  expired: "warn",
  down: "bad",
  suspended: "bad",
  credential_failed: "bad",
  rejected: "bad",
  revoked: "none",
  disabled: "none",
  unknown: "none",
};

/** A dot and a word: the state of a channel, model, key or account. "Under observation" explains itself. */
export function StateBadge({ state }: { state: State }) {
  const t = useText(sharedTexts);
  const badge = (
    <Group gap={6} wrap="nowrap" display="inline-flex">
      <span className={classes.dot} data-tone={tones[state]} aria-hidden="true" />
      <Text span fz="sm">
        {t(`state_${state}`)}
      </Text>
    </Group>
  );
  if (state !== "under_observation") return badge;
  return <Tooltip label={t("observationText")}>{badge}</Tooltip>;
}

type Outcome = "succeeded" | "failed" | "refused" | "client_closed" | "upstream_incomplete" | "drained" | "interrupted";

/** How a call ended, with its HTTP status. */
export function OutcomeBadge({ outcome, status }: { outcome: Outcome; status?: number }) {
  const t = useText(sharedTexts);
  const good = outcome === "succeeded" && (status === undefined || status < 400);
  const tone = good ? "good" : outcome === "client_closed" || outcome === "drained" ? "warn" : "bad";
  return (
    <Group gap={6} wrap="nowrap" display="inline-flex" title={t(`outcome_${outcome}`)}>
      <span className={classes.dot} data-tone={tone} aria-hidden="true" />
      <Text span fz="sm">
        {status === undefined ? t(`outcome_${outcome}`) : good ? status : `${status} · ${t(`outcome_${outcome}`)}`}
      </Text>
    </Group>
  );
}

export function ProtocolBadge({ protocol }: { protocol: Protocol }) {
  const name = useProtocolName();
  return (
    <Badge variant="default" size="sm" radius="sm" fw={500} tt="none">
      {name(protocol)}
    </Badge>
  );
}
