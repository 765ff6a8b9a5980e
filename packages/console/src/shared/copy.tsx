import { ActionIcon, Code, CopyButton, Group, Paper, Text, Tooltip, UnstyledButton } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import classes from "./copy.module.css";
import { sharedTexts } from "./shared-text.ts";
import { useText } from "./text.ts";

/** An icon that copies a text. */
export function CopyIcon({ value, label }: { value: string; label?: string }) {
  const t = useText(sharedTexts);
  return (
    <CopyButton value={value} timeout={1500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t("copied") : (label ?? t("copy"))}>
          <ActionIcon
            variant="subtle"
            color={copied ? "teal" : "gray"}
            size="sm"
            aria-label={copied ? t("copied") : (label ?? t("copy"))}
            onClick={(event) => {
              event.stopPropagation();
              copy();
            }}
          >
            {copied ? <IconCheck size={15} /> : <IconCopy size={15} stroke={1.6} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}

/** An id that is copied by a click on it. */
export function CopyId({ value, shown }: { value: string; shown?: string }) {
  const t = useText(sharedTexts);
  return (
    <CopyButton value={value} timeout={1500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t("copied") : `${t("copy")}: ${value}`}>
          <UnstyledButton
            className={classes.id}
            aria-label={`${t("copy")} ${shown ?? value}`}
            onClick={(event) => {
              event.stopPropagation();
              copy();
            }}
          >
            <Text span ff="monospace" fz="xs">
              {shown ?? value}
            </Text>
            {copied ? (
              <IconCheck size={13} aria-hidden="true" />
            ) : (
              <IconCopy size={13} stroke={1.6} aria-hidden="true" />
            )}
          </UnstyledButton>
        </Tooltip>
      )}
    </CopyButton>
  );
}

/** Text to be taken as it is: a command, a configuration, a secret. */
export function CopyBlock({ code, label }: { code: string; label?: string }) {
  return (
    <Paper className={classes.block} radius="md">
      <Group justify="space-between" px="sm" py={4} className={classes.head} wrap="nowrap">
        <Text fz="xs" c="dimmed" truncate>
          {label ?? ""}
        </Text>
        <CopyIcon value={code} />
      </Group>
      {/* A box that scrolls must be reachable by the keyboard. */}
      <Code block className={classes.code} tabIndex={0}>
        {code}
      </Code>
    </Paper>
  );
}
