import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type CanonicalRequest,
  type JsonObject,
  type JsonValue,
  type Part,
  ProtocolError,
} from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";
import { plainVault } from "../shared/vault.ts";
import { documentPart, imagePart, reasoningPart, refusalPart, request } from "../testing/arbitraries.ts";
import { describeRecorded, recordings } from "../testing/recordings.ts";
import { minimalRequest } from "../testing/responses-fixture.ts";
import { decodeRequest } from "./request-decoder.ts";
import { encodeRequest } from "./request-encoder.ts";

const vault = plainVault();
const decode = (body: JsonObject) => decodeRequest(body, {}, { vault });
const encode = (canonical: CanonicalRequest, model = "gpt-5.6") =>
  encodeRequest(canonical, { model, stream: canonical.stream });

function body(more: JsonObject = {}): JsonObject {
  return { model: "gpt-5.6", input: "Hi", ...more };
}

function refusalOf(run: () => unknown): { param: string | undefined; status: number; message: string } {
  try {
    run();
  } catch (cause) {
    if (!(cause instanceof ProtocolError)) throw cause;
    const { param, status, message } = cause.error;
    return { param, status, message };
  }
  throw new Error("Nothing was refused.");
}

/** A canonical value without the places it came from and this codec's own marks. */
function bare(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, inner) => {
      if (key === "at" && typeof inner === "string") return undefined;
      if (key === "extras" && isObject(inner) && isObject(inner.responses)) {
        return Object.keys(inner.responses).every((name) => name.startsWith("$")) ? undefined : inner;
      }
      return inner;
    }),
  );
}

describe("L1 decode undoes encode", () => {
  const parts: fc.Arbitrary<Part> = fc.oneof(
    imagePart(["base64", "url", "file"], "openai"),
    documentPart(["url", "file"], "openai"),
  );
  const covered = request({
    conversation: {
      user: parts,
      reasoning: reasoningPart({ family: "openai", content: "summary", proof: "always", kind: "encrypted" }),
      resultMedia: parts,
      resultErrors: true,
      system: ["system", "developer"],
    },
    sampling: ["temperature", "topP", "logprobs"],
    formats: ["json", "schema"],
    reasoning: fc.constantFrom<NonNullable<CanonicalRequest["reasoning"]>>(
      { effort: "low" },
      { effort: "none", show: "summary", summaryStyle: "detailed" },
      { effort: "max", show: "summary", summaryStyle: "auto" },
    ),
    customTools: true,
    toolChoices: ["auto", "none", "required", "tool", "subset"],
    parallelToolCalls: true,
    verbosity: true,
    more: fc.record(
      {
        maxToolCalls: fc.integer({ min: 1, max: 9 }),
        serviceTier: fc.constantFrom("priority", "flex"),
        caller: fc.constant({ userId: "u", metadata: { a: "b" } }),
        cache: fc.constant({ key: "k", retention: "24h" }),
        state: fc.constantFrom<NonNullable<CanonicalRequest["state"]>>({ store: false }, { store: true }),
        includeEncryptedReasoning: fc.constant<true>(true),
        extras: fc.constant({
          responses: { context_management: [{ type: "compaction" }], "reasoning.context": "auto" },
        }),
      },
      { requiredKeys: ["state", "includeEncryptedReasoning"], noNullPrototype: true },
    ),
  });

  test("for every request that this protocol covers", () => {
    fc.assert(
      fc.property(covered, (canonical) => {
        const encoded = encodeRequest(canonical, { model: "any-model", stream: canonical.stream });
        expect(encoded.notices.filter((notice) => notice.verdict !== "emulated")).toEqual([]);
        expect(bare(decode(encoded.body))).toEqual(bare({ ...normal(canonical), model: "any-model" }));
      }),
    );
  });

  test("refusals of the assistant come back as refusals", () => {
    fc.assert(
      fc.property(refusalPart(), (part) => {
        const hi = minimalRequest().turns;
        const canonical = minimalRequest({ turns: [...hi, { role: "assistant", parts: [part] }, ...hi] });
        expect(bare(decode(encode(canonical).body).turns)).toEqual(bare(canonical.turns));
      }),
    );
  });
});

/** Normal form: strictness is always written; a subset or a choice needs tools; JSON mode may add its word. */
function normal(canonical: CanonicalRequest): CanonicalRequest {
  const result: CanonicalRequest = {
    ...canonical,
    tools: canonical.tools.map((tool) => (tool.type === "function" ? { ...tool, strict: tool.strict ?? false } : tool)),
    turns: canonical.turns.flatMap((turn) => splitResults(turn)),
  };
  if (result.tools.length === 0) {
    delete result.toolChoice;
    delete result.parallelToolCalls;
  }
  if (result.format?.type === "schema") result.format = { ...result.format, name: "response", strict: false };
  const said = canonical.turns.some((turn) =>
    turn.parts.some((part) => part.type === "text" && /json/i.test(part.text)),
  );
  if (result.format?.type === "json" && !said) {
    result.turns = [{ role: "developer", parts: [{ type: "text", text: "Answer with JSON." }] }, ...result.turns];
  }
  return result;
}

/** Results and words of a user are different items, so they come back as different turns. */
function splitResults(turn: CanonicalRequest["turns"][number]): CanonicalRequest["turns"] {
  if (turn.role !== "user") return [turn];
  const results = turn.parts.filter((part) => part.type === "tool-result");
  const words = turn.parts.filter((part) => part.type !== "tool-result");
  return [results.map(errorForm), words].filter((parts) => parts.length > 0).map((parts) => ({ ...turn, parts }));
}

/** The protocol tells an error by the first word of its text only, so a text with that word is one. */
function errorForm(part: Part): Part {
  if (part.type !== "tool-result") return part;
  const [first, ...rest] = part.content;
  if (first?.type !== "text" || !first.text.startsWith("Error: ")) return part;
  return { ...part, content: [{ ...first, text: first.text.slice(7) }, ...rest], isError: true };
}

describeRecorded("L2 recorded requests", () => {
  const known = recordings("responses").filter(
    ({ request: sent, status }) => sent && status === 200 && typeof sent.model === "string",
  );
  const requests = known.map((recording) => [recording.id, recording.request ?? {}] as const);

  test.each(requests)("%s: written again it says the same, and no field is lost", (_id, sent) => {
    const canonical = decode(sent);
    const model = typeof sent.model === "string" ? sent.model : "";
    const { body: written } = encodeRequest(canonical, { model, stream: canonical.stream });
    expect(sorted(written)).toEqual(sorted(documentedForm(sent, written)));
  });

  test.each(requests)("%s: the same body twice gives the same bytes (L6)", (_id, sent) => {
    expect(JSON.stringify(encode(decode(sent)))).toBe(JSON.stringify(encode(decode(structuredClone(sent)))));
  });
});

/**
 * The normal form of a request: defaults left out, texts as strings, items with their type and without ids of the
 * provider's store, and what is always written: storing, encrypted reasoning, strictness.
 */
function documentedForm(sent: JsonObject, written: JsonObject): JsonObject {
  const form: JsonObject = { ...sent };
  for (const [key, value] of Object.entries(form)) if (value === null) delete form[key];
  for (const [key, value] of Object.entries({ stream: false, service_tier: "auto", background: false })) {
    if (form[key] === value) delete form[key];
  }
  delete form.stream_options;
  if (form.instructions === "") delete form.instructions;
  if (form.parallel_tool_calls === true) delete form.parallel_tool_calls;
  form.store = sent.store ?? false;
  form.include = written.include;
  const asked = Array.isArray(sent.include) ? sent.include : [];
  expect(asked.every((value) => Array.isArray(written.include) && written.include.includes(value))).toBe(true);
  if (form.include === undefined) delete form.include;
  if (form.user !== undefined) {
    form.safety_identifier = form.user;
    delete form.user;
  }
  if (Array.isArray(form.tools)) form.tools = form.tools.map(toolForm);
  if (!Array.isArray(form.tools) || form.tools.length === 0) {
    delete form.tools;
    delete form.tool_choice;
  }
  if (isObject(form.text)) form.text = textForm(form.text, written.text);
  if (form.text === undefined) delete form.text;
  form.input = itemsForm(sent.input, written.input);
  if (sent.temperature !== undefined && written.temperature === undefined) delete form.temperature;
  return form;
}

function textForm(text: JsonObject, written: JsonValue | undefined): JsonObject | undefined {
  const form = { ...text };
  if (isObject(form.format) && form.format.type === "text") delete form.format;
  if (isObject(form.format) && form.format.type === "json_schema" && isObject(written) && isObject(written.format)) {
    form.format = { ...form.format, strict: form.format.strict === true ? (written.format.strict ?? null) : false };
  }
  if (form.verbosity === "medium") delete form.verbosity;
  return Object.keys(form).length > 0 ? form : undefined;
}

function toolForm(value: JsonValue): JsonValue {
  if (!isObject(value)) return value;
  if (value.type === "namespace" && Array.isArray(value.tools)) return { ...value, tools: value.tools.map(toolForm) };
  if (value.type !== "function") return value;
  const { description, ...rest } = value;
  return { ...rest, ...(description === null ? {} : { description }), strict: value.strict ?? false };
}

function itemsForm(input: JsonValue | undefined, written: JsonValue | undefined): JsonValue {
  if (typeof input === "string") return [{ type: "message", role: "user", content: input }];
  const items = (Array.isArray(input) ? input : []).map(itemForm);
  const merged: JsonValue[] = [];
  for (const item of items) {
    const last = merged.at(-1);
    const both = isObject(item) && isObject(last) && item.role === "assistant" && last.role === "assistant";
    if (both && item.phase === last.phase) last.content = [...contentList(last), ...contentList(item)];
    else merged.push(item);
  }
  const list = Array.isArray(written) ? written : [];
  const first = list[0];
  for (const [index, item] of merged.entries()) {
    if (!isObject(item) || item.role !== "assistant" || typeof item.content === "string") continue;
    const place = list.length - merged.length + index;
    merged[index] = { ...item, id: `msg_${place}`, status: "completed", content: contentList(item).map(annotated) };
  }
  const addedWord = isObject(first) && first.content === "Answer with JSON." ? [first] : [];
  return [...addedWord, ...merged];
}

function annotated(part: JsonValue): JsonValue {
  return isObject(part) && part.type === "output_text" ? { annotations: [], ...part } : part;
}

function contentList(item: JsonObject): JsonValue[] {
  if (typeof item.content === "string") return [{ type: "output_text", text: item.content }];
  return Array.isArray(item.content) ? item.content : [];
}

function itemForm(value: JsonValue): JsonValue {
  if (!isObject(value)) return value;
  const { id, status: _status, ...rest } = value;
  for (const key of Object.keys(rest)) if (rest[key] === null) delete rest[key];
  switch (value.type) {
    case undefined:
    case "message":
      return { type: "message", ...rest, content: contentForm(value.content) };
    case "function_call":
    case "custom_tool_call":
      return rest;
    case "function_call_output":
    case "custom_tool_call_output":
      return { ...rest, output: contentForm(value.output) };
    case "reasoning": {
      const item: JsonObject = { ...rest, ...(id === undefined ? {} : { id }) };
      if (Array.isArray(item.content) && item.content.length === 0) delete item.content;
      return item;
    }
    default:
      return value;
  }
}

function contentForm(content: JsonValue | undefined): JsonValue {
  if (!Array.isArray(content)) return content ?? "";
  const parts = content.map((part) => {
    if (!isObject(part)) return part;
    const { annotations, logprobs: _logprobs, ...rest } = part;
    if (rest.type === "input_image") return { detail: "auto", ...rest };
    return Array.isArray(annotations) && annotations.length > 0 ? { ...rest, annotations } : rest;
  });
  const [only] = parts;
  if (parts.length !== 1 || !isObject(only) || Object.keys(only).length !== 2 || typeof only.text !== "string")
    return parts;
  return only.text;
}

function sorted(value: JsonValue | undefined): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  return Object.fromEntries(keys.sort().map((key) => [key, sorted(value[key])]));
}

describe("every malformed field is refused by its path, before any call", () => {
  const message = (content: JsonValue, role = "user"): JsonValue => [{ role, content }];
  test.each<[string, JsonObject, string]>([
    ["model missing", { model: null }, "model"],
    ["model empty", { model: "" }, "model"],
    ["model a number", { model: 1 }, "model"],
    ["input missing", { input: null }, "input"],
    ["input a number", { input: 1 }, "input"],
    ["an item that is no object", { input: ["x"] }, "input[0]"],
    ["a role missing", { input: [{ content: "x" }] }, "input[0].role"],
    ["content missing", { input: [{ role: "user" }] }, "input[0].content"],
    ["content a number", { input: message(1) }, "input[0].content"],
    ["a part without a type", { input: message([{ text: "x" }]) }, "input[0].content[0].type"],
    ["a text that is none", { input: message([{ type: "input_text", text: 1 }]) }, "input[0].content[0].text"],
    ["an image without source", { input: message([{ type: "input_image" }]) }, "input[0].content[0].image_url"],
    [
      "an image url object",
      { input: message([{ type: "input_image", image_url: {} }]) },
      "input[0].content[0].image_url",
    ],
    [
      "broken base64",
      { input: message([{ type: "input_image", image_url: "data:image/png;base64,?" }]) },
      "input[0].content[0].image_url",
    ],
    [
      "an unknown detail",
      { input: message([{ type: "input_image", file_id: "f", detail: "x" }]) },
      "input[0].content[0].detail",
    ],
    ["a file without source", { input: message([{ type: "input_file" }]) }, "input[0].content[0].file_data"],
    [
      "file data that is no data url",
      { input: message([{ type: "input_file", file_data: "AAAA" }]) },
      "input[0].content[0].file_data",
    ],
    [
      "audio without data",
      { input: message([{ type: "input_audio", input_audio: { format: "wav" } }]) },
      "input[0].content[0].input_audio.data",
    ],
    ["a phase unknown", { input: [{ role: "assistant", content: "x", phase: "y" }] }, "input[0].phase"],
    ["a call without id", { input: [{ type: "function_call", name: "f", arguments: "" }] }, "input[0].call_id"],
    ["a call without arguments", { input: [{ type: "function_call", call_id: "c", name: "f" }] }, "input[0].arguments"],
    [
      "arguments an object",
      { input: [{ type: "function_call", call_id: "c", name: "f", arguments: {} }] },
      "input[0].arguments",
    ],
    [
      "a custom call without input",
      { input: [{ type: "custom_tool_call", call_id: "c", name: "f" }] },
      "input[0].input",
    ],
    ["a result without output", { input: [{ type: "function_call_output", call_id: "c" }] }, "input[0].output"],
    ["a summary that is no list", { input: [{ type: "reasoning", summary: "x" }] }, "input[0].summary"],
    ["a summary without text", { input: [{ type: "reasoning", summary: [{}] }] }, "input[0].summary[0].text"],
    ["instructions a list", { instructions: [] }, "instructions"],
    ["temperature too low", { temperature: -0.1 }, "temperature"],
    ["temperature too high", { temperature: 2.1 }, "temperature"],
    ["temperature a text", { temperature: "1" }, "temperature"],
    ["top_p too high", { top_p: 1.1 }, "top_p"],
    ["top_logprobs too high", { top_logprobs: 21 }, "top_logprobs"],
    ["max_output_tokens too low", { max_output_tokens: 15 }, "max_output_tokens"],
    ["max_output_tokens a fraction", { max_output_tokens: 16.5 }, "max_output_tokens"],
    ["max_tool_calls zero", { max_tool_calls: 0 }, "max_tool_calls"],
    ["stream a text", { stream: "yes" }, "stream"],
    ["stream_options a list", { stream_options: [] }, "stream_options"],
    ["store a text", { store: "yes" }, "store"],
    ["background a text", { background: "yes" }, "background"],
    ["truncation unknown", { truncation: "x" }, "truncation"],
    ["previous_response_id a number", { previous_response_id: 1 }, "previous_response_id"],
    ["conversation a number", { conversation: 1 }, "conversation"],
    ["conversation without id", { conversation: {} }, "conversation.id"],
    ["both kinds of history", { conversation: "c", previous_response_id: "r" }, "conversation"],
    ["include a text", { include: "x" }, "include"],
    ["an include that is no text", { include: [1] }, "include[0]"],
    ["tools an object", { tools: {} }, "tools"],
    ["a tool without type", { tools: [{ name: "f" }] }, "tools[0].type"],
    ["a tool without name", { tools: [{ type: "function" }] }, "tools[0].name"],
    ["a tool with an empty name", { tools: [{ type: "function", name: "" }] }, "tools[0].name"],
    ["parameters a list", { tools: [{ type: "function", name: "f", parameters: [] }] }, "tools[0].parameters"],
    ["strict a text", { tools: [{ type: "function", name: "f", strict: "x" }] }, "tools[0].strict"],
    [
      "a grammar without definition",
      { tools: [{ type: "custom", name: "f", format: { type: "grammar", syntax: "lark" } }] },
      "tools[0].format.definition",
    ],
    [
      "a grammar of unknown syntax",
      { tools: [{ type: "custom", name: "f", format: { type: "grammar", syntax: "x" } }] },
      "tools[0].format.syntax",
    ],
    [
      "a namespaced tool without name",
      { tools: [{ type: "namespace", name: "n", tools: [{ type: "function" }] }] },
      "tools[0].tools[0].name",
    ],
    ["tool_choice unknown", { tool_choice: "any" }, "tool_choice"],
    ["tool_choice without type", { tool_choice: {} }, "tool_choice.type"],
    ["tool_choice without name", { tool_choice: { type: "function" } }, "tool_choice.name"],
    ["an empty subset", { tool_choice: { type: "allowed_tools", mode: "auto", tools: [] } }, "tool_choice.tools"],
    [
      "a subset entry without name",
      { tool_choice: { type: "allowed_tools", tools: [{ type: "function" }] } },
      "tool_choice.tools[0].name",
    ],
    ["parallel_tool_calls a text", { parallel_tool_calls: "x" }, "parallel_tool_calls"],
    ["text a text", { text: "x" }, "text"],
    ["a format unknown", { text: { format: { type: "xml" } } }, "text.format.type"],
    ["a schema missing", { text: { format: { type: "json_schema", name: "x" } } }, "text.format.schema"],
    ["a schema's name missing", { text: { format: { type: "json_schema", schema: {} } } }, "text.format.name"],
    ["verbosity unknown", { text: { verbosity: "x" } }, "text.verbosity"],
    ["reasoning a text", { reasoning: "high" }, "reasoning"],
    ["effort unknown", { reasoning: { effort: "huge" } }, "reasoning.effort"],
    ["metadata a list", { metadata: [] }, "metadata"],
    ["metadata with a number", { metadata: { a: 1 } }, "metadata.a"],
    ["metadata too long", { metadata: { a: "x".repeat(513) } }, "metadata.a"],
    [
      "metadata with too many pairs",
      { metadata: Object.fromEntries(Array.from({ length: 17 }, (_v, i) => [`k${i}`, "v"])) },
      "metadata",
    ],
    ["service_tier a number", { service_tier: 1 }, "service_tier"],
    ["safety_identifier too long", { safety_identifier: "x".repeat(129) }, "safety_identifier"],
    ["prompt_cache_key a number", { prompt_cache_key: 1 }, "prompt_cache_key"],
    ["prompt_cache_options a text", { prompt_cache_options: "x" }, "prompt_cache_options"],
    ["prompt a text", { prompt: "x" }, "prompt"],
  ])("%s", (_name, more, field) => {
    const refusal = refusalOf(() => decode(body(more)));
    expect(refusal).toMatchObject({ status: 400, param: field });
  });

  test("the limits themselves are lawful, null is absent, a default is no wish", () => {
    const canonical = decode(
      body({
        temperature: 2,
        top_p: 0,
        max_output_tokens: 16,
        top_logprobs: 20,
        background: false,
        truncation: "disabled",
        parallel_tool_calls: true,
        service_tier: "auto",
        instructions: null,
        tools: null,
        tool_choice: null,
        text: null,
        reasoning: null,
        metadata: null,
        stream: null,
        store: null,
        user: null,
      }),
    );
    expect(bare(canonical)).toEqual({
      model: "gpt-5.6",
      stream: false,
      turns: [{ role: "user", parts: [{ type: "text", text: "Hi" }] }],
      tools: [],
      sampling: { temperature: 2, topP: 0 },
      stopSequences: [],
      maxOutputTokens: 16,
    });
  });

  test("the decoder throws nothing but refusals, whatever the JSON", () => {
    const keys = [
      "input",
      "tools",
      "tool_choice",
      "text",
      "reasoning",
      "include",
      "metadata",
      "conversation",
      "prompt",
    ];
    const wild = fc.dictionary(fc.constantFrom(...keys), fc.jsonValue(), { noNullPrototype: true });
    const item = fc.record({
      type: fc.constantFrom(
        "message",
        "function_call",
        "function_call_output",
        "reasoning",
        "shell_call",
        "shell_call_output",
        "local_shell_call",
        "x",
      ),
      role: fc.constantFrom("user", "assistant", 1),
      content: fc.jsonValue(),
      action: fc.jsonValue(),
      output: fc.jsonValue(),
      summary: fc.jsonValue(),
      call_id: fc.constantFrom("a", null, 1),
    });
    fc.assert(
      fc.property(wild, fc.array(item, { maxLength: 3 }), (more, items) => {
        // JSON.parse gives back plain JSON, which the generators' types do not say.
        const sent: JsonObject = JSON.parse(JSON.stringify({ ...body(), input: items, ...more }));
        try {
          decode(sent);
        } catch (cause) {
          expect(cause).toBeInstanceOf(ProtocolError);
        }
      }),
    );
  });
});
