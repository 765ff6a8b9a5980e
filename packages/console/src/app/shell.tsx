import { AppShell, Burger, Divider, Group, ScrollArea, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Outlet, useLocation, useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { useText } from "../shared/text.ts";
import { homeAccount, useRememberAccount } from "./account.ts";
import { AccountSwitch } from "./account-switch.tsx";
import { Appearance } from "./appearance.tsx";
import { Brand } from "./brand.tsx";
import { CommandButton } from "./command-button.tsx";
import { accountItems, operatorItems, serviceItems } from "./navigation.ts";
import { NavigationLinks } from "./navigation-links.tsx";
import { useMe } from "./session.ts";
import classes from "./shell.module.css";
import { ShellNotices } from "./shell-notices.tsx";
import { appTexts } from "./text.ts";
import { UserMenu } from "./user-menu.tsx";

/** What stands around every page of those who have signed in. */
export function Shell() {
  const t = useText(appTexts);
  const me = useMe();
  const [open, { toggle, close }] = useDisclosure(false);
  const { pathname } = useLocation();
  const params: { account?: string } = useParams({ strict: false });
  const here = pathname.startsWith("/a/") ? params.account : undefined;
  useRememberAccount(here);
  const account = here ?? homeAccount(me);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the menu of the phone
  useEffect(close, [pathname]);
  return (
    <AppShell
      layout="alt"
      header={{ height: 48, collapsed: false }}
      navbar={{ width: 232, breakpoint: "sm", collapsed: { mobile: !open } }}
      classNames={{ navbar: classes.navbar, header: classes.header, main: classes.main }}
    >
      <a className={classes.skip} href="#content">
        {t("skip")}
      </a>
      <AppShell.Header hiddenFrom="sm">
        <Group h="100%" px="md" justify="space-between">
          <Group gap="sm">
            <Burger opened={open} onClick={toggle} size="sm" aria-label={open ? t("closeMenu") : t("openMenu")} />
            <Brand />
          </Group>
          <CommandButton compact />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar aria-label={t("navigation")}>
        <Group px="md" h={52} justify="space-between" wrap="nowrap">
          <Brand />
          <Burger hiddenFrom="sm" opened={open} onClick={toggle} size="sm" aria-label={t("closeMenu")} />
        </Group>
        <div className={classes.top}>
          <AccountSwitch current={here} />
          <CommandButton />
        </div>
        <ScrollArea className={classes.links} type="scroll" scrollbarSize={6}>
          {account !== undefined && <NavigationLinks items={accountItems(account)} account={account} />}
          <Text className={classes.group}>{t("service")}</Text>
          <NavigationLinks items={serviceItems} />
          {me.user.operator && (
            <>
              <Text className={classes.group}>{t("operation")}</Text>
              <NavigationLinks items={operatorItems} />
            </>
          )}
        </ScrollArea>
        <Divider />
        <Group p="xs" justify="space-between" wrap="nowrap" gap={4}>
          <UserMenu />
          <Appearance />
        </Group>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <div className={classes.page}>
          <ShellNotices />
          <Outlet />
        </div>
      </AppShell.Main>
    </AppShell>
  );
}
