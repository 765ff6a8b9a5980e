import { ANY, either, list, OPEN_OBJECT, object, required, STRING, TEXT } from "../checks.ts";
import type { Check, Fields } from "../field-check.ts";

const BOOL: Check = { kind: "boolean", nullable: true };

function num(min: number, max: number, integer = false): Check {
  return { kind: "number", min, max, integer, orText: true, nullable: true };
}

const INT32: Check = num(-2147483648, 2147483647, true);
const MEDIA_RESOLUTION = ["UNSPECIFIED", "LOW", "MEDIUM", "HIGH", "ULTRA_HIGH"].map(
  (level) => `MEDIA_RESOLUTION_${level}`,
);

const BLOB: Fields = { mimeType: TEXT, data: TEXT, displayName: STRING };
const FILE: Fields = { mimeType: STRING, fileUri: TEXT, displayName: STRING };

/** The data of a part: exactly one of these (generate-content.md 3). */
export const PART_DATA: Fields = {
  text: STRING,
  inlineData: object(BLOB),
  fileData: object(FILE),
  functionCall: object({ id: STRING, name: TEXT, args: OPEN_OBJECT }),
  functionResponse: object({
    id: STRING,
    name: TEXT,
    response: required({ kind: "object" }),
    parts: list(object({ inlineData: object(BLOB), fileData: object(FILE) })),
    scheduling: STRING,
    willContinue: BOOL,
  }),
  executableCode: object({ id: STRING, language: STRING, code: TEXT }),
  codeExecutionResult: object({ id: STRING, outcome: TEXT, output: STRING }),
  toolCall: OPEN_OBJECT,
  toolResponse: OPEN_OBJECT,
};

const PART: Fields = {
  ...PART_DATA,
  thought: BOOL,
  thoughtSignature: STRING,
  videoMetadata: object({ startOffset: STRING, endOffset: STRING, fps: num(0, 24) }),
  mediaResolution: object({ level: { kind: "string", oneOf: MEDIA_RESOLUTION }, numTokens: INT32 }),
  partMetadata: OPEN_OBJECT,
};

const CONTENT: Fields = { role: STRING, parts: { kind: "array", items: { kind: "object", fields: PART } } };

/** The OpenAPI subset of `parameters` and `responseSchema`; anything else is an unknown name (section 6). */
const SCHEMA: Fields = {
  // Enums may come as their numbers.
  type: either({ kind: "string", oneOf: typeNames() }, { kind: "number", integer: true, min: 0, max: 7 }),
  format: STRING,
  title: STRING,
  description: STRING,
  nullable: BOOL,
  enum: { kind: "array", items: { kind: "string" } },
  items: { kind: "object", lazy: () => SCHEMA },
  minItems: num(0, Number.MAX_SAFE_INTEGER, true),
  maxItems: num(0, Number.MAX_SAFE_INTEGER, true),
  properties: OPEN_OBJECT,
  required: list({ kind: "string" }),
  propertyOrdering: list({ kind: "string" }),
  minProperties: num(0, Number.MAX_SAFE_INTEGER, true),
  maxProperties: num(0, Number.MAX_SAFE_INTEGER, true),
  minLength: num(0, Number.MAX_SAFE_INTEGER, true),
  maxLength: num(0, Number.MAX_SAFE_INTEGER, true),
  pattern: STRING,
  minimum: num(-Number.MAX_VALUE, Number.MAX_VALUE),
  maximum: num(-Number.MAX_VALUE, Number.MAX_VALUE),
  anyOf: list({ kind: "object", lazy: () => SCHEMA }),
  default: ANY,
  example: ANY,
};

function typeNames(): string[] {
  const names = ["STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL", "TYPE_UNSPECIFIED"];
  return [...names, ...names.map((name) => name.toLowerCase())];
}

/** The table of one schema object; property schemas are judged one by one with it. */
export const SCHEMA_FIELDS: Fields = SCHEMA;

const FUNCTION: Fields = {
  name: { kind: "string", required: true, pattern: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/ },
  description: STRING,
  parameters: { kind: "object", nullable: true, fields: SCHEMA },
  parametersJsonSchema: ANY,
  response: { kind: "object", nullable: true, fields: SCHEMA },
  responseJsonSchema: ANY,
  behavior: STRING,
};

const TOOL: Fields = {
  functionDeclarations: { kind: "array", items: { kind: "object", fields: FUNCTION }, maxItems: 512, nullable: true },
  googleSearch: OPEN_OBJECT,
  googleSearchRetrieval: OPEN_OBJECT,
  codeExecution: OPEN_OBJECT,
  urlContext: OPEN_OBJECT,
  googleMaps: OPEN_OBJECT,
  fileSearch: OPEN_OBJECT,
  computerUse: OPEN_OBJECT,
  mcpServers: list(OPEN_OBJECT),
};

const THINKING: Fields = {
  includeThoughts: BOOL,
  thinkingBudget: num(-1, 32768, true),
  thinkingLevel: {
    kind: "string",
    nullable: true,
    oneOf: ["MINIMAL", "LOW", "MEDIUM", "HIGH", "minimal", "low", "medium", "high", "THINKING_LEVEL_UNSPECIFIED"],
  },
};

const GENERATION_CONFIG: Fields = {
  temperature: num(0, 2),
  topP: num(0, 1),
  topK: num(0, Number.MAX_SAFE_INTEGER),
  candidateCount: num(1, 8, true),
  maxOutputTokens: num(1, 2147483647, true),
  stopSequences: { kind: "array", items: { kind: "string" }, maxItems: 5, nullable: true },
  seed: INT32,
  presencePenalty: num(-2, 2),
  frequencyPenalty: num(-2, 2),
  responseLogprobs: BOOL,
  logprobs: num(0, 20, true),
  responseMimeType: { kind: "string", nullable: true, oneOf: ["text/plain", "application/json", "text/x.enum", ""] },
  responseSchema: { kind: "object", nullable: true, fields: SCHEMA },
  responseJsonSchema: ANY,
  _responseJsonSchema: ANY,
  responseFormat: ANY,
  thinkingConfig: object(THINKING),
  responseModalities: list({ kind: "string" }),
  speechConfig: OPEN_OBJECT,
  imageConfig: OPEN_OBJECT,
  mediaResolution: { kind: "string", nullable: true, oneOf: MEDIA_RESOLUTION },
  enableEnhancedCivicAnswers: BOOL,
  audioTranscriptionConfig: OPEN_OBJECT,
};

/** The top level of a request (generate-content.md 3). */
export const REQUEST_FIELDS: Fields = {
  model: STRING,
  contents: { kind: "array", items: { kind: "object", fields: CONTENT }, required: true },
  systemInstruction: object(CONTENT),
  tools: list(object(TOOL)),
  toolConfig: object({
    functionCallingConfig: object({
      mode: { kind: "string", nullable: true, oneOf: ["MODE_UNSPECIFIED", "AUTO", "ANY", "NONE", "VALIDATED"] },
      allowedFunctionNames: list({ kind: "string" }),
    }),
    retrievalConfig: OPEN_OBJECT,
    includeServerSideToolInvocations: BOOL,
  }),
  generationConfig: object(GENERATION_CONFIG),
  safetySettings: list(object({ category: TEXT, threshold: TEXT, method: STRING })),
  cachedContent: STRING,
  serviceTier: STRING,
  store: BOOL,
  continuationToken: STRING,
};

/** The top level of a token count (generate-content.md 1). */
export const COUNT_FIELDS: Fields = {
  contents: { kind: "array", items: { kind: "object", fields: CONTENT } },
  generateContentRequest: object(REQUEST_FIELDS),
};
