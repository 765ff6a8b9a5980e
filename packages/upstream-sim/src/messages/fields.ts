import {
  ANY,
  BOOLEAN,
  either,
  integer,
  list,
  literal,
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

const CACHE: Check = object({ type: literal("ephemeral"), ttl: oneOf("5m", "1h") });
const TOOL_ID: Check = { kind: "string", required: true, pattern: /^[a-zA-Z0-9_-]+$/ };
const CITATIONS_SWITCH = object({ enabled: BOOLEAN });

const TEXT_BLOCK: Fields = { text: TEXT, citations: list(OPEN_OBJECT), cache_control: CACHE };
const IMAGE_BLOCK: Fields = {
  source: required(
    variants({
      base64: { media_type: literal("image/jpeg", "image/png", "image/gif", "image/webp"), data: TEXT },
      url: { url: TEXT },
      file: { file_id: TEXT },
    }),
  ),
  transformations: OPEN_OBJECT,
  cache_control: CACHE,
};
const DOCUMENT_BLOCK: Fields = {
  source: required(
    variants({
      base64: { media_type: literal("application/pdf"), data: TEXT },
      text: { media_type: literal("text/plain"), data: TEXT },
      content: { content: required(either({ kind: "string" }, { kind: "array" })) },
      url: { url: TEXT },
      file: { file_id: TEXT },
    }),
  ),
  title: STRING,
  context: STRING,
  citations: CITATIONS_SWITCH,
  cache_control: CACHE,
};
const SEARCH_RESULT_BLOCK: Fields = {
  source: TEXT,
  title: TEXT,
  content: required(list(variants({ text: TEXT_BLOCK }))),
  citations: CITATIONS_SWITCH,
  cache_control: CACHE,
};

const RESULT_CONTENT = either(
  { kind: "string" },
  {
    kind: "array",
    items: variants({
      text: TEXT_BLOCK,
      image: IMAGE_BLOCK,
      document: DOCUMENT_BLOCK,
      search_result: SEARCH_RESULT_BLOCK,
      tool_reference: { tool_name: TEXT },
    }),
  },
);

/** A block of a server tool's result; replayed as it came and not looked into. */
const SERVER_RESULT: Fields = { tool_use_id: TEXT, content: ANY, caller: OPEN_OBJECT, cache_control: CACHE };

/** Content blocks by type (messages.md 4). */
const BLOCK = variants({
  text: TEXT_BLOCK,
  image: IMAGE_BLOCK,
  document: DOCUMENT_BLOCK,
  search_result: SEARCH_RESULT_BLOCK,
  thinking: { thinking: TEXT, signature: TEXT },
  redacted_thinking: { data: TEXT },
  tool_use: {
    id: TOOL_ID,
    name: { kind: "string", required: true, minLength: 1, maxLength: 200 },
    input: { kind: "object", required: true },
    caller: OPEN_OBJECT,
    toolset_name: STRING,
    cache_control: CACHE,
  },
  tool_result: {
    tool_use_id: TOOL_ID,
    content: RESULT_CONTENT,
    is_error: BOOLEAN,
    toolset_name: STRING,
    cache_control: CACHE,
  },
  server_tool_use: { id: TOOL_ID, name: TEXT, input: OPEN_OBJECT, caller: OPEN_OBJECT, cache_control: CACHE },
  web_search_tool_result: SERVER_RESULT,
  web_fetch_tool_result: SERVER_RESULT,
  code_execution_tool_result: SERVER_RESULT,
  bash_code_execution_tool_result: SERVER_RESULT,
  text_editor_code_execution_tool_result: SERVER_RESULT,
  tool_search_tool_result: SERVER_RESULT,
  container_upload: { file_id: TEXT, cache_control: CACHE },
  // Blocks of beta features: carried and not looked into.
  ...Object.fromEntries(
    [
      "mcp_tool_use",
      "mcp_tool_result",
      "mcp_tool_listing",
      "tool_addition",
      "tool_removal",
      "compaction",
      "fallback",
      "advisor_tool_result",
    ].map((type) => [type, { "*": ANY }]),
  ),
});

const MESSAGE: Fields = {
  role: literal("user", "assistant", "system"),
  content: required(either({ kind: "string" }, { kind: "array", items: BLOCK })),
};

const CUSTOM_TOOL: Fields = {
  name: { kind: "string", required: true, pattern: /^[a-zA-Z0-9_-]{1,128}$/ },
  description: STRING,
  input_schema: required({ kind: "object" }),
  strict: BOOLEAN,
  eager_input_streaming: BOOLEAN,
  input_examples: list(OPEN_OBJECT),
  defer_loading: BOOLEAN,
  allowed_callers: list(STRING),
  cache_control: CACHE,
};

const BUILT_IN_TOOL: Fields = {
  name: STRING,
  cache_control: CACHE,
  max_uses: integer(1),
  allowed_domains: list(STRING),
  blocked_domains: list(STRING),
  user_location: OPEN_OBJECT,
  citations: CITATIONS_SWITCH,
  max_content_tokens: integer(1),
  max_characters: integer(1),
  display_width_px: integer(1),
  display_height_px: integer(1),
  display_number: integer(0),
  defer_loading: BOOLEAN,
  allowed_callers: list(STRING),
};

const BUILT_IN_TOOLS = [
  "bash_20250124",
  "text_editor_20250124",
  "text_editor_20250429",
  "text_editor_20250728",
  "memory_20250818",
  "computer_20250124",
  "computer_20251124",
  "web_search_20250305",
  "web_search_20260209",
  "web_search_20260318",
  "web_fetch_20250910",
  "web_fetch_20260209",
  "web_fetch_20260309",
  "web_fetch_20260318",
  "code_execution_20250522",
  "code_execution_20250825",
  "code_execution_20260120",
  "code_execution_20260521",
  "tool_search_tool_regex_20251119",
  "tool_search_tool_bm25_20251119",
];

/** Tools of beta features: carried and not looked into. */
const BETA_TOOLS = ["advisor_20260301", "mcp_toolset", "computer_20241022"];

const TOOL = variants(
  {
    custom: CUSTOM_TOOL,
    ...Object.fromEntries(BUILT_IN_TOOLS.map((name) => [name, BUILT_IN_TOOL])),
    ...Object.fromEntries(BETA_TOOLS.map((name) => [name, { "*": ANY }])),
  },
  "custom",
);

const DISPLAY = oneOf("summarized", "omitted", "updates");

/** The top level of a request (messages.md 3). */
export const REQUEST_FIELDS: Fields = {
  model: { kind: "string", required: true, minLength: 1 },
  max_tokens: required(integer(0)),
  messages: {
    kind: "array",
    items: { kind: "object", fields: MESSAGE },
    minItems: 1,
    maxItems: 100_000,
    required: true,
  },
  system: either({ kind: "string" }, { kind: "array", items: variants({ text: TEXT_BLOCK }) }),
  stream: BOOLEAN,
  stop_sequences: list({ kind: "string" }),
  temperature: number(0, 1),
  top_p: number(0, 1),
  top_k: integer(0),
  metadata: object({ user_id: { kind: "string", nullable: true, maxLength: 512 } }),
  service_tier: oneOf("auto", "standard_only"),
  speed: oneOf("standard", "fast"),
  inference_geo: STRING,
  tools: list(TOOL),
  tool_choice: variants({
    auto: { disable_parallel_tool_use: BOOLEAN },
    any: { disable_parallel_tool_use: BOOLEAN },
    tool: { name: TEXT, disable_parallel_tool_use: BOOLEAN },
    none: {},
  }),
  thinking: variants({
    enabled: { budget_tokens: required(integer(1024)), display: DISPLAY },
    adaptive: { display: DISPLAY },
    disabled: {},
    between_tools: {},
  }),
  output_config: object({
    effort: oneOf("low", "medium", "high", "xhigh", "max"),
    format: variants({ json_schema: { schema: required({ kind: "object" }) } }),
  }),
  cache_control: CACHE,
  container: either({ kind: "string" }, { kind: "object" }),
  diagnostics: OPEN_OBJECT,
};

/** Fields that exist only for requests with an `anthropic-beta` header. */
export const BETA_FIELDS: Fields = {
  output_format: variants({ json_schema: { schema: required({ kind: "object" }) } }),
  context_management: OPEN_OBJECT,
  mcp_servers: list(OPEN_OBJECT),
  compaction: OPEN_OBJECT,
  fallbacks: list(OPEN_OBJECT),
  thread: OPEN_OBJECT,
  fallback_credit_token: STRING,
  billing_policy: OPEN_OBJECT,
};

/** The top level of a token count (messages.md 1). */
export const COUNT_FIELDS: Fields = Object.fromEntries(
  Object.entries(REQUEST_FIELDS).filter(([name]) =>
    [
      "model",
      "messages",
      "system",
      "tools",
      "tool_choice",
      "thinking",
      "output_config",
      "cache_control",
      "speed",
    ].includes(name),
  ),
);
