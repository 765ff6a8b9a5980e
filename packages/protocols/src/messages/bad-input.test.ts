import { describe, expect, test } from "vitest";
import { type JsonObject, ProtocolError } from "../canonical/index.ts";
import { decode, hello, withBlock } from "../testing/messages-body-fixture.ts";

function refusal(body: JsonObject): ProtocolError["error"] {
  try {
    decode(body);
  } catch (error) {
    if (error instanceof ProtocolError) return error.error;
    throw error;
  }
  throw new Error("The request was taken.");
}

describe("bad input is refused by the field's path", () => {
  const cases: [string, JsonObject][] = [
    ["model", { ...hello, model: undefined }],
    ["model", { ...hello, model: "" }],
    ["model", { ...hello, model: 7 }],
    ["max_tokens", { ...hello, max_tokens: undefined }],
    ["max_tokens", { ...hello, max_tokens: null }],
    ["max_tokens", { ...hello, max_tokens: "16" }],
    ["max_tokens", { ...hello, max_tokens: -1 }],
    ["max_tokens", { ...hello, max_tokens: 1.5 }],
    ["messages", { ...hello, messages: undefined }],
    ["messages", { ...hello, messages: [] }],
    ["messages", { ...hello, messages: "Hello" }],
    ["messages[0]", { ...hello, messages: ["Hello"] }],
    ["messages[0].role", { ...hello, messages: [{ content: "Hello" }] }],
    ["messages[0].role", { ...hello, messages: [{ role: "tool", content: "Hello" }] }],
    ["messages[0].content", { ...hello, messages: [{ role: "user" }] }],
    ["messages[0].content", { ...hello, messages: [{ role: "user", content: 1 }] }],
    ["messages[0].content[0]", { ...hello, messages: [{ role: "user", content: ["x"] }] }],
    ["messages[0].content[0].type", withBlock({ text: "x" })],
    ["messages[0].content[0].text", withBlock({ type: "text" })],
    ["messages[0].content[0].source", withBlock({ type: "image" })],
    ["messages[0].content[0].source.type", withBlock({ type: "image", source: { type: "cloud" } })],
    [
      "messages[0].content[0].source.media_type",
      withBlock({ type: "image", source: { type: "base64", data: "aGk=" } }),
    ],
    [
      "messages[0].content[0].source.data",
      withBlock({ type: "image", source: { type: "base64", media_type: "image/png", data: "%%%" } }),
    ],
    ["messages[0].content[0].source.url", withBlock({ type: "document", source: { type: "url" } })],
    ["messages[0].content[0].id", withBlock({ type: "tool_use", name: "f", input: {} }, "assistant")],
    ["messages[0].content[0].id", withBlock({ type: "tool_use", id: "", name: "f", input: {} }, "assistant")],
    ["messages[0].content[0].name", withBlock({ type: "tool_use", id: "a", input: {} }, "assistant")],
    ["messages[0].content[0].input", withBlock({ type: "tool_use", id: "a", name: "f", input: "{}" }, "assistant")],
    ["messages[0].content[0].tool_use_id", withBlock({ type: "tool_result", content: "x" })],
    ["messages[0].content[0].is_error", withBlock({ type: "tool_result", tool_use_id: "a", is_error: "yes" })],
    ["messages[0].content[0].thinking", withBlock({ type: "thinking", signature: "s" }, "assistant")],
    ["messages[0].content[0].data", withBlock({ type: "redacted_thinking" }, "assistant")],
    [
      "messages[0].content[0].cache_control.type",
      withBlock({ type: "text", text: "x", cache_control: { type: "forever" } }),
    ],
    [
      "messages[0].content[0].cache_control.ttl",
      withBlock({ type: "text", text: "x", cache_control: { type: "ephemeral", ttl: "2h" } }),
    ],
    ["system", { ...hello, system: 5 }],
    ["system[0].text", { ...hello, system: [{ type: "text" }] }],
    ["stream", { ...hello, stream: "yes" }],
    ["temperature", { ...hello, temperature: 2.1 }],
    ["temperature", { ...hello, temperature: -0.1 }],
    ["temperature", { ...hello, temperature: "hot" }],
    ["top_p", { ...hello, top_p: 1.2 }],
    ["top_k", { ...hello, top_k: 1.5 }],
    ["stop_sequences", { ...hello, stop_sequences: "END" }],
    ["stop_sequences[1]", { ...hello, stop_sequences: ["END", 3] }],
    ["metadata", { ...hello, metadata: "me" }],
    ["metadata.user_id", { ...hello, metadata: { user_id: 5 } }],
    ["service_tier", { ...hello, service_tier: "fastest" }],
    ["tools", { ...hello, tools: {} }],
    ["tools[0].name", { ...hello, tools: [{ input_schema: {} }] }],
    ["tools[0].input_schema", { ...hello, tools: [{ name: "f" }] }],
    ["tools[0].description", { ...hello, tools: [{ name: "f", input_schema: {}, description: 5 }] }],
    ["tools[0].strict", { ...hello, tools: [{ name: "f", input_schema: {}, strict: 1 }] }],
    ["tool_choice", { ...hello, tool_choice: "auto" }],
    ["tool_choice.type", { ...hello, tool_choice: {} }],
    ["tool_choice.type", { ...hello, tool_choice: { type: "some" } }],
    ["tool_choice.name", { ...hello, tool_choice: { type: "tool" } }],
    ["thinking.type", { ...hello, thinking: {} }],
    ["thinking.type", { ...hello, thinking: { type: "deep" } }],
    ["thinking.budget_tokens", { ...hello, thinking: { type: "enabled" } }],
    ["thinking.budget_tokens", { ...hello, thinking: { type: "enabled", budget_tokens: 1023 } }],
    ["output_config.effort", { ...hello, output_config: { effort: "huge" } }],
    ["output_config.format.type", { ...hello, output_config: { format: { schema: {} } } }],
    ["output_config.format.schema", { ...hello, output_config: { format: { type: "json_schema" } } }],
    ["output_format.schema", { ...hello, output_format: { type: "json_schema" } }],
  ];
  test.each(cases)("%s", (field, body) => {
    expect(refusal(body)).toMatchObject({ kind: "bad_request", status: 400, param: field });
    expect(refusal(body).message).toContain(field);
  });
});
