import type { JsonObject } from "../canonical/index.ts";
import type { Letter } from "../testing/letters.ts";
import type { Pattern } from "./pattern.ts";

/** A function that a client offers. */
interface Offer {
  name: string;
  schema?: JsonObject;
  strict?: boolean;
}

const place: JsonObject = {
  type: "object",
  properties: { at: { type: "string" } },
  required: ["at"],
  additionalProperties: false,
};

/** Functions on offer, in the words of each client. Generate content has no word for one function's strictness. */
export function offered(...offers: readonly (Offer | string)[]): Record<Letter, { tools: JsonObject[] }> {
  const all = offers.map((offer) => (typeof offer === "string" ? { name: offer } : offer));
  const each = (write: (offer: Offer, schema: JsonObject) => JsonObject): JsonObject[] =>
    all.map((offer) => write(offer, offer.schema ?? place));
  return {
    C: {
      tools: each(({ name, strict }, parameters) => ({
        type: "function",
        function: { name, parameters, ...strictly(strict) },
      })),
    },
    R: { tools: each(({ name, strict }, parameters) => ({ type: "function", name, parameters, ...strictly(strict) })) },
    M: { tools: each(({ name, strict }, input_schema) => ({ name, input_schema, ...strictly(strict) })) },
    G: {
      tools: [{ functionDeclarations: each(({ name }, parametersJsonSchema) => ({ name, parametersJsonSchema })) }],
    },
  };
}

function strictly(strict: boolean | undefined): JsonObject {
  return strict === undefined ? {} : { strict };
}

/** The wish that this function and no other is called. */
export function forced(name: string): Record<Letter, JsonObject> {
  return {
    C: { tool_choice: { type: "function", function: { name } } },
    R: { tool_choice: { type: "function", name } },
    M: { tool_choice: { type: "tool", name } },
    G: { toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: [name] } } },
  };
}

/** Fields of several kinds in one body, for each client. */
export function together(...fields: readonly Record<Letter, JsonObject>[]): Record<Letter, JsonObject> {
  const of = (letter: Letter): JsonObject => Object.assign({}, ...fields.map((field) => field[letter]));
  return { C: of("C"), R: of("R"), M: of("M"), G: of("G") };
}

/** What each upstream is offered for a function that the gateway made of another tool. */
export const functionIs: Readonly<Record<Letter, (name: string, schema: Pattern) => Pattern>> = {
  C: (name, parameters) => ({ tools: [{ type: "function", function: { name, parameters } }] }),
  R: (name, parameters) => ({ tools: [{ type: "function", name, parameters }] }),
  M: (name, input_schema) => ({ tools: [{ name, input_schema }] }),
  G: (name, parametersJsonSchema) => ({ tools: [{ functionDeclarations: [{ name, parametersJsonSchema }] }] }),
};
