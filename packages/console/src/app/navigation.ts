import {
  IconActivity,
  IconAdjustments,
  IconArrowsSplit,
  IconBuilding,
  IconChartBar,
  IconCoins,
  IconCube,
  IconHeartbeat,
  IconHome,
  IconKey,
  IconListDetails,
  IconMessageCode,
  IconPlug,
  IconPlugConnected,
  IconReceipt,
  IconSettings,
  IconShieldCheck,
  IconUsers,
} from "@tabler/icons-react";
import type { en } from "./text.en.ts";

export interface NavigationItem {
  /** Of the texts of the shell. */
  label: keyof typeof en;
  to: string;
  icon: typeof IconHome;
}

const item = (label: NavigationItem["label"], to: string, icon: NavigationItem["icon"]): NavigationItem => ({
  label,
  to,
  icon,
});

/** The pages of one account. */
export function accountItems(account: string): NavigationItem[] {
  const at = `/a/${encodeURIComponent(account)}`;
  return [
    item("home", `${at}/home`, IconHome),
    item("connect", `${at}/connect`, IconPlugConnected),
    item("keys", `${at}/keys`, IconKey),
    item("calls", `${at}/calls`, IconListDetails),
    item("usage", `${at}/usage`, IconChartBar),
    item("balance", `${at}/balance`, IconReceipt),
    item("playground", `${at}/playground`, IconMessageCode),
    item("accountSettings", `${at}/settings`, IconAdjustments),
  ];
}

export const serviceItems: readonly NavigationItem[] = [
  item("models", "/models", IconCube),
  item("status", "/status", IconHeartbeat),
];

/** The pages of those who run the installation. */
export const operatorItems: readonly NavigationItem[] = [
  item("overview", "/operator/home", IconActivity),
  item("allCalls", "/operator/calls", IconListDetails),
  item("allUsage", "/operator/usage", IconChartBar),
  item("channels", "/operator/channels", IconPlug),
  item("routing", "/operator/routing", IconArrowsSplit),
  item("accounts", "/operator/accounts", IconBuilding),
  item("users", "/operator/users", IconUsers),
  item("prices", "/operator/prices", IconCoins),
  item("audit", "/operator/audit", IconShieldCheck),
  item("settings", "/operator/settings", IconSettings),
];
