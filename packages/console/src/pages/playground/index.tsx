import { Tabs } from "@mantine/core";
import { useEffect, useState } from "react";
import { PageHeader } from "../../shared/page-header.tsx";
import { useText } from "../../shared/text.ts";
import { urlOneOf, urlText, useUrlState } from "../../shared/url-state.ts";
import { Chat } from "./chat.tsx";
import type { Handover } from "./conversation.ts";
import { Converter } from "./converter/converter.tsx";
import { takeHandover } from "./handover.ts";
import { playgroundTexts } from "./texts.ts";

const tabs = ["chat", "converter"] as const;
const fields = { tab: urlOneOf(...tabs), from: urlText };

/** Calls by hand, in any protocol; and requests of one protocol in the words of the others. */
export default function PlaygroundPage() {
  const t = useText(playgroundTexts);
  const [url, setUrl] = useUrlState(fields);
  const [taken, setTaken] = useState<Handover | string>();
  const { from } = url;
  useEffect(() => {
    if (from !== undefined) setTaken(takeHandover());
  }, [from]);
  const tab = url.tab ?? "chat";
  return (
    <>
      <PageHeader title={t("title")} description={t("description")} />
      <Tabs
        value={tab}
        onChange={(value) => setUrl({ tab: value === "converter" ? "converter" : undefined })}
        keepMounted={false}
      >
        <Tabs.List mb="md" aria-label={t("tabs")}>
          {tabs.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(`tab_${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="chat">
          <Chat taken={taken} from={from} />
        </Tabs.Panel>
        <Tabs.Panel value="converter">
          <Converter
            onOpen={(opened) => {
              setTaken(opened);
              setUrl({ tab: undefined });
            }}
          />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
