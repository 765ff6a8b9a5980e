import { Button, Group, PasswordInput, Stack, Text, Title, UnstyledButton } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAccountId, useMay } from "../../app/account.ts";
import { ProtocolBadge } from "../../shared/badges.tsx";
import { CopyBlock, CopyId } from "../../shared/copy.tsx";
import { ModelInput } from "../../shared/model-input.tsx";
import { PageHeader } from "../../shared/page-header.tsx";
import { useText } from "../../shared/text.ts";
import { urlFlag, urlText, useUrlState } from "../../shared/url-state.ts";
import { useModels } from "../../shared/use-models.ts";
import { type AccessKey, keyQuery } from "../keys/key-api.ts";
import { CreateKeyDrawer } from "../keys/key-drawers.tsx";
import { type Client, clientGroups, clients } from "./clients.ts";
import classes from "./connect.module.css";
import { KeyChoice } from "./key-choice.tsx";
import { connectTexts } from "./texts.ts";
import { Verify } from "./verify.tsx";

const fields = { client: urlText, key: urlText, model: urlText, create: urlFlag };

/** The exact settings of a program for this gateway, and the first call as it arrives. */
export default function ConnectPage() {
  const t = useText(connectTexts);
  const account = useAccountId();
  const mayCreate = useMay("member");
  const [url, setUrl] = useUrlState(fields);
  const { data: models } = useModels();
  const chosenKey = useQuery({ ...keyQuery(account, url.key ?? ""), enabled: url.key !== undefined }).data;
  /** In memory alone, with the key that it belongs to. */
  const [secret, setSecret] = useState("");
  const client = clients.find(({ id }) => id === url.client) ?? clients[0];
  if (!client) throw new Error("There are clients to choose from");
  const model = url.model ?? models?.find(({ pattern }) => !pattern)?.id ?? "";
  const address = window.location.origin;
  const fits = secretFits(secret, chosenKey);
  const key = secret !== "" && fits ? secret : placeholderOf(chosenKey);

  return (
    <>
      <PageHeader title={t("title")} description={t("description")} />
      <div className={classes.columns ?? ""}>
        <ClientList chosen={client} onChoose={(id) => setUrl({ client: id })} />
        <Stack gap="xl" miw={0}>
          <section aria-labelledby="key-and-model">
            <Group justify="space-between" mb="xs">
              <Title order={2} id="key-and-model">
                {t("keyAndModel")}
              </Title>
              {mayCreate && (
                <Button
                  size="xs"
                  variant="default"
                  leftSection={<IconPlus size={14} aria-hidden="true" />}
                  onClick={() => setUrl({ create: true })}
                >
                  {t("createKey")}
                </Button>
              )}
            </Group>
            <div className={classes.fields ?? ""}>
              <KeyChoice
                account={account}
                value={url.key}
                onChange={(id) => {
                  setSecret("");
                  setUrl({ key: id });
                }}
              />
              <ModelInput
                label={t("model")}
                placeholder={t("modelPlaceholder")}
                value={model}
                onChange={(value) => setUrl({ model: value })}
              />
              <PasswordInput
                label={t("secret")}
                description={t("secretHelp")}
                inputWrapperOrder={["label", "input", "description", "error"]}
                placeholder={t("secretPlaceholder")}
                value={secret}
                onChange={(event) => setSecret(event.currentTarget.value.trim())}
                error={fits ? undefined : t("secretWrong")}
                autoComplete="off"
              />
            </div>
          </section>
          <section aria-labelledby="settings">
            <Group justify="space-between" mb="xs">
              <Title order={2} id="settings">
                {t("settings", { name: client.name })}
              </Title>
              <Group gap={8}>
                <Text span fz="xs" c="dimmed">
                  {t("speaks")}
                </Text>
                <ProtocolBadge protocol={client.protocol} />
                <CopyId value={address} />
              </Group>
            </Group>
            <Stack gap="sm">
              {client.snippets({ address, key, model }).map(({ title, code }) => (
                <CopyBlock key={title} label={title} code={code} />
              ))}
            </Stack>
          </section>
          <Verify
            account={account}
            keyId={url.key}
            secret={fits ? secret : ""}
            protocol={client.protocol}
            model={model}
          />
        </Stack>
      </div>
      {url.create && mayCreate && (
        <CreateKeyDrawer
          account={account}
          onClose={() => setUrl({ create: undefined })}
          onMade={(made) => {
            setSecret(made.secret);
            setUrl({ key: made.id, create: undefined });
          }}
        />
      )}
    </>
  );
}

/** Whether the secret is that of the chosen key, as far as its public part tells. */
function secretFits(secret: string, key: AccessKey | undefined): boolean {
  if (secret === "" || !key || key.public_id.startsWith("declared_")) return true;
  return secret.startsWith(`ilk_${key.public_id}_`);
}

/** What stands for a secret that this page does not know. */
function placeholderOf(key: AccessKey | undefined): string {
  return key && !key.public_id.startsWith("declared_") ? `ilk_${key.public_id}_…` : "YOUR_ACCESS_KEY";
}

function ClientList({ chosen, onChoose }: { chosen: Client; onChoose: (id: string) => void }) {
  const t = useText(connectTexts);
  return (
    <nav aria-label={t("program")}>
      {clientGroups.map((group) => (
        <div key={group} className={classes.part ?? ""}>
          <Text className={classes.group ?? ""}>{t(`group_${group}`)}</Text>
          <div className={classes.clients ?? ""}>
            {clients
              .filter((client) => client.group === group)
              .map((client) => (
                <UnstyledButton
                  key={client.id}
                  className={classes.client ?? ""}
                  data-chosen={client.id === chosen.id}
                  aria-pressed={client.id === chosen.id}
                  onClick={() => onChoose(client.id)}
                >
                  {client.name}
                </UnstyledButton>
              ))}
          </div>
        </div>
      ))}
    </nav>
  );
}
