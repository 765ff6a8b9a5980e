import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CanonicalRequest, CanonicalResponse, Part, ReasoningControl, Turn } from "../canonical/index.ts";
import { accumulate, responseToEvents } from "../shared/accumulate.ts";
import {
  audioPart,
  documentPart,
  imagePart,
  proof,
  request,
  response,
  textPart,
  toolCallPart,
  usage,
  videoPart,
} from "../testing/arbitraries.ts";
import { answerContext, decode, readStream, vault, writeStream } from "../testing/generate-content-fixture.ts";
import { checkStream } from "../testing/generate-content-grammar.ts";
import { generateContent } from "./codec.ts";

const media = fc.oneof<fc.Arbitrary<Part>[]>(
  imagePart(["base64"], "gemini"),
  audioPart(["base64"], "gemini"),
  videoPart(["base64"], "gemini"),
  documentPart(["base64", "file"], "gemini"),
);

const thought = fc.string({ minLength: 1 }).map((text): Part => ({ type: "reasoning", summary: [text] }));

const reasoning = fc.constantFrom<ReasoningControl>(
  { effort: "low" },
  { effort: "high", show: "summary" },
  { effort: "minimal" },
  { show: "summary" },
);

const requests = request({
  conversation: {
    user: media,
    reasoning: thought,
    resultMedia: media,
    resultErrors: true,
    resultNames: true,
    system: ["system"],
  },
  sampling: ["temperature", "topP", "topK", "seed", "frequencyPenalty", "presencePenalty", "logprobs"],
  stopSequences: 5,
  formats: ["json", "schema"],
  reasoning,
  toolChoices: ["none", "required", "tool"],
  candidates: true,
  more: fc.constantFrom<Partial<CanonicalRequest>>(
    {},
    { serviceTier: "flex" },
    { cache: { contentHandle: "cachedContents/a" } },
  ),
});

/** The calls of this family's history are signed, the first of a turn at least: then nothing is put in their place. */
function signed(turn: Turn): Turn {
  if (turn.role !== "assistant") return turn;
  const parts = turn.parts.map(
    (part): Part =>
      part.type === "tool-call" ? { ...part, proof: { family: "gemini", kind: "signature", value: "c2ln" } } : part,
  );
  return { ...turn, parts };
}

/** What decoding adds and encoding reads off: places. Neighbouring system turns are one `systemInstruction`. */
function plain(value: CanonicalRequest): CanonicalRequest {
  const turns: Turn[] = [];
  for (const turn of value.turns) {
    const last = turns.at(-1);
    const copy = { ...turn, parts: turn.parts.map(plainPart) };
    if (last?.role === "system" && turn.role === "system") last.parts.push(...copy.parts);
    else turns.push(copy);
  }
  return JSON.parse(
    JSON.stringify({ ...value, turns }, (key, inner) =>
      key === "at" && typeof inner === "string" ? undefined : inner,
    ),
  );
}

function plainPart(part: Part): Part {
  if (part.type === "tool-call") return { ...part, arguments: JSON.stringify(JSON.parse(part.arguments)) };
  if (part.type !== "tool-result") return part;
  // One text stands first; several are joined by line feeds.
  const texts = part.content.flatMap((inner) => (inner.type === "text" ? [inner.text] : []));
  const others = part.content.filter((inner) => inner.type !== "text");
  const text = texts.join("\n");
  return { ...part, content: [...(text === "" ? [] : [{ type: "text" as const, text }]), ...others] };
}

describe("L1 what the protocol can say comes back as it was", () => {
  it("requests", () => {
    fc.assert(
      fc.property(requests, (drawn) => {
        const wanted = { ...drawn, turns: drawn.turns.map(signed) };
        const { body, notices } = generateContent.encodeRequest(wanted, {
          model: "gemini-3-flash",
          stream: wanted.stream,
        });
        expect(notices).toEqual([]);
        const envelope = { model: wanted.model, stream: wanted.stream };
        const back = generateContent.decodeRequest(JSON.parse(JSON.stringify(body)), envelope, { vault });
        expect(plain(back)).toEqual(plain(wanted));
      }),
      { numRuns: 300 },
    );
  });

  const signedPart = fc
    .tuple(fc.oneof(textPart(), toolCallPart()), proof("gemini"))
    .map(([part, value]): Part => ({ ...part, proof: value }));
  const responses = response({
    reasoning: thought,
    content: signedPart.filter((part) => part.type === "text"),
    candidates: true,
    finishes: ["stop", "length", "recitation", "other"],
    usage: usage({ cacheRead: true, toolPrompt: true, reasoning: true }),
  });

  const comparable = (value: CanonicalResponse) =>
    JSON.parse(
      JSON.stringify({ ...value, id: "", createdAt: 0, extras: undefined }, (key, inner) => {
        if (key === "extras") return undefined;
        return key === "arguments" && typeof inner === "string" ? JSON.stringify(JSON.parse(inner)) : inner;
      }),
    );

  it("whole answers", () => {
    fc.assert(
      fc.property(responses, (wanted) => {
        const body = generateContent.encodeResponse(wanted, answerContext());
        const back = generateContent.decodeResponse(JSON.parse(JSON.stringify(body)));
        expect(comparable(back)).toEqual(comparable(wanted));
      }),
      { numRuns: 300 },
    );
  });

  it("streamed answers, in both framings, by the strict grammar (L8, L11)", () => {
    fc.assert(
      fc.property(responses, fc.constantFrom("sse" as const, "json-array" as const), (wanted, framing) => {
        const text = writeStream(responseToEvents(wanted), answerContext({ framing }));
        checkStream(text);
        const back = accumulate(readStream(new TextEncoder().encode(text)));
        expect(comparable(back)).toEqual(comparable(wanted));
      }),
      { numRuns: 300 },
    );
  });
});

describe("L6 the same request gives the same bytes", () => {
  it("a hundred times", () => {
    const body = {
      contents: [
        { role: "user", parts: [{ text: "a" }] },
        { role: "model", parts: [{ functionCall: { name: "f" } }] },
        { role: "user", parts: [{ functionResponse: { name: "f", response: {} } }] },
      ],
    };
    const bytes = new Set<string>();
    for (let run = 0; run < 100; run += 1) {
      bytes.add(
        JSON.stringify(generateContent.encodeRequest(decode(body), { model: "gemini-3-flash", stream: true }).body),
      );
    }
    expect(bytes.size).toBe(1);
  });
});
