import { describe, expect, it } from "vitest";
import { type JsonObject, ProtocolError } from "../canonical/index.ts";
import { assistant, decode, part } from "../testing/chat-completions-body-fixture.ts";

function refusal(more: JsonObject): { param: string | undefined; status: number } {
  try {
    decode(more);
  } catch (cause) {
    if (cause instanceof ProtocolError) return { param: cause.error.param, status: cause.error.status };
    throw cause;
  }
  throw new Error("The body was not refused.");
}

describe("a malformed body is refused by the field's path", () => {
  it.each<[string, JsonObject]>([
    ["model", { model: null }],
    ["model", { model: 3 }],
    ["model", { model: "" }],
    ["messages", { messages: null }],
    ["messages", { messages: "Hi" }],
    ["messages", { messages: [] }],
    ["messages[0]", { messages: ["Hi"] }],
    ["messages[0].role", { messages: [{ content: "Hi" }] }],
    ["messages[0].content", { messages: [{ role: "user" }] }],
    ["messages[0].content", { messages: [{ role: "user", content: 7 }] }],
    ["messages[0].content[0]", { messages: [{ role: "user", content: [7] }] }],
    ["messages[0].content[0].type", part({})],
    ["messages[0].content[0].text", part({ type: "text" })],
    ["messages[0].content[0].image_url", part({ type: "image_url" })],
    ["messages[0].content[0].image_url.url", part({ type: "image_url", image_url: {} })],
    ["messages[0].content[0].image_url.url", part({ type: "image_url", image_url: { url: "ftp://x" } })],
    [
      "messages[0].content[0].image_url.url",
      part({ type: "image_url", image_url: { url: "data:image/png;base64,%" } }),
    ],
    [
      "messages[0].content[0].image_url.detail",
      part({ type: "image_url", image_url: { url: "https://x", detail: "x" } }),
    ],
    ["messages[0].content[0].input_audio.data", part({ type: "input_audio", input_audio: { format: "wav" } })],
    ["messages[0].content[0].input_audio.format", part({ type: "input_audio", input_audio: { data: "AAAA" } })],
    ["messages[0].content[0].file", part({ type: "file" })],
    ["messages[0].content[0].file.file_data", part({ type: "file", file: { filename: "x.pdf" } })],
    ["messages[1].content", assistant({})],
    ["messages[1].tool_calls", assistant({ tool_calls: {} })],
    ["messages[1].tool_calls[0].type", assistant({ tool_calls: [{ type: "x" }] })],
    ["messages[1].tool_calls[0].function", assistant({ tool_calls: [{ id: "a", type: "function" }] })],
    ["messages[1].tool_calls[0].function.name", assistant({ tool_calls: [{ id: "a", function: {} }] })],
    ["stream", { stream: "yes" }],
    ["stream_options", { stream_options: true }],
    ["stream_options.include_usage", { stream_options: { include_usage: 1 } }],
    ["max_tokens", { max_tokens: 0 }],
    ["max_tokens", { max_tokens: 1.5 }],
    ["max_completion_tokens", { max_completion_tokens: "9" }],
    ["temperature", { temperature: 2.1 }],
    ["temperature", { temperature: -0.1 }],
    ["temperature", { temperature: "1" }],
    ["top_p", { top_p: 1.1 }],
    ["frequency_penalty", { frequency_penalty: 3 }],
    ["presence_penalty", { presence_penalty: -3 }],
    ["logit_bias", { logit_bias: [] }],
    ["logit_bias.50256", { logit_bias: { 50256: 101 } }],
    ["logprobs", { logprobs: 1 }],
    ["top_logprobs", { logprobs: true, top_logprobs: 21 }],
    ["top_logprobs", { top_logprobs: 2 }],
    ["n", { n: 0 }],
    ["n", { n: 129 }],
    ["stop", { stop: 3 }],
    ["stop", { stop: ["a", "b", "c", "d", "e"] }],
    ["stop[1]", { stop: ["a", 2] }],
    ["stop", { stop: "" }],
    ["seed", { seed: 1.5 }],
    ["response_format", { response_format: "json" }],
    ["response_format.type", { response_format: {} }],
    ["response_format.json_schema", { response_format: { type: "json_schema" } }],
    ["tools", { tools: {} }],
    ["tools[0]", { tools: ["f"] }],
    ["tools[0].function", { tools: [{ type: "function" }] }],
    ["tools[0].function.name", { tools: [{ type: "function", function: {} }] }],
    ["tools[0].function.name", { tools: [{ type: "function", function: { name: "" } }] }],
    ["tools[0].function.parameters", { tools: [{ type: "function", function: { name: "f", parameters: "{}" } }] }],
    ["tools[0].function.strict", { tools: [{ type: "function", function: { name: "f", strict: "yes" } }] }],
    ["tools[0].custom.format.type", { tools: [{ type: "custom", custom: { name: "f", format: { type: "x" } } }] }],
    ["tool_choice", { tool_choice: "maybe" }],
    ["tool_choice.type", { tool_choice: {} }],
    ["tool_choice.function.name", { tool_choice: { type: "function", function: {} } }],
    ["tool_choice.allowed_tools.mode", { tool_choice: { type: "allowed_tools", allowed_tools: { tools: [] } } }],
    ["parallel_tool_calls", { parallel_tool_calls: "no" }],
    ["functions", { functions: [] }],
    ["functions[0].name", { functions: [{}] }],
    ["function_call", { function_call: 3 }],
    ["reasoning_effort", { reasoning_effort: "huge" }],
    ["verbosity", { verbosity: "loud" }],
    ["modalities[0]", { modalities: ["smell"] }],
    ["audio", { modalities: ["audio"] }],
    ["audio.format", { audio: { voice: "alloy" } }],
    ["audio.voice", { audio: { format: "wav" } }],
    ["metadata.a", { metadata: { a: 1 } }],
    ["metadata.a", { metadata: { a: "x".repeat(513) } }],
    ["metadata", { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`k${at}`, ""])) }],
    ["store", { store: "yes" }],
    ["user", { user: 3 }],
    ["safety_identifier", { safety_identifier: {} }],
    ["prompt_cache_key", { prompt_cache_key: 3 }],
    ["prompt_cache_options", { prompt_cache_options: "x" }],
    ["service_tier", { service_tier: 1 }],
    ["web_search_options", { web_search_options: true }],
    ["input", { messages: null, input: "Hi" }],
  ])("%s: %j", (param, more) => {
    expect(refusal(more)).toEqual({ param, status: 400 });
  });
});
