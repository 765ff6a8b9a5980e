import { ActionIcon, Kbd, Text, UnstyledButton } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { useText } from "../shared/text.ts";
import classes from "./command-button.module.css";
import { appTexts } from "./text.ts";

const CommandMenu = lazy(() => import("./command-menu.tsx"));

/** Opens the command menu, which is loaded with its first use: also by Ctrl+K or Cmd+K. */
export function CommandButton({ compact = false }: { compact?: boolean }) {
  const t = useText(appTexts);
  const [open, setOpen] = useState(false);
  useHotkeys(compact ? [] : [["mod+K", () => setOpen(true)]], []);
  return (
    <>
      {compact ? (
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t("search")} onClick={() => setOpen(true)}>
          <IconSearch size={18} stroke={1.7} />
        </ActionIcon>
      ) : (
        <UnstyledButton className={classes.button} onClick={() => setOpen(true)}>
          <IconSearch size={15} stroke={1.7} aria-hidden="true" />
          <Text span fz="sm" flex={1}>
            {t("search")}
          </Text>
          <Kbd size="xs" aria-hidden="true">
            Ctrl K
          </Kbd>
        </UnstyledButton>
      )}
      {open && (
        <Suspense>
          <CommandMenu onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
