import { describe, expect, test } from "vitest";
import { type JsonObject, type Notice, ProtocolError } from "../canonical/index.ts";
import type { NativeFinish } from "../chat-completions/wire.ts";
import type { WireFinishReason } from "../generate-content/wire.ts";
import type { StopReason } from "../messages/wire.ts";
import { wire } from "../peer-bugs/scene.ts";
import {
  callPart,
  candidate,
  chunk,
  completion,
  message,
  messageEnd,
  messageStart,
  responseCall,
  responseFrames,
  responseMessage,
  responseObject,
  textBlock,
  toolBlock,
  toolCall,
} from "../peer-bugs/wire-frames.ts";
import { carry, json, runStream, utf8 } from "../testing/carrying.ts";
import { type Letter, letters, protocolOf } from "../testing/letters.ts";
import { sides } from "../testing/protocol-sides.ts";
import { seen } from "./seen.ts";
import type { Frames } from "./streams.ts";

/** What the answer holds beside its text. */
type Held = "text" | "text and call" | "nothing";

/** An upstream's answer with this native end, whole and streamed. */
function answerOf(upstream: Letter, native: string, held: Held): { whole: JsonObject; frames: Frames } {
  const text = held !== "nothing";
  const call = held === "text and call";
  switch (upstream) {
    case "C": {
      const spoken = text ? { content: "Hi" } : {};
      const calls = call ? { tool_calls: [toolCall("c1", "read", "{}")] } : {};
      const delta = call ? { tool_calls: [{ index: 0, ...toolCall("c1", "read", "{}") }] } : {};
      const frames = [chunk({ role: "assistant", ...spoken }), chunk(delta), chunk({}, native), "[DONE]"];
      return { whole: completion({ ...spoken, ...calls }, native), frames };
    }
    case "R": {
      const [status = "", reason] = native.split(" ");
      const more = reason === undefined ? {} : { incomplete_details: { reason } };
      const items = [
        ...(text ? [responseMessage("msg_1", "Hi")] : []),
        ...(call ? [responseCall("c1", "read", "{}")] : []),
      ];
      return { whole: responseObject(items, status, more), frames: responseFrames(items, status, more) };
    }
    case "M": {
      const blocks = [
        ...(text ? [{ type: "text", text: "Hi" }] : []),
        ...(call ? [{ type: "tool_use", id: "c1", name: "read", input: {} }] : []),
      ];
      const streamed = [...(text ? textBlock(0, "Hi") : []), ...(call ? toolBlock(1, "c1", "read", "{}") : [])];
      return { whole: message(blocks, native), frames: [messageStart(), ...streamed, ...messageEnd(native)] };
    }
    case "G": {
      const parts = [...(text ? [{ text: "Hi" }] : []), ...(call ? [callPart("read", {})] : [])];
      return { whole: candidate(parts, native), frames: [candidate(parts), candidate([], native)] };
    }
  }
}

/** The client's word for the end, `error` where the call failed, and what was told beside it. */
function ends(client: Letter, upstream: Letter, native: string, held: Held) {
  const [to, from] = [sides[protocolOf[client]], sides[protocolOf[upstream]]];
  const { whole, frames } = answerOf(upstream, native, held);
  const unary = carry(to, from, to.body(1, false));
  const streaming = carry(to, from, to.body(1, true), { stream: true });
  const { text, ended } = runStream(streaming.createStream(), wire(frames).map(utf8));
  expect(to.verdict(text, 1)).toBe(ended);
  const streamed = ended === "error" ? "error" : endOf(client, to.whole(text, 1));
  return { unary: unaryEnd(), streamed, notices: [unary.notices, streaming.notices] };

  function unaryEnd(): string {
    try {
      return endOf(client, json(unary.convertResponse(whole).body));
    } catch (cause) {
      if (cause instanceof ProtocolError) return "error";
      throw cause;
    }
  }
}

function endOf(client: Letter, whole: JsonObject): string {
  return whole.promptFeedback === undefined ? seen(client, whole).end : "promptFeedback";
}

type Ends = Readonly<Record<Letter, string>>;
const stop: Ends = { C: "stop", R: "completed", M: "end_turn", G: "STOP" };
const length: Ends = { C: "length", R: "incomplete max_output_tokens", M: "max_tokens", G: "MAX_TOKENS" };
const filter: Ends = { C: "content_filter", R: "incomplete content_filter", M: "refusal", G: "SAFETY" };
const tool: Ends = { C: "tool_calls", R: "completed", M: "tool_use", G: "STOP" };
/** Gemini has no word for it, so that it must not look like its own good end. */
const other: Ends = { ...stop, G: "OTHER" };
const paused: Ends = { C: "stop", R: "incomplete max_output_tokens", M: "pause_turn", G: "OTHER" };
const context: Ends = { ...length, M: "model_context_window_exceeded" };
const malformed: Ends = { C: "stop", R: "error", M: "end_turn", G: "MALFORMED_FUNCTION_CALL" };
const failed: Ends = { C: "error", R: "error", M: "error", G: "error" };
const recitation: Ends = { ...filter, G: "RECITATION" };

/** Each word of the vendors' own packages: one that is added there fails the type check here. */
const chatCompletions: Record<NativeFinish, Ends> = {
  stop,
  length,
  content_filter: filter,
  // Without a call there is nothing to run.
  tool_calls: stop,
  function_call: stop,
};
const responses: Record<string, Ends> = {
  completed: stop,
  "incomplete max_output_tokens": length,
  "incomplete content_filter": filter,
  "incomplete steered": other,
};
const messages: Record<StopReason, Ends> = {
  end_turn: stop,
  max_tokens: length,
  stop_sequence: stop,
  tool_use: stop,
  pause_turn: paused,
  refusal: filter,
  model_context_window_exceeded: context,
  compaction: { ...other, M: "compaction" },
};
const generateContent: Record<WireFinishReason, Ends> = {
  STOP: stop,
  MAX_TOKENS: length,
  SAFETY: filter,
  RECITATION: recitation,
  BLOCKLIST: { ...filter, G: "BLOCKLIST" },
  PROHIBITED_CONTENT: { ...filter, G: "PROHIBITED_CONTENT" },
  SPII: { ...filter, G: "SPII" },
  IMAGE_SAFETY: { ...filter, G: "IMAGE_SAFETY" },
  IMAGE_PROHIBITED_CONTENT: { ...filter, G: "IMAGE_PROHIBITED_CONTENT" },
  IMAGE_RECITATION: { ...recitation, G: "IMAGE_RECITATION" },
  MODEL_ARMOR: { ...filter, G: "MODEL_ARMOR" },
  LANGUAGE: { ...other, G: "LANGUAGE" },
  OTHER: other,
  FINISH_REASON_UNSPECIFIED: { ...other, G: "FINISH_REASON_UNSPECIFIED" },
  NO_IMAGE: { ...other, G: "NO_IMAGE" },
  IMAGE_OTHER: { ...other, G: "IMAGE_OTHER" },
  CONTINUATION: paused,
  MALFORMED_FUNCTION_CALL: malformed,
  UNEXPECTED_TOOL_CALL: { ...malformed, G: "UNEXPECTED_TOOL_CALL" },
  TOO_MANY_TOOL_CALLS: { ...malformed, G: "TOO_MANY_TOOL_CALLS" },
  MALFORMED_RESPONSE: { ...failed, G: "MALFORMED_RESPONSE" },
  MISSING_THOUGHT_SIGNATURE: { ...failed, G: "MISSING_THOUGHT_SIGNATURE" },
};
const tables: Readonly<Record<Letter, Record<string, Ends>>> = {
  C: chatCompletions,
  R: responses,
  M: messages,
  G: generateContent,
};

const rows = letters.flatMap((upstream) =>
  Object.entries(tables[upstream]).flatMap(([native, expected]) =>
    letters.map((client) => ({ upstream, native, client, expected: expected[client] })),
  ),
);

test.each(rows)(
  "1.5.7 law 5: $native of $upstream is $expected for $client, whole and streamed",
  ({ upstream, native, client, expected }) => {
    const { unary, streamed } = ends(client, upstream, native, "text");
    expect([unary, streamed]).toEqual([expected, expected]);
  },
);

describe("1.5.7 law 1: a client's call decides, except where the answer was cut, filtered or broken", () => {
  const withCall = (plain: Ends): Ends | undefined => {
    if (plain === length || plain === context) return plain;
    if (plain.C === "content_filter") return plain;
    if (plain.C === "error") return plain;
    if (plain.R === "error") return { ...plain, C: "error", M: "error" };
    if (plain === paused) return undefined;
    return tool;
  };
  test.each(rows)("1.5.7 law 1: $native of $upstream with a call, for $client", ({ upstream, native, client }) => {
    const expected = withCall(tables[upstream][native] ?? stop)?.[client];
    const { unary, streamed } = ends(client, upstream, native, "text and call");
    expect(streamed).toBe(unary);
    if (expected !== undefined) expect(unary).toBe(expected);
  });
});

test.each(letters)("1.5.7 law 2: a provider's own tool never ends a turn for a tool, for %s", (client) => {
  const [to, from] = [sides[protocolOf[client]], sides.messages];
  const blocks = [
    { type: "server_tool_use", id: "s1", name: "web_search", input: {} },
    { type: "web_search_tool_result", tool_use_id: "s1", content: [] },
    { type: "text", text: "Hi" },
  ];
  const { body } = carry(to, from, to.body(1, false)).convertResponse(message(blocks, "end_turn"));
  expect(seen(client, body).end).toBe(stop[client]);
});

const unknown = letters.flatMap((client) =>
  (
    [
      ["C", "brand_new"],
      ["R", "incomplete brand_new"],
      ["M", "brand_new"],
      ["G", "BRAND_NEW"],
    ] as const
  ).map(([upstream, native]) => ({ client, upstream, native })),
);
test.each(unknown)(
  "1.5.7 law 3: $native of $upstream is told to $client, never a silent stop",
  ({ client, upstream, native }) => {
    const { unary, streamed, notices } = ends(client, upstream, native, "text");
    expect([unary, streamed]).toEqual([other[client], other[client]]);
    for (const told of notices) expectTold(told, /brand_new|BRAND_NEW/);
  },
);

test("1.5.7 law 4: a cut outranks a refusal", () => {
  for (const client of letters) {
    const [to, from] = [sides[protocolOf[client]], sides.responses];
    const content = [{ type: "refusal", refusal: "No." }];
    const item = { ...responseMessage("msg_1", ""), content };
    const cut = responseObject([item], "incomplete", { incomplete_details: { reason: "max_output_tokens" } });
    const { body } = carry(to, from, to.body(1, false)).convertResponse(cut);
    expect(seen(client, body).end).toBe(length[client]);
  }
});

test.each(letters)("1.5.7 law 6: a paused answer is told as one to %s, never shown as final", (client) => {
  const { notices } = ends(client, "M", "pause_turn", "text");
  if (client !== "M") for (const told of notices) expectTold(told, /paus/i);
});

test("1.5.7: a failed call is never an empty success, and never half of one that would be run", () => {
  for (const client of ["C", "R", "M"] as const) {
    for (const held of ["nothing", "text and call"] as const) {
      const { unary, streamed } = ends(client, "G", "MALFORMED_FUNCTION_CALL", held);
      expect([unary, streamed]).toEqual(["error", "error"]);
    }
  }
});

function expectTold(notices: readonly Notice[], words: RegExp): void {
  expect(notices.map(({ detail }) => detail).join(" ")).toMatch(words);
}
