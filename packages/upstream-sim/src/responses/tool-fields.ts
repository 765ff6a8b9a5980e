import { BOOLEAN, either, integer, list, literal, OPEN_OBJECT, required, STRING, TEXT, variants } from "../checks.ts";
import type { Check } from "../field-check.ts";

/** What the vendor takes as the name of a tool. */
export const NAME: Check = {
  kind: "string",
  required: true,
  pattern: /^[a-zA-Z0-9_-]+$/,
  minLength: 1,
  maxLength: 128,
};

/** Tools by type (responses.md 3). */
export const TOOL: Check = variants({
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
    // Not in the reference: Codex sends it for the models that it knows.
    search_content_types: list(STRING),
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

/** Which tools an answer may or must call (responses.md 3). */
export const TOOL_CHOICE = either(
  { kind: "string", oneOf: ["none", "auto", "required"] },
  variants({
    function: { name: TEXT },
    custom: { name: TEXT },
    mcp: { server_label: TEXT, name: STRING },
    allowed_tools: { mode: literal("auto", "required"), tools: required(list(OPEN_OBJECT)) },
    ...Object.fromEntries(HOSTED_CHOICES.map((name) => [name, {}])),
  }),
);
