import { expect, it } from "vitest";
import type { CanonicalRequest, CanonicalResponse, JsonObject, JsonValue } from "../canonical/index.ts";
import { accumulate } from "../shared/accumulate.ts";
import { openAiTier } from "../shared/openai-tier.ts";
import { isObject } from "../shared/read.ts";
import { plainVault } from "../shared/vault.ts";
import {
  answerContext,
  decodeStream,
  encodeStream,
  gated,
  minimalRequest,
  utf8,
} from "../testing/chat-completions-fixture.ts";
import { checkStream } from "../testing/chat-completions-grammar.ts";
import { describeRecorded, recordings } from "../testing/recordings.ts";
import { decodeRequest } from "./request-decoder.ts";
import { encodeRequest } from "./request-encoder.ts";
import { decodeResponse } from "./response-decoder.ts";
import { encodeResponse } from "./response-encoder.ts";
import { textOf } from "./wire.ts";

const vault = plainVault();
const all = recordings("chat-completions");

function decode(body: JsonObject): CanonicalRequest {
  return decodeRequest(body, {}, { vault });
}

function encode(wanted: CanonicalRequest): JsonObject {
  return encodeRequest(wanted, { model: wanted.model, stream: wanted.stream }).body;
}

/** Recorded bodies that are refused by design: not lawful requests. */
const refused = new Map([["chat-completions/huggingface-error-401-stop-sequences", "messages"]]);

/**
 * The documented normal form of a request: one text part is a string, nulls and defaults are absent, reasoning text is
 * in `reasoning_content`, the limit's name fits the model, usage is always asked for on streams.
 */
function normalRequest(body: JsonObject): JsonValue {
  const copy: JsonObject = withoutNulls(body);
  const limit = copy.max_completion_tokens ?? copy.max_tokens;
  delete copy.max_completion_tokens;
  delete copy.max_tokens;
  if (limit !== undefined) copy.limit = limit;
  if (copy.user !== undefined && copy.safety_identifier === undefined) {
    copy.safety_identifier = copy.user;
    delete copy.user;
  }
  if (copy.stream === true) copy.stream_options = { include_usage: true };
  else delete copy.stream;
  if (copy.n === 1) delete copy.n;
  if (copy.top_p === 1) delete copy.top_p;
  if (copy.logprobs === false) delete copy.logprobs;
  if (copy.parallel_tool_calls === true) delete copy.parallel_tool_calls;
  if (Array.isArray(copy.functions)) {
    copy.tools = copy.functions.map((tool) => ({ type: "function", function: tool }));
    if (copy.function_call !== undefined) copy.tool_choice = copy.function_call;
    delete copy.functions;
    delete copy.function_call;
  }
  if (Array.isArray(copy.tools)) copy.tools = copy.tools.map(normalTool);
  if (Array.isArray(copy.tools) && copy.tools.length === 0) delete copy.tools;
  // Reasoning models refuse it, so the gateway watches for the sequences itself.
  if (typeof copy.model === "string" && copy.model.startsWith("gpt-5")) delete copy.stop;
  if (Array.isArray(copy.messages)) copy.messages = copy.messages.flatMap(normalMessage);
  if (isObject(copy.response_format) && isObject(copy.response_format.json_schema)) {
    copy.response_format = {
      type: "json_schema",
      json_schema: { name: "response", ...copy.response_format.json_schema, strict: false },
    };
  }
  return copy;
}

function normalTool(tool: JsonValue): JsonValue {
  if (!isObject(tool) || !isObject(tool.function)) return tool;
  const { strict: _strict, ...rest } = tool.function;
  return { ...tool, type: "function", function: rest };
}

function normalMessage(message: JsonValue): JsonValue[] {
  if (!isObject(message)) return [message];
  const copy = { ...message };
  const reasoning = copy.reasoning_content ?? copy.reasoning;
  delete copy.reasoning;
  delete copy.reasoning_content;
  if (reasoning !== undefined && copy.reasoning_details === undefined) copy.reasoning_content = reasoning;
  if (Array.isArray(copy.content)) {
    const [only] = copy.content;
    copy.content = copy.content.map(normalPart);
    if (copy.content.length === 1 && isObject(only) && only.type === "text" && Object.keys(only).length === 2) {
      copy.content = only.text;
    }
  }
  if (copy.role === "assistant") {
    if (Array.isArray(copy.tool_calls)) {
      if (copy.content === "" || (Array.isArray(copy.content) && copy.content.length === 0)) delete copy.content;
      copy.tool_calls = copy.tool_calls.map((call) => {
        if (!isObject(call)) return call;
        const { index: _index, ...rest } = call;
        return rest;
      });
    }
  }
  return [copy];
}

function normalPart(part: JsonValue): JsonValue {
  if (!isObject(part)) return part;
  const { cache_control: _mark, prompt_cache_breakpoint: _breakpoint, ...rest } = part;
  if (typeof rest.image_url === "string") rest.image_url = { url: rest.image_url };
  if (isObject(rest.file) && typeof rest.file.file_data === "string") rest.file = { file_data: rest.file.file_data };
  return rest;
}

function withoutNulls<T extends JsonValue>(value: T): T {
  return JSON.parse(JSON.stringify(value, (_key, inner) => (inner === null ? undefined : inner)));
}

describeRecorded("L2 recorded requests come out as they went in, up to the normal form", () => {
  for (const { id, request: body } of all) {
    if (!body) continue;
    const field = refused.get(id);
    if (field !== undefined) {
      it(`${id} is refused`, () => {
        expect(() => decode(body)).toThrow(field);
      });
      continue;
    }
    it(id, () => {
      const once = encode(decode(body));
      expect(normalRequest(once)).toEqual(normalRequest(body));
      // L5: the normal form is a fixed point.
      expect(encode(decode(once))).toEqual(once);
    });
  }
});

/**
 * An answer without its id, which is always minted, with every citation named for its whole text, as they are written, and
 * with the tier in the vendor's words, where it has any.
 */
function normalAnswer(answer: CanonicalResponse): JsonValue {
  const candidates = answer.candidates.map((candidate) => ({
    ...candidate,
    parts: candidate.parts.map((part) => {
      if (part.type !== "text" || !part.citations) return part;
      const whole = { start: 0, end: part.text.length };
      return { ...part, citations: part.citations.map((source) => ({ ...whole, ...source })) };
    }),
  }));
  const serviceTier = openAiTier(answer.serviceTier);
  return JSON.parse(JSON.stringify({ createdAt: 1_700_000_000, ...answer, candidates, serviceTier, id: undefined }));
}

describeRecorded("L2 recorded answers come out as they went in, up to the normal form", () => {
  for (const { id, response: body, status } of all) {
    if (body === undefined || status >= 400 || (isObject(body) && body.error !== undefined)) continue;
    it(id, () => {
      const context = answerContext({ request: minimalRequest({ candidates: 9 }) });
      const encoded = encodeResponse(decodeResponse(body), context);
      expect(normalAnswer(decodeResponse(encoded))).toEqual(normalAnswer(decodeResponse(body)));
      if (!isObject(body)) return;
      const lost = Object.keys(
        withoutNulls({ ...body, service_tier: openAiTier(textOf(body.service_tier)) ?? null }),
      ).filter((key) => encoded[key] === undefined && body[key] !== "");
      expect(lost).toEqual([]);
    });
  }
});

describeRecorded("L2 recorded streams: decode, gate, encode, decode gives the same answer", () => {
  for (const { id, sse } of all) {
    if (!sse) continue;
    it(id, () => {
      const events = gated(decodeStream([sse]));
      const context = answerContext({ request: minimalRequest({ candidates: 9, includeUsage: true }) });
      const text = encodeStream(events, context);
      const checked = checkStream(text, { candidates: 9 });
      if (events.at(-1)?.type === "error") {
        expect(checked.ended).toBe("error");
        return;
      }
      const first = accumulate(events);
      expect(checked.ended).toBe("done");
      const second = accumulate(gated(decodeStream([utf8(text)])));
      expect(normalAnswer(second)).toEqual(normalAnswer(first));
    });
  }
});
