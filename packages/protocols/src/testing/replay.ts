import type { JsonObject, JsonValue, ProtocolName } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";

/** What a client's tool says to every call. */
const output = "done";
const next = "Go on.";

/** A client's body with these function tools. */
export function withTools(protocol: ProtocolName, body: JsonObject, names: readonly string[]): JsonObject {
  if (names.length === 0) return body;
  const schema: JsonObject = { type: "object", properties: { a: { type: "string" } } };
  switch (protocol) {
    case "chat-completions":
      return { ...body, tools: names.map((name) => ({ type: "function", function: { name, parameters: schema } })) };
    case "responses":
      return { ...body, tools: names.map((name) => ({ type: "function", name, parameters: schema, strict: false })) };
    case "messages":
      return { ...body, tools: names.map((name) => ({ name, input_schema: schema })) };
    case "generate-content":
      return { ...body, tools: [{ functionDeclarations: names.map((name) => ({ name, parameters: schema })) }] };
  }
}

/**
 * The client's next body: its last one, the answer word for word, a result for every call, and a user's text. This is what
 * an agent does between two turns.
 */
export function replayed(protocol: ProtocolName, body: JsonObject, answer: JsonObject): JsonObject {
  switch (protocol) {
    case "chat-completions": {
      const message = objects(objects(answer.choices)[0]?.message)[0] ?? {};
      const results = objects(message.tool_calls).map((call) => ({
        role: "tool",
        tool_call_id: call.id,
        content: output,
      }));
      const history = [...objects(body.messages), message, ...results];
      return { ...body, messages: [...history, { role: "user", content: next }] };
    }
    case "responses": {
      const items = objects(answer.output);
      const results = items
        .filter((item) => item.type === "function_call" || item.type === "custom_tool_call")
        .map((call) => ({ type: `${call.type}_output`, call_id: call.call_id, output }));
      const before = typeof body.input === "string" ? [{ role: "user", content: body.input }] : objects(body.input);
      return { ...body, input: [...before, ...items, ...results, { role: "user", content: next }] };
    }
    case "messages": {
      const content = objects(answer.content);
      const results = content
        .filter((block) => block.type === "tool_use")
        .map((call) => ({ type: "tool_result", tool_use_id: call.id, content: output }));
      return {
        ...body,
        messages: [
          ...objects(body.messages),
          { role: "assistant", content },
          { role: "user", content: [...results, { type: "text", text: next }] },
        ],
      };
    }
    case "generate-content": {
      const content = objects(objects(answer.candidates)[0]?.content)[0] ?? {};
      const results = objects(content.parts)
        .flatMap((part) => (isObject(part.functionCall) ? [part.functionCall] : []))
        .map(({ id, name }) => ({
          functionResponse: { ...(id === undefined ? {} : { id }), name, response: { output } },
        }));
      const answers = results.length > 0 ? [{ role: "user", parts: results }] : [];
      return {
        ...body,
        contents: [...objects(body.contents), content, ...answers, { role: "user", parts: [{ text: next }] }],
      };
    }
  }
}

/** The objects of a list, or of a single value. */
function objects(value: JsonValue | undefined): JsonObject[] {
  return (Array.isArray(value) ? value : [value]).filter((item) => isObject(item));
}
