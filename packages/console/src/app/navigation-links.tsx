import { Link } from "@tanstack/react-router";
import { useText } from "../shared/text.ts";
import type { NavigationItem } from "./navigation.ts";
import classes from "./shell.module.css";
import { appTexts } from "./text.ts";

export function NavigationLinks({ items }: { items: readonly NavigationItem[] }) {
  const t = useText(appTexts);
  return (
    <nav>
      {items.map(({ label, to, icon: Icon }) => (
        <Link
          key={to}
          to={to}
          className={classes.link}
          activeProps={{ "data-status": "active", "aria-current": "page" }}
        >
          <Icon size={17} stroke={1.6} aria-hidden="true" />
          {t(label)}
        </Link>
      ))}
    </nav>
  );
}
