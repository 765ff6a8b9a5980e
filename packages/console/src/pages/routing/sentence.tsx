import { Code, Text } from "@mantine/core";
import { Fragment, type ReactNode } from "react";
import { useText } from "../../shared/text.ts";
import type { RoutingAction, RoutingRule } from "./routing-api.ts";
import { type RoutingText, routingTexts } from "./texts.ts";

/** What stands for a value while a sentence is looked up, to be replaced by the value as it is shown. */
export const slot = "\u0001";

/** A text of the catalogue in which the slot becomes a node. */
export function filled(text: string, node: ReactNode): ReactNode {
  const [before = "", after = ""] = text.split(slot);
  return (
    <>
      {before}
      {node}
      {after}
    </>
  );
}

/** A rule as a person would say it. */
export function RuleSentence({ rule }: { rule: RoutingRule }) {
  const t = useText(routingTexts);
  const conditions = conditionsOf(rule, t);
  return (
    <Text component="p" fz="sm" m={0} lh={1.7}>
      {conditions.length === 0 ? t("always") : filled(t("when", { conditions: slot }), joined(conditions, t("and")))}
      <ActionWords action={rule.action} />
    </Text>
  );
}

function conditionsOf(rule: RoutingRule, t: RoutingText): ReactNode[] {
  const { model, client_protocol, account_id, access_key_id } = rule;
  return [
    ...(model === null
      ? []
      : [
          filled(
            model.includes("*") ? t("whenPattern", { model: slot }) : t("whenModel", { model: slot }),
            <Code>{model}</Code>,
          ),
        ]),
    ...(client_protocol === null
      ? []
      : [filled(t("whenProtocol", { protocol: slot }), <Code>{client_protocol}</Code>)]),
    ...(account_id === null
      ? []
      : [filled(t("whenAccount", { account: slot }), <Named name={rule.account_name} id={account_id} />)]),
    ...(access_key_id === null
      ? []
      : [filled(t("whenKey", { key: slot }), <Named name={rule.access_key_name} id={access_key_id} />)]),
  ];
}

function Named({ name, id }: { name: string | null; id: string }) {
  return <strong title={id}>{name ?? id}</strong>;
}

function ActionWords({ action }: { action: RoutingAction | null }) {
  const t = useText(routingTexts);
  switch (action?.kind) {
    case "only":
      return filled(t("doOnly", { channels: slot }), <ChannelNames names={action.channels} />);
    case "prefer":
      return filled(t("doPrefer", { channels: slot }), <ChannelNames names={action.channels} />);
    case "rewrite":
      return filled(t("doRewrite", { model: slot }), <Code>{action.model}</Code>);
    case "refuse":
      return filled(t("doRefuse", { message: slot }), <em>{action.message}</em>);
    case undefined:
      return t("doUnknown");
  }
}

function ChannelNames({ names }: { names: readonly string[] }) {
  const t = useText(routingTexts);
  const shown = names.map((name) => <strong key={name}>{name}</strong>);
  return joined(shown, t("channelsOr"));
}

function joined(parts: readonly ReactNode[], between: string): ReactNode {
  return parts.map((part, index) => (
    // The parts of one sentence never change their places.
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    <Fragment key={index}>
      {index > 0 && between}
      {part}
    </Fragment>
  ));
}
