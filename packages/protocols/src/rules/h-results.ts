import type { Letter } from "../testing/letters.ts";
import { call, calls, conversation, result, results, user } from "./conversation.ts";
import { both, holding, type Pattern, without } from "./pattern.ts";
import { approximated, ask, everywhere, kept, type Row, refused } from "./rule.ts";

const parallel = [call("c1"), call("c2")];
const reversed = conversation(user("Look."), calls(...parallel), results(result("c2"), result("c1")));
const called = conversation(user("Look."), calls(call("c1")));
const orphan = conversation(user("Look."), results(result("c9")), user("On."));
const open = conversation(user("Look."), calls(call("c1")), user("On."));
const again = conversation(
  user("Look."),
  calls(call("c1")),
  results(result("c1", "first")),
  calls(call("c1")),
  results(result("c1", "second")),
);
const between = conversation(user("Look."), calls(call("c1")), user("Well?"), results(result("c1")));

const inOrder: Readonly<Record<Letter, Pattern>> = {
  C: {
    messages: [
      {},
      { tool_calls: [{ id: "c1" }, { id: "c2" }] },
      { role: "tool", tool_call_id: "c1", content: holding("saw c1") },
      { role: "tool", tool_call_id: "c2", content: holding("saw c2") },
    ],
  },
  R: {
    input: [
      {},
      { type: "function_call", call_id: "c1" },
      { type: "function_call", call_id: "c2" },
      { type: "function_call_output", call_id: "c1", output: holding("saw c1") },
      { type: "function_call_output", call_id: "c2", output: holding("saw c2") },
    ],
  },
  M: {
    messages: [
      {},
      { role: "assistant", content: [{ id: "c1" }, { id: "c2" }] },
      { role: "user", content: [{ tool_use_id: "c1" }, { tool_use_id: "c2" }] },
    ],
  },
  G: {
    contents: [
      {},
      { role: "model", parts: [{ functionCall: { args: { at: "c1" } } }, { functionCall: { args: { at: "c2" } } }] },
      {
        role: "user",
        parts: [
          { functionResponse: { name: "look", response: { output: "saw c1" } } },
          { functionResponse: { name: "look", response: { output: "saw c2" } } },
        ],
      },
    ],
  },
};

const asText = both(
  holding("[tool result", "saw c9"),
  without("tool_call_id", "call_id", "tool_result", "functionResponse"),
);
const noResult = holding("no result was returned");

const placed: Readonly<Record<Letter, Pattern>> = {
  C: { messages: [{}, {}, { role: "tool", tool_call_id: "c1", content: holding("saw c1") }] },
  R: { input: [{}, {}, { call_id: "c1", output: holding("saw c1") }] },
  M: { messages: [{}, {}, { content: [{ tool_use_id: "c1", content: holding("saw c1") }] }] },
  G: { contents: [{}, {}, { parts: [{ functionResponse: { name: "look", response: { output: "saw c1" } } }] }] },
};

const noId = { field: "messages[2].content[0].tool_use_id" };

/** H5 to H11: the results of calls. */
export const resultRows: readonly Row[] = [
  {
    id: "H5",
    says: "The results of parallel calls follow their calls at once, all together, in the order of the calls.",
    kind: "request",
    asks: {
      C: ask("messages", reversed.C),
      R: ask("input", reversed.R),
      M: ask("messages", reversed.M),
      G: ask("contents", reversed.G),
    },
    becomes: { C: kept(inOrder.C), R: kept(inOrder.R), M: kept(inOrder.M), G: kept(inOrder.G) },
  },
  {
    id: "H6",
    says: "A result that answers no call of the conversation is text of the user.",
    kind: "request",
    asks: {
      C: ask("messages[1]", orphan.C),
      R: ask("input[1]", orphan.R),
      M: ask("messages[1].content[0]", orphan.M),
      G: ask("contents[1].parts[0]", orphan.G),
    },
    becomes: {
      C: approximated({ messages: asText }),
      R: approximated({ input: asText }),
      M: approximated({ messages: asText }),
      G: approximated({ contents: asText }),
    },
  },
  {
    id: "H7",
    says: "A call without a result, with something behind it, gets an error as its result.",
    kind: "request",
    asks: {
      C: ask("messages[1].tool_calls[0]", open.C),
      R: ask("input[1]", open.R),
      M: ask("messages[1].content[0]", open.M),
      G: ask("contents[1].parts[0]", open.G),
    },
    becomes: {
      C: approximated({
        messages: [{}, {}, { role: "tool", tool_call_id: "c1", content: noResult }, { content: "On." }],
      }),
      R: approximated({ input: [{}, {}, { call_id: "c1", output: noResult }, { content: "On." }] }),
      M: approximated({
        messages: [
          {},
          {},
          { role: "user", content: [{ tool_use_id: "c1", is_error: true, content: noResult }, { text: "On." }] },
        ],
      }),
      G: approximated({
        contents: [
          {},
          {},
          { parts: [{ functionResponse: { name: "look", response: { error: noResult } } }] },
          { parts: [{ text: "On." }] },
        ],
      }),
    },
  },
  {
    id: "H8",
    says: "A conversation that ends with a call is refused: no upstream can answer it.",
    kind: "request",
    asks: {
      C: ask("messages[1].tool_calls[0]", called.C),
      R: ask("input[1]", called.R),
      M: ask("messages[1].content[0]", called.M),
      G: ask("contents[1].parts[0]", called.G),
    },
    becomes: everywhere(refused()),
  },
  {
    id: "H9",
    says: "A result without an id is taken for that of the call in its place; Gemini has no ids, so there the name is the pair, and a client of messages must send it.",
    kind: "request",
    asks: {
      C: ask("messages[2]", {
        messages: [...called.C.messages, { role: "tool", content: "saw c1" }],
      }),
      R: ask("input[2]", {
        input: [...called.R.input, { type: "function_call_output", output: "saw c1" }],
      }),
      M: ask("messages[2].content[0]", {
        messages: [...called.M.messages, { role: "user", content: [{ type: "tool_result", content: "saw c1" }] }],
      }),
      G: ask("contents[2].parts[0]", {
        contents: [
          ...called.G.contents,
          { role: "user", parts: [{ functionResponse: { name: "look", response: { output: "saw c1" } } }] },
        ],
      }),
    },
    becomes: {
      "M->C": refused(noId),
      "M->R": refused(noId),
      "M->G": refused(noId),
      C: approximated(placed.C),
      "G->C": kept(placed.C),
      R: approximated(placed.R),
      "G->R": kept(placed.R),
      M: approximated(placed.M),
      "G->M": kept(placed.M),
      G: approximated(placed.G),
    },
  },
  {
    id: "H10",
    says: "Of two calls with one id the later gets another, and each result stays with its own call.",
    kind: "request",
    asks: {
      C: ask("messages[3].tool_calls[0]", again.C),
      R: ask("input[3]", again.R),
      M: ask("messages[3].content[0]", again.M),
      G: ask("contents[3].parts[0]", again.G),
    },
    becomes: {
      C: approximated({
        messages: [
          {},
          { tool_calls: [{ id: "c1" }] },
          { tool_call_id: "c1", content: holding("first") },
          { tool_calls: [{ id: "c1_2" }] },
          { tool_call_id: "c1_2", content: holding("second") },
        ],
      }),
      R: approximated({
        input: [
          {},
          { call_id: "c1" },
          { call_id: "c1", output: holding("first") },
          { call_id: "c1_2" },
          { call_id: "c1_2", output: holding("second") },
        ],
      }),
      M: approximated({
        messages: [
          {},
          { content: [{ id: "c1" }] },
          { content: [{ tool_use_id: "c1", content: holding("first") }] },
          { content: [{ id: "c1_2" }] },
          { content: [{ tool_use_id: "c1_2", content: holding("second") }] },
        ],
      }),
      G: approximated({
        contents: [
          {},
          {},
          { parts: [{ functionResponse: { response: { output: "first" } } }] },
          {},
          { parts: [{ functionResponse: { response: { output: "second" } } }] },
        ],
      }),
    },
  },
  {
    id: "H11",
    says: "What the user says between a call and its result stands behind the result.",
    kind: "request",
    asks: {
      C: ask("messages", between.C),
      R: ask("input", between.R),
      M: ask("messages", between.M),
      G: ask("contents", between.G),
    },
    becomes: {
      C: kept({ messages: [{}, {}, { tool_call_id: "c1" }, { role: "user", content: "Well?" }] }),
      R: kept({ input: [{}, {}, { call_id: "c1", output: holding("saw") }, { role: "user", content: "Well?" }] }),
      M: kept({ messages: [{}, {}, { content: [{ type: "tool_result" }, { text: "Well?" }] }] }),
      G: kept({ contents: [{}, {}, { parts: [{ functionResponse: {} }] }, { parts: [{ text: "Well?" }] }] }),
    },
  },
];
