import { Tabs } from "@mantine/core";
import { PageHeader } from "../../shared/page-header.tsx";
import { useText } from "../../shared/text.ts";
import { urlOneOf, useUrlState } from "../../shared/url-state.ts";
import { AccountList } from "./account-list.tsx";
import { CodeList } from "./code-list.tsx";
import { OrderList } from "./order-list.tsx";
import { accountsTexts } from "./texts.ts";

const tabs = ["accounts", "codes", "orders"] as const;
const fields = { tab: urlOneOf(...tabs), panel: urlOneOf<string>() };

/** Accounts, and the two ways in which money comes to them from outside. */
export default function AccountsPage() {
  const t = useText(accountsTexts);
  const [{ tab = "accounts" }, setUrl] = useUrlState(fields);
  return (
    <>
      <PageHeader title={t("title")} description={t("description")} />
      <Tabs
        value={tab}
        onChange={(value) =>
          setUrl({ tab: tabs.find((each) => each === value && each !== "accounts"), panel: undefined })
        }
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {tabs.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {t(`tab_${each}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="accounts">
          <AccountList />
        </Tabs.Panel>
        <Tabs.Panel value="codes">
          <CodeList />
        </Tabs.Panel>
        <Tabs.Panel value="orders">
          <OrderList />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
