import { Badge, Button, Code, Group, Paper, Select, Stack, Table, Text, TextInput, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { type Format, useFormat } from "../../shared/format.ts";
import { protocols } from "../../shared/gateway-call.ts";
import { Loaded } from "../../shared/loaded.tsx";
import { useText } from "../../shared/text.ts";
import { AccountSelect } from "./account-select.tsx";
import { explainQuery, type Protocol, type RouteExplanation } from "./routing-api.ts";
import { filled, RuleSentence, slot } from "./sentence.tsx";
import { type RoutingText, routingTexts } from "./texts.ts";

/** What is asked, as the address has it. */
export interface Question {
  model?: string | undefined;
  protocol?: Protocol | undefined;
  account?: string | undefined;
  key?: string | undefined;
}

/** Where a call would go at this moment, and why. */
export function ExplainBox({ question, onAsk }: { question: Question; onAsk: (question: Question) => void }) {
  const t = useText(routingTexts);
  const [typed, setTyped] = useState({
    model: question.model ?? "",
    protocol: question.protocol ?? ("chat-completions" as Protocol),
    account: question.account ?? "",
    key: question.key ?? "",
  });
  const set = (change: Partial<typeof typed>) => setTyped((before) => ({ ...before, ...change }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { protocol } = typed;
    const text = (value: string) => value.trim() || undefined;
    onAsk({ model: text(typed.model), protocol, account: text(typed.account), key: text(typed.key) });
  };
  return (
    <Paper p="md">
      <Stack gap="md">
        <div>
          <Title order={2}>{t("explainTitle")}</Title>
          <Text fz="sm" c="dimmed">
            {t("explainText")}
          </Text>
        </div>
        <form onSubmit={submit} noValidate>
          <Group align="flex-end" gap="sm">
            <TextInput
              label={t("model")}
              flex="2 1 180px"
              value={typed.model}
              onChange={(event) => set({ model: event.currentTarget.value })}
              autoComplete="off"
              spellCheck={false}
            />
            <Select
              label={t("protocol")}
              flex="1 1 160px"
              data={[...protocols]}
              value={typed.protocol}
              allowDeselect={false}
              onChange={(value) => set({ protocol: protocols.find((each) => each === value) ?? "chat-completions" })}
            />
            <AccountSelect value={typed.account} onChange={(account) => set({ account })} flex="1 1 150px" />
            <TextInput
              label={t("key")}
              flex="1 1 150px"
              placeholder={t("any")}
              value={typed.key}
              onChange={(event) => set({ key: event.currentTarget.value })}
              autoComplete="off"
              spellCheck={false}
            />
            <Button type="submit" variant="default" disabled={typed.model.trim() === ""}>
              {t("explain")}
            </Button>
          </Group>
        </form>
        {question.model === undefined ? (
          <Text fz="sm" c="dimmed">
            {t("explainEmpty")}
          </Text>
        ) : (
          <Answer question={{ ...question, model: question.model }} />
        )}
      </Stack>
    </Paper>
  );
}

function Answer({ question }: { question: Question & { model: string } }) {
  const t = useText(routingTexts);
  const format = useFormat();
  const { model, protocol = "chat-completions", account, key } = question;
  const query = useQuery(
    explainQuery({
      model,
      client_protocol: protocol,
      ...(account !== undefined && { account_id: account }),
      ...(key !== undefined && { access_key_id: key }),
    }),
  );
  return (
    <Loaded query={query}>
      {(answer) => (
        <Stack gap="md">
          <Text fz="sm" fw={600} role="status">
            {outcomeText(answer, t)}
            {answer.model !== model && ` ${t("rewritten", { model: answer.model })}`}
          </Text>
          <RulesAsked answer={answer} t={t} />
          {answer.steps.length > 0 && <Steps answer={answer} t={t} format={format} />}
        </Stack>
      )}
    </Loaded>
  );
}

function outcomeText({ outcome, steps }: RouteExplanation, t: RoutingText): string {
  switch (outcome) {
    case "candidates":
      return candidatesText(steps.filter(({ place }) => place !== null).length, t);
    case "unknown-model":
      return t("outcomeUnknown");
    case "no-channel":
      return t("outcomeNone");
    case "refused":
      return t("outcomeRefused");
  }
}

/** So many channels are tried for one call at most. */
const mostTried = 3;

function candidatesText(count: number, t: RoutingText): string {
  return count > mostTried ? t("outcomeMany", { count }) : t("outcomeCandidates", { count });
}

function RulesAsked({ answer, t }: { answer: RouteExplanation; t: RoutingText }) {
  if (answer.rules.length === 0) {
    return (
      <Text fz="sm" c="dimmed">
        {t("noRules")}
      </Text>
    );
  }
  return (
    <div>
      <Title order={3} mb={4}>
        {t("rulesAsked")}
      </Title>
      {answer.rules.map(({ rule, misfit }) => (
        <Group key={rule.id} gap="sm" align="flex-start" wrap="nowrap" py={3}>
          <Badge
            variant={misfit === null ? "light" : "default"}
            size="sm"
            radius="sm"
            tt="none"
            fw={500}
            mt={4}
            miw={110}
          >
            {misfit === null ? t("ruleHolds") : t(`misfit_${misfit}`)}
          </Badge>
          <RuleSentence rule={rule} />
        </Group>
      ))}
    </div>
  );
}

/** Of channels that are not tried, those that do not even have the model come in one line. */
function Steps({ answer, t, format }: { answer: RouteExplanation; t: RoutingText; format: Format }) {
  const shown = answer.steps.filter((step) => step.left_out !== "model");
  const without = answer.steps.filter((step) => step.left_out === "model");
  return (
    <div>
      <Title order={3} mb={4}>
        {t("steps")}
      </Title>
      {shown.length > 0 && (
        <Table.ScrollContainer minWidth={520} type="native" tabIndex={0} role="region" aria-label={t("steps")}>
          <Table fz="sm" verticalSpacing={6} horizontalSpacing="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col" w={70} ta="right">
                  {t("place")}
                </Table.Th>
                <Table.Th scope="col">{t("channel")}</Table.Th>
                <Table.Th scope="col" w={90} ta="right">
                  {t("priority")}
                </Table.Th>
                <Table.Th scope="col">{t("why")}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.map((step) => (
                <Table.Tr key={step.channel}>
                  <Table.Td ta="right">{step.place ?? "–"}</Table.Td>
                  <Table.Td fw={step.place === null ? 400 : 600} {...(step.place === null && { c: "dimmed" })}>
                    {step.channel}
                  </Table.Td>
                  <Table.Td ta="right">{format.count(step.priority)}</Table.Td>
                  <Table.Td>
                    <Why step={step} model={answer.model} t={t} format={format} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {without.length > 0 && (
        <Text fz="xs" c="dimmed" mt={6}>
          {`${t("left_more")} (${t("left_model")}): ${without.map(({ channel }) => channel).join(", ")}`}
        </Text>
      )}
    </div>
  );
}

function Why({
  step,
  model,
  t,
  format,
}: {
  step: RouteExplanation["steps"][number];
  model: string;
  t: RoutingText;
  format: Format;
}) {
  if (step.left_out !== null) {
    return (
      <Text span fz="sm" c="dimmed">
        {t(`left_${step.left_out}`)}
      </Text>
    );
  }
  const protocol = step.protocol ?? "";
  const words = [
    step.lane === "direct" ? t("direct", { protocol }) : t("converted", { protocol }),
    ...(step.share === null ? [] : [t("share", { share: format.percent(step.share) })]),
  ];
  return (
    <>
      {words.join(t("semicolon"))}
      {step.upstream_model !== null && step.upstream_model !== model && (
        <>
          {t("semicolon")}
          {filled(t("asked", { model: slot }), <Code>{step.upstream_model}</Code>)}
        </>
      )}
    </>
  );
}
