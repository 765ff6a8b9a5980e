import "@mantine/spotlight/styles.css";
import { useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import {
  createSpotlight,
  Spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
} from "@mantine/spotlight";
import { IconArrowRight, IconBuilding, IconKey, IconLanguage, IconListDetails, IconMoon } from "@tabler/icons-react";
import { useLocation, useNavigate, useParams } from "@tanstack/react-router";
import { useEffect, useMemo, useState } from "react";
import { setLanguage, useLanguage, useText } from "../shared/text.ts";
import { homeAccount } from "./account.ts";
import { accountItems, type NavigationItem, operatorItems, serviceItems } from "./navigation.ts";
import { useMe } from "./session.ts";
import { appTexts } from "./text.ts";

/** Everything by its name: pages, accounts, a call by its id, keys by their name. */
export default function CommandMenu({ onClose }: { onClose: () => void }) {
  const t = useText(appTexts);
  const [store, spotlight] = useMemo(createSpotlight, []);
  const [query, setQuery] = useState("");
  const actions = useActions(query);
  useEffect(() => spotlight.open(), [spotlight]);
  return (
    <Spotlight
      store={store}
      actions={actions}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={onClose}
      nothingFound={t("nothingFound")}
      centered={false}
      yOffset="12vh"
      overlayProps={{ backgroundOpacity: 0.4, blur: 1 }}
      scrollable
      maxHeight={420}
      limit={30}
      shortcut={null}
      radius="lg"
      searchProps={{ placeholder: t("searchPlaceholder"), "aria-label": t("search") }}
    />
  );
}

function useActions(query: string): SpotlightActionGroupData[] {
  const t = useText(appTexts);
  const me = useMe();
  const navigate = useNavigate();
  const language = useLanguage();
  const scheme = useComputedColorScheme("light");
  const { setColorScheme } = useMantineColorScheme();
  const { pathname } = useLocation();
  const params: { account?: string } = useParams({ strict: false });
  const here = pathname.startsWith("/a/") ? params.account : undefined;
  const account = here ?? homeAccount(me);
  const pageAction = (item: NavigationItem): SpotlightActionData => ({
    id: item.to,
    label: t(item.label),
    leftSection: <item.icon size={18} stroke={1.6} />,
    onClick: () => void navigate({ to: item.to }),
  });
  const items = [
    ...(account === undefined ? [] : accountItems(account)),
    ...serviceItems,
    ...(me.user.operator ? operatorItems : []),
  ];
  const other = scheme === "dark" ? "light" : "dark";
  const text = query.trim();
  const found: SpotlightActionData[] = [];
  if (text.startsWith("call_")) {
    const at = here === undefined && me.user.operator ? "/operator/calls" : `/a/${account}/calls`;
    found.push({
      id: "call",
      label: t("goToCall", { id: text }),
      leftSection: <IconArrowRight size={18} stroke={1.6} />,
      keywords: text,
      onClick: () => void navigate({ to: `${at}/${encodeURIComponent(text)}` }),
    });
  } else if (text.length >= 2 && account !== undefined) {
    found.push({
      id: "keys",
      label: t("findKey", { text }),
      leftSection: <IconKey size={18} stroke={1.6} />,
      keywords: text,
      onClick: () => void navigate({ to: "/a/$account/keys", params: { account }, search: { search: text } as never }),
    });
  }
  const switches = me.memberships
    .filter((membership) => membership.account.id !== here)
    .slice(0, 200)
    .map((membership) => ({
      id: `account ${membership.account.id}`,
      label: t("switchTo", { account: membership.account.name }),
      leftSection: <IconBuilding size={18} stroke={1.6} />,
      onClick: () => void navigate({ to: "/a/$account/home", params: { account: membership.account.id } }),
    }));
  return [
    { group: t("pages"), actions: items.map(pageAction) },
    {
      group: t("actions"),
      actions: [
        ...found,
        {
          id: "theme",
          label: `${t("theme")}: ${t(other)}`,
          leftSection: <IconMoon size={18} stroke={1.6} />,
          onClick: () => setColorScheme(other),
        },
        {
          id: "language",
          label: t("otherLanguage"),
          leftSection: <IconLanguage size={18} stroke={1.6} />,
          onClick: () => setLanguage(language === "en" ? "zh" : "en"),
        },
        ...(text === "" ? [] : switches),
        ...(text === "" || account === undefined
          ? []
          : [
              {
                id: "errors",
                label: `${t("calls")}: 4xx, 5xx`,
                leftSection: <IconListDetails size={18} stroke={1.6} />,
                onClick: () =>
                  void navigate({ to: "/a/$account/calls", params: { account }, search: { failed: "1" } as never }),
              },
            ]),
      ],
    },
  ];
}
