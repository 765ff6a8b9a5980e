import { type JsonObject, type Notice, type Part, ProtocolError } from "@interlingua/protocols";
import { Alert, Stack, Text } from "@mantine/core";
import { CopyBlock } from "../../shared/copy.tsx";
import { useFormat } from "../../shared/format.ts";
import { callPath } from "../../shared/gateway-call.ts";
import { useText } from "../../shared/text.ts";
import type { AnswerFacts } from "./answer.ts";
import { codeSamples } from "./code-samples.ts";
import { type Entry, openCalls, type Settings, UnreadableSetting } from "./conversation.ts";
import { NoticeList } from "./notice-list.tsx";
import { pretty } from "./part-view.tsx";
import classes from "./playground.module.css";
import { playgroundTexts } from "./texts.ts";
import { requestOf } from "./use-conversation.ts";

/** The next request, or why there is none. */
export type NextRequest =
  | { ok: true; body: JsonObject; notices: readonly Notice[] }
  | { ok: false; message: string; field: "tools" | "schema" | undefined };

/** What a message that is sent now would send; dots stand for what is not written yet. */
export function nextRequest(settings: Settings, entries: readonly Entry[]): NextRequest {
  try {
    const turns = entries.map(({ turn }) => turn).filter(({ parts }) => parts.length > 0);
    if (turns.at(-1)?.role !== "user") turns.push({ role: "user", parts: awaited(entries) });
    const { body, notices } = requestOf(settings, turns);
    return { ok: true, body, notices };
  } catch (error) {
    if (error instanceof UnreadableSetting) return { ok: false, message: error.message, field: error.field };
    if (error instanceof ProtocolError) return { ok: false, message: error.message, field: undefined };
    throw error;
  }
}

function awaited(entries: readonly Entry[]): Part[] {
  const dots = { type: "text", text: "…" } as const;
  const calls = openCalls(entries);
  if (calls.length === 0) return [dots];
  return calls.map(({ callId, name, toolKind }) => ({ type: "tool-result", callId, name, toolKind, content: [dots] }));
}

export function RequestPane({ settings, request }: { settings: Settings; request: NextRequest }) {
  const t = useText(playgroundTexts);
  const { protocol, model, stream } = settings;
  return (
    <Stack gap="sm">
      <Text fz="xs" c="dimmed">
        {t("requestHelp")}
      </Text>
      {request.ok ? (
        <>
          <CopyBlock
            label={t("requestHead", { path: callPath(protocol, model, stream) })}
            code={JSON.stringify(request.body, null, 2)}
          />
          <NoticeList notices={request.notices} />
        </>
      ) : (
        <Unreadable message={request.message} />
      )}
    </Stack>
  );
}

export function CodePane({ settings, request }: { settings: Settings; request: NextRequest }) {
  const t = useText(playgroundTexts);
  if (!request.ok) return <Unreadable message={request.message} />;
  const { protocol, model, stream } = settings;
  const samples = codeSamples({ address: window.location.origin, protocol, model, stream, body: request.body });
  return (
    <Stack gap="sm">
      <Text fz="xs" c="dimmed">
        {t("codeHelp")}
      </Text>
      {samples.map(({ title, code }) => (
        <CopyBlock key={title} label={title} code={code} />
      ))}
    </Stack>
  );
}

function Unreadable({ message }: { message: string }) {
  const t = useText(playgroundTexts);
  return (
    <Alert color="red" variant="light">
      {t("unreadable", { why: message })}
    </Alert>
  );
}

/** The answer as it came over the wire, event by event. */
export function RawPane({ facts }: { facts: AnswerFacts | undefined }) {
  const t = useText(playgroundTexts);
  const format = useFormat();
  if (!facts) {
    return (
      <Text fz="sm" c="dimmed">
        {t("rawEmpty")}
      </Text>
    );
  }
  return (
    <Stack gap="xs">
      <Text fz="xs" c="dimmed">
        {t("rawOf", { count: facts.frames.length, model: facts.model })}
      </Text>
      {/* A box that scrolls must be reachable by the keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section className={classes.frames ?? ""} aria-label={t("rawEvents")} tabIndex={0}>
        <ol>
          {facts.frames.map((frame, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: events are only ever added at the end
            <li key={index}>
              <div className={classes.frameHead ?? ""}>
                <span>{format.duration(Math.round(frame.at))}</span>
                {frame.event !== undefined && <strong>{frame.event}</strong>}
              </div>
              <pre>{facts.frames.length === 1 ? pretty(frame.data) : frame.data}</pre>
            </li>
          ))}
        </ol>
      </section>
    </Stack>
  );
}
