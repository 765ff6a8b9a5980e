import { Drawer, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Loaded } from "../../shared/loaded.tsx";
import { sharedTexts } from "../../shared/shared-text.ts";
import { useText } from "../../shared/text.ts";
import { IncidentForm } from "./incident-form.tsx";
import { IncidentUpdateForm } from "./incident-update-form.tsx";
import { incidentQuery, type Status } from "./status-query.ts";
import { statusTexts } from "./texts.ts";

/** Where operators write a note: `new`, or the id of one that is there. */
export function IncidentDrawer({
  note,
  status,
  onClose,
}: {
  note: string | undefined;
  status: Status | undefined;
  onClose: () => void;
}) {
  const t = useText(statusTexts);
  const shared = useText(sharedTexts);
  return (
    <Drawer
      opened={note !== undefined}
      onClose={onClose}
      size="lg"
      title={note === "new" ? t("newNote") : t("editNote")}
      closeButtonProps={{ "aria-label": shared("close") }}
    >
      {note === "new" && <IncidentForm status={status} onDone={onClose} />}
      {note !== undefined && note !== "new" && <Existing key={note} id={note} status={status} onClose={onClose} />}
    </Drawer>
  );
}

function Existing({ id, status, onClose }: { id: string; status: Status | undefined; onClose: () => void }) {
  const query = useQuery(incidentQuery(id));
  return (
    <Loaded query={query}>
      {(incident) => (
        <Stack gap="xl">
          <IncidentUpdateForm key={incident.updated_at} incident={incident} />
          <IncidentForm incident={incident} status={status} onDone={onClose} />
        </Stack>
      )}
    </Loaded>
  );
}
