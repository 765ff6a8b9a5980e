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

const ID: Check = { kind: "string", nullable: true, maxLength: 64 };
const CALL_ID: Check = { kind: "string", required: true, minLength: 1, maxLength: 64 };
const NAME: Check = { kind: "string", required: true, pattern: /^[a-zA-Z0-9_-]+$/, minLength: 1, maxLength: 128 };
const STATUS = oneOf("in_progress", "completed", "incomplete");
const BREAKPOINT: Check = object({ mode: STRING, ttl: STRING });

const INPUT_PARTS: Record<string, Fields> = {
  input_text: { text: TEXT, prompt_cache_breakpoint: BREAKPOINT },
  input_image: {
    image_url: STRING,
    file_id: STRING,
    detail: oneOf("auto", "low", "high", "original"),
    prompt_cache_breakpoint: BREAKPOINT,
  },
  input_file: {
    file_id: STRING,
    file_url: STRING,
    file_data: STRING,
    filename: STRING,
    detail: STRING,
    prompt_cache_breakpoint: BREAKPOINT,
  },
};
const OUTPUT_PARTS: Record<string, Fields> = {
  output_text: { text: TEXT, annotations: list(OPEN_OBJECT), logprobs: list(OPEN_OBJECT) },
  refusal: { refusal: TEXT },
};

const MESSAGE_CONTENT = either(
  { kind: "string" },
  {
    kind: "array",
    items: variants({
      ...INPUT_PARTS,
      input_audio: { input_audio: required(object({ data: TEXT, format: literal("mp3", "wav") })) },
      ...OUTPUT_PARTS,
    }),
  },
);
const TOOL_OUTPUT = either({ kind: "string", maxLength: 10_485_760 }, { kind: "array", items: variants(INPUT_PARTS) });

const MESSAGE: Fields = {
  id: ID,
  role: literal("user", "assistant", "system", "developer"),
  content: required(MESSAGE_CONTENT),
  status: STATUS,
  phase: oneOf("commentary", "final_answer"),
};

/** Items that hosted tools leave behind; they are replayed as they came and not looked into. */
const HOSTED: Fields = { id: ID, "*": ANY };

/** Input items by type (responses.md 4). */
const ITEMS: Record<string, Fields> = {
  message: MESSAGE,
  function_call: {
    id: ID,
    call_id: CALL_ID,
    name: NAME,
    arguments: TEXT,
    status: STATUS,
    namespace: STRING,
    caller: OPEN_OBJECT,
  },
  function_call_output: {
    id: ID,
    call_id: CALL_ID,
    output: required(TOOL_OUTPUT),
    status: STATUS,
    caller: OPEN_OBJECT,
  },
  custom_tool_call: { id: ID, call_id: CALL_ID, name: NAME, input: TEXT, status: STATUS, namespace: STRING },
  custom_tool_call_output: { id: ID, call_id: CALL_ID, output: required(TOOL_OUTPUT), status: STATUS },
  reasoning: {
    id: { kind: "string", required: true, maxLength: 64 },
    summary: required(list(variants({ summary_text: { text: TEXT } }))),
    content: list(variants({ reasoning_text: { text: TEXT } })),
    encrypted_content: STRING,
    status: STATUS,
  },
  item_reference: { id: { kind: "string", required: true } },
  image_generation_call: {
    id: ID,
    status: STRING,
    result: STRING,
    action: STRING,
    background: STRING,
    size: STRING,
    quality: STRING,
    output_format: STRING,
    revised_prompt: STRING,
  },
  ...Object.fromEntries(
    [
      "web_search_call",
      "file_search_call",
      "computer_call",
      "computer_call_output",
      "code_interpreter_call",
      "mcp_list_tools",
      "mcp_call",
      "mcp_approval_request",
      "mcp_approval_response",
      "local_shell_call",
      "local_shell_call_output",
      "shell_call",
      "shell_call_output",
      "apply_patch_call",
      "apply_patch_call_output",
      "compaction",
      "compaction_trigger",
      "tool_search_call",
      "tool_search_output",
      "additional_tools",
      "configuration_update",
      "program",
      "program_output",
    ].map((type) => [type, HOSTED]),
  ),
};

const TOOL: Check = variants({
  function: {
    name: NAME,
    parameters: OPEN_OBJECT,
    strict: BOOLEAN,
    description: STRING,
    defer_loading: BOOLEAN,
    allowed_callers: list(STRING),
    output_schema: OPEN_OBJECT,
  },
  custom: { name: NAME, description: STRING, format: OPEN_OBJECT },
  web_search: {
    external_web_access: BOOLEAN,
    filters: OPEN_OBJECT,
    search_context_size: STRING,
    user_location: OPEN_OBJECT,
  },
  web_search_preview: { search_context_size: STRING, user_location: OPEN_OBJECT },
  file_search: {
    vector_store_ids: required(list({ kind: "string" })),
    max_num_results: integer(1, 50),
    filters: OPEN_OBJECT,
    ranking_options: OPEN_OBJECT,
  },
  code_interpreter: { container: required(either({ kind: "string" }, { kind: "object" })) },
  image_generation: {
    model: STRING,
    size: STRING,
    quality: STRING,
    background: STRING,
    output_format: STRING,
    output_compression: integer(0, 100),
    moderation: STRING,
    partial_images: integer(0, 3),
    input_fidelity: STRING,
    action: STRING,
  },
  mcp: {
    server_label: TEXT,
    server_url: STRING,
    connector_id: STRING,
    headers: OPEN_OBJECT,
    authorization: STRING,
    allowed_tools: either({ kind: "array" }, { kind: "object" }),
    require_approval: either({ kind: "string" }, { kind: "object" }),
    server_description: STRING,
  },
  local_shell: {},
  shell: { environment: OPEN_OBJECT },
  apply_patch: {},
  computer: {},
  computer_use_preview: { display_width: integer(1), display_height: integer(1), environment: STRING },
  tool_search: { description: STRING, execution: STRING, parameters: OPEN_OBJECT },
  programmatic_tool_calling: {},
  namespace: { name: TEXT, description: STRING, tools: list(OPEN_OBJECT) },
});

const HOSTED_CHOICES = [
  "file_search",
  "web_search_preview",
  "computer_use_preview",
  "image_generation",
  "code_interpreter",
  "apply_patch",
  "shell",
];

const TOOL_CHOICE = either(
  { kind: "string", oneOf: ["none", "auto", "required"] },
  variants({
    function: { name: TEXT },
    custom: { name: TEXT },
    mcp: { server_label: TEXT, name: STRING },
    allowed_tools: { mode: literal("auto", "required"), tools: required(list(OPEN_OBJECT)) },
    ...Object.fromEntries(HOSTED_CHOICES.map((name) => [name, {}])),
  }),
);

const FORMAT = variants({
  text: {},
  json_object: {},
  json_schema: {
    name: { kind: "string", required: true, pattern: /^[a-zA-Z0-9_-]+$/, maxLength: 64 },
    schema: required(OPEN_OBJECT),
    strict: BOOLEAN,
    description: STRING,
  },
});

/** The top level of a request (responses.md 3). */
export const REQUEST_FIELDS: Fields = {
  model: STRING,
  input: either({ kind: "string" }, { kind: "array", items: variants(ITEMS, "message") }),
  instructions: STRING,
  previous_response_id: STRING,
  conversation: either({ kind: "string" }, object({ id: TEXT })),
  store: BOOLEAN,
  background: BOOLEAN,
  stream: BOOLEAN,
  stream_options: object({ include_obfuscation: BOOLEAN }),
  include: list({
    kind: "string",
    oneOf: [
      "reasoning.encrypted_content",
      "message.output_text.logprobs",
      "message.input_image.image_url",
      "file_search_call.results",
      "web_search_call.results",
      "web_search_call.action.sources",
      "computer_call_output.output.image_url",
      "code_interpreter_call.outputs",
    ],
  }),
  max_output_tokens: integer(16),
  max_tool_calls: integer(1),
  tools: list(TOOL),
  tool_choice: TOOL_CHOICE,
  parallel_tool_calls: BOOLEAN,
  text: object({ format: FORMAT, verbosity: oneOf("low", "medium", "high") }),
  reasoning: object({
    effort: oneOf("none", "minimal", "low", "medium", "high", "xhigh", "max"),
    summary: oneOf("auto", "concise", "detailed"),
    generate_summary: oneOf("auto", "concise", "detailed"),
    context: oneOf("auto", "current_turn", "all_turns"),
    mode: STRING,
  }),
  temperature: number(0, 2),
  top_p: number(0, 1),
  top_logprobs: integer(0, 20),
  truncation: oneOf("auto", "disabled"),
  context_management: list(object({ type: literal("compaction"), compact_threshold: integer(1000) })),
  prompt: OPEN_OBJECT,
  metadata: METADATA,
  service_tier: oneOf("auto", "default", "flex", "scale", "priority", "fast", "ultrafast"),
  safety_identifier: { kind: "string", nullable: true, maxLength: 128 },
  prompt_cache_key: STRING,
  prompt_cache_options: OPEN_OBJECT,
  prompt_cache_retention: oneOf("in_memory", "24h"),
  user: STRING,
  moderation: OPEN_OBJECT,
  image: OPEN_OBJECT,
  access_programs: OPEN_OBJECT,
};

/** The top level of a token count (responses.md 1). */
export const COUNT_FIELDS: Fields = Object.fromEntries(
  Object.entries(REQUEST_FIELDS).filter(([name]) =>
    [
      "model",
      "input",
      "instructions",
      "tools",
      "tool_choice",
      "text",
      "reasoning",
      "conversation",
      "previous_response_id",
      "parallel_tool_calls",
      "truncation",
    ].includes(name),
  ),
);
