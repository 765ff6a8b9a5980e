import { ActionIcon, Badge, Group, Paper, Stack, Switch, Text, Tooltip, VisuallyHidden } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconEdit, IconTrash } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { notifyDone, notifyFailed, notifyUndo } from "../../shared/notify.tsx";
import { useText } from "../../shared/text.ts";
import classes from "./routing.module.css";
import { type RoutingRule, useRuleChanges } from "./routing-api.ts";
import { RuleSentence } from "./sentence.tsx";
import { routingTexts } from "./texts.ts";

/** The rules as sentences, in their order, which is changed by buttons that every keyboard reaches. */
export function RuleList({ rules, onEdit }: { rules: readonly RoutingRule[]; onEdit: (rule: RoutingRule) => void }) {
  const t = useText(routingTexts);
  const { order, save, remove, create } = useRuleChanges();
  const [told, setTold] = useState("");
  const list = useRef<HTMLOListElement>(null);

  const move = (index: number, by: -1 | 1) => {
    const ids = rules.map(({ id }) => id);
    const [id] = ids.splice(index, 1);
    if (id === undefined) return;
    ids.splice(index + by, 0, id);
    order.mutate(ids);
    setTold(t("movedTo", { position: index + by + 1 }));
    // The focus goes with the rule.
    requestAnimationFrame(() => {
      const row = list.current?.children[index + by];
      const wanted = row?.querySelector<HTMLButtonElement>(by === -1 ? "[data-move=up]" : "[data-move=down]");
      const other = row?.querySelector<HTMLButtonElement>("[data-move]:not(:disabled)");
      (wanted?.disabled === false ? wanted : other)?.focus();
    });
  };
  const setEnabled = (rule: RoutingRule, enabled: boolean) =>
    save.mutate({ rule, changes: { enabled } }, { onError: notifyFailed });
  const drop = (rule: RoutingRule) =>
    remove.mutate(rule.id, {
      onSuccess: () => {
        const { action, model, client_protocol, account_id, access_key_id, enabled, note } = rule;
        if (action === null) return notifyDone(t("deleted"));
        const again = { action, model, client_protocol, account_id, access_key_id, enabled, note };
        return notifyUndo(t("deleted"), () => create.mutate(again, { onError: notifyFailed }));
      },
    });

  return (
    <Paper className={classes.rules ?? ""}>
      <VisuallyHidden role="status">{told}</VisuallyHidden>
      <ol ref={list} className={classes.list} aria-label={t("rules")}>
        {rules.map((rule, index) => {
          const position = index + 1;
          return (
            <li key={rule.id} className={classes.rule} data-off={!rule.enabled || undefined}>
              <Text span fz="sm" c="dimmed" w={24} ta="right" className="figures">
                {position}
              </Text>
              <Stack gap={4} flex={1} miw={0}>
                <RuleSentence rule={rule} />
                <Group gap={8}>
                  {!rule.enabled && (
                    <Badge variant="default" size="xs" radius="sm" tt="none" fw={500}>
                      {t("off")}
                    </Badge>
                  )}
                  {rule.note !== null && (
                    <Text fz="xs" c="dimmed">
                      {rule.note}
                    </Text>
                  )}
                </Group>
                {rule.rejected !== null && (
                  <Text fz="xs" c="var(--console-bad)">
                    {t("rejected", { reason: rule.rejected })}
                  </Text>
                )}
                {rule.missing_channels.length > 0 && (
                  <Text fz="xs" c="var(--console-warn)">
                    {t("missing", { names: rule.missing_channels.join(", ") })}
                  </Text>
                )}
              </Stack>
              <Group gap={4} wrap="nowrap" className={classes.actions ?? ""}>
                <Switch
                  size="xs"
                  mr={6}
                  aria-label={t("enabledOf", { position })}
                  checked={rule.enabled}
                  onChange={(event) => setEnabled(rule, event.currentTarget.checked)}
                />
                <Icon
                  label={t("moveUp", { position })}
                  disabled={index === 0}
                  move="up"
                  onClick={() => move(index, -1)}
                >
                  <IconArrowUp size={16} stroke={1.6} />
                </Icon>
                <Icon
                  label={t("moveDown", { position })}
                  disabled={index === rules.length - 1}
                  move="down"
                  onClick={() => move(index, 1)}
                >
                  <IconArrowDown size={16} stroke={1.6} />
                </Icon>
                <Icon label={t("editRule", { position })} onClick={() => onEdit(rule)}>
                  <IconEdit size={16} stroke={1.6} />
                </Icon>
                <Icon label={t("deleteRule", { position })} onClick={() => drop(rule)}>
                  <IconTrash size={16} stroke={1.6} />
                </Icon>
              </Group>
            </li>
          );
        })}
      </ol>
    </Paper>
  );
}

function Icon({
  label,
  disabled = false,
  move,
  onClick,
  children,
}: {
  label: string;
  disabled?: boolean;
  move?: "up" | "down";
  onClick: () => void;
  children: React.ReactNode;
}) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={label}
        disabled={disabled}
        data-move={move}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
