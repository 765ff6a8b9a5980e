import type { JsonObject } from "../canonical/index.ts";
import type { Letter } from "../testing/letters.ts";
import { forced, offered, together } from "./offers.ts";
import { absent } from "./pattern.ts";
import { approximated, ask, dropped, emulated, everywhere, kept, none, type Row } from "./rule.ts";

const three = offered("a", "b", "c");
const some = (mode: "auto" | "required"): Record<Letter, JsonObject> => ({
  C: {
    tool_choice: {
      type: "allowed_tools",
      allowed_tools: { mode, tools: ["a", "c"].map((name) => ({ type: "function", function: { name } })) },
    },
  },
  R: { tool_choice: { type: "allowed_tools", mode, tools: ["a", "c"].map((name) => ({ type: "function", name })) } },
  M: {},
  G: {
    toolConfig: {
      functionCallingConfig: { mode: mode === "auto" ? "VALIDATED" : "ANY", allowedFunctionNames: ["a", "c"] },
    },
  },
});
const noSubset = none("the client's protocol has no choice among some of the tools");
const anyOfSome = together(three, some("required"));
const openai = { model: "gpt-5.2" };

const thinking: Record<Letter, JsonObject> = {
  C: { reasoning_effort: "low" },
  R: { reasoning: { effort: "low" } },
  M: {},
  G: { generationConfig: { maxOutputTokens: 8000, thinkingConfig: { thinkingBudget: 4000 } } },
};
const room: Record<Letter, JsonObject> = {
  C: { max_completion_tokens: 8000 },
  R: { max_output_tokens: 8000 },
  M: {},
  G: {},
};
const thinkingForced = together(room, offered("look"), forced("look"), thinking);
const claudeAlone = none("the rule is about Claude as the upstream");

const serial: Record<Letter, JsonObject> = together(offered("look"), {
  C: { parallel_tool_calls: false },
  R: { parallel_tool_calls: false },
  M: { tool_choice: { type: "auto", disable_parallel_tool_use: true } },
  G: {},
});

/** T9 to T11: which tools may be called. */
export const choiceRows: readonly Row[] = [
  {
    id: "T9",
    says: "A choice that must fall on some of the tools is never widened to all: the upstream's own form, or a shorter list.",
    kind: "request",
    asks: {
      C: ask("tool_choice", anyOfSome.C),
      R: ask("tool_choice", anyOfSome.R),
      M: noSubset,
      G: ask("toolConfig.functionCallingConfig", anyOfSome.G),
    },
    becomes: {
      C: kept({ tools: [{}, {}, {}], ...some("required").C }, openai),
      R: kept({ tools: [{}, {}, {}], ...some("required").R }, openai),
      M: emulated({ tools: [{ name: "a" }, { name: "c" }], tool_choice: { type: "any" } }),
      G: kept({
        tools: [{ functionDeclarations: [{}, {}, {}] }],
        toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["a", "c"] } },
      }),
    },
  },
  {
    id: "T9",
    says: "A choice that may fall on some of the tools or on none is kept likewise.",
    kind: "request",
    asks: {
      C: ask("tool_choice", together(three, some("auto")).C),
      R: ask("tool_choice", together(three, some("auto")).R),
      M: noSubset,
      G: ask("toolConfig.functionCallingConfig", together(three, some("auto")).G),
    },
    becomes: {
      C: kept({ tools: [{}, {}, {}], ...some("auto").C }, openai),
      R: kept({ tools: [{}, {}, {}], ...some("auto").R }, openai),
      M: emulated({ tools: [{ name: "a" }, { name: "c" }], tool_choice: absent }),
      G: emulated({ tools: [{ functionDeclarations: [{ name: "a" }, { name: "c" }] }], toolConfig: absent }),
    },
  },
  {
    id: "T9",
    says: "Servers of other makers that speak chat completions get the shorter list.",
    kind: "request",
    asks: {
      C: none("the rule is about chat completions as the upstream"),
      R: ask("tool_choice", anyOfSome.R),
      M: noSubset,
      G: ask("toolConfig.functionCallingConfig", anyOfSome.G),
    },
    becomes: {
      ...everywhere(none("the rule is about chat completions as the upstream")),
      C: emulated(
        { tools: [{ function: { name: "a" } }, { function: { name: "c" } }], tool_choice: "required" },
        { model: "mistral-large" },
      ),
    },
  },
  {
    id: "T10",
    says: "One call at a time: Gemini has no such switch.",
    kind: "request",
    asks: {
      C: ask("parallel_tool_calls", serial.C),
      R: ask("parallel_tool_calls", serial.R),
      M: ask("tool_choice.disable_parallel_tool_use", serial.M),
      G: none("the client's protocol has no such switch"),
    },
    becomes: {
      C: kept({ parallel_tool_calls: false }),
      R: kept({ parallel_tool_calls: false }),
      M: kept({ tool_choice: { type: "auto", disable_parallel_tool_use: true } }),
      G: dropped({ tools: [{ functionDeclarations: [{}] }], toolConfig: absent }),
    },
  },
  {
    id: "T11",
    says: "A forced call is kept and the thinking turned off where Claude takes not both; other upstreams take both.",
    kind: "request",
    asks: {
      C: ask("reasoning_effort", thinkingForced.C),
      R: ask("reasoning.effort", thinkingForced.R),
      M: none("Claude's own clients cannot ask for both"),
      G: ask("generationConfig.thinkingConfig.thinkingBudget", thinkingForced.G),
    },
    becomes: {
      C: kept({ tool_choice: { function: { name: "look" } }, reasoning_effort: "low" }, openai),
      "G->C": approximated({ tool_choice: { function: { name: "look" } }, reasoning_effort: "low" }, openai),
      R: kept({ tool_choice: { name: "look" }, reasoning: { effort: "low" } }, openai),
      "G->R": approximated({ tool_choice: { name: "look" }, reasoning: { effort: "low" } }, openai),
      M: dropped({ tool_choice: { type: "tool", name: "look" }, thinking: absent }, { model: "claude-sonnet-4-5" }),
      G: kept({
        toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["look"] } },
        generationConfig: { thinkingConfig: { thinkingLevel: /^low$/i } },
      }),
    },
  },
  {
    id: "T11",
    says: "A Claude model that cannot be forced decides by itself and goes on thinking.",
    kind: "request",
    asks: {
      C: ask("tool_choice", thinkingForced.C),
      R: ask("tool_choice", thinkingForced.R),
      M: claudeAlone,
      G: ask("toolConfig.functionCallingConfig", together(offered("look"), forced("look")).G),
    },
    becomes: {
      ...everywhere(claudeAlone),
      M: approximated({ tools: [{ name: "look" }], tool_choice: absent }, { model: "claude-opus-5-5" }),
    },
  },
];
