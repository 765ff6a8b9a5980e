import { codecs, type JsonObject, type JsonValue, type Part, type Turn } from "@interlingua/protocols";
import { useCallback, useRef, useState } from "react";
import { callGateway } from "../../shared/gateway-call.ts";
import { type Answer, type AnswerFacts, noticesOf, streamedAnswer, wholeAnswer } from "./answer.ts";
import { canonicalRequest, type Entry, type Settings } from "./conversation.ts";
import { type RawFrame, rawFrames } from "./raw-frames.ts";

/** Gives the secret to call with; `fresh`: the one before was refused. */
export type GiveSecret = (options?: { fresh?: boolean }) => Promise<string>;

export interface ConversationState {
  entries: readonly Entry[];
  /** Whether an answer is on its way. */
  busy: boolean;
  send(settings: Settings, parts: readonly Part[], giveSecret: GiveSecret): Promise<void>;
  /** Asks for another answer in the place of the last one. */
  retry(settings: Settings, giveSecret: GiveSecret): Promise<void>;
  stop(): void;
  /** Takes this turn and all behind it out. */
  removeFrom(id: number): void;
  replace(turns: readonly Turn[]): void;
}

/** The conversation and the calls that carry it on. */
export function useConversation(): ConversationState {
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const [busy, setBusy] = useState(false);
  const running = useRef<AbortController>(undefined);
  const ids = useRef(0);

  const ask = useCallback(async (settings: Settings, before: readonly Entry[], giveSecret: GiveSecret) => {
    const abort = new AbortController();
    running.current = abort;
    ids.current += 1;
    const id = ids.current;
    setBusy(true);
    const show = (parts: Part[], facts: AnswerFacts) =>
      setEntries([...before, { id, turn: { role: "assistant", parts }, facts }]);
    try {
      await askGateway(settings, before, giveSecret, abort.signal, show);
    } finally {
      if (running.current === abort) {
        running.current = undefined;
        setBusy(false);
      }
    }
  }, []);

  const send = useCallback(
    async (settings: Settings, parts: readonly Part[], giveSecret: GiveSecret) => {
      ids.current += 1;
      const next = [
        ...withoutFailure(entries),
        { id: ids.current, turn: { role: "user" as const, parts: [...parts] } },
      ];
      setEntries(next);
      await ask(settings, next, giveSecret);
    },
    [entries, ask],
  );

  const retry = useCallback(
    async (settings: Settings, giveSecret: GiveSecret) => {
      const next = entries.at(-1)?.turn.role === "assistant" ? entries.slice(0, -1) : entries;
      setEntries(next);
      await ask(settings, next, giveSecret);
    },
    [entries, ask],
  );

  return {
    entries,
    busy,
    send,
    retry,
    stop: () => running.current?.abort(),
    removeFrom(id) {
      running.current?.abort();
      setEntries((before) =>
        before.slice(
          0,
          Math.max(
            0,
            before.findIndex((entry) => entry.id === id),
          ),
        ),
      );
    },
    replace(turns) {
      running.current?.abort();
      setEntries(
        turns.map((turn) => {
          ids.current += 1;
          return { id: ids.current, turn };
        }),
      );
    },
  };
}

/** What failed said nothing: it does not go out with the next message. */
function withoutFailure(entries: readonly Entry[]): readonly Entry[] {
  const last = entries.at(-1);
  return last?.turn.role === "assistant" && last.turn.parts.length === 0 ? entries.slice(0, -1) : entries;
}

/** The body of the request that these turns make. Throws an UnreadableSetting or a ProtocolError. */
export function requestOf(settings: Settings, turns: readonly Turn[]) {
  const { protocol, model, stream } = settings;
  return codecs[protocol].encodeRequest(canonicalRequest(settings, turns), { model, stream });
}

async function askGateway(
  settings: Settings,
  entries: readonly Entry[],
  giveSecret: GiveSecret,
  signal: AbortSignal,
  show: (parts: Part[], facts: AnswerFacts) => void,
): Promise<void> {
  const { protocol, model, stream } = settings;
  const started = performance.now();
  const elapsed = () => performance.now() - started;
  let facts: AnswerFacts = {
    ...{ protocol, model, callId: undefined, status: 0, notices: [], frames: [] },
    ...{ usage: undefined, finish: undefined, error: undefined, refusal: undefined },
    ...{ firstByteMs: undefined, endMs: undefined, stopped: false },
  };
  let parts: Part[] = [];
  const tell = (more: Partial<AnswerFacts>) => {
    facts = { ...facts, ...more };
    show(parts, facts);
  };
  show(parts, facts);
  try {
    const turns = entries.map(({ turn }) => turn);
    const { body, notices } = requestOf(settings, turns);
    const response = await callOnceMore(settings, body, giveSecret, signal);
    const told = noticesOf(response.headers.get("x-interlingua-notices"));
    const callId = response.headers.get("x-request-id") ?? undefined;
    tell({ status: response.status, callId, notices: [...notices, ...told], firstByteMs: elapsed() });
    if (!response.ok || !stream) {
      const text = await response.text();
      const frames = [{ at: elapsed(), event: undefined, data: text }];
      if (!response.ok) return tell({ refusal: text, frames, endMs: elapsed() });
      // Whatever JSON there is.
      const answer = wholeAnswer(protocol, JSON.parse(text) as JsonValue);
      parts = answer.parts();
      return tell({ ...outcomeOf(answer), frames, endMs: elapsed() });
    }
    await readStream(settings, response, elapsed, (answer, frames) => {
      parts = answer.parts();
      tell({ ...outcomeOf(answer), frames });
    });
    tell({ endMs: elapsed() });
  } catch (error) {
    if (signal.aborted) return tell({ stopped: true, endMs: elapsed() });
    tell({ refusal: error instanceof Error ? error.message : String(error), endMs: elapsed() });
  }
}

/** With the page's key once more where the first one has ended meanwhile. */
async function callOnceMore(
  { protocol, model, stream }: Settings,
  body: JsonObject,
  giveSecret: GiveSecret,
  signal: AbortSignal,
): Promise<Response> {
  const call = async (fresh: boolean) =>
    callGateway({ protocol, model, stream, body, signal, secret: await giveSecret({ fresh }) });
  const response = await call(false);
  return response.status === 401 ? call(true) : response;
}

function outcomeOf(answer: Answer) {
  return { usage: answer.usage(), finish: answer.finish(), error: answer.error() };
}

async function readStream(
  { protocol }: Settings,
  response: Response,
  elapsed: () => number,
  show: (answer: Answer, frames: readonly RawFrame[]) => void,
): Promise<void> {
  const answer = streamedAnswer(protocol);
  const cutter = rawFrames();
  const text = new TextDecoder();
  const frames: RawFrame[] = [];
  const reader = response.body?.getReader();
  for (;;) {
    const step = await reader?.read();
    if (!step || step.done) break;
    answer.push(step.value);
    frames.push(...cutter.push(text.decode(step.value, { stream: true }), elapsed()));
    show(answer, [...frames]);
  }
  answer.close();
  frames.push(...cutter.push(text.decode(), elapsed()), ...cutter.close(elapsed()));
  show(answer, frames);
}
