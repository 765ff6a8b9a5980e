import { candidate, completion, message, responseObject, toolCall } from "../peer-bugs/wire-frames.ts";
import { functionIs } from "./offers.ts";
import { both, holding } from "./pattern.ts";
import { ask, emulated, everywhere, kept, none, type Row } from "./rule.ts";

const noFreeText = none("the client's protocol has no free-text tools");
const grammar = { syntax: "lark", definition: "start: /.+/" };
const patchTool = {
  C: { tools: [{ type: "custom", custom: { name: "patch", format: { type: "grammar", grammar } } }] },
  R: { tools: [{ type: "custom", name: "patch", format: { type: "grammar", ...grammar } }] },
};
const openai = { model: "gpt-5.2" };
const oneInput = { properties: { input: { type: "string" } }, required: ["input"] };

const history = {
  C: {
    messages: [
      { role: "user", content: "Go." },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c1", type: "custom", custom: { name: "patch", input: "a\nb" } }],
      },
      { role: "tool", tool_call_id: "c1", content: "done" },
    ],
  },
  R: {
    input: [
      { role: "user", content: "Go." },
      { type: "custom_tool_call", call_id: "c1", name: "patch", input: "a\nb" },
      { type: "custom_tool_call_output", call_id: "c1", output: "done" },
    ],
  },
};

const wrapped = '{"input":"a\\nb"}';
const called = {
  C: completion({ tool_calls: [toolCall("c2", "patch", wrapped)] }, "tool_calls"),
  R: responseObject([
    { type: "custom_tool_call", id: "ctc_1", call_id: "c2", name: "patch", input: "a\nb", status: "completed" },
  ]),
  M: message([{ type: "tool_use", id: "c2", name: "patch", input: { input: "a\nb" } }], "tool_use"),
  G: candidate([{ functionCall: { id: "c2", name: "patch", args: { input: "a\nb" } } }], "STOP"),
};

/** T5: tools that take free text. */
export const customRows: readonly Row[] = [
  {
    id: "T5",
    says: "A free-text tool is a function with one text for upstreams that know functions only; the grammar is asked for in words.",
    kind: "request",
    asks: { C: ask("tools[0]", patchTool.C), R: ask("tools[0]", patchTool.R), M: noFreeText, G: noFreeText },
    becomes: {
      C: emulated(both(functionIs.C("patch", oneInput), holding("start: /.+/")), { model: "deepseek-chat" }),
      R: kept(patchTool.R),
      M: emulated(both(functionIs.M("patch", oneInput), holding("start: /.+/"))),
      G: emulated(both(functionIs.G("patch", oneInput), holding("start: /.+/"))),
    },
  },
  {
    id: "T5",
    says: "OpenAI's own chat models take a free-text tool as it is.",
    kind: "request",
    asks: {
      C: none("the rule is about chat completions as the upstream"),
      R: ask("tools[0]", patchTool.R),
      M: noFreeText,
      G: noFreeText,
    },
    becomes: {
      ...everywhere(none("the rule is about chat completions as the upstream")),
      C: kept(patchTool.C, openai),
    },
  },
  {
    id: "T5",
    says: "An earlier call of a free-text tool is written as the tool is offered.",
    kind: "request",
    asks: {
      C: ask("tools[0]", { ...patchTool.C, ...history.C }),
      R: ask("tools[0]", { ...patchTool.R, ...history.R }),
      M: noFreeText,
      G: noFreeText,
    },
    becomes: {
      C: emulated(
        { messages: [{}, { tool_calls: [{ type: "function", function: { name: "patch", arguments: wrapped } }] }, {}] },
        { model: "deepseek-chat" },
      ),
      R: kept(history.R),
      M: emulated({ messages: [{}, { content: [{ name: "patch", input: { input: "a\nb" } }] }, {}] }),
      G: emulated({ contents: [{}, { parts: [{ functionCall: { name: "patch", args: { input: "a\nb" } } }] }, {}] }),
    },
  },
  {
    id: "T5",
    says: "A call of a free-text tool comes to the client as one, with its text unwrapped.",
    kind: "answer",
    asks: patchTool,
    answers: called,
    becomes: {
      C: kept({
        choices: [
          { message: { tool_calls: [{ id: "c2", type: "custom", custom: { name: "patch", input: "a\nb" } }] } },
        ],
      }),
      R: kept({ output: [{ type: "custom_tool_call", call_id: "c2", name: "patch", input: "a\nb" }] }),
      "R->C": kept(
        { output: [{ type: "custom_tool_call", call_id: "c2", name: "patch", input: "a\nb" }] },
        { model: "deepseek-chat" },
      ),
      M: noFreeText,
      G: noFreeText,
    },
  },
];
