import { Paper, Stack, Table, Text, Title } from "@mantine/core";
import { StateBadge } from "../../shared/badges.tsx";
import { useFormat } from "../../shared/format.ts";
import { useText } from "../../shared/text.ts";
import classes from "./day-bars.module.css";
import { DayBars, useTellDay } from "./day-bars.tsx";
import type { Status } from "./status-query.ts";
import { statusTexts } from "./texts.ts";

/** A channel or a model with its 90 days. */
export interface Standing extends Pick<Status["channels"][number], "state" | "availability" | "days"> {
  id: string;
  name: string;
  /** Written as callers write it. */
  code: boolean;
}

/** Channels or models under each other, as bars or as a table that says the same. */
export function StandingList({
  title,
  text,
  empty,
  standings,
  firstDay,
  asTable,
}: {
  title: string;
  text: string;
  empty: string;
  standings: readonly Standing[];
  firstDay: string;
  asTable: boolean;
}) {
  return (
    <Stack component="section" gap="xs">
      <div>
        <Title order={2}>{title}</Title>
        <Text fz="sm" c="dimmed">
          {text}
        </Text>
      </div>
      <Paper radius="md">
        {standings.length === 0 && (
          <Text fz="sm" c="dimmed" p="md">
            {empty}
          </Text>
        )}
        {standings.length > 0 && asTable && <AsTable title={title} standings={standings} />}
        {standings.length > 0 && !asTable && <Axis />}
        {!asTable && standings.map((standing) => <Row key={standing.id} standing={standing} firstDay={firstDay} />)}
      </Paper>
    </Stack>
  );
}

function Row({ standing, firstDay }: { standing: Standing; firstDay: string }) {
  return (
    <div className={classes.row}>
      <div className={classes.name}>
        <Name standing={standing} />
      </div>
      <div className={classes.days}>
        <DayBars name={standing.name} firstDay={firstDay} days={standing.days} />
      </div>
      <Text fz="sm" className={`figures ${classes.share}`} c="dimmed" component="div">
        <Share standing={standing} />
      </Text>
      <div className={classes.state}>
        <StateBadge state={standing.state} />
      </div>
    </div>
  );
}

/** What the bars begin and end with, once for all of them. */
function Axis() {
  const t = useText(statusTexts);
  return (
    <div className={classes.axis}>
      <Text fz="xs" c="dimmed">
        {t("daysAgo")}
      </Text>
      <Text fz="xs" c="dimmed">
        {t("today")}
      </Text>
    </div>
  );
}

function Name({ standing: { name, code } }: { standing: Standing }) {
  return (
    <Text fz="sm" fw={550} style={{ overflowWrap: "anywhere" }} {...(code && { ff: "monospace" })}>
      {name}
    </Text>
  );
}

/** The percentage of 90 days, or why there is none. */
function Share({ standing: { availability, days } }: { standing: Standing }) {
  const t = useText(statusTexts);
  const format = useFormat();
  if (availability !== null) return <span title={t("percentTitle")}>{format.percentAligned(availability / 100)}</span>;
  return days.length === 0 ? t("noTraffic") : <span title={t("fewTitle")}>{t("few")}</span>;
}

function AsTable({ title, standings }: { title: string; standings: readonly Standing[] }) {
  const t = useText(statusTexts);
  const tell = useTellDay();
  return (
    <Table.ScrollContainer minWidth={520} type="native" tabIndex={0} role="region" aria-label={title}>
      <Table fz="sm" verticalSpacing={8} horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t("name")}</Table.Th>
            <Table.Th scope="col">{t("now")}</Table.Th>
            <Table.Th scope="col" ta="right" title={t("percentTitle")}>
              {t("ninetyDays")}
            </Table.Th>
            <Table.Th scope="col">{t("trouble")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {standings.map((standing) => {
            const trouble = standing.days.filter(({ state }) => state !== "operational").toReversed();
            return (
              <Table.Tr key={standing.id}>
                <Table.Th scope="row" fw={400}>
                  <Name standing={standing} />
                </Table.Th>
                <Table.Td>
                  <StateBadge state={standing.state} />
                </Table.Td>
                <Table.Td ta="right">
                  <Share standing={standing} />
                </Table.Td>
                <Table.Td>
                  {trouble.length === 0 && t("noTrouble")}
                  {trouble.map((day) => (
                    <div key={day.day}>{tell({ day: day.day, told: day })}</div>
                  ))}
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
