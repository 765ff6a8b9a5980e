import { Button, Skeleton, Stack, Text, Title } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMaybeMe } from "../../app/session.ts";
import { Loaded } from "../../shared/loaded.tsx";
import { PageHeader } from "../../shared/page-header.tsx";
import { sharedTexts } from "../../shared/shared-text.ts";
import { useText } from "../../shared/text.ts";
import { urlOneOf, urlText, useUrlState } from "../../shared/url-state.ts";
import { IncidentCard } from "./incident-card.tsx";
import { IncidentDrawer } from "./incident-drawer.tsx";
import { Overall } from "./overall.tsx";
import { StandingList } from "./standing-list.tsx";
import { type Status, statusQuery } from "./status-query.ts";
import { statusTexts } from "./texts.ts";

const fields = { view: urlOneOf("table"), note: urlText };

/** The state of the service, for everybody. */
export default function StatusPage() {
  const t = useText(statusTexts);
  const shared = useText(sharedTexts);
  const [url, setUrl] = useUrlState(fields);
  const query = useQuery(statusQuery);
  const operator = useMaybeMe()?.user.operator ?? false;
  const asTable = url.view === "table";
  const open = (note: string) => setUrl({ note }, { push: true });
  return (
    <>
      <PageHeader
        title={t("title")}
        description={t("description")}
        actions={
          <>
            <Button variant="default" onClick={() => setUrl({ view: asTable ? undefined : "table" })}>
              {asTable ? t("showBars") : shared("showTable")}
            </Button>
            {operator && (
              <Button leftSection={<IconPlus size={15} aria-hidden="true" />} onClick={() => open("new")}>
                {t("addNote")}
              </Button>
            )}
          </>
        }
      />
      <Loaded query={query} skeleton={<Waiting />}>
        {(status) => (
          <Stack gap="xl">
            <Stack gap="sm">
              <Overall status={status} />
              <Notes status={status} over={false} {...(operator && { onEdit: open })} />
            </Stack>
            {status.shown_channels !== "hidden" && (
              <StandingList
                title={t("channels")}
                text={t("channelsText")}
                empty={t("noChannels")}
                firstDay={status.first_day}
                asTable={asTable}
                standings={status.channels.map(({ number, name, ...standing }) => ({
                  ...standing,
                  id: String(number),
                  name: name ?? t("channelNumber", { number }),
                  code: false,
                }))}
              />
            )}
            <StandingList
              title={t("models")}
              text={t("modelsText")}
              empty={t("noModels")}
              firstDay={status.first_day}
              asTable={asTable}
              standings={status.models.map((model) => ({ ...model, name: model.id, code: true }))}
            />
            <Past status={status} {...(operator && { onEdit: open })} />
            <Explained status={status} />
          </Stack>
        )}
      </Loaded>
      {operator && <IncidentDrawer note={url.note} status={query.data} onClose={() => setUrl({ note: undefined })} />}
    </>
  );
}

interface NotesProps {
  status: Status;
  onEdit?: (id: string) => void;
}

/** Disturbances that last, or those that are over. */
function Notes({ status, onEdit, over }: NotesProps & { over: boolean }) {
  return status.incidents
    .filter(({ resolved_at }) => (resolved_at !== null) === over)
    .map((incident) => (
      <IncidentCard key={incident.id} incident={incident} {...(onEdit && { onEdit: () => onEdit(incident.id) })} />
    ));
}

/** Disturbances that are over. */
function Past(props: NotesProps) {
  const t = useText(statusTexts);
  const any = props.status.incidents.some(({ resolved_at }) => resolved_at !== null);
  return (
    <Stack component="section" gap="sm">
      <Title order={2}>{t("incidents")}</Title>
      {any ? (
        <Notes {...props} over />
      ) : (
        <Text fz="sm" c="dimmed">
          {t("noIncidents")}
        </Text>
      )}
    </Stack>
  );
}

function Explained({ status }: { status: Status }) {
  const t = useText(statusTexts);
  const observed = [...status.channels, ...status.models].some(({ under_observation }) => under_observation);
  return (
    <Stack component="section" gap="md" maw={760}>
      {observed && (
        <div>
          <Title order={2}>{t("observation")}</Title>
          <Text fz="sm" c="dimmed">
            {t("observationText")}
          </Text>
        </div>
      )}
      <div>
        <Title order={2}>{t("how")}</Title>
        <Text fz="sm" c="dimmed">
          {t("howText")}
        </Text>
      </div>
    </Stack>
  );
}

const lines = [0, 1, 2, 3];

function Waiting() {
  return (
    <Stack gap="xl">
      <Skeleton h={56} />
      {lines.map((line) => (
        <Skeleton key={line} h={92} />
      ))}
    </Stack>
  );
}
