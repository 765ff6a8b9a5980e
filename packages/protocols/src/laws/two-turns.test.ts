import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type CanonicalRequest,
  type CanonicalResponse,
  type JsonObject,
  type Part,
  type Proof,
  ProtocolError,
} from "../canonical/index.ts";
import type { AnswerContext, ProofVault } from "../codec.ts";
import type { Conversion } from "../conversion.ts";
import { callId, nastyName, proof, toolName } from "../testing/arbitraries.ts";
import {
  type CarryOptions,
  carry,
  countingIds,
  runStream,
  standingClock,
  utf8,
  wireAnswer,
  wireFrames,
} from "../testing/carrying.ts";
import { callsOf, type Pair, pairs, type Side, sides } from "../testing/protocol-sides.ts";
import { replayed, withTools } from "../testing/replay.ts";

const seed = 16;

/** An upstream does not open what the gateway sealed. */
const blind: ProofVault = { seal: (value) => value.value, open: () => undefined };

/** An upstream's body as the upstream reads it. */
function readBy(upstream: Side, { upstreamBody }: Conversion): CanonicalRequest {
  return upstream.codec.decodeRequest(upstreamBody, { model: "m", stream: true }, { vault: blind });
}

type Way = "whole" | "streamed";

/** The client's body after the upstream's answer to `body`. */
function answered({ client, upstream }: Pair, body: JsonObject, answer: CanonicalResponse, way: Way): JsonObject {
  const conversion = carry(client, upstream, body, { stream: way === "streamed" });
  if (way === "whole") {
    return replayed(client.name, body, conversion.convertResponse(wireAnswer(upstream, answer)).body);
  }
  const { text } = runStream(conversion.createStream(), wireFrames(upstream, answer).map(utf8));
  return replayed(client.name, body, client.whole(text, 1));
}

function assistantParts(request: CanonicalRequest): Part[] {
  return request.turns.flatMap((turn) => (turn.role === "assistant" ? turn.parts : []));
}

const way = fc.constantFrom<Way>("whole", "streamed");

/** Names that some protocol refuses, and ones that all take. */
const names = fc.uniqueArray(
  fc.oneof(
    toolName(),
    nastyName(),
    fc.stringMatching(/^[a-z]{128}$/),
    fc.constantFrom(
      "a.b",
      "a/b",
      "a b",
      "a_b",
      "größe",
      "工具",
      "mcp__server__tool.name",
      "9lives",
      "a:b",
      "x".repeat(65),
    ),
  ),
  { minLength: 2, maxLength: 4 },
);

const ids = fc.uniqueArray(
  fc.oneof(callId(), fc.constantFrom("functions.Bash:0", "call_1|fc_2", "a\nb", "x".repeat(116), "toolu_1", "é")),
  { minLength: 4, maxLength: 4 },
);

/** The conversion, or undefined where the client's own protocol refuses the body. */
function attempted(client: Side, upstream: Side, body: JsonObject, options?: CarryOptions): Conversion | undefined {
  try {
    return carry(client, upstream, body, options);
  } catch (cause) {
    if (cause instanceof ProtocolError && cause.error.status === 400) return undefined;
    throw cause;
  }
}

function ownContext(client: Side): AnswerContext {
  const clientBody = client.body(1, false);
  return {
    request: client.codec.decodeRequest(clientBody, client.envelope, { vault: blind }),
    clientBody,
    ids: countingIds(),
    now: standingClock,
    vault: blind,
    notice: () => undefined,
    framing: "sse",
  };
}

describe("L16, L17 names and ids survive a whole loop", () => {
  for (const pair of pairs()) {
    const { client, upstream } = pair;
    test(pair.name, () => {
      let loops = 0;
      fc.assert(
        fc.property(names, ids, way, (tools, callIds, how) => {
          const body = withTools(client.name, client.body(1, how === "streamed"), tools);
          const first = attempted(client, upstream, body);
          if (!first) return;
          loops += 1;
          const offered = readBy(upstream, first).tools.map((tool) => (tool.type === "server" ? "" : tool.name));
          expect(new Set(offered).size).toBe(tools.length);

          // The upstream calls every tool by the name it was offered under.
          const parts = offered.map((name, index): Part => {
            return { type: "tool-call", callId: callIds[index] ?? "", name, toolKind: "function", arguments: "{}" };
          });
          const answer: CanonicalResponse = {
            id: "r",
            model: "m",
            candidates: [{ index: 0, parts, finish: { reason: "tool" } }],
          };
          const next = answered(pair, body, answer, how);
          const seen = client.codec.decodeRequest(next, client.envelope, { vault: blind });
          expect(callsOf(assistantParts(seen)).map(({ name }) => name)).toEqual(tools);

          const second = readBy(upstream, carry(client, upstream, next));
          expect(second.tools).toEqual(readBy(upstream, first).tools);
          const calls = callsOf(assistantParts(second));
          expect(calls.map(({ name }) => name)).toEqual(offered);
          const results = second.turns.flatMap((turn) => turn.parts.filter((part) => part.type === "tool-result"));
          expect(results.map((result) => result.callId)).toEqual(calls.map((call) => call.callId));
          expect(new Set(calls.map((call) => call.callId)).size).toBe(calls.length);
        }),
        { numRuns: 40, seed },
      );
      expect(loops).toBeGreaterThan(10);
    });
  }

  test("ids that differ only in what some protocol refuses, or only at their far end, stay apart", () => {
    const alike = [
      ["a\nb", "a\tb", "a b"],
      [`${"x".repeat(300)}1`, `${"x".repeat(300)}2`, `${"x".repeat(300)}3`],
    ];
    for (const { client, upstream, name } of pairs("crossing")) {
      for (const callIds of alike) {
        const body = withTools(client.name, client.body(1, false), ["read"]);
        const parts = callIds.map((id): Part => {
          return { type: "tool-call", callId: id, name: "read", toolKind: "function", arguments: "{}" };
        });
        // The client's own history: ids as it once got them, from whatever server.
        const answer: CanonicalResponse = { candidates: [{ index: 0, parts, finish: { reason: "tool" } }] };
        const next = replayed(client.name, body, client.codec.encodeResponse(answer, ownContext(client)));
        const read = readBy(upstream, carry(client, upstream, next));
        expect(new Set(callsOf(assistantParts(read)).map((call) => call.callId)).size, name).toBe(3);
      }
    }
  });

  test("an upstream that gives all its calls one id", () => {
    for (const pair of pairs()) {
      for (const how of ["whole", "streamed"] as const) {
        const tools = ["a", "b", "c"];
        const body = withTools(pair.client.name, pair.client.body(1, how === "streamed"), tools);
        const parts = tools.map(
          (name): Part => ({ type: "tool-call", callId: "call_1", name, toolKind: "function", arguments: "{}" }),
        );
        const next = answered(
          pair,
          body,
          { id: "r", model: "m", candidates: [{ index: 0, parts, finish: { reason: "tool" } }] },
          how,
        );
        const seen = pair.client.codec.decodeRequest(next, pair.client.envelope, { vault: blind });
        expect(new Set(callsOf(assistantParts(seen)).map((call) => call.callId)).size, `${pair.name} ${how}`).toBe(3);
      }
    }
  });
});

interface Signed {
  kind: Proof["kind"];
  value: string;
  /** The text that it signs, or the id of the call. */
  over: string;
}

/** Proofs with what they stand on. Behind a text that streamed stands an empty one that bears its signature. */
function signedOf(parts: readonly Part[], family: Proof["family"]): Signed[] {
  return parts.flatMap((part, index): Signed[] => {
    if (part.proof?.family !== family || part.proof.value === standIn) return [];
    const { kind, value } = part.proof;
    const before = parts[index - 1];
    const signed = part.type === "text" && part.text === "" && before?.type === "text" ? before : part;
    return [{ kind, value, over: signedText(signed) }];
  });
}

function signedText(part: Part): string {
  if (part.type === "reasoning") return part.text ?? part.summary?.join("\n\n") ?? "";
  if (part.type === "text") return part.text;
  return part.type === "tool-call" ? part.callId : part.type;
}

/** What Gemini takes in place of a signature that never was. */
const standIn = "skip_thought_signature_validator";

const families = {
  "chat-completions": "chat-completions",
  responses: "openai",
  messages: "anthropic",
  "generate-content": "gemini",
} as const;

/** Something besides reasoning: an answer of reasoning alone is no turn that could be replayed. */
function says({ candidates: [first] }: CanonicalResponse): boolean {
  return first?.parts.some((part) => part.type === "text" || part.type === "tool-call") ?? false;
}

describe("L19 proofs and the text they sign come back as they were", () => {
  for (const pair of pairs()) {
    test(pair.name, () => {
      const { client, upstream } = pair;
      let proofs = 0;
      fc.assert(
        fc.property(upstream.answers.filter(says), way, (drawn, how) => {
          const answer = { ...drawn, candidates: drawn.candidates.slice(0, 1) };
          const parts = answer.candidates[0]?.parts ?? [];
          const tools = [...new Set(callsOf(parts).map(({ name }) => name))];
          const body = withTools(client.name, client.body(1, how === "streamed"), tools);
          const second = readBy(upstream, carry(client, upstream, answered(pair, body, answer, how)));
          const wanted = signedOf(parts, families[upstream.name]);
          proofs += wanted.length;
          expect(signedOf(assistantParts(second), families[upstream.name])).toEqual(wanted);
        }),
        { numRuns: 60, seed },
      );
      expect(proofs).toBeGreaterThan(5);
    });
  }
});

/** A value that cannot be there by chance, in the clear or as base64 at any of its three alignments. */
function holds(text: string, value: string): boolean {
  if (text.includes(value)) return true;
  return [0, 1, 2].some((shift) => {
    const code = btoa("x".repeat(shift) + value);
    return text.includes(code.slice(shift === 0 ? 0 : 4, -4));
  });
}

/** The parts of the answer with a proof that can be told from everything else. */
function planted(answer: CanonicalResponse, canary: string): CanonicalResponse {
  const plant = (part: Part): Part => {
    if (!part.proof) return part;
    const value =
      part.proof.family === "chat-completions"
        ? JSON.stringify({ type: "reasoning.text", signature: canary, index: 0 })
        : canary;
    return { ...part, proof: { ...part.proof, value } };
  };
  return {
    ...answer,
    candidates: answer.candidates.slice(0, 1).map((one) => ({ ...one, parts: one.parts.map(plant) })),
  };
}

describe("L20 a proof never reaches a provider of another family, in the clear or sealed", () => {
  const canary = btoa("canary-of-a-proof-that-must-not-travel!!");
  for (const pair of pairs()) {
    for (const other of Object.values(sides)) {
      if (families[other.name] === families[pair.upstream.name]) continue;
      test(`${pair.name}, then ${other.name}`, () => {
        const answers = pair.upstream.answers.filter(
          (answer) => says(answer) && JSON.stringify(answer.candidates[0]).includes('"proof"'),
        );
        fc.assert(
          fc.property(answers, way, fc.nat(), (drawn, how, model) => {
            const answer = planted(drawn, canary);
            const tools = [...new Set(callsOf(answer.candidates[0]?.parts ?? []).map(({ name }) => name))];
            const body = withTools(pair.client.name, pair.client.body(1, how === "streamed"), tools);
            const next = answered(pair, body, answer, how);
            expect(JSON.stringify(next)).toMatch(/gw0E|Y2FuYXJ5/);
            const conversion = attempted(pair.client, other, next, {
              model: other.models[model % other.models.length] ?? "m",
            });
            const sent = JSON.stringify(conversion?.upstreamBody ?? {});
            expect(holds(sent, canary)).toBe(false);
            expect(sent).not.toContain("gw0E");
          }),
          { numRuns: 15, seed },
        );
      });
    }
  }
});

describe("L21 a spoilt envelope is as good as none: never forwarded, never an exception", () => {
  const mark = "gw1X";
  /** Knows its own envelopes by their mark and cannot open one: wrong tenant, old key, flipped bit. */
  const spoilt: ProofVault = {
    seal: (value) => `${mark}${btoa(value.value)}`,
    open: (value) => (value.startsWith(mark) ? { family: "unreadable", kind: "signature", value } : undefined),
  };
  for (const pair of pairs("crossing")) {
    test(pair.name, () => {
      fc.assert(
        fc.property(pair.upstream.answers.filter(says), way, proof("x"), (drawn, how, { value }) => {
          const answer = planted(drawn, value);
          const tools = [...new Set(callsOf(answer.candidates[0]?.parts ?? []).map(({ name }) => name))];
          const body = withTools(pair.client.name, pair.client.body(1, how === "streamed"), tools);
          const whole = carry(pair.client, pair.upstream, body, { vault: spoilt }).convertResponse(
            wireAnswer(pair.upstream, answer),
          );
          const next = replayed(pair.client.name, body, whole.body);
          for (const upstream of Object.values(sides)) {
            expect(JSON.stringify(carry(pair.client, upstream, next, { vault: spoilt }).upstreamBody)).not.toContain(
              mark,
            );
          }
        }),
        { numRuns: 20, seed },
      );
    });
  }
});
