import {
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
import type { Fields } from "../field-check.ts";
import { ITEMS } from "./item-fields.ts";
import { TOOL, TOOL_CHOICE } from "./tool-fields.ts";

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
  // Not in the reference: what Codex sends with every request, and the provider takes.
  client_metadata: OPEN_OBJECT,
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
