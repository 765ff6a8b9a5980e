import { ActionIcon, Alert, Anchor, Code, Group, Loader, Stack, Text, Tooltip } from "@mantine/core";
import { IconRefresh, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api, unwrap } from "../../api/client.ts";
import { ProtocolBadge } from "../../shared/badges.tsx";
import { useFormat } from "../../shared/format.ts";
import { Money } from "../../shared/money.tsx";
import { useText } from "../../shared/text.ts";
import type { AnswerFacts } from "./answer.ts";
import type { Entry } from "./conversation.ts";
import { NoticeList } from "./notice-list.tsx";
import { PartView, pretty } from "./part-view.tsx";
import classes from "./playground.module.css";
import { playgroundTexts } from "./texts.ts";

/** One turn, and under an answer what it took. */
export function TurnView(props: {
  entry: Entry;
  account: string;
  nameOf: (callId: string) => string;
  /** Whether this answer is on its way. */
  open: boolean;
  onRemove: () => void;
  /** Given on the last answer. */
  onRetry: (() => void) | undefined;
}) {
  const { entry, account, nameOf, open, onRemove, onRetry } = props;
  const t = useText(playgroundTexts);
  const { turn, facts } = entry;
  return (
    <article className={classes.turn ?? ""} data-role={turn.role}>
      <Group justify="space-between" gap="xs" mb={4} wrap="nowrap">
        <Group gap={8}>
          <Text fz="xs" fw={600} c="dimmed">
            {t(`role_${turn.role}`)}
          </Text>
          {facts && (
            <>
              <Text fz="xs" c="dimmed">
                {facts.model}
              </Text>
              <ProtocolBadge protocol={facts.protocol} />
            </>
          )}
        </Group>
        <Group gap={2} wrap="nowrap" className={classes.tools ?? ""}>
          {onRetry && (
            <Tooltip label={t("retry")}>
              <ActionIcon variant="subtle" color="gray" aria-label={t("retry")} onClick={onRetry}>
                <IconRefresh size={15} />
              </ActionIcon>
            </Tooltip>
          )}
          <Tooltip label={t("removeFrom")}>
            <ActionIcon variant="subtle" color="gray" aria-label={t("removeFrom")} onClick={onRemove}>
              <IconTrash size={15} />
            </ActionIcon>
          </Tooltip>
        </Group>
      </Group>
      <Stack gap="xs" aria-live={open ? "polite" : "off"}>
        {turn.parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts are only ever added at the end
          <PartView key={index} part={part} nameOf={nameOf} />
        ))}
        {open && (
          <Group gap={8}>
            <Loader size="xs" type="dots" />
            <Text fz="xs" c="dimmed">
              {t("answering")}
            </Text>
          </Group>
        )}
        {facts && !open && <Facts facts={facts} account={account} />}
      </Stack>
    </article>
  );
}

function Facts({ facts, account }: { facts: AnswerFacts; account: string }) {
  const t = useText(playgroundTexts);
  const format = useFormat();
  const { usage, callId, status, firstByteMs, endMs, finish } = facts;
  const input = usage ? (usage.input.uncached ?? 0) + (usage.input.cacheRead ?? 0) + (usage.input.cacheWrite ?? 0) : 0;
  const said = [
    ...(usage ? [t("tokens", { input: format.count(input), output: format.count(usage.output.total ?? 0) })] : []),
    ...(usage?.output.reasoning ? [t("reasoningTokens", { count: usage.output.reasoning })] : []),
    ...(firstByteMs === undefined ? [] : [t("firstByte", { time: format.duration(firstByteMs) })]),
    ...(endMs === undefined ? [] : [t("whole", { time: format.duration(endMs) })]),
    ...(finish ? [t("finish", { reason: finish.reason })] : []),
  ];
  return (
    <>
      {facts.refusal !== undefined && (
        <Alert
          color="red"
          variant="light"
          role="alert"
          title={status === 0 ? t("unreachable") : t("failed", { status })}
        >
          <Code block className={classes.code ?? ""}>
            {pretty(facts.refusal)}
          </Code>
        </Alert>
      )}
      {facts.error && (
        <Alert color="red" variant="light" role="alert" title={t("brokeOff")}>
          {facts.error.message}
        </Alert>
      )}
      {facts.stopped && (
        <Text fz="xs" c="dimmed">
          {t("stopped")}
        </Text>
      )}
      <Group gap="xs" className={classes.facts ?? ""}>
        <Text fz="xs" c="dimmed" className="figures">
          {said.join(" · ")}
        </Text>
        {callId !== undefined && <CallFacts account={account} callId={callId} />}
      </Group>
      <NoticeList notices={facts.notices} />
    </>
  );
}

/** What the record says: the cost, and a way to all the rest. */
function CallFacts({ account, callId }: { account: string; callId: string }) {
  const t = useText(playgroundTexts);
  const { data } = useQuery({
    queryKey: ["call", account, callId],
    queryFn: () =>
      unwrap(api.GET("/api/v1/accounts/{account}/calls/{call}", { params: { path: { account, call: callId } } })),
    // A call of a key of another account is not in this one's log.
    retry: false,
  });
  if (!data) return null;
  return (
    <>
      <Text fz="xs" fw={550}>
        <Money nano={data.charge} />
      </Text>
      <Anchor fz="xs" component={Link} to={`/a/${encodeURIComponent(account)}/calls/${encodeURIComponent(callId)}`}>
        {t("openCall")}
      </Anchor>
    </>
  );
}
