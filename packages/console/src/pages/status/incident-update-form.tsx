import { Button, Checkbox, Group, Stack, Textarea, Title } from "@mantine/core";
import { useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import { notifyDone } from "../../shared/notify.tsx";
import { useText } from "../../shared/text.ts";
import type { Incident } from "./status-query.ts";
import { statusTexts } from "./texts.ts";
import { useSaveIncident } from "./use-save-incident.ts";

/** Adds what is new to a note, and ends it. */
export function IncidentUpdateForm({ incident }: { incident: Incident }) {
  const t = useText(statusTexts);
  const [body, setBody] = useState("");
  const [resolves, setResolves] = useState(false);
  const path = { incident: incident.id };
  const add = useSaveIncident(
    () => unwrap(api.POST("/api/v1/incidents/{incident}/updates", { params: { path }, body: { body, resolves } })),
    () => notifyDone(t("published")),
  );
  const reopen = useSaveIncident(
    () => unwrap(api.PATCH("/api/v1/incidents/{incident}", { params: { path }, body: { resolved_at: null } })),
    () => notifyDone(t("saved")),
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate(undefined);
      }}
    >
      <Stack gap="sm">
        <Title order={3}>{t("addUpdate")}</Title>
        <Textarea
          label={t("updateText")}
          value={body}
          onChange={(event) => setBody(event.currentTarget.value)}
          autosize
          minRows={2}
          maxLength={10_000}
        />
        <Group justify="space-between">
          {incident.resolved_at === null ? (
            <Checkbox
              label={t("updateResolves")}
              checked={resolves}
              onChange={(event) => setResolves(event.currentTarget.checked)}
            />
          ) : (
            <Button variant="default" loading={reopen.isPending} onClick={() => reopen.mutate(undefined)}>
              {t("reopen")}
            </Button>
          )}
          <Button type="submit" loading={add.isPending} disabled={body.trim() === ""}>
            {t("publish")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
