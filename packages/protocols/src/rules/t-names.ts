import type { JsonObject } from "../canonical/index.ts";
import { candidate, completion, message, responseCall, responseObject, toolCall } from "../peer-bugs/wire-frames.ts";
import type { Letter } from "../testing/letters.ts";
import { call, calls, conversation, result, results, user } from "./conversation.ts";
import { forced, offered, together } from "./offers.ts";
import { holding, type Pattern } from "./pattern.ts";
import { type Ask, ask, everywhere, kept, none, type Row } from "./rule.ts";

const dotted = together(
  offered("fs.read"),
  forced("fs.read"),
  conversation(user("Read."), calls(call("c1", "fs.read")), results(result("c1", "seen", "fs.read"))),
);
const alias = "fs_read_4074bc02";

const longName = `read_${"x".repeat(95)}`;
const shortName = /^read_x{50}_[0-9a-f]{8}$/;
const longNamed = together(
  offered(longName),
  forced(longName),
  conversation(user("Read."), calls(call("c1", longName)), results(result("c1", "seen", longName))),
);

/** The name stands in the list of tools, in the choice and in the history. */
const named: Readonly<Record<Letter, (name: Pattern) => Pattern>> = {
  C: (name) => ({
    tools: [{ function: { name } }],
    tool_choice: { function: { name } },
    messages: [{}, { tool_calls: [{ function: { name } }] }, {}],
  }),
  R: (name) => ({ tools: [{ name }], tool_choice: { name }, input: [{}, { name }, {}] }),
  M: (name) => ({ tools: [{ name }], tool_choice: { name }, messages: [{}, { content: [{ name }] }, {}] }),
  G: (name) => ({
    tools: [{ functionDeclarations: [{ name }] }],
    toolConfig: { functionCallingConfig: { allowedFunctionNames: [name] } },
    contents: [{}, { parts: [{ functionCall: { name } }] }, { parts: [{ functionResponse: { name } }] }],
  }),
};

const asks = (fields: Record<Letter, JsonObject>, field = "tools"): Record<Letter, Ask> => ({
  C: ask(field, fields.C),
  R: ask(field, fields.R),
  M: ask(field, fields.M),
  G: ask(field, fields.G),
});

/** A conversation with one call and its result under this id. */
const identified = (id: string) => conversation(user("Look."), calls(call(id)), results(result(id)));
const dottedId = "functions.Bash:0";
const longId = `call_${"x".repeat(110)}`;
const cut =
  (length: number) =>
  (id: unknown): boolean =>
    typeof id === "string" && /^call_x+_[0-9a-f]{8}$/.test(id) && id.length === length;

const paired: Readonly<Record<Letter, (id: Pattern) => Pattern>> = {
  C: (id) => ({ messages: [{}, { tool_calls: [{ id }] }, { tool_call_id: id }] }),
  R: (id) => ({ input: [{}, { call_id: id }, { call_id: id }] }),
  M: (id) => ({ messages: [{}, { content: [{ id }] }, { content: [{ tool_use_id: id }] }] }),
  G: (id) => ({ contents: [{}, { parts: [{ functionCall: { id } }] }, { parts: [{ functionResponse: { id } }] }] }),
};

const minted = (id: unknown): boolean => typeof id === "string" && /^call_[A-Za-z0-9]{4,}$/.test(id);
const geminiAlone = none("the upstream gives its calls ids");

/** T1 to T4: names and ids. */
export const nameRows: readonly Row[] = [
  {
    id: "T1",
    says: "A tool's name that the upstream does not take becomes a readable one with a hash, the same in tools, choice and history.",
    kind: "request",
    asks: asks(dotted),
    becomes: {
      C: kept(named.C(alias)),
      R: kept(named.R(alias)),
      M: kept(named.M(alias)),
      G: kept(named.G("fs.read")),
    },
  },
  {
    id: "T1",
    says: "A name beyond 64 characters is cut for OpenAI's protocols and gets a hash; Claude and Gemini 3 take 128.",
    kind: "request",
    asks: asks(longNamed),
    becomes: {
      C: kept(named.C(shortName)),
      R: kept(named.R(shortName)),
      M: kept(named.M(longName)),
      G: kept(named.G(longName)),
    },
  },
  {
    id: "T1",
    says: "A call by the changed name comes to the client under its own.",
    kind: "answer",
    asks: dotted,
    answers: {
      C: completion({ tool_calls: [toolCall("c2", alias, '{"at":"b"}')] }, "tool_calls"),
      R: responseObject([responseCall("c2", alias, '{"at":"b"}')]),
      M: message([{ type: "tool_use", id: "c2", name: alias, input: { at: "b" } }], "tool_use"),
      G: candidate([{ functionCall: { id: "c2", name: "fs.read", args: { at: "b" } } }], "STOP"),
    },
    becomes: {
      C: kept({
        choices: [{ message: { tool_calls: [{ function: { name: "fs.read" } }] }, finish_reason: "tool_calls" }],
      }),
      R: kept({ output: [{ type: "function_call", name: "fs.read" }] }),
      M: kept({ content: [{ type: "tool_use", name: "fs.read" }], stop_reason: "tool_use" }),
      G: kept({ candidates: [{ content: { parts: [{ functionCall: { name: "fs.read" } }] } }] }),
    },
  },
  {
    id: "T2",
    says: "A call's id with letters that Claude does not take is changed for it alike on call and result; others get it as it is.",
    kind: "request",
    asks: asks(identified(dottedId)),
    becomes: {
      C: kept(paired.C(dottedId)),
      R: kept(paired.R(dottedId)),
      M: kept(paired.M("toolu_functions_Bash_0_a97d1507")),
      G: kept(paired.G(dottedId)),
    },
  },
  {
    id: "T2",
    says: "A long id of a call is cut and gets a hash: at 40 characters for chat completions, at 64 for responses and Gemini.",
    kind: "request",
    asks: asks(identified(longId)),
    becomes: {
      C: kept(paired.C(cut(40))),
      R: kept(paired.R(cut(64))),
      M: kept(paired.M(longId)),
      G: kept(paired.G(cut(64))),
    },
  },
  {
    id: "T2",
    says: "A call's id that the client's protocol does not take comes to it in the same changed form, which its result brings back.",
    kind: "answer",
    asks: offered("look"),
    answers: {
      C: completion({ tool_calls: [toolCall(dottedId, "look", "{}")] }, "tool_calls"),
      R: responseObject([responseCall(dottedId, "look", "{}")]),
      M: none("the upstream's ids are legal everywhere"),
      G: candidate([{ functionCall: { id: dottedId, name: "look", args: {} } }], "STOP"),
    },
    becomes: {
      C: kept({ choices: [{ message: { tool_calls: [{ id: dottedId }] } }] }),
      R: kept({ output: [{ type: "function_call", call_id: dottedId }] }),
      M: kept({ content: [{ type: "tool_use", id: "toolu_functions_Bash_0_a97d1507" }] }),
      G: kept({ candidates: [{ content: { parts: [{ functionCall: { id: dottedId } }] } }] }),
    },
  },
  {
    id: "T3",
    says: "A call that Gemini gave no id gets one of the gateway's, the same in the stream and at its end.",
    kind: "answer",
    asks: offered("look"),
    answers: {
      C: geminiAlone,
      R: geminiAlone,
      M: geminiAlone,
      G: candidate([{ functionCall: { name: "look", args: { at: "a" } } }], "STOP"),
    },
    becomes: {
      C: kept({ choices: [{ message: { tool_calls: [{ id: minted }] } }] }),
      R: kept({ output: [{ type: "function_call", call_id: minted }] }),
      M: kept({ content: [{ type: "tool_use", id: minted }] }),
    },
  },
  {
    id: "T4",
    says: "A result carries its function's name to Gemini, found by the id in the history; no id ever stands for a name.",
    kind: "request",
    asks: asks(identified("c1"), "messages"),
    becomes: {
      ...everywhere(none("results of the upstream's protocol carry no name")),
      G: kept({ contents: [{}, {}, { parts: [{ functionResponse: { name: "look", response: holding("saw c1") } }] }] }),
    },
  },
];
