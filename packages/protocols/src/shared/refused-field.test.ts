import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue, ProtocolName } from "../canonical/index.ts";
import { repair as chatCompletions } from "../chat-completions/repair.ts";
import type { RequestRepair } from "../codec.ts";
import { repair as generateContent } from "../generate-content/repair.ts";
import { repair as messages } from "../messages/repair.ts";
import { repair as responses } from "../responses/repair.ts";

const repairs: Record<ProtocolName, RequestRepair> = {
  "chat-completions": chatCompletions,
  responses,
  messages,
  "generate-content": generateContent,
};

/** One of each field that a refusal may name, and of those that stay whatever a refusal says. */
const bodies: Record<ProtocolName, JsonObject> = {
  "chat-completions": {
    model: "m",
    messages: [{ role: "user", content: [{ type: "text", text: "Hi", cache_control: { type: "ephemeral" } }] }],
    ...{ temperature: 0.2, top_p: 0.9, presence_penalty: 1, seed: 7, reasoning_effort: "minimal", store: false },
    ...{ metadata: { a: "b", c: "d" }, user: "u", prompt_cache_key: "k", stop: ["x"], max_tokens: 5, logprobs: true },
    ...{ tools: [], response_format: { type: "text" }, thinking: { type: "disabled" }, reasoning: { effort: "low" } },
  },
  responses: {
    ...{ model: "m", input: "Hi", temperature: 0.2, reasoning: { effort: "xhigh", summary: "auto" }, store: false },
    ...{ text: { verbosity: "low" }, service_tier: "flex", max_output_tokens: 5, truncation: "auto" },
  },
  messages: {
    model: "m",
    max_tokens: 5,
    system: [{ type: "text", text: "S", cache_control: { type: "ephemeral", ttl: "1h" } }],
    messages: [{ role: "user", content: [{ type: "text", text: "Hi", cache_control: { type: "ephemeral" } }] }],
    ...{ temperature: 0.2, top_p: 0.9, top_k: 5, thinking: { type: "enabled", budget_tokens: 1024 } },
    ...{ output_config: { effort: "xhigh" }, service_tier: "auto", metadata: { user_id: "u" }, stop_sequences: ["x"] },
  },
  "generate-content": {
    contents: [{ role: "user", parts: [{ text: "Hi" }] }],
    generationConfig: {
      ...{ temperature: 0.2, topK: 5, presencePenalty: 1, frequencyPenalty: 1, seed: 7, maxOutputTokens: 5 },
      thinkingConfig: { thinkingBudget: 0, thinkingLevel: "LOW", includeThoughts: true },
    },
    labels: { team: "a" },
  },
};

const openai = (message: string, code: string | null = null, param: string | null = null): JsonObject => ({
  error: { message, type: "invalid_request_error", param, code },
});
const anthropic = (message: string): JsonObject => ({
  type: "error",
  error: { type: "invalid_request_error", message },
});
const google = (message: string): JsonObject => ({ error: { code: 400, message, status: "INVALID_ARGUMENT" } });
const named = (message: string, code: string, param: string) => openai(message, code, param);

type Row = readonly [protocol: ProtocolName, body: JsonValue, paths: readonly string[], status?: number];

/** What servers answer, word for word: from recordings, and from reports of those who met them. */
const refusals: readonly Row[] = [
  [
    "chat-completions",
    named(
      "Unsupported parameter: 'temperature' is not supported with this model.",
      "unsupported_parameter",
      "temperature",
    ),
    ["temperature"],
  ],
  [
    "chat-completions",
    named(
      "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
      "unsupported_value",
      "temperature",
    ),
    ["temperature"],
  ],
  ["chat-completions", openai("Unsupported parameter: 'top_p' is not supported with this model."), ["top_p"]],
  ["chat-completions", openai("Unrecognized request argument supplied: store"), ["store"]],
  ["chat-completions", openai("Unrecognized request arguments supplied: seed, user"), ["seed", "user"]],
  [
    "chat-completions",
    { error: { message: "property 'reasoning' is unsupported", type: "invalid_request_error" } },
    ["reasoning"],
  ],
  ["chat-completions", openai("property 'store' is unsupported, did you mean 'stop'?"), ["store"]],
  [
    "chat-completions",
    {
      object: "error",
      message: {
        detail: [{ type: "extra_forbidden", loc: ["body", "seed"], msg: "Extra inputs are not permitted", input: 7 }],
      },
      type: "invalid_request_error",
    },
    ["seed"],
    422,
  ],
  [
    "chat-completions",
    { detail: [{ type: "extra_forbidden", loc: ["body", "user"], msg: "Extra inputs are not permitted" }] },
    ["user"],
    422,
  ],
  [
    "chat-completions",
    openai("Extra inputs are not permitted, field: 'prompt_cache_key', value: 'k'"),
    ["prompt_cache_key"],
  ],
  ["chat-completions", { error: "Model grok-4.6 does not support parameter presencePenalty." }, ["presence_penalty"]],
  [
    "chat-completions",
    { code: "Client specified an invalid argument", error: "Argument not supported on this model: presence_penalty" },
    ["presence_penalty"],
  ],
  ["chat-completions", openai("metadata.c: Extra inputs are not permitted"), ["metadata.c"]],
  ["chat-completions", openai("messages.0.content.0.cache_control: Extra inputs are not permitted"), ["cache_control"]],
  [
    "responses",
    named(
      "Unsupported value: 'reasoning.effort' does not support 'xhigh' with this model. Supported values are: 'low' and 'high'.",
      "unsupported_value",
      "reasoning.effort",
    ),
    ["reasoning.effort"],
  ],
  [
    "responses",
    named(
      "Unsupported parameter: 'text.verbosity' is not supported with this model.",
      "unsupported_parameter",
      "text.verbosity",
    ),
    ["text.verbosity"],
  ],
  ["responses", named("Unknown parameter: 'service_tier'.", "unknown_parameter", "service_tier"), ["service_tier"]],
  ["messages", anthropic("temperature: Extra inputs are not permitted"), ["temperature"]],
  ["messages", anthropic("`temperature` is deprecated for this model."), ["temperature"]],
  ["messages", anthropic("`temperature` may only be set to 1 when thinking is enabled."), ["temperature"]],
  [
    "messages",
    anthropic("`temperature` and `top_p` cannot both be specified for this model. Please use only one."),
    ["top_p"],
  ],
  [
    "messages",
    anthropic("This model does not support effort level 'xhigh'. Supported levels: high, low, max, medium."),
    ["output_config.effort"],
  ],
  ["messages", anthropic("This model does not support the effort parameter."), ["output_config.effort"]],
  ["messages", anthropic("metadata.user_id: Extra inputs are not permitted"), ["metadata.user_id"]],
  [
    "messages",
    anthropic("system.0.cache_control.ephemeral.ttl: Extra inputs are not permitted"),
    ["cache_control.ttl"],
  ],
  [
    "messages",
    anthropic(
      '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
    ),
    ["thinking"],
  ],
  [
    "generate-content",
    google("Invalid JSON payload received. Unknown name \"topK\" at 'generation_config': Cannot find field."),
    ["generationConfig.topK"],
  ],
  [
    "generate-content",
    google(
      'Invalid JSON payload received. Unknown name "thinkingLevel" at \'generation_config.thinking_config\': Cannot find field.\nInvalid JSON payload received. Unknown name "labels": Cannot find field.',
    ),
    ["generationConfig.thinkingConfig.thinkingLevel", "labels"],
  ],
  [
    "generate-content",
    google("Penalty is not enabled for models/gemini-2.5-flash"),
    ["generationConfig.presencePenalty", "generationConfig.frequencyPenalty"],
  ],
  [
    "generate-content",
    google("Thinking level is not supported for this model."),
    ["generationConfig.thinkingConfig.thinkingLevel"],
  ],
  [
    "generate-content",
    google(
      "Unable to submit request because Thinking can't be disabled for this model. Remove 'thinking_config.thinking_budget' from your request and try again.",
    ),
    ["generationConfig.thinkingConfig.thinkingBudget"],
  ],
  [
    "generate-content",
    google("Unable to submit request because The model does not support setting thinking_budget to 0."),
    ["generationConfig.thinkingConfig.thinkingBudget"],
  ],
  [
    "generate-content",
    google("You can only set only one of thinking budget and thinking level."),
    ["generationConfig.thinkingConfig.thinkingBudget"],
  ],
];

describe("a refusal names the field that may be left out", () => {
  it.for(refusals)("%s: %j", ([protocol, body, paths, status = 400]) => {
    const repair = repairs[protocol];
    const fields = repair.refusedFields(bodies[protocol], { status, headers: {}, body });
    expect(fields.map(({ path }) => path)).toEqual(paths);
    let mended = bodies[protocol];
    for (const field of fields) {
      const without = repair.withoutField(mended, field);
      if (!without) throw new Error(`'${field.path}' does not stand in the body`);
      mended = without;
    }
    // Exactly that, and a second time it is not there.
    expect(repair.refusedFields(mended, { status, headers: {}, body })).toEqual([]);
    const gone = (field: string) => field.split(".").at(-1) ?? "";
    const keysBefore = keysOf(bodies[protocol]);
    const keysAfter = keysOf(mended);
    for (const path of paths)
      expect(keysAfter.filter((key) => key === gone(path)).length).toBeLessThan(
        keysBefore.filter((key) => key === gone(path)).length,
      );
    if (!paths.some((path) => path.startsWith("cache_control") || path === "thinking")) {
      expect(keysBefore.length - keysAfter.length).toBeLessThanOrEqual(paths.length + 1);
    }
  });

  const kept: readonly Row[] = [
    [
      "chat-completions",
      named("Unsupported parameter: 'stop' is not supported with this model.", "unsupported_parameter", "stop"),
      [],
    ],
    [
      "chat-completions",
      named(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        "unsupported_parameter",
        "max_tokens",
      ),
      [],
    ],
    [
      "chat-completions",
      named("Unsupported parameter: 'logprobs' is not supported with this model.", "unsupported_parameter", "logprobs"),
      [],
    ],
    [
      "chat-completions",
      named("Unsupported parameter: 'tools' is not supported with this model.", "unsupported_parameter", "tools"),
      [],
    ],
    [
      "chat-completions",
      openai(
        "'messages.0' : for 'role:user' the following must be satisfied[('messages.0' : property 'user' is unsupported)]",
      ),
      [],
    ],
    ["chat-completions", openai("Unsupported parameter: 'constructor' is not supported with this model."), []],
    [
      "responses",
      named(
        "Invalid 'temperature': decimal below minimum value. Expected a value >= 0, but got -1 instead.",
        "decimal_below_min_value",
        "temperature",
      ),
      [],
    ],
    ["responses", named("Unknown parameter: 'store'.", "unknown_parameter", "store"), []],
    ["messages", anthropic("stop_sequences: Extra inputs are not permitted"), []],
    ["messages", anthropic("max_tokens: Field required"), []],
    ["messages", anthropic("tools.0.custom.strict: Extra inputs are not permitted"), []],
    [
      "generate-content",
      google(
        "Unable to submit request because it has a temperature value of 1000 but the supported range is from 0 (inclusive) to 2.0001 (exclusive). Update the value and try again.",
      ),
      [],
    ],
    ["generate-content", google("* GenerateContentRequest.contents: contents is not specified\n"), []],
    [
      "generate-content",
      google(
        "Invalid JSON payload received. Unknown name \"maxOutputTokens\" at 'generation_config': Cannot find field.",
      ),
      [],
    ],
    ["chat-completions", openai("property 'seed' is unsupported"), [], 500],
    ["messages", anthropic("temperature: Extra inputs are not permitted"), [], 429],
    ["chat-completions", "<html>Bad request: Unsupported parameter</html>", []],
    ["generate-content", null, []],
  ];
  it.for(kept)(
    "and never one that says what the answer must be, nor a mistake of the caller: %s: %j",
    ([protocol, body, _paths, status = 400]) => {
      const failure = { status, headers: {}, body: body ?? undefined };
      expect(repairs[protocol].refusedFields(bodies[protocol], failure)).toEqual([]);
    },
  );

  it("a refused value is kept from others of the same field", () => {
    const body = named(
      "Unsupported value: 'reasoning.effort' does not support 'xhigh'",
      "unsupported_value",
      "reasoning.effort",
    );
    const [field] = responses.refusedFields(bodies.responses, { status: 400, headers: {}, body });
    expect(field).toEqual({ path: "reasoning.effort", value: "xhigh", lasting: true });
    if (!field) return;
    expect(responses.withoutField({ ...bodies.responses, reasoning: { effort: "high" } }, field)).toBeUndefined();
    expect(responses.withoutField({ reasoning: { effort: "xhigh" }, model: "m" }, field)).toEqual({ model: "m" });
  });

  it("words of the caller that a server says back name nothing", () => {
    const detail = [
      { type: "extra_forbidden", loc: ["body", "user"], input: "`temperature` is deprecated for this model" },
    ];
    const failure = { status: 422, headers: {}, body: { detail } };
    const fields = chatCompletions.refusedFields(bodies["chat-completions"], failure);
    expect(fields.map(({ path }) => path)).toEqual(["user"]);
  });

  it("what only did not fit to others of the call says nothing of the next one", () => {
    const [field] = messages.refusedFields(bodies.messages, {
      status: 400,
      headers: {},
      body: anthropic("`temperature` and `top_p` cannot both be specified for this model."),
    });
    expect(field).toEqual({ path: "top_p", lasting: false });
  });
});

function keysOf(value: JsonValue | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap(keysOf);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...keysOf(inner)]);
}
