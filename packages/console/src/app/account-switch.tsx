import { Combobox, InputBase, ScrollArea, Text, useCombobox } from "@mantine/core";
import { IconSelector } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, unwrap } from "../api/client.ts";
import { useText } from "../shared/text.ts";
import { homeAccount } from "./account.ts";
import classes from "./account-switch.module.css";
import { useMe } from "./session.ts";
import { appTexts } from "./text.ts";

/** Which account the pages are about. */
export function AccountSwitch({ current }: { current: string | undefined }) {
  const t = useText(appTexts);
  const me = useMe();
  const navigate = useNavigate();
  const [search, setSearch] = useState("");
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setSearch("");
    },
  });
  const accounts = me.memberships.map(({ account }) => account);
  const shown = current ?? homeAccount(me);
  const mine = accounts.find(({ id }) => id === shown);
  // Operators look at accounts that they do not belong to.
  const foreign = useQuery({
    queryKey: ["account", shown],
    queryFn: () => unwrap(api.GET("/api/v1/accounts/{account}", { params: { path: { account: shown ?? "" } } })),
    enabled: shown !== undefined && mine === undefined,
  });
  const name = mine?.name ?? foreign.data?.name ?? shown;
  if (name === undefined) return null;
  const wanted = search.trim().toLowerCase();
  const found = accounts.filter((account) => `${account.name} ${account.id}`.toLowerCase().includes(wanted));
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(id) => {
        combobox.closeDropdown();
        void navigate({ to: "/a/$account/home", params: { account: id } });
      }}
    >
      <Combobox.Target targetType="button">
        <InputBase
          component="button"
          type="button"
          pointer
          size="sm"
          aria-label={`${t("account")}: ${name}`}
          rightSection={<IconSelector size={15} stroke={1.6} aria-hidden="true" />}
          rightSectionPointerEvents="none"
          classNames={{ input: classes.button }}
          onClick={() => combobox.toggleDropdown()}
        >
          <Text span fz="sm" fw={600} truncate display="block">
            {name}
          </Text>
        </InputBase>
      </Combobox.Target>
      <Combobox.Dropdown>
        {accounts.length > 6 && (
          <Combobox.Search
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
            placeholder={t("findAccount")}
            aria-label={t("findAccount")}
          />
        )}
        <Combobox.Options aria-label={t("chooseAccount")}>
          <ScrollArea.Autosize mah={260} type="scroll">
            {found.slice(0, 100).map(({ id, name: text }) => (
              <Combobox.Option value={id} key={id} active={id === shown}>
                {text}
              </Combobox.Option>
            ))}
            {found.length === 0 && <Combobox.Empty>{t("noSuchAccount")}</Combobox.Empty>}
          </ScrollArea.Autosize>
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
