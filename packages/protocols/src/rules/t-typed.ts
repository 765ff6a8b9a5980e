import { candidate, completion, message, toolCall } from "../peer-bugs/wire-frames.ts";
import { functionIs } from "./offers.ts";
import { ask, emulated, kept, none, type Row } from "./rule.ts";

const responsesOnly = none("only responses has such tools");
const shell = { tools: [{ type: "local_shell" }] };
const shellArguments = '{"command":["ls"]}';

const messagesOnly = none("only messages has such tools");
const bash = { tools: [{ type: "bash_20250124", name: "bash" }] };
const bashForm = { properties: { command: { type: "string" }, restart: { type: "boolean" } } };

/** T8: tools that the client runs and that have kinds of their own. */
export const typedRows: readonly Row[] = [
  {
    id: "T8",
    says: "A tool of responses that the client itself runs is a function elsewhere, in its published form.",
    kind: "request",
    asks: { C: responsesOnly, R: ask("tools[0]", shell), M: responsesOnly, G: responsesOnly },
    becomes: {
      C: emulated(functionIs.C("local_shell", { properties: { command: { type: "array" } } })),
      M: emulated(functionIs.M("local_shell", { properties: { command: { type: "array" } } })),
      G: emulated(functionIs.G("local_shell", { properties: { command: { type: "array" } } })),
    },
  },
  {
    id: "T8",
    says: "So is a tool of messages that the client runs and that Claude knows without a schema: a shell, an editor, a memory.",
    kind: "request",
    asks: { C: messagesOnly, R: messagesOnly, M: ask("tools[0]", bash), G: messagesOnly },
    becomes: {
      C: emulated(functionIs.C("bash", bashForm)),
      R: emulated(functionIs.R("bash", bashForm)),
      G: emulated(functionIs.G("bash", bashForm)),
    },
  },
  {
    id: "T8",
    says: "A call of a responses client's tool comes to the client as the tool's own item.",
    kind: "answer",
    asks: { R: shell },
    answers: {
      C: completion({ tool_calls: [toolCall("c2", "local_shell", shellArguments)] }, "tool_calls"),
      R: responsesOnly,
      M: message([{ type: "tool_use", id: "c2", name: "local_shell", input: { command: ["ls"] } }], "tool_use"),
      G: candidate([{ functionCall: { id: "c2", name: "local_shell", args: { command: ["ls"] } } }], "STOP"),
    },
    becomes: {
      C: responsesOnly,
      R: kept({ output: [{ type: "local_shell_call", call_id: "c2", action: { type: "exec", command: ["ls"] } }] }),
      M: responsesOnly,
      G: responsesOnly,
    },
  },
];
