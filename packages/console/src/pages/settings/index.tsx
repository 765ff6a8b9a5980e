import { Alert, Button, Group, List, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "../../api/api-error.ts";
import { api, unwrap } from "../../api/client.ts";
import { Loaded } from "../../shared/loaded.tsx";
import { notifyDone, notifyFailed } from "../../shared/notify.tsx";
import { PageHeader } from "../../shared/page-header.tsx";
import { useText } from "../../shared/text.ts";
import { type Setting, SettingRow, type SettingValue } from "./setting-row.tsx";
import classes from "./settings.module.css";
import { settingsTexts } from "./texts.ts";

const settingsQuery = {
  queryKey: ["settings"] as const,
  queryFn: () => unwrap(api.GET("/api/v1/settings")),
};

/** What operators may change while the gateway runs. */
export default function SettingsPage() {
  const t = useText(settingsTexts);
  const queries = useQueryClient();
  const query = useQuery(settingsQuery);
  const [edited, setEdited] = useState<Readonly<Record<string, SettingValue>>>({});
  const change = useMutation({
    mutationFn: (values: Readonly<Record<string, SettingValue | null>>) =>
      unwrap(api.PATCH("/api/v1/settings", { body: { values } })),
    onSuccess(answer) {
      queries.setQueryData(settingsQuery.queryKey, answer);
      void queries.invalidateQueries({ queryKey: ["console-notice"] });
      notifyDone(t("saved"));
    },
  });
  const { error } = change;
  const refused = error instanceof ApiError ? error : undefined;
  const save = () => change.mutate(edited, { onSuccess: () => setEdited({}) });
  const reset = (setting: Setting) => {
    const { [setting.name]: _, ...rest } = edited;
    setEdited(rest);
    change.mutate({ [setting.name]: null }, { onError: notifyFailed });
  };
  const edit = (setting: Setting, value: SettingValue) => {
    const { [setting.name]: _, ...rest } = edited;
    setEdited(value === setting.value ? rest : { ...rest, [setting.name]: value });
  };
  const count = Object.keys(edited).length;
  return (
    <div className={classes.page}>
      <PageHeader title={t("title")} description={t("description")} />
      <Loaded query={query} skeleton={<Waiting />}>
        {({ items, file, sign_in_providers: providers }) => (
          <Stack gap="xl">
            {file !== null && items.some(({ origin }) => origin === "file") && (
              <Alert variant="light" color="gray">
                {t("fileNote", { file })}
              </Alert>
            )}
            {[...Map.groupBy(items, ({ group }) => group)].map(([group, settings]) => (
              <section key={group} aria-labelledby={`group-${group}`}>
                <Title order={2} id={`group-${group}`}>
                  {t(`group_${group}`)}
                </Title>
                <Text fz="sm" c="dimmed" mb="xs">
                  {t(`groupText_${group}`)}
                </Text>
                <div className={classes.group}>
                  {settings.map((setting) => (
                    <SettingRow
                      key={setting.name}
                      setting={setting}
                      value={edited[setting.name] ?? setting.value}
                      changed={edited[setting.name] !== undefined}
                      error={refused?.field === setting.name ? refused.message : undefined}
                      onChange={(value) => edit(setting, value)}
                      onReset={() => reset(setting)}
                    />
                  ))}
                </div>
                {group === "sign_in" && <Providers providers={providers} />}
              </section>
            ))}
          </Stack>
        )}
      </Loaded>
      {count > 0 && (
        <Group className={classes.bar ?? ""} gap="sm" role="region" aria-label={t("changes")}>
          <Button loading={change.isPending} onClick={save}>
            {t("save", { count })}
          </Button>
          <Button
            variant="subtle"
            color="gray"
            onClick={() => {
              setEdited({});
              change.reset();
            }}
          >
            {t("discard")}
          </Button>
          {error && (
            <Text fz="sm" c="var(--console-bad)" role="alert">
              {error.message}
            </Text>
          )}
        </Group>
      )}
    </div>
  );
}

function Providers({ providers }: { providers: readonly { id: string; name: string; issuer: string }[] }) {
  const t = useText(settingsTexts);
  return (
    <Stack gap={2} mt="sm">
      <Title order={3}>{t("providers")}</Title>
      <Text fz="xs" c="dimmed">
        {t("providersText")} {providers.length === 0 && t("noProviders")}
      </Text>
      {providers.length > 0 && (
        <List fz="sm">
          {providers.map(({ id, name, issuer }) => (
            <List.Item key={id}>
              {name} · {issuer}
            </List.Item>
          ))}
        </List>
      )}
    </Stack>
  );
}

function Waiting() {
  return (
    <Stack gap="xl">
      {[180, 260, 320].map((height) => (
        <Skeleton key={height} h={height} />
      ))}
    </Stack>
  );
}
