import type { JsonValue } from "../canonical/index.ts";
import type { UpstreamFailure } from "../codec.ts";
import { isObject } from "./read.ts";
import {
  commonWordings,
  namesIn,
  namesInDetails,
  type RefusedName,
  refusalText,
  type Wording,
} from "./refused-field.ts";

const whatOfCode: Readonly<Record<string, RefusedName["what"]>> = {
  unsupported_parameter: "field",
  unknown_parameter: "field",
  unsupported_value: "value",
};

const wordings: readonly Wording[] = [
  ...commonWordings,
  { pattern: /Un(?:supported|known) parameter: '([\w.[\]]+)'/g, what: "field" },
  { pattern: /Unsupported value: '([\w.[\]]+)' does not support/g, what: "value" },
  { pattern: /Unrecognized request arguments? supplied: ([\w.]+(?:, [\w.]+)*)/g, what: "field" },
  // Groq. What it says of a message stands in brackets behind that message's name.
  { pattern: /(?<!: )property '(\w+)' is unsupported/g, what: "field" },
  // xAI.
  { pattern: /does not support parameter (\w+)/g, what: "field" },
  { pattern: /Argument not supported on this model: (\w+)/g, what: "field" },
];

/** The fields that a refusal of OpenAI's endpoints, or of servers compatible with them, names. */
export function openaiRefusedNames(failure: UpstreamFailure): RefusedName[] {
  if (failure.status !== 400 && failure.status !== 422) return [];
  const told = toldByCode(failure.body);
  if (told) return [told];
  return [...namesIn(refusalText(failure), wordings), ...namesInDetails(failure)];
}

function toldByCode(body: JsonValue | undefined): RefusedName | undefined {
  const error = isObject(body) && isObject(body.error) ? body.error : undefined;
  const what = typeof error?.code === "string" ? whatOfCode[error.code] : undefined;
  return what && typeof error?.param === "string" ? { name: error.param, what } : undefined;
}
