import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type CanonicalResponse,
  canonicalError,
  type ErrorKind,
  type FinishReason,
  type JsonObject,
  type JsonValue,
  type Notice,
  ProtocolError,
  settleFinish,
  type Usage,
} from "../canonical/index.ts";
import { accumulate, responseToEvents } from "../shared/accumulate.ts";
import { isObject } from "../shared/read.ts";
import { citation, logprobs, reasoningPart, refusalPart, response, textPart, usage } from "../testing/arbitraries.ts";
import { recordings } from "../testing/recordings.ts";
import { answerContext, decodeStream, encodeStream, gated, responseBody, utf8 } from "../testing/responses-fixture.ts";
import { checkItem, checkResponseObject, checkStream } from "../testing/responses-grammar.ts";
import { responses } from "./codec.ts";
import { decodeError, encodeError } from "./error.ts";
import { decodeFinish, encodeFinish } from "./finish.ts";
import { decodeResponse } from "./response-decoder.ts";
import { encodeResponse } from "./response-encoder.ts";
import { flatName } from "./tools.ts";
import { decodeUsage, encodeUsage } from "./usage.ts";

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
    expect(finish("malformed_tool")).toEqual(["failed", 0]);
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

describe("usage (1.5.6)", () => {
  test.each<[string, Usage, JsonObject]>([
    [
      "cache reads",
      { input: { uncached: 201, cacheRead: 15104 }, output: { total: 5 } },
      { input_tokens: 15305, output_tokens: 5, total_tokens: 15310 },
    ],
    [
      "cache writes",
      { input: { uncached: 3, cacheWrite: 7537 }, output: { total: 0 } },
      { input_tokens: 7540, total_tokens: 7540 },
    ],
    [
      "writes by lifetime",
      { input: { uncached: 3, cacheWrite5m: 7000, cacheWrite1h: 537 }, output: { total: 0 } },
      { input_tokens: 7540, input_tokens_details: { cached_tokens: 0, cache_write_tokens: 7537 } },
    ],
    [
      "thinking",
      { input: { uncached: 10 }, output: { total: 5200, reasoning: 5000 } },
      { input_tokens: 10, output_tokens: 5200, output_tokens_details: { reasoning_tokens: 5000 }, total_tokens: 5210 },
    ],
    [
      "tool prompt",
      { input: { uncached: 10, toolPrompt: 5 }, output: { total: 1 } },
      { input_tokens: 15, total_tokens: 16 },
    ],
  ])("%s", (_name, counters, wire) => {
    expect(encodeUsage(counters)).toMatchObject(wire);
  });

  test("L14 decoded and written again, totals stay", () => {
    fc.assert(
      fc.property(usage({ cacheRead: true, cacheWrite: true, reasoning: true }), (counters) => {
        const wire = encodeUsage(counters);
        expect(decodeUsage(wire)).toEqual(counters);
      }),
    );
  });

  test("a counter not told is absent, a total below its parts is never negative, noise is no usage", () => {
    expect(decodeUsage({ input_tokens: 5, output_tokens: 2 })).toEqual({
      input: { uncached: 5 },
      output: { total: 2 },
    });
    expect(decodeUsage({ input_tokens: 5, input_tokens_details: { cached_tokens: 9 } })?.input.uncached).toBe(0);
    expect(decodeUsage({ input_tokens: "5" })).toBeUndefined();
    expect(decodeUsage(null)).toBeUndefined();
  });
});

describe("finish (L24)", () => {
  test("every finish has a word on the wire and comes back as near as the wire allows", () => {
    const back: Record<FinishReason, FinishReason | "failed"> = {
      stop: "stop",
      stop_sequence: "stop",
      tool: "stop",
      refusal: "stop",
      other: "stop",
      length: "length",
      context: "length",
      paused: "length",
      filter: "filter",
      recitation: "filter",
      malformed_tool: "failed",
      error: "failed",
    };
    for (const reason of Object.keys(back) as FinishReason[]) {
      const notices: Notice[] = [];
      const end = encodeFinish({ reason }, (notice) => notices.push(notice));
      if (end.status === "failed") {
        expect(back[reason]).toBe("failed");
        continue;
      }
      const details = end.status === "incomplete" ? { incomplete_details: { reason: end.reason } } : {};
      expect(decodeFinish({ status: end.status, ...details }, false).reason).toBe(back[reason]);
    }
  });

  test("an unknown native word is other, with the word kept", () => {
    expect(decodeFinish({ status: "incomplete", incomplete_details: { reason: "steered" } }, false)).toEqual({
      reason: "other",
      native: "steered",
    });
    expect(decodeFinish({ status: "reviewing" }, false)).toEqual({ reason: "other", native: "reviewing" });
    expect(decodeFinish({ status: "queued" }, false)).toEqual({ reason: "paused", native: "queued" });
  });

  test("a call decides tool, unless the answer was cut", () => {
    const call = { id: "fc", type: "function_call", call_id: "c", name: "f", arguments: "{}" };
    expect(decodeResponse(responseBody({ output: [call] })).candidates[0]?.finish.reason).toBe("tool");
    const cut = responseBody({
      output: [call],
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
    });
    expect(decodeResponse(cut).candidates[0]?.finish.reason).toBe("length");
    expect(settleFinish({ reason: "refusal" }, true).reason).toBe("tool");
  });
});

describe("errors (1.5.8, L25)", () => {
  const kinds: ErrorKind[] = [
    "bad_request",
    "context_too_long",
    "unauthenticated",
    "billing",
    "forbidden",
    "not_found",
    "method_not_allowed",
    "conflict",
    "too_large",
    "unsupported_media",
    "rate_limit",
    "cancelled",
    "upstream_bad",
    "upstream_incomplete",
    "no_channel",
    "internal",
    "overloaded",
    "timeout",
  ];

  test.each(kinds)("%s has the shape, its status and a code", (kind) => {
    const { status, body } = encodeError(canonicalError(kind, "M", { param: "p" }), "req");
    expect(status).toBe(canonicalError(kind, "").status);
    expect(body).toEqual({
      error: {
        message: "M",
        type: expect.any(String),
        param: "p",
        code: kind === "bad_request" ? null : expect.any(String),
      },
    });
  });

  test("the waiting time goes along as whole seconds", () => {
    expect(encodeError(canonicalError("rate_limit", "M", { retryAfterSeconds: 7 }), "req").headers).toEqual({
      "retry-after": "7",
    });
    const told = decodeError({ status: 429, headers: { "retry-after": "3" }, body: { error: { message: "x" } } });
    expect(told).toMatchObject({ kind: "rate_limit", retryAfterSeconds: 3 });
  });

  test.each(
    recordings("responses").flatMap(({ id, status, response: body }) =>
      status >= 400 ? [[id, status, body] as const] : [],
    ),
  )("%s keeps status, words and field", (_id, status, body) => {
    const error = decodeError({ status, headers: {}, body });
    expect(error.status).toBe(status);
    expect(JSON.stringify(body)).toContain(JSON.stringify(error.message));
    expect(error.retryable).toBe(false);
  });

  test("any status and any body give an error", () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), fc.oneof(fc.jsonValue(), fc.string()), (status, body) => {
        // The generator gives plain JSON, which its type does not say.
        const error = decodeError({ status, headers: {}, body: JSON.parse(JSON.stringify(body ?? null)) });
        expect(error.message).not.toBe("");
        expect(kinds).toContain(error.kind);
      }),
    );
  });
});

describe("lists and counting", () => {
  const card = { id: "m", createdAt: 1, ownedBy: "o" };

  test("models have the vendor's keys and no other", () => {
    expect(responses.encodeModelList([card])).toEqual({
      object: "list",
      data: [{ id: "m", object: "model", created: 1, owned_by: "o" }],
    });
  });

  test("a count request is read without a model and written with the counter's own fields", () => {
    const context = { vault: answerContext().vault };
    const counted = responses.tokenCounting.decodeRequest({ input: "Hi", instructions: "S" }, {}, context);
    expect(responses.tokenCounting.encodeAnswer(7)).toEqual({ object: "response.input_tokens", input_tokens: 7 });
    const body = responses.tokenCounting.upstream?.encodeRequest(counted, { model: "m", stream: true });
    expect(body).toEqual({ model: "m", instructions: "S", input: [{ type: "message", role: "user", content: "Hi" }] });
    expect(responses.tokenCounting.upstream?.decodeAnswer({ input_tokens: 9 })).toBe(9);
    expect(() => responses.tokenCounting.upstream?.decodeAnswer({})).toThrow(ProtocolError);
  });
});
