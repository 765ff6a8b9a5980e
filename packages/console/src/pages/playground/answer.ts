import {
  type CanonicalError,
  codecs,
  EventGate,
  type Finish,
  type JsonValue,
  type Notice,
  type Part,
  type ProtocolName,
  type StreamEvent,
  type Usage,
} from "@interlingua/protocols";
import type { RawFrame } from "./raw-frames.ts";

/** What is known of an answer beside its parts. */
export interface AnswerFacts {
  protocol: ProtocolName;
  model: string;
  /** As the gateway's record has it; undefined where no answer came. */
  callId: string | undefined;
  /** 0: there was no answer at all. */
  status: number;
  /** Losses that the gateway told of. */
  notices: readonly Notice[];
  usage: Usage | undefined;
  finish: Finish | undefined;
  /** An error in the midst of a stream. */
  error: CanonicalError | undefined;
  /** The body of a refusal, as it came. */
  refusal: string | undefined;
  /** The answer as it came over the wire. */
  frames: readonly RawFrame[];
  /** Milliseconds from the request on. */
  firstByteMs: number | undefined;
  endMs: number | undefined;
  stopped: boolean;
}

/** An answer that is being put together. */
export interface Answer {
  /** A copy of what there is of it. */
  parts(): Part[];
  usage(): Usage | undefined;
  finish(): Finish | undefined;
  error(): CanonicalError | undefined;
}

/** Puts the first candidate of a streaming answer together, in any protocol. Bytes may be cut anywhere. */
export function streamedAnswer(protocol: ProtocolName): Answer & { push(bytes: Uint8Array): void; close(): void } {
  const decoder = codecs[protocol].createStreamDecoder();
  const gate = new EventGate();
  const parts: Part[] = [];
  let finish: Finish | undefined;
  let error: CanonicalError | undefined;
  const take = (event: StreamEvent) => {
    if ("candidate" in event && event.candidate !== 0) return;
    switch (event.type) {
      case "part-start":
        parts.push(opened(event.part));
        return;
      case "part-delta": {
        const open = parts.at(-1);
        if (open) grow(open, event.delta);
        return;
      }
      case "part":
        parts.push(event.part);
        return;
      case "finish":
        finish = event.finish;
        return;
      case "error":
        error = event.error;
        return;
      case "start":
      case "part-stop":
      case "usage":
      case "end":
        return;
    }
  };
  const takeAll = (events: readonly StreamEvent[]) => {
    for (const event of events) gate.push(event, take);
  };
  return {
    push: (bytes) => takeAll(decoder.push(bytes)),
    close: () => takeAll(decoder.close()),
    parts: () => parts.map((part) => ({ ...part })),
    usage: () => gate.usage,
    finish: () => finish,
    error: () => error,
  };
}

/** A whole answer. Throws a ProtocolError for what is none. */
export function wholeAnswer(protocol: ProtocolName, body: JsonValue): Answer {
  const response = codecs[protocol].decodeResponse(body);
  const [candidate] = response.candidates;
  return {
    parts: () => candidate?.parts ?? [],
    usage: () => response.usage,
    finish: () => candidate?.finish,
    error: () => undefined,
  };
}

type Head = Extract<StreamEvent, { type: "part-start" }>["part"];
type Delta = Extract<StreamEvent, { type: "part-delta" }>["delta"];

function opened(head: Head): Part {
  switch (head.type) {
    case "text":
    case "refusal":
      return { ...head, text: "" };
    case "tool-call":
      return { ...head, arguments: "" };
    case "reasoning":
      return { ...head };
  }
}

function grow(part: Part, delta: Delta): void {
  switch (delta.type) {
    case "text":
      if (part.type === "text" || part.type === "refusal") part.text += delta.text;
      return;
    case "arguments":
      if (part.type === "tool-call") part.arguments += delta.text;
      return;
    case "reasoning":
      if (part.type === "reasoning") part.text = (part.text ?? "") + delta.text;
      return;
    case "summary": {
      if (part.type !== "reasoning") return;
      const summary = [...(part.summary ?? [])];
      while (summary.length <= delta.index) summary.push("");
      summary[delta.index] += delta.text;
      part.summary = summary;
      return;
    }
    case "proof":
      part.proof = delta.proof;
      return;
    case "citation":
      if (part.type === "text") part.citations = [...(part.citations ?? []), delta.citation];
      return;
    case "logprobs":
      return;
  }
}

/** The notices in the answer's header; an unreadable one is told as such, never left out. */
export function noticesOf(header: string | null): Notice[] {
  if (header === null) return [];
  try {
    const list: unknown = JSON.parse(header);
    if (Array.isArray(list) && list.every(isNotice)) return list;
  } catch {
    // Told below.
  }
  return [{ field: "x-interlingua-notices", verdict: "dropped", detail: header }];
}

function isNotice(value: unknown): value is Notice {
  if (typeof value !== "object" || value === null) return false;
  const { field, verdict, detail } = { field: undefined, verdict: undefined, detail: undefined, ...value };
  return typeof field === "string" && typeof verdict === "string" && typeof detail === "string";
}
