import {
  ANY,
  BOOLEAN,
  either,
  integer,
  list,
  literal,
  METADATA,
  number,
  OPEN_OBJECT,
  object,
  oneOf,
  required,
  STRING,
  TEXT,
  variants,
} from "../checks.ts";
import type { Check, Fields } from "../field-check.ts";

/** Tool names and schema names (chat-completions.md 5, 6). */
const NAME: Check = { kind: "string", required: true, pattern: /^[a-zA-Z0-9_-]+$/, minLength: 1, maxLength: 64 };
const BREAKPOINT: Check = object({ mode: STRING, ttl: STRING });

const TEXT_PART: Fields = { type: TEXT, text: TEXT, prompt_cache_breakpoint: BREAKPOINT };
const TEXT_CONTENT = either({ kind: "string" }, { kind: "array", items: variants({ text: TEXT_PART }), minItems: 1 });
const USER_PARTS = variants({
  text: TEXT_PART,
  image_url: {
    // The flat text is not documented, but taken.
    image_url: required(
      either({ kind: "string" }, object({ url: TEXT, detail: oneOf("auto", "low", "high", "original") })),
    ),
    prompt_cache_breakpoint: BREAKPOINT,
  },
  input_audio: {
    input_audio: required(object({ data: TEXT, format: literal("wav", "mp3") })),
    prompt_cache_breakpoint: BREAKPOINT,
  },
  file: {
    file: required(object({ file_id: STRING, filename: STRING, file_data: STRING })),
    prompt_cache_breakpoint: BREAKPOINT,
  },
});
const USER_CONTENT = either({ kind: "string" }, { kind: "array", items: USER_PARTS, minItems: 1 });
const ASSISTANT_CONTENT = either(
  { kind: "string" },
  { kind: "array", items: variants({ text: TEXT_PART, refusal: { refusal: TEXT } }), minItems: 1 },
);

const TOOL_CALL = variants({
  function: {
    id: { kind: "string", required: true, maxLength: 40 },
    function: required(object({ name: NAME, arguments: TEXT })),
  },
  custom: {
    id: { kind: "string", required: true, maxLength: 40 },
    custom: required(object({ name: NAME, input: TEXT })),
  },
});

const MESSAGE: Check = {
  kind: "variants",
  by: "role",
  table: {
    developer: { content: required(TEXT_CONTENT), name: STRING },
    system: { content: required(TEXT_CONTENT), name: STRING },
    user: { content: required(USER_CONTENT), name: STRING },
    assistant: {
      content: ASSISTANT_CONTENT,
      refusal: STRING,
      name: STRING,
      audio: object({ id: TEXT }),
      tool_calls: { kind: "array", items: TOOL_CALL, minItems: 1 },
      function_call: object({ name: TEXT, arguments: TEXT }),
      // Answers carry it, and clients replay answers as they are.
      annotations: list(OPEN_OBJECT),
    },
    // `name` is not in the reference: LangChain sends it, and the provider takes it.
    tool: { content: required(TEXT_CONTENT), tool_call_id: TEXT, name: STRING },
    function: { content: STRING, name: TEXT },
  },
};

const FUNCTION: Fields = { name: NAME, description: STRING, parameters: OPEN_OBJECT, strict: BOOLEAN };

const TOOL = variants({
  function: { function: required(object(FUNCTION)) },
  custom: { custom: required(object({ name: NAME, description: STRING, format: OPEN_OBJECT })) },
});

const TOOL_CHOICE = either(
  { kind: "string", oneOf: ["none", "auto", "required"] },
  variants({
    function: { function: required(object({ name: TEXT })) },
    custom: { custom: required(object({ name: TEXT })) },
    allowed_tools: {
      allowed_tools: required(object({ mode: literal("auto", "required"), tools: required(list(OPEN_OBJECT)) })),
    },
  }),
);

/** The top level of a request (chat-completions.md 3). */
export const REQUEST_FIELDS: Fields = {
  model: TEXT,
  messages: { kind: "array", items: MESSAGE, minItems: 1, required: true },
  stream: BOOLEAN,
  stream_options: object({ include_usage: BOOLEAN, include_obfuscation: BOOLEAN }),
  max_completion_tokens: integer(1),
  max_tokens: integer(1),
  temperature: number(0, 2),
  top_p: number(0, 1),
  frequency_penalty: number(-2, 2),
  presence_penalty: number(-2, 2),
  logit_bias: OPEN_OBJECT,
  logprobs: BOOLEAN,
  top_logprobs: integer(0, 20),
  n: integer(1, 128),
  stop: either({ kind: "string" }, { kind: "array", items: { kind: "string" }, minItems: 1, maxItems: 4 }),
  seed: integer(),
  response_format: variants({
    text: {},
    json_object: {},
    json_schema: {
      json_schema: required(object({ name: NAME, description: STRING, schema: OPEN_OBJECT, strict: BOOLEAN })),
    },
  }),
  tools: { kind: "array", items: TOOL, minItems: 1, maxItems: 128 },
  tool_choice: TOOL_CHOICE,
  parallel_tool_calls: BOOLEAN,
  functions: { kind: "array", items: object(FUNCTION), minItems: 1, maxItems: 128 },
  function_call: either({ kind: "string", oneOf: ["none", "auto"] }, object({ name: TEXT })),
  reasoning_effort: oneOf("none", "minimal", "low", "medium", "high", "xhigh", "max"),
  verbosity: oneOf("low", "medium", "high"),
  modalities: list({ kind: "string", oneOf: ["text", "audio"] }),
  audio: object({ format: TEXT, voice: ANY }),
  prediction: OPEN_OBJECT,
  web_search_options: OPEN_OBJECT,
  service_tier: oneOf("auto", "default", "flex", "scale", "priority", "fast"),
  store: BOOLEAN,
  metadata: METADATA,
  user: STRING,
  safety_identifier: { kind: "string", nullable: true, maxLength: 128 },
  prompt_cache_key: STRING,
  prompt_cache_options: OPEN_OBJECT,
  prompt_cache_retention: oneOf("in_memory", "24h"),
  moderation: OPEN_OBJECT,
};
