import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type JsonObject, type JsonValue, ProtocolError } from "../canonical/index.ts";
import { bare, decode } from "../testing/responses-body-fixture.ts";

function body(more: JsonObject = {}): JsonObject {
  return { model: "gpt-5.6", input: "Hi", ...more };
}

function refusalOf(run: () => unknown): { param: string | undefined; status: number; message: string } {
  try {
    run();
  } catch (cause) {
    if (!(cause instanceof ProtocolError)) throw cause;
    const { param, status, message } = cause.error;
    return { param, status, message };
  }
  throw new Error("Nothing was refused.");
}

describe("every malformed field is refused by its path, before any call", () => {
  const message = (content: JsonValue, role = "user"): JsonValue => [{ role, content }];
  test.each<[string, JsonObject, string]>([
    ["model missing", { model: null }, "model"],
    ["model empty", { model: "" }, "model"],
    ["model a number", { model: 1 }, "model"],
    ["input missing", { input: null }, "input"],
    ["input a number", { input: 1 }, "input"],
    ["an item that is no object", { input: ["x"] }, "input[0]"],
    ["a role missing", { input: [{ content: "x" }] }, "input[0].role"],
    ["content missing", { input: [{ role: "user" }] }, "input[0].content"],
    ["content a number", { input: message(1) }, "input[0].content"],
    ["a part without a type", { input: message([{ text: "x" }]) }, "input[0].content[0].type"],
    ["a text that is none", { input: message([{ type: "input_text", text: 1 }]) }, "input[0].content[0].text"],
    ["an image without source", { input: message([{ type: "input_image" }]) }, "input[0].content[0].image_url"],
    [
      "an image url object",
      { input: message([{ type: "input_image", image_url: {} }]) },
      "input[0].content[0].image_url",
    ],
    [
      "broken base64",
      { input: message([{ type: "input_image", image_url: "data:image/png;base64,?" }]) },
      "input[0].content[0].image_url",
    ],
    [
      "an unknown detail",
      { input: message([{ type: "input_image", file_id: "f", detail: "x" }]) },
      "input[0].content[0].detail",
    ],
    ["a file without source", { input: message([{ type: "input_file" }]) }, "input[0].content[0].file_data"],
    [
      "file data that is no data url",
      { input: message([{ type: "input_file", file_data: "AAAA" }]) },
      "input[0].content[0].file_data",
    ],
    [
      "audio without data",
      { input: message([{ type: "input_audio", input_audio: { format: "wav" } }]) },
      "input[0].content[0].input_audio.data",
    ],
    ["a phase unknown", { input: [{ role: "assistant", content: "x", phase: "y" }] }, "input[0].phase"],
    ["a call without id", { input: [{ type: "function_call", name: "f", arguments: "" }] }, "input[0].call_id"],
    ["a call without arguments", { input: [{ type: "function_call", call_id: "c", name: "f" }] }, "input[0].arguments"],
    [
      "arguments an object",
      { input: [{ type: "function_call", call_id: "c", name: "f", arguments: {} }] },
      "input[0].arguments",
    ],
    [
      "a custom call without input",
      { input: [{ type: "custom_tool_call", call_id: "c", name: "f" }] },
      "input[0].input",
    ],
    ["a result without output", { input: [{ type: "function_call_output", call_id: "c" }] }, "input[0].output"],
    ["a summary that is no list", { input: [{ type: "reasoning", summary: "x" }] }, "input[0].summary"],
    ["a summary without text", { input: [{ type: "reasoning", summary: [{}] }] }, "input[0].summary[0].text"],
    ["instructions a list", { instructions: [] }, "instructions"],
    ["temperature too low", { temperature: -0.1 }, "temperature"],
    ["temperature too high", { temperature: 2.1 }, "temperature"],
    ["temperature a text", { temperature: "1" }, "temperature"],
    ["top_p too high", { top_p: 1.1 }, "top_p"],
    ["top_logprobs too high", { top_logprobs: 21 }, "top_logprobs"],
    ["max_output_tokens too low", { max_output_tokens: 15 }, "max_output_tokens"],
    ["max_output_tokens a fraction", { max_output_tokens: 16.5 }, "max_output_tokens"],
    ["max_tool_calls zero", { max_tool_calls: 0 }, "max_tool_calls"],
    ["stream a text", { stream: "yes" }, "stream"],
    ["stream_options a list", { stream_options: [] }, "stream_options"],
    ["store a text", { store: "yes" }, "store"],
    ["background a text", { background: "yes" }, "background"],
    ["truncation unknown", { truncation: "x" }, "truncation"],
    ["previous_response_id a number", { previous_response_id: 1 }, "previous_response_id"],
    ["conversation a number", { conversation: 1 }, "conversation"],
    ["conversation without id", { conversation: {} }, "conversation.id"],
    ["both kinds of history", { conversation: "c", previous_response_id: "r" }, "conversation"],
    ["include a text", { include: "x" }, "include"],
    ["an include that is no text", { include: [1] }, "include[0]"],
    ["tools an object", { tools: {} }, "tools"],
    ["a tool without type", { tools: [{ name: "f" }] }, "tools[0].type"],
    ["a tool without name", { tools: [{ type: "function" }] }, "tools[0].name"],
    ["a tool with an empty name", { tools: [{ type: "function", name: "" }] }, "tools[0].name"],
    ["parameters a list", { tools: [{ type: "function", name: "f", parameters: [] }] }, "tools[0].parameters"],
    ["strict a text", { tools: [{ type: "function", name: "f", strict: "x" }] }, "tools[0].strict"],
    [
      "a grammar without definition",
      { tools: [{ type: "custom", name: "f", format: { type: "grammar", syntax: "lark" } }] },
      "tools[0].format.definition",
    ],
    [
      "a grammar of unknown syntax",
      { tools: [{ type: "custom", name: "f", format: { type: "grammar", syntax: "x" } }] },
      "tools[0].format.syntax",
    ],
    [
      "a namespaced tool without name",
      { tools: [{ type: "namespace", name: "n", tools: [{ type: "function" }] }] },
      "tools[0].tools[0].name",
    ],
    ["tool_choice unknown", { tool_choice: "any" }, "tool_choice"],
    ["tool_choice without type", { tool_choice: {} }, "tool_choice.type"],
    ["tool_choice without name", { tool_choice: { type: "function" } }, "tool_choice.name"],
    ["an empty subset", { tool_choice: { type: "allowed_tools", mode: "auto", tools: [] } }, "tool_choice.tools"],
    [
      "a subset entry without name",
      { tool_choice: { type: "allowed_tools", tools: [{ type: "function" }] } },
      "tool_choice.tools[0].name",
    ],
    ["parallel_tool_calls a text", { parallel_tool_calls: "x" }, "parallel_tool_calls"],
    ["text a text", { text: "x" }, "text"],
    ["a format unknown", { text: { format: { type: "xml" } } }, "text.format.type"],
    ["a schema missing", { text: { format: { type: "json_schema", name: "x" } } }, "text.format.schema"],
    ["a schema's name missing", { text: { format: { type: "json_schema", schema: {} } } }, "text.format.name"],
    ["verbosity unknown", { text: { verbosity: "x" } }, "text.verbosity"],
    ["reasoning a text", { reasoning: "high" }, "reasoning"],
    ["effort unknown", { reasoning: { effort: "huge" } }, "reasoning.effort"],
    ["metadata a list", { metadata: [] }, "metadata"],
    ["metadata with a number", { metadata: { a: 1 } }, "metadata.a"],
    ["metadata too long", { metadata: { a: "x".repeat(513) } }, "metadata.a"],
    [
      "metadata with too many pairs",
      { metadata: Object.fromEntries(Array.from({ length: 17 }, (_v, i) => [`k${i}`, "v"])) },
      "metadata",
    ],
    ["service_tier a number", { service_tier: 1 }, "service_tier"],
    ["safety_identifier too long", { safety_identifier: "x".repeat(129) }, "safety_identifier"],
    ["prompt_cache_key a number", { prompt_cache_key: 1 }, "prompt_cache_key"],
    ["prompt_cache_options a text", { prompt_cache_options: "x" }, "prompt_cache_options"],
    ["prompt a text", { prompt: "x" }, "prompt"],
  ])("%s", (_name, more, field) => {
    const refusal = refusalOf(() => decode(body(more)));
    expect(refusal).toMatchObject({ status: 400, param: field });
  });

  test("the limits themselves are lawful, null is absent, a default is no wish", () => {
    const canonical = decode(
      body({
        temperature: 2,
        top_p: 0,
        max_output_tokens: 16,
        top_logprobs: 20,
        background: false,
        truncation: "disabled",
        parallel_tool_calls: true,
        service_tier: "auto",
        instructions: null,
        tools: null,
        tool_choice: null,
        text: null,
        reasoning: null,
        metadata: null,
        stream: null,
        store: null,
        user: null,
      }),
    );
    expect(bare(canonical)).toEqual({
      model: "gpt-5.6",
      stream: false,
      turns: [{ role: "user", parts: [{ type: "text", text: "Hi" }] }],
      tools: [],
      sampling: { temperature: 2, topP: 0 },
      stopSequences: [],
      maxOutputTokens: 16,
    });
  });

  test("the decoder throws nothing but refusals, whatever the JSON", () => {
    const keys = [
      "input",
      "tools",
      "tool_choice",
      "text",
      "reasoning",
      "include",
      "metadata",
      "conversation",
      "prompt",
    ];
    const wild = fc.dictionary(fc.constantFrom(...keys), fc.jsonValue(), { noNullPrototype: true });
    const item = fc.record({
      type: fc.constantFrom(
        "message",
        "function_call",
        "function_call_output",
        "reasoning",
        "shell_call",
        "shell_call_output",
        "local_shell_call",
        "x",
      ),
      role: fc.constantFrom("user", "assistant", 1),
      content: fc.jsonValue(),
      action: fc.jsonValue(),
      output: fc.jsonValue(),
      summary: fc.jsonValue(),
      call_id: fc.constantFrom("a", null, 1),
    });
    fc.assert(
      fc.property(wild, fc.array(item, { maxLength: 3 }), (more, items) => {
        // JSON.parse gives back plain JSON, which the generators' types do not say.
        const sent: JsonObject = JSON.parse(JSON.stringify({ ...body(), input: items, ...more }));
        try {
          decode(sent);
        } catch (cause) {
          expect(cause).toBeInstanceOf(ProtocolError);
        }
      }),
    );
  });
});
