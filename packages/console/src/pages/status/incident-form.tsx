import { Button, Group, MultiSelect, Select, Stack, TagsInput, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { ApiError, api, unwrap } from "../../api/client.ts";
import { notifyDone } from "../../shared/notify.tsx";
import { sharedTexts } from "../../shared/shared-text.ts";
import { useText } from "../../shared/text.ts";
import type { Incident, Status } from "./status-query.ts";
import { statusTexts } from "./texts.ts";
import { useSaveIncident } from "./use-save-incident.ts";

const severities = ["maintenance", "minor", "major", "critical"] as const;

/** What a note tells: of a new one, or of one that is there. */
export function IncidentForm({
  incident,
  status,
  onDone,
}: {
  incident?: Incident;
  status: Status | undefined;
  onDone: () => void;
}) {
  const t = useText(statusTexts);
  const shared = useText(sharedTexts);
  const [values, setValues] = useState(() => valuesOf(incident));
  const [tried, setTried] = useState(false);
  const set = (change: Partial<Values>) => setValues((before) => ({ ...before, ...change }));
  const save = useSaveIncident(
    (body: Values) => {
      const { began, ...same } = body;
      const facts = { ...same, started_at: new Date(began).getTime() };
      if (!incident) return unwrap(api.POST("/api/v1/incidents", { body: facts }));
      const path = { incident: incident.id };
      return unwrap(api.PATCH("/api/v1/incidents/{incident}", { params: { path }, body: facts }));
    },
    () => {
      notifyDone(t(incident ? "saved" : "published"));
      onDone();
    },
  );
  const refused = save.error instanceof ApiError ? save.error : undefined;
  const errorOf = (field: string) => (refused?.field === field ? refused.message : undefined);
  const missing = tried && values.title.trim() === "" ? t("required") : undefined;
  const channelNames = status?.channels.flatMap(({ name }) => name ?? []) ?? [];
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (values.title.trim() !== "") save.mutate(values);
      }}
    >
      <Stack gap="sm">
        <TextInput
          label={t("noteTitle")}
          description={t("noteTitleHint")}
          value={values.title}
          onChange={(event) => set({ title: event.currentTarget.value })}
          error={missing ?? errorOf("title")}
          maxLength={200}
          required
          data-autofocus={incident === undefined || undefined}
        />
        <Group grow align="flex-start">
          <Select
            label={t("noteSeverity")}
            data={severities.map((value) => ({ value, label: t(`severity_${value}`) }))}
            value={values.severity}
            allowDeselect={false}
            onChange={(value) => set({ severity: severities.find((one) => one === value) ?? values.severity })}
          />
          <TextInput
            label={t("noteBegan")}
            type="datetime-local"
            value={values.began}
            onChange={(event) => set({ began: event.currentTarget.value })}
            error={errorOf("started_at")}
            required
          />
        </Group>
        <Textarea
          label={t("noteBody")}
          description={t("noteBodyHint")}
          value={values.body}
          onChange={(event) => set({ body: event.currentTarget.value })}
          error={errorOf("body")}
          autosize
          minRows={4}
          maxLength={10_000}
        />
        {/* Where everybody sees numbers only, names are typed. */}
        <TagsInput
          label={t("noteChannels")}
          data={channelNames}
          value={values.channels}
          onChange={(channels) => set({ channels })}
          error={errorOf("channels")}
          clearable
        />
        <MultiSelect
          label={t("noteModels")}
          data={[...new Set([...(status?.models.map(({ id }) => id) ?? []), ...values.models])]}
          value={values.models}
          onChange={(models) => set({ models })}
          error={errorOf("models")}
          searchable
          clearable
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onDone}>
            {shared("cancel")}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {incident ? shared("save") : t("publish")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface Values {
  title: string;
  body: string;
  severity: Incident["severity"];
  channels: string[];
  models: string[];
  /** As the field of a moment has it, in the reader's zone. */
  began: string;
}

function valuesOf(incident: Incident | undefined): Values {
  const began = localMoment(incident?.started_at ?? Date.now());
  if (!incident) return { title: "", body: "", severity: "minor", channels: [], models: [], began };
  const { title, body, severity, channels, models } = incident;
  return { title, body, severity, channels, models, began };
}

function localMoment(at: number): string {
  const zone = new Date(at).getTimezoneOffset() * 60_000;
  return new Date(at - zone).toISOString().slice(0, 16);
}
