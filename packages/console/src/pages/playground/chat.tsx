import { Alert, Button, SegmentedControl, Select } from "@mantine/core";
import { IconMessageCode, IconPlus } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useAccountId, useMay } from "../../app/account.ts";
import { Empty } from "../../shared/empty.tsx";
import { protocols } from "../../shared/gateway-call.ts";
import { ModelInput } from "../../shared/model-input.tsx";
import { sharedTexts } from "../../shared/shared-text.ts";
import { useText } from "../../shared/text.ts";
import { urlOneOf, urlText, useUrlState } from "../../shared/url-state.ts";
import { useModels } from "../../shared/use-models.ts";
import { Composer } from "./composer.tsx";
import { type Handover, newSettings, openCalls, type Settings } from "./conversation.ts";
import { CodePane, nextRequest, RawPane, RequestPane } from "./panes.tsx";
import classes from "./playground.module.css";
import { usePlaygroundKey } from "./playground-key.ts";
import { type KeyMode, SettingsPane } from "./settings-pane.tsx";
import { playgroundTexts } from "./texts.ts";
import { TurnView } from "./turn-view.tsx";
import { type GiveSecret, useConversation } from "./use-conversation.ts";

const panes = ["settings", "request", "raw", "code"] as const;
const fields = { protocol: urlOneOf(...protocols), model: urlText, pane: urlOneOf(...panes) };
const protocolTexts = {
  "chat-completions": "protocol_chat_completions",
  responses: "protocol_responses",
  messages: "protocol_messages",
  "generate-content": "protocol_generate_content",
} as const;

/** The conversation, and beside it what it is made of. */
export function Chat({ taken, from }: { taken: Handover | string | undefined; from: string | undefined }) {
  const t = useText(playgroundTexts);
  const s = useText(sharedTexts);
  const account = useAccountId();
  const mayUseOwn = useMay("member");
  const [url, setUrl] = useUrlState(fields);
  const { data: models } = useModels();
  const [rest, setRest] = useState<Omit<Settings, "protocol" | "model">>(newSettings);
  const [keyMode, setKeyMode] = useState<KeyMode>({ kind: mayUseOwn ? "own" : "pasted", secret: "" });
  const conversation = useConversation();
  const giveOwn = usePlaygroundKey(account);
  const { entries, busy } = conversation;

  const protocol = url.protocol ?? "chat-completions";
  const model = url.model ?? models?.find(({ pattern }) => !pattern)?.id ?? "";
  const settings: Settings = { ...rest, protocol, model };
  const set = (change: Partial<Settings>) => setRest((before) => ({ ...before, ...change }));
  const giveSecret: GiveSecret = keyMode.kind === "own" ? giveOwn : () => Promise.resolve(keyMode.secret);
  const request = nextRequest(settings, entries);
  const unreadable =
    !request.ok && request.field !== undefined ? { field: request.field, message: request.message } : undefined;
  const ready = model !== "" && unreadable === undefined && (keyMode.kind === "own" || keyMode.secret !== "");

  // biome-ignore lint/correctness/useExhaustiveDependencies: each request is taken over once
  useEffect(() => {
    if (typeof taken !== "object") return;
    const { protocol: takenProtocol, model: takenModel, ...others } = taken.settings;
    setRest(others);
    conversation.replace(taken.turns);
    setUrl({ protocol: takenProtocol, model: takenModel === "" ? undefined : takenModel });
  }, [taken]);

  const nameOf = (callId: string) => {
    const parts = entries.flatMap(({ turn }) => turn.parts);
    const call = parts.find((part) => part.type === "tool-call" && part.callId === callId);
    return call?.type === "tool-call" ? call.name : callId;
  };
  const last = entries.at(-1);
  const pane = url.pane ?? "settings";
  const send: Parameters<typeof Composer>[0]["onSend"] = (parts) => void conversation.send(settings, parts, giveSecret);
  // A conversation that ends with a user's turn waits for an answer: a request that was taken over, or one that was stopped.
  const waits = !busy && last?.turn.role === "user";

  return (
    <div className={classes.columns ?? ""}>
      <div>
        <div className={classes.choice ?? ""}>
          <Select
            label={t("protocol")}
            data={protocols.map((value) => ({ value, label: s(protocolTexts[value]) }))}
            value={protocol}
            allowDeselect={false}
            onChange={(value) => setUrl({ protocol: protocols.find((each) => each === value) })}
          />
          <ModelInput
            label={t("model")}
            placeholder={t("modelPlaceholder")}
            value={model}
            onChange={(value) => setUrl({ model: value })}
          />
          <Button
            variant="default"
            leftSection={<IconPlus size={15} aria-hidden="true" />}
            disabled={entries.length === 0}
            onClick={() => conversation.replace([])}
          >
            {t("clear")}
          </Button>
        </div>
        {taken !== undefined && from !== undefined && (
          <Alert variant="light" color={typeof taken === "string" ? "red" : "teal"} mb="sm">
            {typeof taken === "string" ? t("notTakenOver", { why: taken }) : t("takenOver", { call: from })}
          </Alert>
        )}
        {entries.length === 0 && (
          <Empty icon={<IconMessageCode size={28} stroke={1.4} />} title={t("emptyTitle")} text={t("emptyText")} />
        )}
        {entries.map((entry) => (
          <TurnView
            key={entry.id}
            entry={entry}
            account={account}
            nameOf={nameOf}
            open={busy && entry === last && entry.turn.role === "assistant"}
            onRemove={() => conversation.removeFrom(entry.id)}
            onRetry={
              entry === last && !busy && (entry.turn.role === "assistant" || waits) && ready
                ? () => void conversation.retry(settings, giveSecret)
                : undefined
            }
          />
        ))}
        <Composer busy={busy} ready={ready} calls={openCalls(entries)} onSend={send} onStop={conversation.stop} />
      </div>
      <section aria-label={t("pane")}>
        <SegmentedControl
          fullWidth
          size="xs"
          mb="md"
          aria-label={t("pane")}
          value={pane}
          onChange={(value) => setUrl({ pane: panes.find((each) => each === value) })}
          data={panes.map((value) => ({ value, label: t(`pane_${value}`) }))}
        />
        {pane === "settings" && (
          <SettingsPane
            settings={settings}
            set={set}
            keyMode={keyMode}
            setKeyMode={setKeyMode}
            mayUseOwn={mayUseOwn}
            unreadable={unreadable}
          />
        )}
        {pane === "request" && <RequestPane settings={settings} request={request} />}
        {pane === "raw" && <RawPane facts={entries.findLast(({ facts }) => facts !== undefined)?.facts} />}
        {pane === "code" && <CodePane settings={settings} request={request} />}
      </section>
    </div>
  );
}
