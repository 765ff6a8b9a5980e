import { Anchor, Group, Paper, Text, Title } from "@mantine/core";
import { useFormat } from "../../shared/format.ts";
import { useText } from "../../shared/text.ts";
import classes from "./day-bars.module.css";
import type { Status } from "./status-query.ts";
import { statusTexts } from "./texts.ts";

const tones = { operational: "good", degraded: "warn", partly_down: "bad", down: "bad", unknown: "none" } as const;

/** One sentence on the whole. What operators report goes before what was measured as well. */
export function Overall({ status }: { status: Status }) {
  const t = useText(statusTexts);
  const { text, tone } = verdict(status);
  const format = useFormat();
  return (
    <Paper p="md" className={classes.overall} data-tone={tone}>
      <Group justify="space-between" gap="xs">
        <Title order={2} aria-live="polite">
          {t(text)}
        </Title>
        <Group gap="md">
          <Text fz="xs" c="dimmed" title={format.time(status.generated_at)}>
            {t("updated", { when: format.timeShort(status.generated_at) })}
          </Text>
          <Anchor href="/status.rss" fz="xs">
            {t("feed")}
          </Anchor>
          <Anchor href="/status.json" fz="xs">
            {t("json")}
          </Anchor>
        </Group>
      </Group>
    </Paper>
  );
}

function verdict({ state, incidents }: Status) {
  const open = incidents.filter(({ resolved_at }) => resolved_at === null);
  const reported = open.some(({ severity }) => severity !== "maintenance");
  if (state === "operational" || state === "unknown") {
    if (reported) return { text: "overall_incident", tone: "warn" } as const;
    if (open.length > 0) return { text: "overall_maintenance", tone: "warn" } as const;
  }
  return { text: `overall_${state}`, tone: tones[state] } as const;
}
