import { Alert, Button, Group, Paper, Stack, Text, ThemeIcon, Title, VisuallyHidden } from "@mantine/core";
import { IconCheck, IconCircleCheck } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useMay } from "../../app/account.ts";
import { useFormat } from "../../shared/format.ts";
import { useText } from "../../shared/text.ts";
import classes from "./home.module.css";
import type { Overview } from "./overview-data.ts";
import { homeTexts } from "./texts.ts";

/** Leads a new account to its first call, and a little further. The page looks again by itself. */
export function FirstSteps({ account, overview }: { account: string; overview: Overview }) {
  const t = useText(homeTexts);
  const mayMakeKeys = useMay("member");
  const { checklist, last_calls } = overview;
  const params = { account };
  const failed = checklist.has_call && !checklist.has_success;
  const newest = last_calls[0];
  const steps = [
    {
      id: "key",
      done: checklist.has_key || checklist.has_call,
      title: t("stepKey"),
      text: t("stepKeyText"),
      action: mayMakeKeys && {
        link: (props: LinkProps) => (
          <Link {...props} to="/a/$account/keys" params={params} search={{ panel: "create" } as never} />
        ),
        text: t("stepKeyAction"),
      },
    },
    {
      id: "connect",
      done: checklist.has_call,
      title: t("stepConnect"),
      text: t("stepConnectText"),
      action: {
        link: (props: LinkProps) => <Link {...props} to="/a/$account/connect" params={params} />,
        text: t("stepConnectAction"),
      },
    },
    {
      id: "call",
      done: checklist.has_success,
      title: t("stepCall"),
      text: failed ? t("stepFailed") : t("stepCallText"),
      waiting: !checklist.has_call,
      action:
        failed && newest
          ? {
              link: (props: LinkProps) => (
                <Link {...props} to="/a/$account/calls/$call" params={{ account, call: newest.id }} />
              ),
              text: t("stepFailedAction"),
            }
          : {
              link: (props: LinkProps) => <Link {...props} to="/a/$account/playground" params={params} />,
              text: t("stepCallAction"),
            },
    },
    {
      id: "protocol",
      done: checklist.protocols.length > 1,
      title: t("stepProtocol"),
      text: t("stepProtocolText"),
      action: {
        link: (props: LinkProps) => <Link {...props} to="/a/$account/playground" params={params} />,
        text: t("stepProtocolAction"),
      },
    },
  ];
  const next = steps.findIndex(({ done }) => !done);
  return (
    <Paper p="lg" mb="lg">
      <Title order={2}>{t("stepsTitle")}</Title>
      <Text fz="sm" c="dimmed" mb="md">
        {t("stepsText")}
      </Text>
      {checklist.has_success && <Arrived account={account} overview={overview} />}
      <ol className={classes.steps}>
        {steps.map((step, place) => (
          <li key={step.id} className={classes.step} {...(place === next && { "aria-current": "step" as const })}>
            <ThemeIcon
              size={24}
              radius="xl"
              variant={step.done ? "filled" : "default"}
              className={classes.mark}
              aria-hidden="true"
            >
              {step.done ? (
                <IconCheck size={14} stroke={2.4} />
              ) : (
                <Text span fz="xs" fw={600}>
                  {place + 1}
                </Text>
              )}
            </ThemeIcon>
            <Stack gap={2} flex={1} miw={200}>
              <Text fz="sm" fw={place === next ? 600 : 500}>
                {step.title}
                <VisuallyHidden> ({step.done ? t("stepDone") : t("stepOpen")})</VisuallyHidden>
              </Text>
              {!step.done && (
                <Text fz="sm" c="dimmed">
                  {step.text}
                </Text>
              )}
              {place === next && step.waiting && (
                <Group gap={8} role="status">
                  <span className={classes.waiting} aria-hidden="true" />
                  <Text fz="sm">{t("waiting")}</Text>
                </Group>
              )}
            </Stack>
            {!step.done && step.action && <StepButton {...step.action} next={place === next} />}
          </li>
        ))}
      </ol>
    </Paper>
  );
}

type LinkProps = Record<string, unknown> & { children?: ReactNode };

/** Where a step is done; the next one stands out. */
function StepButton({ link, text, next }: { link: (props: LinkProps) => ReactNode; text: string; next: boolean }) {
  return (
    <Button size="xs" variant={next ? "filled" : "default"} renderRoot={link}>
      {text}
    </Button>
  );
}

function Arrived({ account, overview: { last_calls } }: { account: string; overview: Overview }) {
  const t = useText(homeTexts);
  const format = useFormat();
  const first = last_calls.findLast(({ outcome }) => outcome === "succeeded");
  if (!first) return null;
  const { model, end_ms, charge, id } = first;
  return (
    <Alert
      color="teal"
      variant="light"
      mb="md"
      p="sm"
      role="status"
      icon={<IconCircleCheck size={20} aria-hidden="true" />}
      className={classes.arrived}
    >
      <Group justify="space-between" gap="sm">
        <div>
          <Text fz="sm" fw={600}>
            {t("arrived")}
          </Text>
          <Text fz="sm">
            {t("arrivedText", {
              model: model ?? "–",
              duration: format.duration(end_ms ?? 0),
              cost: format.money(charge),
            })}
          </Text>
        </div>
        <Button
          size="xs"
          variant="default"
          renderRoot={(props) => <Link {...props} to="/a/$account/calls/$call" params={{ account, call: id }} />}
        >
          {t("arrivedAction")}
        </Button>
      </Group>
    </Alert>
  );
}
