import { Tabs } from "@mantine/core";
import { useAccountId, useMay } from "../../app/account.ts";
import { PageHeader } from "../../shared/page-header.tsx";
import { useText } from "../../shared/text.ts";
import { urlOneOf, useUrlState } from "../../shared/url-state.ts";
import { AuditLog } from "../audit/audit-log.tsx";
import { Limits } from "./limits.tsx";
import { Members } from "./members.tsx";
import { accountSettingsTexts } from "./texts.ts";

const tabs = ["members", "limits", "audit"] as const;
const fields = { tab: urlOneOf(...tabs) };

/** An account for those who belong to it: people, limits, and what was done. */
export default function AccountSettingsPage() {
  const t = useText(accountSettingsTexts);
  const account = useAccountId();
  const isOwner = useMay("owner");
  const [{ tab = "members" }, setUrl] = useUrlState(fields);
  const shown = tabs.filter((each) => each !== "audit" || isOwner);
  return (
    <>
      <PageHeader title={t("title")} description={t("description")} />
      <Tabs
        value={tab}
        onChange={(value) => setUrl({ tab: tabs.find((each) => each === value && each !== "members") })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {shown.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {t(`tab_${each}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="members">
          <Members account={account} />
        </Tabs.Panel>
        <Tabs.Panel value="limits">
          <Limits account={account} />
        </Tabs.Panel>
        {isOwner && (
          <Tabs.Panel value="audit">
            <AuditLog accountId={account} />
          </Tabs.Panel>
        )}
      </Tabs>
    </>
  );
}
