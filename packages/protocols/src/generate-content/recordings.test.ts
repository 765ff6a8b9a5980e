import { expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../canonical/index.ts";
import { accumulate } from "../shared/accumulate.ts";
import { fromOpenApiSchema } from "../shared/json-schema.ts";
import { isObject } from "../shared/read.ts";
import { answerContext, decode, readStream, writeStream } from "../testing/generate-content-fixture.ts";
import { checkStream } from "../testing/generate-content-grammar.ts";
import { describeRecorded, recordings } from "../testing/recordings.ts";
import { generateContent } from "./codec.ts";
import { absentSignature } from "./wire.ts";

const all = recordings("generate-content");
const good = all.filter((recording) => recording.status < 400);

/** Keys below these are the caller's own. */
const userData = new Set([
  "args",
  "response",
  "parameters",
  "parametersJsonSchema",
  "responseSchema",
  "responseJsonSchema",
]);

function camel(value: JsonValue | undefined): JsonValue | undefined {
  if (Array.isArray(value)) return value.map((entry) => camel(entry) ?? null);
  if (!isObject(value)) return value;
  const result: JsonObject = {};
  for (const [key, inner] of Object.entries(value)) {
    const name = key.replace(/(?<=[a-z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    if (inner === null) continue;
    // Both alphabets of base64 mean the same bytes.
    if (name === "data" && typeof inner === "string") result[name] = inner.replaceAll("-", "+").replaceAll("_", "/");
    else result[name] = userData.has(name) ? inner : camel(inner);
  }
  return result;
}

function objects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The documented normal form of a request: one spelling, one place for each thing, defaults absent. */
function normalRequest(raw: JsonObject): JsonObject {
  const camelled = camel(raw);
  if (!isObject(camelled)) throw new Error("no request");
  const { model: _, systemInstruction, contents, tools, generationConfig, modelArmorConfig: __, ...rest } = camelled;
  const body: JsonObject = { ...rest, contents: normalContents(objects(contents)) };
  if (raw.modelArmorConfig !== undefined) body.modelArmorConfig = raw.modelArmorConfig;
  if (isObject(systemInstruction)) body.systemInstruction = { parts: systemInstruction.parts };
  if (Array.isArray(tools)) body.tools = objects(tools).flatMap(normalTool);
  if (isObject(generationConfig)) {
    const config = normalConfig(generationConfig);
    if (Object.keys(config).length > 0) body.generationConfig = config;
  }
  return body;
}

function normalContents(contents: JsonObject[]): JsonObject[] {
  const merged: { role: JsonValue; parts: JsonObject[] }[] = [];
  for (const content of contents) {
    const role = content.role ?? "user";
    const parts = objects(content.parts)
      .map(normalPart)
      .filter((part) => role === "user" || part.text !== "" || part.thoughtSignature);
    const last = merged.at(-1);
    if (last && last.role === role) last.parts.push(...parts);
    else merged.push({ role, parts });
  }
  return merged;
}

function normalPart(part: JsonObject): JsonObject {
  const result = { ...part };
  if (result.thoughtSignature === absentSignature) delete result.thoughtSignature;
  for (const key of ["functionCall", "functionResponse"]) {
    const data = result[key];
    if (!isObject(data)) continue;
    const { id: _, ...kept } = data;
    result[key] = kept;
  }
  const { functionResponse } = result;
  // A lone value that is no text reads the same inside and outside of its JSON.
  if (isObject(functionResponse) && isObject(functionResponse.response)) {
    functionResponse.response = { ...functionResponse.response };
  }
  return result;
}

function normalTool(tool: JsonObject): JsonObject[] {
  return Object.entries(tool).flatMap(([key, value]) => {
    if (key !== "functionDeclarations") return [{ [key]: value }];
    return objects(value).map(({ parameters, parametersJsonSchema, ...declaration }) => {
      const schema = parametersJsonSchema ?? parameters;
      return isObject(schema) && Object.keys(schema).length > 0
        ? { ...declaration, schema: fromOpenApiSchema(schema) }
        : declaration;
    });
  });
}

function normalConfig(raw: JsonObject): JsonObject {
  const { responseSchema, responseJsonSchema, thinkingConfig, ...config } = raw;
  if (JSON.stringify(config.responseModalities) === '["TEXT"]') delete config.responseModalities;
  if (config.responseMimeType === "text/plain") delete config.responseMimeType;
  const schema = responseJsonSchema ?? responseSchema;
  if (isObject(schema)) config.responseJsonSchema = fromOpenApiSchema(schema);
  // A budget becomes a level on the newest models; whether thoughts are shown stays.
  if (isObject(thinkingConfig) && thinkingConfig.includeThoughts === true) config.includeThoughts = true;
  return config;
}

describeRecorded("L2 recorded requests come through unchanged", () => {
  const withRequest = good.filter((recording) => recording.request !== undefined);
  it("there are some", () => expect(withRequest.length).toBeGreaterThan(50));
  it.each(withRequest.map((recording) => [recording.id, recording.request] as const))("%s", (_, body) => {
    if (!body) throw new Error("no request");
    const encoded = generateContent.encodeRequest(decode(body), { model: "gemini-3-flash", stream: false });
    expect(normalRequest(encoded.body)).toEqual(normalRequest(body));
  });
});

/** The documented normal form of an answer: texts joined, ids and markers of ours left out. */
function normalAnswer(raw: JsonObject): JsonObject {
  const { responseId: _, createTime, candidates, usageMetadata, ...rest } = raw;
  const body: JsonObject = { ...rest };
  if (createTime !== undefined) body.createTime = createTime;
  if (Array.isArray(candidates)) body.candidates = objects(candidates).map(normalCandidate);
  if (isObject(usageMetadata)) {
    const { totalTokenCount: __, candidatesTokenCount: ___, ...usage } = usageMetadata;
    body.usageMetadata = { ...usage, candidatesTokenCount: usageMetadata.candidatesTokenCount ?? 0 };
  }
  return body;
}

function normalCandidate(candidate: JsonObject): JsonObject {
  const content = isObject(candidate.content) ? candidate.content : {};
  const parts: JsonObject[] = [];
  for (const part of objects(content.parts)) {
    const { functionCall, ...kept } = normalPart(part);
    if (isObject(functionCall)) {
      const { id: _, ...call } = functionCall;
      parts.push({ ...kept, functionCall: { ...call, args: call.args ?? {} } });
    } else if (part.text !== "" || part.thoughtSignature !== undefined) parts.push(kept);
  }
  const { finishMessage, finishReason, index, ...beside } = candidate;
  const called = parts.some((part) => part.functionCall !== undefined);
  return {
    ...beside,
    content: { role: "model", parts },
    index: index ?? 0,
    finishReason:
      typeof finishReason === "number" ? ["", "STOP", "MAX_TOKENS"][finishReason] : (finishReason ?? "OTHER"),
    ...(finishMessage === undefined || (called && finishReason === "STOP") ? {} : { finishMessage }),
  };
}

describeRecorded("L2 recorded whole answers come through unchanged", () => {
  const answers = good.filter((recording) => isObject(recording.response));
  it("there are some", () => expect(answers.length).toBeGreaterThan(40));
  it.each(answers.map((recording) => [recording.id, recording.response] as const))("%s", (_, body) => {
    if (!isObject(body)) throw new Error("no answer");
    const written = generateContent.encodeResponse(generateContent.decodeResponse(body), answerContext());
    const expected = normalAnswer(body);
    if (body.modelVersion === undefined) expected.modelVersion = "gemini-test";
    expect(normalAnswer(written)).toEqual(expected);
  });
});

const encoder = new TextEncoder();
const streams = good.flatMap((recording) => {
  if (recording.sse) return [{ id: recording.id, bytes: recording.sse }];
  return Array.isArray(recording.response)
    ? [{ id: recording.id, bytes: encoder.encode(JSON.stringify(recording.response, null, 1)) }]
    : [];
});
const cut = "google-vertex-stream-empty-output-stream-cut";
const whole = streams.filter(({ id }) => !id.endsWith(cut));

describeRecorded("recorded streams", () => {
  it("there are some", () => expect(whole.length).toBeGreaterThan(35));

  it.each(whole)("L2, L11 $id says the same when it is read, written and read again", ({ bytes }) => {
    const events = readStream(bytes);
    expect(events.at(-1)).toEqual({ type: "end" });
    for (const framing of ["sse", "json-array"] as const) {
      const text = writeStream(events, answerContext({ framing }));
      checkStream(text);
      const again = { ...accumulate(readStream(encoder.encode(text))), id: "", createdAt: 0 };
      const first = { ...accumulate(events), id: "", createdAt: 0, model: again.model };
      expect(again).toEqual(first);
    }
  });

  it.each(whole)("L9 $id is the same however its bytes are cut", ({ bytes }) => {
    const expected = JSON.stringify(readStream(bytes));
    for (const length of [1, 2, 3, 7, 61, 1000]) {
      if (length < 7 && bytes.length > 60_000) continue;
      const lengths = Array.from({ length: Math.ceil(bytes.length / length) }, () => length);
      expect(JSON.stringify(readStream(bytes, lengths))).toBe(expected);
    }
  });

  it.each(streams.filter(({ id }) => id.includes("stream-") && !id.includes("json-array")))(
    "L10 $id is the same in every framing",
    ({ bytes }) => {
      const expected = JSON.stringify(readStream(bytes));
      const text = new TextDecoder().decode(bytes).replace(/\r\n/g, "\n");
      const forms = [
        text,
        text.replace(/\n/g, "\r\n"),
        text.replace(/\n/g, "\r"),
        text.replace(/^data: /gm, "data:"),
        `\ufeff${text}`,
        text.replace(/^data: /gm, ": note\n\nid: 1\ndata: "),
        text.trimEnd(),
      ];
      for (const form of forms) expect(JSON.stringify(readStream(encoder.encode(form)))).toBe(expected);
    },
  );

  it("L12 a stream that is cut before its finish reason never ends well", () => {
    for (const { id, bytes } of whole) {
      const text = new TextDecoder().decode(bytes);
      // What comes before the first finish reason, and not a byte of that frame's end.
      const finish = text.search(/"(finishReason|blockReason)"/);
      const before = text.slice(0, finish);
      const ends = [
        0,
        1,
        Math.floor(before.length / 3),
        Math.floor(before.length / 2),
        before.length - 1,
        before.length,
      ];
      for (const end of ends) {
        const last = readStream(encoder.encode(before.slice(0, end))).at(-1);
        expect(last?.type, `${id} cut at ${end}`).toBe("error");
      }
    }
  });

  it("L12 at every byte of one stream", () => {
    const one = whole.find(({ id }) => id.endsWith("stream-tool-call-signed-reasoning"));
    if (!one) throw new Error("The recording stream-tool-call-signed-reasoning is missing.");
    const text = new TextDecoder().decode(one.bytes);
    const lastFrame = text.trimEnd().length;
    for (let end = 0; end < text.length; end += 1) {
      const type = readStream(encoder.encode(text.slice(0, end))).at(-1)?.type;
      expect(type, `cut at ${end}`).toBe(end < lastFrame ? "error" : "end");
    }
  });

  it("L12 the recorded cut is one", () => {
    const one = streams.find(({ id }) => id.endsWith(cut));
    if (!one) throw new Error(`The recording ${cut} is missing.`);
    expect(readStream(one.bytes).at(-1)).toMatchObject({ type: "error", error: { code: "stream_incomplete" } });
  });
});

describeRecorded("recorded errors", () => {
  it.each(all.filter((recording) => recording.status >= 400).map((recording) => [recording.id, recording] as const))(
    "L25 %s",
    (_, { status, response }) => {
      const error = generateContent.decodeError({ status, headers: {}, body: response });
      expect(error.message.length).toBeGreaterThan(5);
      expect(error.retryable).toBe(status === 429);
      const { body } = generateContent.encodeError(error, "req_1");
      expect(isObject(body.error) && body.error.message).toBe(error.message);
      if (status === 429) expect(error).toMatchObject({ kind: "rate_limit", retryAfterSeconds: 48 });
    },
  );
});
