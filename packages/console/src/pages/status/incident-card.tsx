import { Badge, Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useText } from "../../shared/text.ts";
import { Time } from "../../shared/time.tsx";
import classes from "./day-bars.module.css";
import type { PublicIncident } from "./status-query.ts";
import { statusTexts } from "./texts.ts";

const tones = { maintenance: "none", minor: "warn", major: "bad", critical: "bad" } as const;

/** One note with its history. `onEdit` is given to those who may change it. */
export function IncidentCard({ incident, onEdit }: { incident: PublicIncident; onEdit?: () => void }) {
  const t = useText(statusTexts);
  const tellSpan = useTellSpan();
  const { title, body, severity, started_at: began, resolved_at: ended, updates } = incident;
  const touched = [
    ...incident.channels.map(({ number, name }) => name ?? t("channelNumber", { number })),
    ...incident.models,
  ];
  return (
    <Paper
      component="article"
      id={incident.id}
      p="md"
      className={classes.overall}
      data-tone={ended === null ? tones[severity] : "none"}
    >
      <Stack gap={8}>
        <Group justify="space-between" align="flex-start" wrap="nowrap">
          <div style={{ minWidth: 0 }}>
            <Title order={3} className={classes.text}>
              {title}
            </Title>
            <Text fz="xs" c="dimmed" component="div">
              {t(`severity_${severity}`)} · {t("began")} <Time at={began} /> ·{" "}
              {ended === null ? t("ongoing") : t("lasted", { duration: tellSpan(ended - began) })}
            </Text>
          </div>
          {onEdit && (
            <Button size="compact-sm" variant="default" flex="none" onClick={onEdit}>
              {t("editNote")}
            </Button>
          )}
        </Group>
        {touched.length > 0 && (
          <Group gap={6}>
            <Text fz="xs" c="dimmed">
              {t("touches")}
            </Text>
            {touched.map((name) => (
              <Badge key={name} variant="default" size="sm" radius="sm" fw={500} tt="none">
                {name}
              </Badge>
            ))}
          </Group>
        )}
        {updates.map((update) => (
          <div key={update.id}>
            <Text fz="xs" c="dimmed" component="div">
              {t(update.resolves ? "resolved" : "update")} · <Time at={update.at} />
            </Text>
            <Text fz="sm" className={classes.text}>
              {update.body}
            </Text>
          </div>
        ))}
        {body !== "" && (
          <Text fz="sm" className={classes.text}>
            {body}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}

/** How long something lasted, as exactly as people care: hours and minutes, or days and hours. */
function useTellSpan(): (ms: number) => string {
  const t = useText(statusTexts);
  return (ms) => {
    const minutes = Math.round(ms / 60_000);
    const hours = Math.floor(minutes / 60);
    if (hours === 0) return t("minutes", { minutes });
    if (hours < 24) return t("hours", { hours, minutes: minutes % 60 });
    return t("days", { days: Math.floor(hours / 24), hours: hours % 24 });
  };
}
