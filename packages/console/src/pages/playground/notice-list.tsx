import type { Notice } from "@interlingua/protocols";
import { Text } from "@mantine/core";
import { useText } from "../../shared/text.ts";
import classes from "./playground.module.css";
import { playgroundTexts } from "./texts.ts";

/** What a conversion changed, field by field. */
export function NoticeList({ notices, open = false }: { notices: readonly Notice[]; open?: boolean }) {
  const t = useText(playgroundTexts);
  if (notices.length === 0) return null;
  return (
    <details className={classes.notices ?? ""} open={open}>
      <summary>{t("notices", { count: notices.length })}</summary>
      <ul>
        {notices.map(({ field, verdict, detail }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <li key={index}>
            <Text span ff="monospace" fz="xs">
              {field}
            </Text>{" "}
            <Text span fz="xs" fw={600}>
              {t(`verdict_${verdict}`)}
            </Text>
            <Text span fz="xs">
              {" · "}
              {detail}
            </Text>
          </li>
        ))}
      </ul>
    </details>
  );
}
