import { ANY, either, list, literal, OPEN_OBJECT, object, oneOf, required, STRING, TEXT, variants } from "../checks.ts";
import type { Check, Fields } from "../field-check.ts";
import { NAME } from "./tool-fields.ts";

const ID: Check = { kind: "string", nullable: true, maxLength: 64 };
const CALL_ID: Check = { kind: "string", required: true, minLength: 1, maxLength: 64 };
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
export const ITEMS: Record<string, Fields> = {
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
