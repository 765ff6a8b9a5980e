import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CanonicalRequest, CanonicalResponse, JsonObject, Turn } from "../canonical/index.ts";
import { accumulate, responseToEvents } from "../shared/accumulate.ts";
import { plainVault } from "../shared/vault.ts";
import {
  audioPart,
  citation,
  documentPart,
  imagePart,
  reasoningPart,
  refusalPart,
  request,
  response,
  usage,
} from "../testing/arbitraries.ts";
import {
  answerContext,
  decodeStream,
  encodeStream,
  gated,
  minimalRequest,
  utf8,
} from "../testing/chat-completions-fixture.ts";
import { checkStream } from "../testing/chat-completions-grammar.ts";
import { decodeRequest } from "./request-decoder.ts";
import { encodeRequest } from "./request-encoder.ts";
import { decodeResponse } from "./response-decoder.ts";
import { encodeResponse } from "./response-encoder.ts";

const vault = plainVault();

/** Places in the client's body, which an encoder's caller does not have. */
function withoutPlaces<T>(value: T): T {
  return JSON.parse(
    JSON.stringify(value, (key, inner) => (key === "at" && typeof inner === "string" ? undefined : inner)),
  );
}

function decode(body: JsonObject): CanonicalRequest {
  return decodeRequest(body, {}, { vault });
}

function encode(wanted: CanonicalRequest): JsonObject {
  return encodeRequest(wanted, { model: wanted.model, stream: wanted.stream }).body;
}

const covered = request({
  conversation: {
    user: fc.oneof(
      imagePart(["base64", "url"], "openai"),
      documentPart(["file"], "openai"),
      audioPart(["base64"], "openai"),
    ),
    system: ["system", "developer"],
    resultErrors: true,
  },
  customTools: true,
  sampling: ["temperature", "seed", "frequencyPenalty", "presencePenalty", "logitBias", "logprobs"],
  stopSequences: 4,
  formats: ["json"],
  toolChoices: ["auto", "none", "required", "tool", "subset"],
  candidates: true,
  parallelToolCalls: true,
});

describe("L1 canonical values survive a round trip", () => {
  it("requests", () => {
    fc.assert(
      fc.property(covered, fc.constantFrom("gpt-4.1", "o3", "gpt-5.2"), (drawn, model) => {
        // Reasoning models have no sampling; a parallel switch without tools is refused upstream.
        const reasoning = model !== "gpt-4.1";
        const wanted: CanonicalRequest = {
          ...drawn,
          model,
          sampling: reasoning ? {} : drawn.sampling,
          stopSequences: reasoning ? [] : drawn.stopSequences,
        };
        if (drawn.tools.length === 0 || model === "o3") delete wanted.parallelToolCalls;
        for (const key of ["frequencyPenalty", "presencePenalty"] as const) {
          if (wanted.sampling[key] === 0) delete wanted.sampling[key];
        }
        if (model === "gpt-4.1") onlyFunctions(wanted);
        wanted.turns = wanted.turns.map(withoutFalseErrors);
        // Usage is asked for on every stream.
        if (wanted.stream) wanted.includeUsage = true;
        if (wanted.format)
          wanted.turns = [{ role: "system", parts: [{ type: "text", text: "JSON" }] }, ...wanted.turns];
        expect(withoutPlaces(decode(encode(wanted)))).toEqual(withoutPlaces(wanted));
      }),
      { numRuns: 300 },
    );
  });

  it("answers", () => {
    const answers = response({
      reasoning: reasoningPart({ family: "openai", content: "text", proof: "never" }),
      customTools: true,
      candidates: true,
      usage: usage({ cacheRead: true, cacheWrite: true, reasoning: true }),
      finishes: ["stop", "length", "filter"],
      serviceTier: true,
    });
    fc.assert(
      fc.property(answers, (wanted) => {
        const context = answerContext({ request: minimalRequest({ candidates: 3 }), ids: () => wanted.id ?? "" });
        expect(decodeResponse(encodeResponse(wanted, context))).toEqual(wanted);
      }),
      { numRuns: 300 },
    );
  });

  it("refusals and cited texts", () => {
    fc.assert(
      fc.property(refusalPart(), citation(), (refusal, source) => {
        const text = "Lima is old.";
        const wanted: CanonicalResponse = {
          candidates: [
            {
              index: 0,
              parts: [{ type: "text", text, citations: [{ ...source, start: 0, end: text.length }] }, refusal],
              finish: { reason: "refusal" },
            },
          ],
        };
        const decoded = decodeResponse(encodeResponse(wanted, answerContext()));
        expect(decoded.candidates).toEqual(wanted.candidates);
      }),
    );
  });
});

/** A result whose text says `Error: ` is an error by T16; without its flag it is no round trip. */
function withoutFalseErrors(turn: Turn): Turn {
  const parts = turn.parts.map((part) => {
    if (part.type !== "tool-result") return part;
    const content = part.content.map((inner) =>
      inner.type === "text" && inner.text.startsWith("Error: ") ? { ...inner, text: `> ${inner.text}` } : inner,
    );
    return { ...part, content };
  });
  return { ...turn, parts };
}

/** gpt-4.1 is offered custom tools as functions, which is not a round trip but an emulation. */
function onlyFunctions(wanted: CanonicalRequest): void {
  wanted.tools = wanted.tools.filter((tool) => tool.type === "function");
  wanted.turns = wanted.turns.map(
    (turn): Turn => ({
      ...turn,
      parts: turn.parts.map((part) =>
        (part.type === "tool-call" || part.type === "tool-result") && part.toolKind === "custom"
          ? { ...part, toolKind: "function", ...(part.type === "tool-call" ? { arguments: "{}" } : {}) }
          : part,
      ),
    }),
  );
  if (wanted.tools.length === 0) {
    delete wanted.toolChoice;
    delete wanted.parallelToolCalls;
    return;
  }
  const names = new Set(wanted.tools.map((tool) => (tool.type === "function" ? tool.name : "")));
  const choice = wanted.toolChoice;
  if (choice?.mode === "tool" && !names.has(choice.name)) delete wanted.toolChoice;
  if (choice?.mode === "subset" && !choice.names.every((name) => names.has(name))) delete wanted.toolChoice;
}

describe("L8 a streamed answer is the whole answer", () => {
  const answers = response({
    reasoning: reasoningPart({ family: "openai", content: "text", proof: "never" }),
    customTools: true,
    candidates: true,
    usage: usage({ cacheRead: true, reasoning: true }),
  });
  it("for any answer", () => {
    fc.assert(
      fc.property(answers, (wanted) => {
        const asked = { candidates: 3, includeUsage: true };
        const text = encodeStream(responseToEvents(wanted), answerContext({ request: minimalRequest(asked) }));
        checkStream(text, { candidates: 3, usage: true });
        const streamed = accumulate(gated(decodeStream([utf8(text)])));
        const whole = decodeResponse(encodeResponse(wanted, answerContext({ request: minimalRequest(asked) })));
        expect(streamed).toEqual(whole);
      }),
      { numRuns: 300 },
    );
  });
});
