import { call, calls, conversation, user } from "./conversation.ts";
import { absent, holding } from "./pattern.ts";
import { approximated, ask, dropped, kept, none, type Row, refused } from "./rule.ts";

const twice = conversation(user("One."), user("Two."));
const afterCall = {
  R: [...conversation(user("Look."), calls(call("c1"))).R.input, { role: "assistant", content: "Looking." }],
  done: { type: "function_call_output", call_id: "c1", output: "seen" },
};

const chatAlone = none("only chat completions names participants");
const responsesAlone = none("only responses tells commentary from the final answer");

/** H4, H12, H13, H17 and H18: turns and what stands in them. */
export const turnRows: readonly Row[] = [
  {
    id: "H4",
    says: "Two messages of one side in a row stay two, or one with both texts where sides have to take turns.",
    kind: "request",
    asks: {
      C: ask("messages", twice.C),
      R: ask("input", twice.R),
      M: ask("messages", twice.M),
      G: ask("contents", twice.G),
    },
    becomes: {
      C: kept(twice.C),
      "G->C": kept({ messages: [{ role: "user", content: [{ text: "One." }, { text: "Two." }] }] }),
      R: kept(twice.R),
      "G->R": kept({ input: [{ role: "user", content: [{ text: "One." }, { text: "Two." }] }] }),
      M: kept({ messages: [{ role: "user", content: [{ text: "One." }, { text: "Two." }] }] }),
      G: kept({ contents: [{ role: "user", parts: [{ text: "One." }, { text: "Two." }] }] }),
    },
  },
  {
    id: "H12",
    says: "Text that the model wrote behind a call keeps its place in responses and Gemini; elsewhere it stands before the call.",
    kind: "request",
    asks: {
      C: none("the client's protocol has no order between text and calls"),
      R: ask("input[1]", { input: [...afterCall.R, afterCall.done] }),
      M: ask("messages[1]", {
        messages: [
          { role: "user", content: "Look." },
          {
            role: "assistant",
            content: [
              { type: "tool_use", id: "c1", name: "look", input: {} },
              { type: "text", text: "Looking." },
            ],
          },
          { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "seen" }] },
        ],
      }),
      G: ask("contents[1]", {
        contents: [
          { role: "user", parts: [{ text: "Look." }] },
          { role: "model", parts: [{ functionCall: { id: "c1", name: "look", args: {} } }, { text: "Looking." }] },
          { role: "user", parts: [{ functionResponse: { id: "c1", name: "look", response: { output: "seen" } } }] },
        ],
      }),
    },
    becomes: {
      C: approximated({ messages: [{}, { content: "Looking.", tool_calls: [{ id: "c1" }] }, { tool_call_id: "c1" }] }),
      R: kept({ input: [{}, { type: "function_call" }, { content: "Looking." }, { type: "function_call_output" }] }),
      M: approximated({
        messages: [
          {},
          { content: [{ text: "Looking." }, { type: "tool_use" }] },
          { content: [{ type: "tool_result" }] },
        ],
      }),
      G: kept({
        contents: [{}, { parts: [{ functionCall: {} }, { text: "Looking." }] }, { parts: [{ functionResponse: {} }] }],
      }),
    },
  },
  {
    id: "H13",
    says: "An empty text beside another is left out; no meaning is lost, and nothing is told.",
    kind: "request",
    asks: {
      C: ask("messages[0]", { messages: [{ role: "user", content: texts("", "Hi") }] }),
      R: ask("input[0]", { input: [{ role: "user", content: texts("", "Hi", "input_text") }] }),
      M: ask("messages[0]", { messages: [{ role: "user", content: texts("", "Hi") }] }),
      G: ask("contents[0]", { contents: [{ role: "user", parts: [{ text: "" }, { text: "Hi" }] }] }),
    },
    becomes: {
      C: kept({ messages: [{ role: "user", content: "Hi" }] }),
      R: kept({ input: [{ role: "user", content: "Hi" }] }),
      M: kept({ messages: [{ role: "user", content: [{ text: "Hi" }] }] }),
      G: kept({ contents: [{ role: "user", parts: [{ text: "Hi" }] }] }),
    },
  },
  {
    id: "H13",
    says: "A message of the user without content goes as it is where the upstream takes it; Claude does not, so it is refused.",
    kind: "request",
    asks: {
      C: ask("messages[0]", { messages: [{ role: "user", content: "" }] }),
      R: ask("input[0]", { input: [{ role: "user", content: "" }] }),
      M: ask("messages[0]", { messages: [{ role: "user", content: "" }] }),
      G: ask("contents[0]", { contents: [{ role: "user", parts: [{ text: "" }] }] }),
    },
    becomes: {
      C: kept({ messages: [{ role: "user", content: "" }] }),
      R: kept({ input: [{ role: "user", content: "" }] }),
      M: refused(),
      G: kept({ contents: [{ role: "user", parts: [{ text: "" }] }] }),
    },
  },
  {
    id: "H13",
    says: "A turn of the model that only calls has no text at the upstream, not an empty one.",
    kind: "request",
    asks: {
      C: none("its own form is the empty text, which H13 leaves out above"),
      R: ask("input", { input: [...conversation(user("Look."), calls(call("c1"))).R.input, afterCall.done] }),
      M: ask("messages", {
        messages: [
          ...conversation(user("Look."), calls(call("c1"))).M.messages,
          { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "seen" }] },
        ],
      }),
      G: ask("contents", {
        contents: [
          ...conversation(user("Look."), calls(call("c1"))).G.contents,
          { role: "user", parts: [{ functionResponse: { id: "c1", name: "look", response: { output: "seen" } } }] },
        ],
      }),
    },
    becomes: {
      C: kept({ messages: [{}, { content: null, tool_calls: [{}] }, { role: "tool" }] }),
      R: kept({ input: [{}, { type: "function_call" }, { type: "function_call_output" }] }),
      M: kept({ messages: [{}, { content: [{ type: "tool_use" }] }, {}] }),
      G: kept({ contents: [{}, { parts: [{ functionCall: {} }] }, {}] }),
    },
  },
  {
    id: "H17",
    says: "Where several participants have names, each text is headed by its speaker's.",
    kind: "request",
    asks: {
      C: ask("messages[0].name", {
        messages: [
          { role: "user", name: "Ada", content: "One." },
          { role: "user", name: "Bob", content: "Two." },
        ],
      }),
      R: chatAlone,
      M: chatAlone,
      G: chatAlone,
    },
    becomes: {
      R: approximated({ input: holding("Ada: One.", "Bob: Two.") }, { also: { "messages[1].name": "approximated" } }),
      M: approximated(
        { messages: holding("Ada: One.", "Bob: Two.") },
        { also: { "messages[1].name": "approximated" } },
      ),
      G: approximated(
        { contents: holding("Ada: One.", "Bob: Two.") },
        { also: { "messages[1].name": "approximated" } },
      ),
    },
  },
  {
    id: "H17",
    says: "A single participant's name says nothing to the model and goes.",
    kind: "request",
    asks: {
      C: ask("messages[0].name", { messages: [{ role: "user", name: "Ada", content: "One." }] }),
      R: chatAlone,
      M: chatAlone,
      G: chatAlone,
    },
    becomes: {
      R: dropped({ input: [{ content: "One.", name: absent }] }),
      M: dropped({ messages: [{ content: [{ text: "One." }], name: absent }] }),
      G: dropped({ contents: [{ parts: [{ text: "One." }] }] }),
    },
  },
  {
    id: "H18",
    says: "Whether a message of the assistant was commentary is lost where the upstream has no word for it.",
    kind: "request",
    asks: {
      C: responsesAlone,
      R: ask("input[1].phase", {
        input: [
          { role: "user", content: "Hi" },
          { role: "assistant", phase: "commentary", content: "I look." },
          { role: "user", content: "On." },
        ],
      }),
      M: responsesAlone,
      G: responsesAlone,
    },
    becomes: {
      C: dropped({ messages: [{}, { role: "assistant", content: "I look.", phase: absent }, {}] }),
      M: dropped({ messages: [{}, { role: "assistant", content: [{ text: "I look." }], phase: absent }, {}] }),
      G: dropped({ contents: [{}, { role: "model", parts: [{ text: "I look." }], phase: absent }, {}] }),
    },
  },
];

function texts(first: string, second: string, type = "text") {
  return [first, second].map((text) => ({ type, text }));
}
