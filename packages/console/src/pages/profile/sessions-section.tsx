import { Badge, Button, Group, Text, VisuallyHidden } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, unwrap } from "../../api/client.ts";
import { type Column, DataTable } from "../../shared/data-table.tsx";
import { notifyDone, notifyFailed } from "../../shared/notify.tsx";
import { useText } from "../../shared/text.ts";
import { Time } from "../../shared/time.tsx";
import { deviceName } from "./device-name.ts";
import { type Session, sessionsQuery } from "./profile-api.ts";
import { Section } from "./section.tsx";
import { profileTexts } from "./texts.ts";

export function SessionsSection() {
  const t = useText(profileTexts);
  const sessions = useQuery(sessionsQuery);
  const queries = useQueryClient();
  const others = sessions.data?.items.some(({ current }) => !current) ?? false;

  const columns = useMemo<Column<Session>[]>(() => {
    const nameOf = ({ user_agent }: Session) => {
      const device = deviceName(user_agent);
      return device ? t("browserOn", device) : t("unknownDevice");
    };
    const end = async (session: Session) => {
      try {
        await unwrap(api.DELETE("/api/v1/me/sessions/{session}", { params: { path: { session: session.id } } }));
        notifyDone(t("sessionEnded"));
      } catch (error) {
        notifyFailed(error);
      } finally {
        await queries.invalidateQueries(sessionsQuery);
      }
    };
    return [
      {
        id: "device",
        header: t("device"),
        cell: (session) => (
          <Group gap="xs" wrap="nowrap">
            <Text fz="sm" title={session.user_agent ?? ""}>
              {nameOf(session)}
            </Text>
            {session.current && (
              <Badge variant="default" size="sm" tt="none" fw={500}>
                {t("current")}
              </Badge>
            )}
          </Group>
        ),
      },
      { id: "address", header: t("address"), cell: ({ address }) => address ?? "" },
      { id: "seen", header: t("lastUsed"), cell: ({ seen_at }) => <Time at={seen_at} relative /> },
      { id: "began", header: t("began"), cell: ({ created_at }) => <Time at={created_at} relative /> },
      {
        id: "end",
        header: <VisuallyHidden>{t("actions")}</VisuallyHidden>,
        align: "right",
        cell: (session) =>
          !session.current && (
            <Button
              variant="subtle"
              color="red"
              size="compact-sm"
              aria-label={t("endSessionOf", { device: nameOf(session) })}
              onClick={() => void end(session)}
            >
              {t("endSession")}
            </Button>
          ),
      },
    ];
  }, [t, queries]);

  const endOthers = async () => {
    try {
      const { ended } = await unwrap(api.POST("/api/v1/me/sessions/end-others"));
      notifyDone(t("othersEnded", { count: ended }));
    } catch (error) {
      notifyFailed(error);
    } finally {
      await queries.invalidateQueries(sessionsQuery);
    }
  };

  return (
    <Section
      title={t("sessions")}
      text={t("sessionsText")}
      actions={
        others && (
          <Button variant="default" onClick={() => void endOthers()}>
            {t("endOthers")}
          </Button>
        )
      }
    >
      <DataTable
        label={t("sessions")}
        columns={columns}
        rows={sessions.data?.items}
        rowId={({ id }) => id}
        error={sessions.error}
        onRetry={() => void sessions.refetch()}
        empty={<Text fz="sm">{t("noSessions")}</Text>}
        minWidth={560}
      />
    </Section>
  );
}
