import { Drawer, Tabs } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Confirm } from "../../shared/confirm.tsx";
import { Loaded } from "../../shared/loaded.tsx";
import { notifyDone } from "../../shared/notify.tsx";
import { sharedTexts } from "../../shared/shared-text.ts";
import { useText } from "../../shared/text.ts";
import { type ChannelDetail, channelQuery, useChannelChanges } from "./channel-api.ts";
import { ChannelErrors } from "./channel-errors.tsx";
import { ChannelForm } from "./channel-form.tsx";
import { ChannelModels } from "./channel-models.tsx";
import { ChannelOverview } from "./channel-overview.tsx";
import { ChannelTests } from "./channel-tests.tsx";
import { channelsTexts } from "./texts.ts";

export const channelTabs = ["overview", "models", "errors", "tests", "edit"] as const;
export type ChannelTab = (typeof channelTabs)[number];

const tabTexts = {
  overview: "tabOverview",
  models: "tabModels",
  errors: "tabErrors",
  tests: "tabTests",
  edit: "tabEdit",
} as const;

/** Makes a channel. */
export function CreateChannelDrawer({ onClose, onMade }: { onClose: () => void; onMade: (name: string) => void }) {
  const t = useText(channelsTexts);
  const s = useText(sharedTexts);
  const { create } = useChannelChanges();
  return (
    <Drawer
      opened
      onClose={onClose}
      size={560}
      title={t("createTitle")}
      closeButtonProps={{ "aria-label": s("close") }}
    >
      <ChannelForm
        action={t("create")}
        busy={create.isPending}
        error={create.error}
        onSubmit={(settings, name) =>
          create.mutate(
            { ...settings, name },
            {
              onSuccess: (made) => {
                notifyDone(t("created", { name: made.name }));
                onMade(made.name);
              },
            },
          )
        }
      />
    </Drawer>
  );
}

/** All about one channel. */
export function ChannelDrawer({
  name,
  tab,
  onTab,
  onClose,
}: {
  name: string;
  tab: ChannelTab;
  onTab: (tab: ChannelTab) => void;
  onClose: () => void;
}) {
  const s = useText(sharedTexts);
  const query = useQuery(channelQuery(name));
  return (
    <Drawer opened onClose={onClose} size={680} title={name} closeButtonProps={{ "aria-label": s("close") }}>
      <Loaded query={query}>
        {(channel) => <ChannelTabs channel={channel} tab={tab} onTab={onTab} onClose={onClose} />}
      </Loaded>
    </Drawer>
  );
}

function ChannelTabs({
  channel,
  tab,
  onTab,
  onClose,
}: {
  channel: ChannelDetail;
  tab: ChannelTab;
  onTab: (tab: ChannelTab) => void;
  onClose: () => void;
}) {
  const t = useText(channelsTexts);
  const { save, remove } = useChannelChanges();
  const [deleting, setDeleting] = useState(false);
  const tabs = channelTabs.filter((each) => each !== "edit" || channel.version !== null);
  const shown = tabs.includes(tab) ? tab : "overview";
  return (
    <>
      <Tabs
        value={shown}
        onChange={(value) => onTab(tabs.find((each) => each === value) ?? "overview")}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {tabs.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {t(tabTexts[each])}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="overview">
          <ChannelOverview channel={channel} onDelete={() => setDeleting(true)} />
        </Tabs.Panel>
        <Tabs.Panel value="models">
          <ChannelModels channel={channel} />
        </Tabs.Panel>
        <Tabs.Panel value="errors">
          <ChannelErrors errors={channel.errors} />
        </Tabs.Panel>
        <Tabs.Panel value="tests">
          <ChannelTests channel={channel} />
        </Tabs.Panel>
        <Tabs.Panel value="edit">
          <ChannelForm
            key={channel.version}
            channel={channel}
            action={t("save")}
            busy={save.isPending}
            error={save.error}
            onSubmit={(changes) =>
              save.mutate(
                { channel, changes },
                {
                  onSuccess: () => {
                    notifyDone(t("changed", { name: channel.name }));
                    onTab("overview");
                  },
                },
              )
            }
          />
        </Tabs.Panel>
      </Tabs>
      <Confirm
        opened={deleting}
        title={t("deleteTitle", { name: channel.name })}
        text={t("deleteText")}
        name={channel.name}
        action={t("delete")}
        onConfirm={async () => {
          await remove.mutateAsync(channel.name);
          notifyDone(t("deleted", { name: channel.name }));
          onClose();
        }}
        onClose={() => setDeleting(false)}
      />
    </>
  );
}
