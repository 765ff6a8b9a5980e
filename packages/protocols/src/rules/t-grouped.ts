import { candidate, completion, message, toolCall } from "../peer-bugs/wire-frames.ts";
import { ask, dropped, kept, none, type Row } from "./rule.ts";

const responsesOnly = none("only responses has such tools");
const namespace = {
  tools: [
    {
      type: "namespace",
      name: "crm",
      description: "d",
      tools: [{ type: "function", name: "find", parameters: { type: "object", properties: {} } }],
    },
  ],
};

/** T6: tools in groups, among the input, and put off. */
export const groupedRows: readonly Row[] = [
  {
    id: "T6",
    says: "Functions of a namespace are offered under both names joined, and come back as the client named them.",
    kind: "request",
    asks: { C: responsesOnly, R: ask("tools[0]", namespace), M: responsesOnly, G: responsesOnly },
    becomes: {
      C: kept({ tools: [{ function: { name: "crm__find" } }] }),
      M: kept({ tools: [{ name: "crm__find" }] }),
      G: kept({ tools: [{ functionDeclarations: [{ name: "crm__find" }] }] }),
    },
  },
  {
    id: "T6",
    says: "A call of a function of a namespace comes to the client under its own name, with the namespace beside it.",
    kind: "answer",
    asks: { R: namespace },
    answers: {
      C: completion({ tool_calls: [toolCall("c2", "crm__find", "{}")] }, "tool_calls"),
      R: responsesOnly,
      M: message([{ type: "tool_use", id: "c2", name: "crm__find", input: {} }], "tool_use"),
      G: candidate([{ functionCall: { id: "c2", name: "crm__find", args: {} } }], "STOP"),
    },
    becomes: {
      R: kept({ output: [{ type: "function_call", name: "find", namespace: "crm" }] }),
      C: responsesOnly,
      M: responsesOnly,
      G: responsesOnly,
    },
  },
  {
    id: "T6",
    says: "Tools that stand among the input are offered like all others.",
    kind: "request",
    asks: {
      C: responsesOnly,
      R: ask("input", {
        tool_choice: "required",
        input: [
          {
            type: "additional_tools",
            role: "developer",
            tools: [{ type: "function", name: "find", parameters: { type: "object", properties: {} } }],
          },
          { role: "user", content: "Hi" },
        ],
      }),
      M: responsesOnly,
      G: responsesOnly,
    },
    becomes: {
      C: kept({ tools: [{ function: { name: "find" } }], tool_choice: "required" }),
      M: kept({ tools: [{ name: "find" }], tool_choice: { type: "any" } }),
      G: kept({
        tools: [{ functionDeclarations: [{ name: "find" }] }],
        toolConfig: { functionCallingConfig: { mode: "ANY" } },
      }),
    },
  },
  {
    id: "T6",
    says: "The search among deferred tools is left out; all tools are offered at once.",
    kind: "request",
    asks: {
      C: responsesOnly,
      R: ask("tools[0]", { tools: [{ type: "tool_search" }, { type: "function", name: "find", defer_loading: true }] }),
      M: responsesOnly,
      G: responsesOnly,
    },
    becomes: {
      C: dropped({ tools: [{ function: { name: "find" } }] }, { also: { "tools[1].defer_loading": "dropped" } }),
      M: dropped({ tools: [{ name: "find" }] }, { also: { "tools[1].defer_loading": "dropped" } }),
      G: dropped(
        { tools: [{ functionDeclarations: [{ name: "find" }] }] },
        { also: { "tools[1].defer_loading": "dropped" } },
      ),
    },
  },
];
