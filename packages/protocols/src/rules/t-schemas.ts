import type { JsonObject } from "../canonical/index.ts";
import type { Letter } from "../testing/letters.ts";
import { offered } from "./offers.ts";
import { absent, type Pattern } from "./pattern.ts";
import { type Ask, approximated, ask, dropped, everywhere, kept, none, type Row, refused } from "./rule.ts";

const asks = (fields: Record<Letter, JsonObject>, field: string): Record<Letter, Ask> => ({
  C: ask(field, fields.C),
  R: ask(field, fields.R),
  M: ask(field, fields.M),
  G: ask(field, fields.G),
});

/** Where each upstream has the schema of the one function on offer. */
const schemaIs: Readonly<Record<Letter, (schema: Pattern, more?: { strict: Pattern }) => Pattern>> = {
  C: (parameters, more) => ({ tools: [{ function: { parameters, ...more } }] }),
  R: (parameters, more) => ({ tools: [{ parameters, ...more }] }),
  M: (input_schema, more) => ({ tools: [{ input_schema, ...more }] }),
  G: (parametersJsonSchema) => ({ tools: [{ functionDeclarations: [{ parametersJsonSchema }] }] }),
};

const place = { type: "object", properties: { at: { type: "string" } } };
const closed = { ...place, required: ["at"], additionalProperties: false };
/** A function that is to be strict; generate content has no word for it. */
const strictly = (fields: Record<Letter, JsonObject>) => ({
  ...asks(fields, "tools[0].strict"),
  C: ask("tools[0].function.strict", fields.C),
});
const strict = strictly(offered({ name: "look", strict: true }));
const loose = strictly(offered({ name: "look", schema: place, strict: true }));
const validated = { toolConfig: { functionCallingConfig: { mode: "VALIDATED" } } };
const noStrictness = none("the client's protocol has no word for one function's strictness");

const rich: JsonObject = {
  type: "object",
  properties: {
    at: { anyOf: [{ type: "string" }, { type: "null" }] },
    unit: { $ref: "#/$defs/unit" },
    kind: { const: "exact" },
  },
  required: ["at"],
  additionalProperties: false,
  $defs: { unit: { enum: ["m", "km"] } },
};
const richAsks = asks(offered({ name: "look", schema: rich }), "tools[0]");
const geminiAlone = none("the rule is about older Gemini as the upstream");

/** A function whose schema is told of. */
const parameters = (fields: Record<Letter, JsonObject>) => ({
  C: ask("tools[0].function.parameters", fields.C),
  R: ask("tools[0].parameters", fields.R),
  M: ask("tools[0].input_schema", fields.M),
  G: geminiAlone,
});

const alternatives: JsonObject = {
  anyOf: [
    { type: "object", properties: { at: { type: "string" } }, required: ["at"] },
    { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
  ],
};
const alternativeAsks = asks(offered({ name: "look", schema: alternatives }), "tools[0]");
const claudeAlone = none("the rule is about Claude as the upstream");
const openApiAlone = none("only Gemini's clients write schemas in OpenAPI's manner");

const node = { type: "object", properties: { next: { $ref: "#/$defs/node" } } };
const endless = offered({ name: "look", schema: { ...node, $defs: { node } } });
const bare = { type: "object", properties: {} };

const many = asks(offered(...Array.from({ length: 513 }, (_, index) => `f${index}`)), "tools");
const allOfThem = (tools: unknown): boolean => Array.isArray(tools) && tools.length === 513;

/** T12, T13 and T18 to T20: schemas and the list of tools. */
export const schemaRows: readonly Row[] = [
  {
    id: "T12",
    says: "A call that has to keep to its schema does, where the upstream can hold it to that.",
    kind: "request",
    asks: { ...strict, G: ask("toolConfig", { ...offered("look").G, ...validated }) },
    becomes: {
      C: kept(schemaIs.C(closed, { strict: true })),
      R: kept(schemaIs.R(closed, { strict: true })),
      M: kept(schemaIs.M(closed, { strict: true }), { model: "claude-sonnet-4-5" }),
      G: kept(validated),
    },
  },
  {
    id: "T12",
    says: "A Claude or Gemini model that cannot be held to a schema gets the function without it being strict.",
    kind: "request",
    asks: { ...strict, G: ask("tools[0].functionDeclarations[0].strict", { ...offered("look").G, ...validated }) },
    becomes: {
      C: none("chat completions take strict functions"),
      R: none("responses take strict functions"),
      M: dropped(schemaIs.M(closed, { strict: absent }), { model: "claude-3-5-haiku" }),
      G: dropped(
        { toolConfig: absent },
        { model: "gemini-2.0-flash", also: { "tools[0].parameters": "approximated" } },
      ),
      "C->G": dropped(
        { toolConfig: absent },
        { model: "gemini-2.0-flash", also: { "tools[0].function.parameters": "approximated" } },
      ),
      "M->G": dropped(
        { toolConfig: absent },
        { model: "gemini-2.0-flash", also: { "tools[0].input_schema": "approximated" } },
      ),
    },
  },
  {
    id: "T12",
    says: "A schema outside the strict rules goes as it is, and not strict.",
    kind: "request",
    asks: { ...loose, G: noStrictness },
    becomes: {
      C: approximated(schemaIs.C(place, { strict: false })),
      R: approximated(schemaIs.R(place, { strict: false })),
      M: dropped(schemaIs.M(place, { strict: absent }), { model: "claude-sonnet-4-5" }),
      G: kept(validated),
    },
  },
  {
    id: "T13",
    says: "Responses is told that a function is not strict, because it takes silence for strict.",
    kind: "request",
    asks: asks(offered({ name: "look", schema: place }), "tools[0]"),
    becomes: {
      C: none("its default is not strict"),
      R: kept(schemaIs.R(place, { strict: false })),
      M: none("its default is not strict"),
      G: none("its default is not strict"),
    },
  },
  {
    id: "T18",
    says: "A function's schema goes as it was written to everybody who reads JSON Schema.",
    kind: "request",
    asks: richAsks,
    becomes: {
      C: kept(schemaIs.C(rich)),
      R: kept(schemaIs.R(rich)),
      M: kept(schemaIs.M(rich)),
      G: kept(schemaIs.G(rich)),
    },
  },
  {
    id: "T18",
    says: "Older Gemini models read a subset: references are written out, and what the subset cannot say is left out.",
    kind: "request",
    asks: parameters(offered({ name: "look", schema: rich })),
    becomes: {
      ...everywhere(geminiAlone),
      G: approximated(
        {
          tools: [
            {
              functionDeclarations: [
                {
                  parametersJsonSchema: absent,
                  parameters: {
                    type: "OBJECT",
                    properties: {
                      at: { type: "STRING", nullable: true },
                      unit: { type: "STRING", enum: ["m", "km"], $ref: absent },
                      kind: { type: "STRING", enum: ["exact"], const: absent },
                    },
                    required: ["at"],
                    additionalProperties: absent,
                    $defs: absent,
                  },
                },
              ],
            },
          ],
        },
        { model: "gemini-2.0-flash" },
      ),
    },
  },
  {
    id: "T18",
    says: "Claude wants one object at the top of a function's schema: alternatives there are joined.",
    kind: "request",
    asks: { ...alternativeAsks, G: ask("tools[0].functionDeclarations[0]", alternativeAsks.G.body) },
    becomes: {
      ...everywhere(claudeAlone),
      M: approximated(
        schemaIs.M({
          type: "object",
          anyOf: absent,
          required: absent,
          properties: { at: { type: "string" }, id: { type: "string" } },
        }),
      ),
    },
  },
  {
    id: "T18",
    says: "A schema in OpenAPI's manner is an ordinary JSON Schema for everybody else.",
    kind: "request",
    asks: {
      C: openApiAlone,
      R: openApiAlone,
      M: openApiAlone,
      G: ask("tools[0]", {
        tools: [
          {
            functionDeclarations: [
              {
                name: "look",
                parameters: { type: "OBJECT", properties: { at: { type: "STRING", nullable: true, maxLength: "9" } } },
              },
            ],
          },
        ],
      }),
    },
    becomes: {
      C: kept(schemaIs.C({ type: "object", properties: { at: { type: ["string", "null"], maxLength: 9 } } })),
      R: kept(schemaIs.R({ type: "object", properties: { at: { type: ["string", "null"], maxLength: 9 } } })),
      M: kept(schemaIs.M({ type: "object", properties: { at: { type: ["string", "null"], maxLength: 9 } } })),
    },
  },
  {
    id: "T18",
    says: "A schema that refers to itself ends in an object of any shape for older Gemini models.",
    kind: "request",
    asks: parameters(endless),
    becomes: {
      ...everywhere(geminiAlone),
      G: approximated(
        {
          tools: [
            {
              functionDeclarations: [
                {
                  parameters: {
                    properties: { next: { properties: { next: { type: "OBJECT", properties: absent } } } },
                  },
                },
              ],
            },
          ],
        },
        { model: "gemini-2.0-flash" },
      ),
    },
  },
  {
    id: "T18",
    says: "A function without arguments has the empty form that the upstream wants.",
    kind: "request",
    asks: asks(offered({ name: "look", schema: bare }), "tools[0]"),
    becomes: {
      C: kept(schemaIs.C(bare)),
      R: kept(schemaIs.R(bare)),
      M: kept(schemaIs.M(bare)),
      G: kept(
        { tools: [{ functionDeclarations: [{ name: "look", parameters: absent, parametersJsonSchema: absent }] }] },
        { model: "gemini-2.0-flash" },
      ),
    },
  },
  {
    id: "T19",
    says: "More tools than the upstream takes are refused: 128 for OpenAI's chat models, 512 for responses and Gemini.",
    kind: "request",
    asks: many,
    becomes: {
      C: refused({ model: "gpt-5.2" }),
      R: refused(),
      M: kept({ tools: allOfThem }),
      G: refused(),
    },
  },
  {
    id: "T20",
    says: "Tools keep the client's order, so that prompt caches hold.",
    kind: "request",
    asks: asks(offered("z", "a", "m"), "tools"),
    becomes: {
      C: kept({ tools: [{ function: { name: "z" } }, { function: { name: "a" } }, { function: { name: "m" } }] }),
      R: kept({ tools: [{ name: "z" }, { name: "a" }, { name: "m" }] }),
      M: kept({ tools: [{ name: "z" }, { name: "a" }, { name: "m" }] }),
      G: kept({ tools: [{ functionDeclarations: [{ name: "z" }, { name: "a" }, { name: "m" }] }] }),
    },
  },
];
