import { ActionIcon, Group, Tooltip, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { IconLanguage, IconMoon, IconSun } from "@tabler/icons-react";
import { setLanguage, useLanguage, useText } from "../shared/text.ts";
import { appTexts } from "./text.ts";

/** Light or dark, English or Chinese. */
export function Appearance() {
  const t = useText(appTexts);
  const language = useLanguage();
  const scheme = useComputedColorScheme("light");
  const { setColorScheme } = useMantineColorScheme();
  const other = scheme === "dark" ? "light" : "dark";
  const label = `${t("theme")}: ${t(other)}`;
  return (
    <Group gap={4} wrap="nowrap">
      <Tooltip label={label}>
        <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={() => setColorScheme(other)}>
          {scheme === "dark" ? <IconSun size={17} stroke={1.7} /> : <IconMoon size={17} stroke={1.7} />}
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t("otherLanguage")}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`${t("language")}: ${t("otherLanguage")}`}
          onClick={() => setLanguage(language === "en" ? "zh" : "en")}
        >
          <IconLanguage size={17} stroke={1.7} />
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}
