import { assistant, call, calls, conversation, developer, result, results, system, user } from "./conversation.ts";
import { approximated, ask, kept, none, type Row } from "./rule.ts";

const two = [{ text: "One." }, { text: "Two." }];
const { C: twoInChat } = conversation(system("One."), system("Two."), user("Hi"));
const late = conversation(user("Hi"), assistant("Hello."), user("On."), system("Be brief."));
const amid = conversation(user("Look."), calls(call("c1")), system("Be brief."), results(result("c1")));
const developed = conversation(developer("Be brief."), user("Hi"));

const oneSystemPlace = none("the client's protocol has one place for instructions, at the start");
const noDeveloper = none("the client's protocol knows no developer");
const reminder = "<system-reminder>\nBe brief.\n</system-reminder>";

/** H1 to H3: instructions. */
export const systemRows: readonly Row[] = [
  {
    id: "H1",
    says: "Instructions at the start stand in the upstream's own place for them, in order, each text by itself.",
    kind: "request",
    asks: {
      C: ask("messages", twoInChat),
      R: ask("input", {
        instructions: "One.",
        input: [
          { role: "system", content: "Two." },
          { role: "user", content: "Hi" },
        ],
      }),
      M: ask("system", { system: two.map(({ text }) => ({ type: "text", text })) }),
      G: ask("systemInstruction", { systemInstruction: { parts: two } }),
    },
    becomes: {
      C: kept(twoInChat),
      "M->C": kept({ messages: [{ role: "system", content: two }, { role: "user" }] }),
      "G->C": kept({ messages: [{ role: "system", content: two }, { role: "user" }] }),
      R: kept({
        input: [
          { role: "system", content: "One." },
          { role: "system", content: "Two." },
          { role: "user", content: "Hi" },
        ],
      }),
      "M->R": kept({ input: [{ role: "system", content: two }, { role: "user" }] }),
      "G->R": kept({ input: [{ role: "system", content: two }, { role: "user" }] }),
      M: kept({ system: two, messages: [{ role: "user" }] }),
      G: kept({ systemInstruction: { parts: two }, contents: [{ role: "user" }] }),
    },
  },
  {
    id: "H2",
    says: "Instructions in mid-conversation keep their place; a Claude model that takes none there, and Gemini, read them as marked text of the user.",
    kind: "request",
    asks: {
      C: ask("messages[3]", late.C),
      R: ask("input[3]", late.R),
      M: ask("messages[3]", late.M),
      G: oneSystemPlace,
    },
    becomes: {
      C: kept({ messages: [{}, {}, { role: "user" }, { role: "system", content: "Be brief." }] }),
      R: kept({ input: [{}, {}, { role: "user" }, { role: "system", content: "Be brief." }] }),
      M: approximated(
        { messages: [{}, {}, { role: "user", content: [{ text: "On." }, { text: reminder }] }] },
        { model: "claude-sonnet-4-5" },
      ),
      G: approximated({ contents: [{}, {}, { role: "user", parts: [{ text: "On." }, { text: reminder }] }] }),
    },
  },
  {
    id: "H2",
    says: "A Claude model that takes instructions in mid-conversation gets them there, where their place is lawful.",
    kind: "request",
    asks: {
      C: ask("messages[3]", late.C),
      R: ask("input[3]", late.R),
      M: none("the rule is about Claude as the upstream"),
      G: oneSystemPlace,
    },
    becomes: {
      C: none("the rule is about Claude as the upstream"),
      R: none("the rule is about Claude as the upstream"),
      M: kept(
        { messages: [{}, {}, { role: "user" }, { role: "system", content: [{ text: "Be brief." }] }] },
        { model: "claude-opus-4-8" },
      ),
      G: none("the rule is about Claude as the upstream"),
    },
  },
  {
    id: "H2",
    says: "Instructions between a call and its result stand behind the result.",
    kind: "request",
    asks: {
      C: ask("messages[2]", amid.C),
      R: ask("input[2]", amid.R),
      M: ask("messages[2]", amid.M),
      G: oneSystemPlace,
    },
    becomes: {
      C: kept({ messages: [{}, { tool_calls: [{}] }, { role: "tool" }, { role: "system", content: "Be brief." }] }),
      R: kept({ input: [{}, { call_id: "c1" }, { call_id: "c1" }, { role: "system", content: "Be brief." }] }),
      M: approximated({ messages: [{}, {}, { content: [{ type: "tool_result" }, { text: reminder }] }] }),
      G: approximated({ contents: [{}, {}, { parts: [{ functionResponse: {} }] }, { parts: [{ text: reminder }] }] }),
    },
  },
  {
    id: "H3",
    says: "A developer's message stays one where the upstream knows the role; elsewhere it is an instruction like others.",
    kind: "request",
    asks: { C: ask("messages[0]", developed.C), R: ask("input[0]", developed.R), M: noDeveloper, G: noDeveloper },
    becomes: {
      C: kept({ messages: [{ role: "developer", content: "Be brief." }, { role: "user" }] }, { model: "gpt-5.2" }),
      R: kept({ input: [{ role: "developer", content: "Be brief." }, { role: "user" }] }),
      M: kept({ system: [{ text: "Be brief." }], messages: [{ role: "user" }] }),
      G: kept({ systemInstruction: { parts: [{ text: "Be brief." }] }, contents: [{ role: "user" }] }),
    },
  },
  {
    id: "H3",
    says: "A server of another maker that speaks chat completions is told by the system what the developer says.",
    kind: "request",
    asks: {
      C: none("the rule is about chat completions as the upstream"),
      R: ask("input[0]", developed.R),
      M: noDeveloper,
      G: noDeveloper,
    },
    becomes: {
      C: kept({ messages: [{ role: "system", content: "Be brief." }, { role: "user" }] }, { model: "deepseek-chat" }),
      R: none("the rule is about chat completions as the upstream"),
      M: none("the rule is about chat completions as the upstream"),
      G: none("the rule is about chat completions as the upstream"),
    },
  },
];
