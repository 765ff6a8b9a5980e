import { type ProtocolName, protocolNames } from "@interlingua/protocols";
import { Alert, Button, Group, Select, Stack, Text, Textarea, TextInput, Title } from "@mantine/core";
import { useDeferredValue, useMemo, useState } from "react";
import { CopyBlock } from "../../../shared/copy.tsx";
import { sharedTexts } from "../../../shared/shared-text.ts";
import { useText } from "../../../shared/text.ts";
import type { Handover } from "../conversation.ts";
import { openRequest } from "../handover.ts";
import { NoticeList } from "../notice-list.tsx";
import classes from "../playground.module.css";
import { playgroundTexts } from "../texts.ts";
import { type Converted, convertRequest, type PastedRequest, readPasted } from "./convert.ts";

const example = JSON.stringify(
  {
    model: "gpt-5.2",
    messages: [
      { role: "system", content: "Answer in one sentence." },
      { role: "user", content: "What is an interlingua?" },
    ],
    max_completion_tokens: 200,
    logit_bias: { "50256": -100 },
    response_format: { type: "json_object" },
  },
  null,
  2,
);

const names = {
  "chat-completions": "protocol_chat_completions",
  responses: "protocol_responses",
  messages: "protocol_messages",
  "generate-content": "protocol_generate_content",
} as const;

/** A pasted request in all four protocols at once. */
export function Converter({ onOpen }: { onOpen: (taken: Handover) => void }) {
  const t = useText(playgroundTexts);
  const s = useText(sharedTexts);
  const [text, setText] = useState("");
  const [as, setAs] = useState<ProtocolName>();
  const [model, setModel] = useState("gemini-3-pro");
  const read = useDeferredValue(text);
  const pasted = useMemo(() => readPasted(read, as, model), [read, as, model]);
  const taken = pasted.kind === "request" ? openRequest(pasted.protocol, pasted.body, pasted.model) : undefined;
  const detected = pasted.kind === "request" && as === undefined ? pasted.protocol : undefined;
  return (
    <Stack gap="lg">
      <Text fz="sm" c="dimmed" maw={720}>
        {t("converterHelp")}
      </Text>
      <div className={classes.pasted ?? ""}>
        <Textarea
          label={t("pasted")}
          placeholder={t("pastedPlaceholder")}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autosize
          minRows={8}
          maxRows={24}
          spellCheck={false}
          classNames={{ input: classes.json ?? "" }}
          error={pasted.kind === "unreadable" ? t("unreadableJson", { why: pasted.message }) : undefined}
        />
        <Stack gap="sm">
          <Select
            label={t("pastedIs")}
            data={[
              { value: "", label: detected ? t("detected", { protocol: s(names[detected]) }) : t("detect") },
              ...protocolNames.map((value) => ({ value, label: s(names[value]) })),
            ]}
            value={as ?? ""}
            allowDeselect={false}
            onChange={(value) => setAs(protocolNames.find((name) => name === value))}
          />
          <TextInput
            label={t("converterModel")}
            value={model}
            onChange={(event) => setModel(event.currentTarget.value)}
          />
          <Group gap="xs">
            {text === "" && (
              <Button variant="default" size="xs" onClick={() => setText(example)}>
                {t("exampleRequest")}
              </Button>
            )}
            {typeof taken === "object" && (
              <Button variant="default" size="xs" onClick={() => onOpen(taken)}>
                {t("openHere")}
              </Button>
            )}
          </Group>
          {pasted.kind === "unknown" && (
            <Alert color="yellow" variant="light">
              {t("unknownRequest")}
            </Alert>
          )}
        </Stack>
      </div>
      {pasted.kind === "request" && (
        <div className={classes.four ?? ""}>
          {protocolNames.map((name) => (
            <section key={name} aria-labelledby={`converted-${name}`}>
              <Title order={2} id={`converted-${name}`} mb={6}>
                {s(names[name])}
              </Title>
              <ConvertedView pasted={pasted} to={name} />
            </section>
          ))}
        </div>
      )}
    </Stack>
  );
}

function ConvertedView({ pasted, to }: { pasted: Extract<PastedRequest, { kind: "request" }>; to: ProtocolName }) {
  const t = useText(playgroundTexts);
  const converted: Converted = useMemo(() => convertRequest(pasted, to), [pasted, to]);
  if (!converted.ok) {
    return (
      <Alert color="red" variant="light">
        <Text fz="sm">{t("refused", { why: converted.message })}</Text>
        {converted.field !== undefined && (
          <Text fz="xs" ff="monospace">
            {t("field", { field: converted.field })}
          </Text>
        )}
      </Alert>
    );
  }
  const same = pasted.protocol === to;
  const label = same
    ? t("same")
    : converted.notices.length === 0
      ? t("noNotices")
      : t("notices", { count: converted.notices.length });
  return (
    <Stack gap={6}>
      <CopyBlock label={label} code={JSON.stringify(converted.body, null, 2)} />
      <NoticeList notices={converted.notices} open />
    </Stack>
  );
}
