import fc from "fast-check";
import type { JsonObject, JsonSchema, JsonValue } from "../canonical/index.ts";

/** Texts that broke gateways before: empty, blank, escapes, lone surrogates, right-to-left, markup, look-alikes of marks. */
const nastyTexts = [
  "",
  " ",
  "\n\n",
  "\t ",
  "a\u0000b",
  '"quoted" \\ back\\slash',
  "line\r\nline\u2028line",
  "👩‍👩‍👧‍👦 family, 🇩🇪 flag",
  "\ud83d",
  "x\udc00y",
  "שלום עולם",
  "مرحبا \u202Eبالعالم",
  "e\u0301 n\u0303",
  "\ufefftext behind a mark",
  "data: [DONE]\n\n",
  "event: error\ndata: {}\n\n",
  "```json\n{}\n```",
  "<think>not thinking</think>",
  "Error: not an error",
  "__proto__",
  "constructor",
];

/** Any text, also an empty one. */
export function text(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(...nastyTexts),
    fc.string({ unit: "grapheme", maxLength: 30 }),
    fc.lorem({ maxCount: 6 }),
  );
}

/** Text with something to see in it. */
export function visibleText(): fc.Arbitrary<string> {
  return text().map((value) => (/\S/.test(value) ? value : `${value}visible`));
}

/** A tool name that all four protocols take. */
export function toolName(): fc.Arbitrary<string> {
  return fc.stringMatching(/^[a-z_][a-zA-Z0-9_]{0,20}$/);
}

/** A tool-call id that all four protocols take. */
export function callId(): fc.Arbitrary<string> {
  return fc.stringMatching(/^call_[a-zA-Z0-9]{8,24}$/);
}

/** Ids and names that need mapping: too long, illegal characters, empty. */
export function nastyName(): fc.Arbitrary<string> {
  return fc.oneof(
    text(),
    toolName(),
    callId(),
    fc.string({ minLength: 60, maxLength: 140 }),
    fc.constantFrom("functions.Bash:0", "call_1|fc_2", "a\nb", "mcp__server__tool.name", "1starts_with_a_digit"),
  );
}

/** JSON as a client may send it; no `-0` and no undefined, which JSON text cannot carry. */
function json(): fc.Arbitrary<JsonValue> {
  const leaf = fc.oneof(text(), fc.integer(), fc.boolean(), fc.constant(null));
  const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leaf,
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(key(), tie("value"), { maxKeys: 3, noNullPrototype: true }),
    ),
  }));
  return value;
}

export function jsonObject(): fc.Arbitrary<JsonObject> {
  return fc.dictionary(key(), json(), { maxKeys: 4, noNullPrototype: true });
}

/** Without `__proto__`, which an object literal would take for something else. */
function key(): fc.Arbitrary<string> {
  return fc.stringMatching(/^[a-zA-Z0-9 äß_-]{1,10}$/).filter((name) => name !== "__proto__");
}

/** The parameters of a function: an object schema with a few levels. */
export function parametersSchema(): fc.Arbitrary<JsonSchema> {
  const { node } = fc.letrec<{ node: JsonObject }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 2 },
      fc.record({ type: fc.constantFrom("string", "integer", "number", "boolean") }),
      fc.constant<JsonObject>({ type: "string", enum: ["a", "b"] }),
      fc.record({ type: fc.constant("array"), items: tie("node") }),
      objectSchema(tie("node")),
    ),
  }));
  return objectSchema(node);
}

function objectSchema(node: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> {
  return fc.dictionary(toolName(), node, { maxKeys: 3, noNullPrototype: true }).chain((properties) =>
    fc.subarray(Object.keys(properties)).map((required) => {
      const schema: JsonObject = { type: "object", properties };
      if (required.length > 0) schema.required = required;
      return schema;
    }),
  );
}
