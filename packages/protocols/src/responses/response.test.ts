import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type CanonicalResponse,
  type FinishReason,
  type JsonObject,
  type JsonValue,
  ProtocolError,
} from "../canonical/index.ts";
import { accumulate, responseToEvents } from "../shared/accumulate.ts";
import { isObject } from "../shared/read.ts";
import { citation, logprobs, reasoningPart, refusalPart, response, textPart, usage } from "../testing/arbitraries.ts";
import { recordings } from "../testing/recordings.ts";
import { answerContext, decodeStream, encodeStream, gated, responseBody, utf8 } from "../testing/responses-fixture.ts";
import { checkStream } from "../testing/responses-grammar.ts";
import { checkItem, checkResponseObject } from "../testing/responses-objects.ts";
import { decodeResponse } from "./response-decoder.ts";
import { encodeResponse } from "./response-encoder.ts";
import { flatName } from "./tools.ts";

function bare(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner) => (key === "extras" ? undefined : inner)));
}

const covered = response({
  reasoning: reasoningPart({ family: "openai", content: "summary", proof: "sometimes", kind: "encrypted" }),
  content: fc.oneof(
    refusalPart(),
    fc.tuple(textPart(), citation(), logprobs()).map(([part, found, tokens]) => ({
      ...part,
      citations: [{ ...found, start: 0, end: part.text.length }],
      logprobs: tokens.map((token) => ({ ...token, bytes: [...utf8(token.token)] })),
    })),
  ),
  customTools: true,
  finishes: ["stop", "length", "filter"],
  usage: usage({ cacheRead: true, cacheWrite: true, reasoning: true }),
  serviceTier: true,
});

/** What the wire cannot tell apart: our ids stand for the upstream's, a refusal is told by its part. */
function normal(answer: CanonicalResponse): unknown {
  const { id: _id, ...rest } = answer;
  return bare({
    ...rest,
    serviceTier: rest.serviceTier ?? "default",
    candidates: rest.candidates.map((candidate) => {
      const refused = candidate.finish.reason === "stop" && candidate.parts.some((part) => part.type === "refusal");
      return {
        ...candidate,
        finish: refused ? { reason: "refusal" } : candidate.finish,
        parts: candidate.parts.map((part) => {
          if (part.type !== "reasoning" || !part.proof) return part;
          return { ...part, proof: { ...part.proof, itemId: "*", model: rest.model } };
        }),
      };
    }),
  });
}

function withStars(answer: CanonicalResponse): unknown {
  const { id: _id, ...rest } = answer;
  return bare(JSON.parse(JSON.stringify(rest, (key, value) => (key === "itemId" ? "*" : value))));
}

describe("responses answers", () => {
  test("L1 decode undoes encode for every answer that this protocol covers", () => {
    fc.assert(
      fc.property(covered, (answer) => {
        const body = encodeResponse(answer, answerContext());
        checkResponseObject(body);
        expect(withStars(decodeResponse(body))).toEqual(normal(answer));
      }),
    );
  });

  test("L8 a stream and a whole answer say the same", () => {
    fc.assert(
      fc.property(covered, (answer) => {
        const unary = encodeResponse(answer, answerContext());
        const streamed = checkStream(encodeStream(responseToEvents(answer))).terminal;
        const comparable = (body: JsonObject) =>
          JSON.parse(JSON.stringify(body, (key, value) => (key === "id" ? "*" : value)));
        expect(comparable(streamed)).toEqual(comparable(unary));
      }),
    );
  });

  const answers = recordings("responses").flatMap(({ id, response: body, status }) =>
    status === 200 && isObject(body) ? [[id, body] as const] : [],
  );

  test.each(answers)("L2 %s: written again it is the same answer, with the client's settings", (_id, body) => {
    const canonical = decodeResponse(body);
    const written = encodeResponse(canonical, answerContext({ clientBody: { model: "m", input: "" } }));
    checkResponseObject(written);
    for (const item of Array.isArray(written.output) ? written.output : []) if (isObject(item)) checkItem(item);
    expect(outputForm(written.output)).toEqual(outputForm(body.output));
    expect(written.model).toBe(body.model);
    expect(written.created_at).toBe(Math.floor(Number(body.created_at)));
    if (isObject(body.usage)) {
      expect(written.usage).toMatchObject({
        input_tokens: body.usage.input_tokens,
        output_tokens: body.usage.output_tokens,
      });
    }
    const lost = Object.keys(body).filter((key) => !(key in written) && body[key] !== null);
    expect(
      lost.filter(
        (key) =>
          !["conversation", "prompt", "prompt_cache_retention", "prompt_cache_options", "output_text"].includes(key),
      ),
    ).toEqual([]);
  });

  test.each(answers)("S34 %s: told as a stream it is the same answer", (_id, body) => {
    const canonical = decodeResponse(body);
    const stream = encodeStream(responseToEvents(canonical));
    checkStream(stream);
    const again = accumulate(gated(decodeStream([utf8(stream)])));
    const texts = (answer: CanonicalResponse) =>
      answer.candidates.map((one) =>
        one.parts.map((part) => (part.type === "text" || part.type === "refusal" ? part.text : part.type)),
      );
    expect(texts(again)).toEqual(texts(canonical));
    const finish = canonical.candidates[0]?.finish;
    // An answer still at work in the background has no word of its own at the end of a stream.
    expect(again.candidates[0]?.finish).toEqual(finish?.reason === "paused" ? { reason: "length" } : finish);
  });

  test("what is no answer is refused as the upstream's fault", () => {
    for (const body of [
      null,
      "x",
      1,
      [],
      {},
      { object: "response" },
      responseBody({ output: [{}] }),
      responseBody({ output: [{ type: "function_call" }] }),
    ]) {
      expect(() => decodeResponse(body)).toThrow(ProtocolError);
    }
    const failed = responseBody({ status: "failed", error: { code: "rate_limit_exceeded", message: "Slow." } });
    expect(() => decodeResponse(failed)).toThrow("Slow.");
  });

  test("the decoder throws nothing but protocol errors, whatever the JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.jsonValue()), (value, output) => {
        for (const body of [
          value,
          { output },
          { output: output.map((inner) => ({ type: "message", content: inner })) },
        ]) {
          try {
            // The generator gives plain JSON, which its type does not say.
            decodeResponse(JSON.parse(JSON.stringify(body)));
          } catch (cause) {
            expect(cause).toBeInstanceOf(ProtocolError);
          }
        }
      }),
    );
  });

  test("a paused or cut answer and a foreign reason are told, never shown as a plain end", () => {
    const finish = (reason: FinishReason) => {
      const context = answerContext();
      const body = encodeResponse({ candidates: [{ index: 0, parts: [], finish: { reason } }] }, context);
      return [body.status, context.notices.length];
    };
    expect(finish("paused")).toEqual(["incomplete", 1]);
    expect(finish("context")).toEqual(["incomplete", 1]);
    expect(finish("other")).toEqual(["completed", 1]);
    expect(finish("stop")).toEqual(["completed", 0]);
    // Nothing has been sent yet: the call failed, and another provider may do better.
    expect(() => finish("malformed_tool")).toThrow(ProtocolError);
  });
});

/** Output items as far as a codec must keep them: empty items and empty lists say nothing. */
function outputForm(output: JsonValue | undefined): unknown[] {
  return (Array.isArray(output) ? output : []).flatMap((item): unknown[] => {
    if (!isObject(item)) return [];
    switch (item.type) {
      case "message": {
        const content = (Array.isArray(item.content) ? item.content : []).filter(
          (part) => isObject(part) && part.text !== "",
        );
        const parts = content.map((part) => (isObject(part) ? { annotations: [], logprobs: [], ...part } : part));
        return parts.length > 0 ? [{ id: item.id, content: parts.map(withoutEmptyTop), phase: item.phase }] : [];
      }
      case "reasoning": {
        const { status: _status, content, ...rest } = item;
        const shown = Array.isArray(content) ? content : [];
        const summary = Array.isArray(item.summary) ? item.summary : [];
        const said = [...summary, ...shown].map((part) => (isObject(part) ? part.text : ""));
        if (said.length === 0 && typeof item.encrypted_content !== "string") return [];
        return [{ texts: said, proof: rest.encrypted_content ?? undefined }];
      }
      case "function_call":
      case "custom_tool_call":
        return [
          {
            type: item.type,
            call_id: item.call_id,
            name: flatName(text(item.namespace), text(item.name) ?? ""),
            text: item.arguments ?? item.input,
          },
        ];
      default:
        return [item];
    }
  });
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function withoutEmptyTop(part: JsonValue): JsonValue {
  return JSON.parse(
    JSON.stringify(part, (key, value) => (key === "top_logprobs" && value.length === 0 ? undefined : value)),
  );
}
