import { assistant, conversation, system, user } from "./conversation.ts";
import { absent } from "./pattern.ts";
import { approximated, ask, everywhere, kept, none, type Row, refused } from "./rule.ts";

const started = conversation(user("Count."), assistant("One, two,"));
const spaced = conversation(user("Count."), assistant("One, two, \n"));
const assistantFirst = conversation(assistant("Hello."), user("Hi"));
const systemOnly = conversation(system("Count."));
const claudeAlone = none("the rule is about Claude as the upstream");

/** H14 to H16: how a conversation begins and ends. */
export const endRows: readonly Row[] = [
  {
    id: "H14",
    says: "A started answer at the end is refused: the model would read it as finished.",
    kind: "request",
    asks: {
      C: ask("messages[1]", started.C),
      R: ask("input[1]", started.R),
      M: ask("messages[1]", started.M),
      G: ask("contents[1]", started.G),
    },
    becomes: {
      C: refused({ model: "gpt-5.2" }),
      R: refused({ model: "gpt-5.2" }),
      M: refused({ model: "claude-sonnet-4-6" }),
      G: refused(),
    },
  },
  {
    id: "H14",
    says: "Claude up to 4.5 goes on with a started answer.",
    kind: "request",
    asks: {
      C: ask("messages[1]", started.C),
      R: ask("input[1]", started.R),
      M: claudeAlone,
      G: ask("contents[1]", started.G),
    },
    becomes: {
      C: claudeAlone,
      R: claudeAlone,
      M: kept(
        { messages: [{}, { role: "assistant", content: [{ text: "One, two," }] }] },
        { model: "claude-sonnet-4-5" },
      ),
      G: claudeAlone,
    },
  },
  {
    id: "H14",
    says: "White space at the end of a started answer is cut for Claude, who refuses it.",
    kind: "request",
    asks: {
      C: ask("messages[1]", spaced.C),
      R: ask("input[1]", spaced.R),
      M: claudeAlone,
      G: ask("contents[1]", spaced.G),
    },
    becomes: {
      ...everywhere(claudeAlone),
      M: approximated(
        { messages: [{}, { role: "assistant", content: [{ text: "One, two," }] }] },
        { model: "claude-sonnet-4-5" },
      ),
    },
  },
  {
    id: "H15",
    says: "A conversation that the assistant begins gets a user's message with a dot before it, where a user has to begin.",
    kind: "request",
    asks: {
      C: ask("messages[0]", assistantFirst.C),
      R: ask("input[0]", assistantFirst.R),
      M: ask("messages[0]", assistantFirst.M),
      G: ask("contents[0]", assistantFirst.G),
    },
    becomes: {
      C: kept({ messages: [{ role: "assistant" }, { role: "user" }] }),
      R: kept({ input: [{ role: "assistant" }, { role: "user" }] }),
      M: approximated({ messages: [{ role: "user", content: [{ text: "." }] }, { role: "assistant" }, {}] }),
      G: approximated({ contents: [{ role: "user", parts: [{ text: "." }] }, { role: "model" }, {}] }),
    },
  },
  {
    id: "H16",
    says: "Where there are instructions alone, the last of them is the user's message for upstreams that want one.",
    kind: "request",
    asks: {
      C: ask("messages[0]", systemOnly.C),
      R: ask("input[0]", systemOnly.R),
      M: none("the client's protocol demands a user's message"),
      G: none("the client's protocol demands contents"),
    },
    becomes: {
      C: kept({ messages: [{ role: "system", content: "Count." }] }),
      R: kept({ input: [{ role: "system", content: "Count." }] }),
      M: approximated({ system: absent, messages: [{ role: "user", content: [{ text: "Count." }] }] }),
      G: approximated({ systemInstruction: absent, contents: [{ role: "user", parts: [{ text: "Count." }] }] }),
    },
  },
];
