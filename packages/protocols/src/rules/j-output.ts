import type { JsonObject } from "../canonical/index.ts";
import { message } from "../peer-bugs/wire-frames.ts";
import type { Letter } from "../testing/letters.ts";
import { conversation, user } from "./conversation.ts";
import { offered, together } from "./offers.ts";
import { absent, both, holding, type Pattern } from "./pattern.ts";
import { type Ask, approximated, ask, emulated, everywhere, kept, none, type Row, refused } from "./rule.ts";

const noMode = none("the client's protocol has no JSON mode without a schema");
// OpenAI wants the word in the conversation.
const wish = conversation(user("Answer in JSON."));
const jsonMode = {
  C: ask("response_format", { ...wish.C, response_format: { type: "json_object" } }),
  R: ask("text.format", { ...wish.R, text: { format: { type: "json_object" } } }),
  M: noMode,
  G: ask("generationConfig.responseMimeType", {
    ...wish.G,
    generationConfig: { responseMimeType: "application/json" },
  }),
};
const inWords = holding("Answer with one JSON object and nothing else.");

const schema: JsonObject = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const open: JsonObject = { type: "object", properties: { city: { type: "string" } } };

/** An answer's schema in the words of each client. The two that name it call it `place`. */
const shaped = (wanted: JsonObject, strict?: boolean): Record<Letter, JsonObject> => {
  const named = { name: "place", schema: wanted, ...(strict === undefined ? {} : { strict }) };
  return {
    C: { response_format: { type: "json_schema", json_schema: named } },
    R: { text: { format: { type: "json_schema", ...named } } },
    M: { output_config: { format: { type: "json_schema", schema: wanted } } },
    G: { generationConfig: { responseMimeType: "application/json", responseJsonSchema: wanted } },
  };
};
const asks = (fields: Record<Letter, JsonObject>): Record<Letter, Ask> => ({
  C: ask("response_format", fields.C),
  R: ask("text.format", fields.R),
  M: ask("output_config.format", fields.M),
  G: ask("generationConfig.responseJsonSchema", fields.G),
});

/** How each upstream is told the schema. */
const schemaIs: Readonly<Record<Letter, (wanted: Pattern, more?: { [key: string]: Pattern }) => Pattern>> = {
  C: (wanted, more) => ({ response_format: { type: "json_schema", json_schema: { schema: wanted, ...more } } }),
  R: (wanted, more) => ({ text: { format: { type: "json_schema", schema: wanted, ...more } } }),
  M: (wanted) => ({ output_config: { format: { type: "json_schema", schema: wanted } }, tools: absent }),
  G: (wanted) => ({ generationConfig: { responseMimeType: "application/json", responseJsonSchema: wanted } }),
};

const claudeAlone = none("the rule is about Claude as the upstream");
const geminiAlone = none("the rule is about Gemini as the upstream");
const haiku = { model: "claude-3-5-haiku" };
const hidden = {
  tools: [{ name: "structured_output", input_schema: schema }],
  tool_choice: { type: "tool", name: "structured_output" },
};
const formats = { C: jsonMode.C.body, R: jsonMode.R.body, G: jsonMode.G.body };
const answer = '{"city":"Oslo"}';

/** The text of the client's answer, which ended by itself. */
const textIs: Readonly<Record<Letter, (text: string) => Pattern>> = {
  C: (content) => ({ choices: [{ finish_reason: "stop", message: { content } }] }),
  R: (text) => ({ status: "completed", output: [{ type: "message", content: [{ text }] }] }),
  M: (text) => ({ stop_reason: "end_turn", content: [{ type: "text", text }] }),
  G: (text) => ({
    candidates: [{ finishReason: "STOP", content: { parts: (parts: unknown) => joined(parts) === text } }],
  }),
};

/** Streams cut a text in pieces. */
function joined(parts: unknown): string {
  if (!Array.isArray(parts)) return "";
  return parts.map((part) => String(part.text)).join("");
}

/** J1 and J2: JSON, with a schema and without, where Claude is the upstream or has to be told in words. */
export const outputRows: readonly Row[] = [
  {
    id: "J1",
    says: "JSON without a schema is the upstream's own mode; Claude, who has none, is told in words.",
    kind: "request",
    asks: jsonMode,
    becomes: {
      C: kept({ response_format: { type: "json_object" } }),
      R: kept({ text: { format: { type: "json_object" } } }),
      M: emulated({ system: inWords, tools: absent }),
      G: kept({ generationConfig: { responseMimeType: "application/json" } }),
    },
  },
  {
    id: "J1",
    says: "Of an answer that was asked for in words the client gets the JSON alone, without a fence and without words.",
    kind: "answer",
    asks: formats,
    answers: {
      ...everywhere(claudeAlone),
      M: message([{ type: "text", text: `Here it is:\n\`\`\`json\n${answer}\n\`\`\`` }]),
    },
    becomes: { C: kept(textIs.C(answer)), R: kept(textIs.R(answer)), M: claudeAlone, G: kept(textIs.G(answer)) },
  },
  {
    id: "J1",
    says: "An answer that is no JSON comes as it is, and that is told.",
    kind: "answer",
    asks: formats,
    answers: { ...everywhere(claudeAlone), M: message([{ type: "text", text: "I would rather not." }]) },
    becomes: {
      C: approximated(textIs.C("I would rather not."), { field: "response_format" }),
      R: approximated(textIs.R("I would rather not."), { field: "text.format" }),
      M: claudeAlone,
      G: approximated(textIs.G("I would rather not."), { field: "generationConfig.responseMimeType" }),
    },
  },
  {
    id: "J2",
    says: "An answer's schema is the upstream's own setting.",
    kind: "request",
    asks: asks(shaped(schema)),
    becomes: {
      C: kept(schemaIs.C(schema)),
      R: kept(schemaIs.R(schema)),
      M: kept(schemaIs.M(schema), { model: "claude-sonnet-4-5" }),
      G: kept(schemaIs.G(schema)),
    },
  },
  {
    id: "J2",
    says: "A Claude model without that setting is made to call a tool that nobody sees.",
    kind: "request",
    asks: { ...asks(shaped(schema)), M: none("the rule is about Claude as the upstream") },
    becomes: { ...everywhere(claudeAlone), M: emulated(hidden, haiku) },
  },
  {
    id: "J2",
    says: "What that tool was called with is the text of the answer, which ended by itself.",
    kind: "answer",
    asks: shaped(schema),
    answers: {
      ...everywhere(claudeAlone),
      M: message([{ type: "tool_use", id: "toolu_1", name: "structured_output", input: { city: "Oslo" } }], "tool_use"),
    },
    becomes: {
      C: kept(textIs.C(answer), haiku),
      R: kept(textIs.R(answer), haiku),
      M: claudeAlone,
      G: kept(textIs.G(answer), haiku),
    },
  },
  {
    id: "J2",
    says: "Beside tools of the client's own such a model is told the schema in words.",
    kind: "request",
    asks: { ...asks(together(shaped(schema), offered("look"))), M: claudeAlone },
    becomes: {
      ...everywhere(claudeAlone),
      M: emulated({ system: both(inWords, holding("city")), tools: [{ name: "look" }], tool_choice: absent }, haiku),
    },
  },
  {
    id: "J2",
    says: "Claude holds an answer to closed objects alone: an open schema is closed for it.",
    kind: "request",
    asks: { ...asks(shaped(open)), M: claudeAlone },
    becomes: {
      ...everywhere(claudeAlone),
      M: approximated(schemaIs.M({ ...open, additionalProperties: false }), { model: "claude-sonnet-4-5" }),
    },
  },
  {
    id: "J3",
    says: "Gemini 2.5 takes no schema beside functions and is told it in words.",
    kind: "request",
    asks: { ...asks(together(shaped(schema), offered("look"))), G: geminiAlone },
    becomes: {
      ...everywhere(geminiAlone),
      G: emulated(
        {
          systemInstruction: holding("answer with one JSON object and nothing else", "city"),
          generationConfig: { responseMimeType: absent, responseJsonSchema: absent },
        },
        { model: "gemini-2.5-flash" },
      ),
    },
  },
  {
    id: "J3",
    says: "Everybody else takes a schema of the answer beside functions.",
    kind: "request",
    asks: asks(together(shaped(schema), offered("look"))),
    becomes: {
      C: kept({ tools: [{}], response_format: { json_schema: { schema } } }),
      R: kept({ tools: [{}], text: { format: { schema } } }),
      M: kept({ tools: [{ name: "look" }], output_config: { format: { schema } } }, { model: "claude-sonnet-4-5" }),
      G: kept({ tools: [{}], generationConfig: { responseJsonSchema: schema } }, { model: "gemini-3-flash" }),
    },
  },
  {
    id: "J3",
    says: "Gemini before 2.5 gets the schema in the subset that it reads.",
    kind: "request",
    asks: { ...asks(shaped(schema)), G: geminiAlone },
    becomes: {
      ...everywhere(geminiAlone),
      G: approximated(
        {
          generationConfig: {
            responseJsonSchema: absent,
            responseSchema: { type: "OBJECT", properties: { city: { type: "STRING" } }, additionalProperties: absent },
          },
        },
        { model: "gemini-2.0-flash" },
      ),
    },
  },
  {
    id: "J4",
    says: "A schema has the client's name for OpenAI's protocols, or `response` where the client gave none.",
    kind: "request",
    asks: asks(shaped(schema)),
    becomes: {
      C: kept(schemaIs.C(schema, { name: "response" })),
      "R->C": kept(schemaIs.C(schema, { name: "place" })),
      R: kept(schemaIs.R(schema, { name: "response", strict: false })),
      "C->R": kept(schemaIs.R(schema, { name: "place", strict: false })),
      M: none("its schemas have no name"),
      G: none("its schemas have no name"),
    },
  },
  {
    id: "J5",
    says: "A strict wish for a schema outside the strict rules is given up; the schema is never rewritten for it.",
    kind: "request",
    asks: {
      C: ask("response_format.json_schema.strict", shaped(open, true).C),
      R: ask("text.format.strict", shaped(open, true).R),
      M: none("the client's protocol has no word for strictness"),
      G: none("the client's protocol has no word for strictness"),
    },
    becomes: {
      C: approximated(schemaIs.C(open, { strict: false })),
      R: approximated(schemaIs.R(open, { strict: false })),
      M: none("its answers keep to their schema in any case"),
      G: none("its answers keep to their schema in any case"),
    },
  },
  {
    id: "J6",
    says: "Forms of an answer that only the client's protocol knows, grammars among them, are refused.",
    kind: "request",
    asks: {
      C: ask("response_format", { response_format: { type: "grammar", grammar: "root ::= [0-9]+" } }),
      R: ask("text.format.type", { text: { format: { type: "grammar", syntax: "lark", definition: "start: /.+/" } } }),
      M: ask("output_config.format.type", { output_config: { format: { type: "grammar" } } }),
      G: ask("generationConfig.responseMimeType", {
        generationConfig: { responseMimeType: "text/x.enum", responseSchema: { type: "STRING", enum: ["a", "b"] } },
      }),
    },
    becomes: everywhere(refused()),
  },
];
