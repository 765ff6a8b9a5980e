import type { JsonObject } from "../canonical/index.ts";
import type { Letter } from "../testing/letters.ts";
import { call, calls, conversation, result, results, user } from "./conversation.ts";
import { holding, type Pattern } from "./pattern.ts";
import { type Ask, approximated, ask, everywhere, kept, none, type Row } from "./rule.ts";

const objects = none("the arguments of the client's protocol are always objects");

/** A call with these raw arguments, and its result. */
function rawCall(text: string): Record<"C" | "R", JsonObject> {
  return {
    C: {
      messages: [
        { role: "user", content: "Go." },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "c1", type: "function", function: { name: "look", arguments: text } }],
        },
        { role: "tool", tool_call_id: "c1", content: "seen" },
      ],
    },
    R: {
      input: [
        { role: "user", content: "Go." },
        { type: "function_call", call_id: "c1", name: "look", arguments: text },
        { type: "function_call_output", call_id: "c1", output: "seen" },
      ],
    },
  };
}

const rawAsks = (text: string) => ({
  C: ask("messages[1].tool_calls[0]", rawCall(text).C),
  R: ask("input[1]", rawCall(text).R),
  M: objects,
  G: objects,
});

const argumentsAre: Readonly<Record<Letter, (value: Pattern) => Pattern>> = {
  C: (value) => ({ messages: [{}, { tool_calls: [{ function: { arguments: value } }] }, {}] }),
  R: (value) => ({ input: [{}, { arguments: value }, {}] }),
  M: (input) => ({ messages: [{}, { content: [{ type: "tool_use", input }] }, {}] }),
  G: (args) => ({ contents: [{}, { parts: [{ functionCall: { args } }] }, {}] }),
};

const nothing = conversation(user("Go."), calls(call("c1", "look", {})), results(result("c1")));

const pixel = "iVBORw0KGgo=";
const image = {
  R: { type: "input_image", image_url: `data:image/png;base64,${pixel}` },
  M: { type: "image", source: { type: "base64", media_type: "image/png", data: pixel } },
  G: { inlineData: { mimeType: "image/png", data: pixel } },
};
const start = conversation(user("Go."), calls(call("c1", "look", {})));
const pictured = {
  C: none("the client's results are text alone"),
  R: ask("input[2]", {
    input: [
      ...start.R.input,
      { type: "function_call_output", call_id: "c1", output: [{ type: "input_text", text: "seen" }, image.R] },
    ],
  }),
  M: ask("messages[2].content[0]", {
    messages: [
      ...start.M.messages,
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "c1", content: [{ type: "text", text: "seen" }, image.M] }],
      },
    ],
  }),
  G: ask("contents[2].parts[0]", {
    contents: [
      ...start.G.contents,
      {
        role: "user",
        parts: [{ functionResponse: { id: "c1", name: "look", response: { output: "seen" }, parts: [image.G] } }],
      },
    ],
  }),
};

const answered = (response: JsonObject, field = "contents"): Ask =>
  ask(field, {
    contents: [
      ...start.G.contents,
      { role: "user", parts: [{ functionResponse: { id: "c1", name: "look", response } }] },
    ],
  });
const said = (text: string): Record<Letter, JsonObject> =>
  conversation(user("Go."), calls(call("c1", "look", {})), results(result("c1", text)));

const resultIs: Readonly<Record<Letter, (value: Pattern, more?: { [key: string]: Pattern }) => Pattern>> = {
  C: (content) => ({ messages: [{}, {}, { role: "tool", content }] }),
  R: (output) => ({ input: [{}, {}, { type: "function_call_output", output }] }),
  M: (content, more) => ({ messages: [{}, {}, { content: [{ type: "tool_result", content, ...more }] }] }),
  G: (response) => ({ contents: [{}, {}, { parts: [{ functionResponse: { response } }] }] }),
};
const failed = said("Error: no such place");
const failure = "Error: no such place";
const object = said('{"degrees":3}');
const list = said("[1,2]");

/** T14 to T17: what calls and results hold. */
export const contentRows: readonly Row[] = [
  {
    id: "T14",
    says: "No arguments are an empty object where objects are wanted, and the text as it was elsewhere.",
    kind: "request",
    asks: rawAsks(""),
    becomes: {
      C: kept(argumentsAre.C(/^(\{\})?$/)),
      R: kept(argumentsAre.R(/^(\{\})?$/)),
      M: kept(argumentsAre.M({})),
      G: kept(argumentsAre.G({})),
    },
  },
  {
    id: "T14",
    says: "Arguments keep their very text between OpenAI's protocols; elsewhere a number beyond 53 bits is rounded.",
    kind: "request",
    asks: rawAsks('{"b":1.0,"a":1152921504606846977}'),
    becomes: {
      C: kept(argumentsAre.C('{"b":1.0,"a":1152921504606846977}')),
      R: kept(argumentsAre.R('{"b":1.0,"a":1152921504606846977}')),
      M: approximated(argumentsAre.M({ b: 1, a: 2 ** 60 })),
      G: approximated(argumentsAre.G({ b: 1, a: 2 ** 60 })),
    },
  },
  {
    id: "T14",
    says: "Arguments that are another JSON value stand in an object under `value`.",
    kind: "request",
    asks: rawAsks("[1]"),
    becomes: {
      C: kept(argumentsAre.C("[1]")),
      R: kept(argumentsAre.R("[1]")),
      M: kept(argumentsAre.M({ value: [1] })),
      G: kept(argumentsAre.G({ value: [1] })),
    },
  },
  {
    id: "T14",
    says: "Arguments that are no JSON stand in an object as the text that they are, under `_raw`.",
    kind: "request",
    asks: rawAsks("{oops"),
    becomes: {
      C: kept(argumentsAre.C("{oops")),
      R: kept(argumentsAre.R("{oops")),
      M: approximated(argumentsAre.M({ _raw: "{oops" })),
      G: approximated(argumentsAre.G({ _raw: "{oops" })),
    },
  },
  {
    id: "T14",
    says: "Arguments that are an object are its JSON text for OpenAI's protocols; an empty object is `{}`.",
    kind: "request",
    asks: {
      C: none("the arguments of the client's protocol are text"),
      R: none("the arguments of the client's protocol are text"),
      M: ask("messages", nothing.M),
      G: ask("contents", nothing.G),
    },
    becomes: {
      C: kept(argumentsAre.C("{}")),
      R: kept(argumentsAre.R("{}")),
      M: kept(argumentsAre.M({})),
      G: kept(argumentsAre.G({})),
    },
  },
  {
    id: "T15",
    says: "Pictures stay in a result; for chat completions, whose results are text, they stand behind all results.",
    kind: "request",
    asks: pictured,
    becomes: {
      C: approximated({
        messages: [
          {},
          {},
          { role: "tool", tool_call_id: "c1", content: "seen" },
          { role: "user", content: [{ text: "Output of tool call c1:" }, { type: "image_url" }] },
        ],
      }),
      R: kept(resultIs.R([{ type: "input_text", text: "seen" }, image.R])),
      M: kept(resultIs.M([{ type: "text", text: "seen" }, image.M])),
      G: kept({
        contents: [{}, {}, { parts: [{ functionResponse: { response: { output: "seen" }, parts: [image.G] } }] }],
      }),
    },
  },
  {
    id: "T15",
    says: "Gemini before 3 reads pictures behind the result.",
    kind: "request",
    asks: { ...pictured, G: none("the rule is about older Gemini as the upstream") },
    becomes: {
      ...everywhere(none("the rule is about older Gemini as the upstream")),
      G: approximated(
        {
          contents: [
            {},
            {},
            { parts: [{ functionResponse: { response: { output: "seen" } } }] },
            { role: "user", parts: [{ text: /^Output of tool call/ }, image.G] },
          ],
        },
        { model: "gemini-2.5-pro" },
      ),
    },
  },
  {
    id: "T16",
    says: "That a tool failed is the upstream's own flag, or its result begins with `Error: `.",
    kind: "request",
    asks: {
      C: ask("messages", failed.C),
      R: ask("input", failed.R),
      M: ask("messages", {
        messages: [
          ...start.M.messages,
          {
            role: "user",
            content: [{ type: "tool_result", tool_use_id: "c1", content: "no such place", is_error: true }],
          },
        ],
      }),
      G: answered({ error: "no such place" }),
    },
    becomes: {
      C: kept(resultIs.C(failure)),
      R: kept(resultIs.R(failure)),
      M: kept(resultIs.M(holding("no such place"), { is_error: true })),
      G: kept(resultIs.G({ error: "no such place" })),
    },
  },
  {
    id: "T17",
    says: "A result that is an object is one for Gemini and its JSON text for everybody else.",
    kind: "request",
    asks: {
      C: ask("messages", object.C),
      R: ask("input", object.R),
      M: ask("messages", object.M),
      G: answered({ degrees: 3 }),
    },
    becomes: {
      C: kept(resultIs.C('{"degrees":3}')),
      R: kept(resultIs.R('{"degrees":3}')),
      M: kept(resultIs.M([{ text: '{"degrees":3}' }])),
      G: kept(resultIs.G({ degrees: 3 })),
    },
  },
  {
    id: "T17",
    says: "Any other result stands for Gemini under `output`.",
    kind: "request",
    asks: {
      C: ask("messages", list.C),
      R: ask("input", list.R),
      M: ask("messages", list.M),
      G: answered({ output: "[1,2]" }),
    },
    becomes: {
      C: kept(resultIs.C("[1,2]")),
      R: kept(resultIs.R("[1,2]")),
      M: kept(resultIs.M([{ text: "[1,2]" }])),
      G: kept(resultIs.G({ output: "[1,2]" })),
    },
  },
];
