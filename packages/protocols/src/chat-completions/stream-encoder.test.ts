import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Proof, StreamEvent, Usage } from "../canonical/index.ts";
import { canonicalError } from "../canonical/index.ts";
import { EventGate } from "../shared/event-gate.ts";
import { plainVault } from "../shared/vault.ts";
import { answerContext, encodeStream, minimalRequest } from "../testing/chat-completions-fixture.ts";
import { checkStream } from "../testing/chat-completions-grammar.ts";
import { createStreamEncoder } from "./stream-encoder.ts";

const vault = plainVault();
const start: StreamEvent = { type: "start", id: "msg_1", model: "claude" };
const end: StreamEvent[] = [{ type: "finish", candidate: 0, finish: { reason: "stop" } }, { type: "end" }];
const usage: Usage = { input: { uncached: 201, cacheRead: 15104 }, output: { total: 5 } };

function text(key: string, ...pieces: string[]): StreamEvent[] {
  return [
    { type: "part-start", candidate: 0, key, part: { type: "text" } },
    ...pieces.map(
      (piece): StreamEvent => ({ type: "part-delta", candidate: 0, key, delta: { type: "text", text: piece } }),
    ),
    { type: "part-stop", candidate: 0, key },
  ];
}

function toolCall(key: string, callId: string, name: string, pieces: string[], proof?: Proof): StreamEvent[] {
  const head = { type: "tool-call", callId, name, toolKind: "function", ...(proof ? { proof } : {}) } as const;
  return [
    { type: "part-start", candidate: 0, key, part: head },
    ...pieces.map(
      (piece): StreamEvent => ({
        type: "part-delta",
        candidate: 0,
        key,
        delta: { type: "arguments", text: piece },
      }),
    ),
    { type: "part-stop", candidate: 0, key },
  ];
}

const toolEnd: StreamEvent[] = [{ type: "finish", candidate: 0, finish: { reason: "tool" } }, { type: "end" }];

describe("chunks", () => {
  it("follow the grammar, with the role once and first", () => {
    const checked = checkStream(encodeStream([start, ...text("t", "Hel", "lo"), ...end]), { usage: false });
    expect(checked).toMatchObject({ ended: "done", model: "claude", choices: [{ content: "Hello", finish: "stop" }] });
  });

  it("S31 bear one minted id, never the upstream's", () => {
    let minted = 0;
    const context = answerContext({ ids: (prefix) => `${prefix}${++minted}` });
    expect(checkStream(encodeStream([start, ...text("t", "a"), ...end], context)).id).toBe("chatcmpl-1");
    expect(minted).toBe(1);
  });

  it("index calls densely from 0, wherever the parts stand", () => {
    const events = [
      start,
      ...text("t", "x"),
      ...toolCall("a", "c1", "f", ['{"a"', ":1}"]),
      ...toolCall("b", "c2", "g", []),
      ...toolEnd,
    ];
    const checked = checkStream(encodeStream(events));
    expect(checked.choices[0]?.toolCalls).toEqual([
      { id: "c1", type: "function", name: "f", arguments: '{"a":1}' },
      { id: "c2", type: "function", name: "g", arguments: "{}" },
    ]);
  });

  it("S8 open nothing for an empty text", () => {
    const frames = encodeStream([start, ...text("t", ""), ...toolCall("a", "c1", "f", ["{}"]), ...toolEnd]);
    expect(frames.match(/"content":/g)).toHaveLength(1);
  });

  it("tell usage in a chunk of its own, and only when asked", () => {
    const events = [start, ...text("t", "a"), { type: "usage", usage } as const, ...end];
    checkStream(encodeStream(events), { usage: false });
    const asked = answerContext({ request: minimalRequest({ includeUsage: true }) });
    const checked = checkStream(encodeStream(events, asked), { usage: true });
    expect(checked.usage).toEqual({
      prompt_tokens: 15305,
      completion_tokens: 5,
      total_tokens: 15310,
      prompt_tokens_details: { cached_tokens: 15104 },
    });
  });

  it("carry refusals in their own field (S33)", () => {
    const refusal: StreamEvent[] = [
      { type: "part-start", candidate: 0, key: "r", part: { type: "refusal" } },
      { type: "part-delta", candidate: 0, key: "r", delta: { type: "text", text: "No." } },
      { type: "part-stop", candidate: 0, key: "r" },
      { type: "finish", candidate: 0, finish: { reason: "refusal" } },
      { type: "end" },
    ];
    expect(checkStream(encodeStream([start, ...refusal])).choices[0]).toMatchObject({ refusal: "No.", finish: "stop" });
  });

  it("S32 interleave candidates by index, and never write one that was not asked for", () => {
    const second: StreamEvent[] = text("t", "b").map((event) =>
      "candidate" in event ? { ...event, candidate: 1 } : event,
    );
    const finishes: StreamEvent[] = [0, 1].map((candidate) => ({
      type: "finish",
      candidate,
      finish: { reason: "stop" },
    }));
    const events = [start, ...text("t", "a"), ...second, ...finishes, { type: "end" } as const];
    const two = answerContext({ request: minimalRequest({ candidates: 2 }) });
    const both = checkStream(encodeStream(events, two), { candidates: 2 });
    expect(both.choices.map((choice) => choice.content)).toEqual(["a", "b"]);
    const one = answerContext();
    expect(checkStream(encodeStream(events, one)).choices).toHaveLength(1);
    expect(one.notices).toHaveLength(1);
  });

  it("name citations for their text, in UTF-16 units of the whole content (S36)", () => {
    const cited: StreamEvent[] = [
      ...text("t", "Aé "),
      { type: "part-start", candidate: 0, key: "u", part: { type: "text" } },
      { type: "part-delta", candidate: 0, key: "u", delta: { type: "text", text: "zé€😀x" } },
      {
        type: "part-delta",
        candidate: 0,
        key: "u",
        delta: { type: "citation", citation: { kind: "url", url: "https://a", start: 1, end: 10, unit: "byte" } },
      },
      { type: "part-stop", candidate: 0, key: "u" },
    ];
    expect(checkStream(encodeStream([start, ...cited, ...end])).choices[0]?.annotations).toEqual([
      { type: "url_citation", url_citation: { url: "https://a", title: "", start_index: 4, end_index: 8 } },
    ]);
  });

  it("say that a citation of a document is lost", () => {
    const context = answerContext();
    const cited: StreamEvent[] = [
      { type: "part-start", candidate: 0, key: "t", part: { type: "text" } },
      { type: "part-delta", candidate: 0, key: "t", delta: { type: "citation", citation: { kind: "document" } } },
      { type: "part-stop", candidate: 0, key: "t" },
    ];
    checkStream(encodeStream([start, ...cited, ...end], context));
    expect(context.notices).toMatchObject([{ field: "annotations", verdict: "dropped" }]);
  });
});

describe("reasoning", () => {
  const proof: Proof = { family: "anthropic", kind: "signature", value: "c2ln" };

  function reasoning(...deltas: Extract<StreamEvent, { type: "part-delta" }>["delta"][]): StreamEvent[] {
    return [
      { type: "part-start", candidate: 0, key: "r", part: { type: "reasoning" } },
      ...deltas.map((delta): StreamEvent => ({ type: "part-delta", candidate: 0, key: "r", delta })),
      { type: "part-stop", candidate: 0, key: "r" },
    ];
  }

  it("L19 L20 a foreign proof goes out sealed, with the exact text that it signs", () => {
    const events = [
      start,
      ...reasoning({ type: "reasoning", text: "ab" }, { type: "reasoning", text: " c" }, { type: "proof", proof }),
      ...text("t", "x"),
      ...end,
    ];
    const [choice] = checkStream(encodeStream(events)).choices;
    expect(choice?.reasoning).toBe("ab c");
    expect(choice?.reasoningDetails).toEqual([
      { type: "reasoning.text", text: "ab c", signature: vault.seal(proof), index: 0 },
    ]);
  });

  it("paragraphs of a summary are set off by a blank line", () => {
    const events = [
      start,
      ...reasoning({ type: "summary", index: 0, text: "one" }, { type: "summary", index: 1, text: "two" }),
      ...end,
    ];
    expect(checkStream(encodeStream(events)).choices[0]?.reasoning).toBe("one\n\ntwo");
  });

  it("2.5 a signature on a call goes where Gemini-aware clients keep it, on a text into the details", () => {
    const gemini: Proof = { family: "gemini", kind: "signature", value: "Z2Vt" };
    const sealed = vault.seal(gemini);
    const onCall = checkStream(encodeStream([start, ...toolCall("a", "c1", "f", ["{}"], gemini), ...toolEnd]));
    expect(onCall.choices[0]?.toolCalls[0]?.extra).toEqual({ google: { thought_signature: sealed } });
    const signed = text("t", "x");
    signed.splice(2, 0, { type: "part-delta", candidate: 0, key: "t", delta: { type: "proof", proof: gemini } });
    const onText = checkStream(encodeStream([start, ...signed, ...end]));
    expect(onText.choices[0]?.reasoningDetails).toEqual([{ type: "reasoning.encrypted", data: sealed, index: 0 }]);
  });
});

describe("errors and ends", () => {
  it("S24 an error ends the stream without the end mark", () => {
    const error: StreamEvent = { type: "error", error: canonicalError("overloaded", "Busy.") };
    const checked = checkStream(encodeStream([start, text("t", "a")[0] ?? start, error]));
    expect(checked).toMatchObject({ ended: "error", error: { message: "Busy.", type: "server_error", param: null } });
    expect(checkStream(encodeStream([error])).ended).toBe("error");
  });

  it("S25 half a call is never finished", () => {
    const half = toolCall("a", "c1", "f", ['{"a']).slice(0, 2);
    const raw = encodeStream([start, ...half, { type: "error", error: canonicalError("upstream_incomplete", "Cut.") }]);
    expect(raw).not.toContain("[DONE]");
    expect(raw).not.toMatch(/"finish_reason":"/);
  });

  it("a model that failed to write its call is an error where nothing else was shown", () => {
    const failed: StreamEvent = { type: "finish", candidate: 0, finish: { reason: "malformed_tool" } };
    expect(checkStream(encodeStream([start, failed, { type: "end" }])).ended).toBe("error");
    const context = answerContext();
    const checked = checkStream(encodeStream([start, ...text("t", "a"), failed, { type: "end" }], context));
    expect(checked.ended).toBe("done");
    expect(context.notices).toMatchObject([{ field: "finish_reason" }]);
  });

  it("S28 a comment is lawful at any moment", () => {
    const encoder = createStreamEncoder(answerContext());
    const events = [start, ...text("t", "a"), ...end];
    const raw = encoder.ping() + events.map((event) => encoder.write(event) + encoder.ping()).join("");
    expect(checkStream(raw).ended).toBe("done");
  });

  it("an event without a lawful place throws", () => {
    const write =
      (...events: StreamEvent[]) =>
      () =>
        encodeStream(events);
    const [open, delta, stop] = text("t", "a");
    if (!open || !delta || !stop) throw new Error("The fixture is broken.");
    expect(write(open)).toThrow();
    expect(write(start, start)).toThrow();
    expect(write(start, delta)).toThrow();
    expect(write(start, open, open)).toThrow();
    expect(write(start, open, ...end)).toThrow();
    expect(write(start, { type: "end" })).toThrow();
    expect(write(start, ...end, { type: "end" })).toThrow();
    expect(write(start, ...end.slice(0, 1), open)).toThrow();
  });
});

it("L11 whatever the gate lets through is a lawful stream", () => {
  const candidate = fc.integer({ min: 0, max: 1 });
  const key = fc.constantFrom("a", "b", "c");
  const proof: Proof = { family: "gemini", kind: "signature", value: "cA==" };
  const head = fc.constantFrom<Extract<StreamEvent, { type: "part-start" }>["part"]>(
    { type: "text" },
    { type: "refusal" },
    { type: "reasoning" },
  );
  const event: fc.Arbitrary<StreamEvent> = fc.oneof(
    fc.record({ type: fc.constant("part-start" as const), candidate, key, part: head }),
    fc.record({
      type: fc.constant("part-stop" as const),
      candidate,
      key,
    }),
    candidate.map(
      (index): StreamEvent => ({
        type: "part",
        candidate: index,
        part: { type: "image", source: { type: "base64", mediaType: "image/png", data: "AAAA" } },
      }),
    ),
    candidate.map((index): StreamEvent => ({ type: "finish", candidate: index, finish: { reason: "length" } })),
    fc.constant<StreamEvent>({ type: "usage", usage }),
    fc.constant<StreamEvent>({ type: "start" }),
    candidate.map(
      (index): StreamEvent => ({
        type: "part-start",
        candidate: index,
        key: "call",
        part: { type: "tool-call", callId: `c${index}`, name: "f", toolKind: "function", proof },
      }),
    ),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), fc.boolean(), (events, includeUsage) => {
      const gate = new EventGate();
      const encoder = createStreamEncoder(answerContext({ request: minimalRequest({ candidates: 2, includeUsage }) }));
      let raw = "";
      const emit = (out: StreamEvent): void => {
        raw += encoder.write(out);
      };
      // Candidate 0 is always there in an answer.
      gate.push({ type: "finish", candidate: 0, finish: { reason: "stop" } }, emit);
      for (const next of events) gate.push(next, emit);
      gate.push({ type: "end" }, emit);
      expect(checkStream(raw, { candidates: 2 }).ended).toBe("done");
    }),
    { numRuns: 300 },
  );
});
