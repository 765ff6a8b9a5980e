import { Link } from "@tanstack/react-router";
import { AlertsBadge } from "../shared/alerts/alerts-badge.tsx";
import { useText } from "../shared/text.ts";
import type { NavigationItem } from "./navigation.ts";
import classes from "./shell.module.css";
import { appTexts } from "./text.ts";

/** `account`: whose links they are, to tell of its alerts. */
export function NavigationLinks({ items, account }: { items: readonly NavigationItem[]; account?: string }) {
  const t = useText(appTexts);
  return (
    <div>
      {items.map(({ label, to, icon: Icon }) => (
        <Link
          key={to}
          to={to}
          className={classes.link}
          activeProps={{ "data-status": "active", "aria-current": "page" }}
        >
          <Icon size={17} stroke={1.6} aria-hidden="true" />
          {t(label)}
          {label === "balance" && account !== undefined && <AlertsBadge accountId={account} />}
        </Link>
      ))}
    </div>
  );
}
