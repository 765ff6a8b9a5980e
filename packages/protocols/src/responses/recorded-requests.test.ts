import { expect, test } from "vitest";
import type { CanonicalRequest, JsonObject, JsonValue } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";
import { describeRecorded, recordings } from "../testing/recordings.ts";
import { decode } from "../testing/responses-body-fixture.ts";
import { encodeRequest } from "./request-encoder.ts";

const encode = (canonical: CanonicalRequest, model = "gpt-5.6") =>
  encodeRequest(canonical, { model, stream: canonical.stream });

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
