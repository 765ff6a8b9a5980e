import { offered } from "./offers.ts";
import { absent, holding, without } from "./pattern.ts";
import { approximated, ask, dropped, emulated, none, type Row, refused } from "./rule.ts";

const searchTool = {
  R: { type: "web_search" },
  M: { type: "web_search_20250305", name: "web_search" },
  G: { googleSearch: {} },
};
const search = {
  C: ask("web_search_options", { web_search_options: {} }),
  R: ask("tools[0]", { tools: [searchTool.R] }),
  M: ask("tools[0]", { tools: [searchTool.M] }),
  G: ask("tools[0].googleSearch", { tools: [searchTool.G] }),
};
const look = offered("look");

/** The tools that another provider runs. */
const code = {
  C: none("the client's protocol has web search alone"),
  R: ask("tools[0]", { tools: [{ type: "code_interpreter", container: { type: "auto" } }] }),
  M: ask("tools[0]", { tools: [{ type: "code_execution_20250825", name: "code_execution" }] }),
  G: ask("tools[0].codeExecution", { tools: [{ codeExecution: {} }] }),
};
const forcedCode = {
  C: code.C,
  R: ask("tool_choice", { ...code.R.body, tool_choice: { type: "code_interpreter" } }),
  M: ask("tool_choice", { ...code.M.body, tool_choice: { type: "tool", name: "code_execution" } }),
  G: none("the client's protocol cannot force a tool of the provider"),
};
const noCode = without("code_execution", "code_interpreter", "codeExecution");

/** T7: tools that a provider runs. */
export const providerRows: readonly Row[] = [
  {
    id: "T7",
    says: "Web search is the upstream's own where it has one.",
    kind: "request",
    asks: search,
    becomes: {
      C: approximated({ web_search_options: {} }, { model: "gpt-4o-search-preview" }),
      R: emulated({ tools: [{ type: "web_search" }] }),
      M: emulated({ tools: [{ type: "web_search_20250305", name: "web_search" }] }),
      G: approximated({ tools: [{ googleSearch: {} }] }),
    },
  },
  {
    id: "T7",
    says: "A chat model that does not search, and Gemini beside functions of the client, are not offered web search.",
    kind: "request",
    asks: {
      C: ask("web_search_options", { ...search.C.body, ...look.C }),
      R: ask("tools[0]", { tools: [searchTool.R, ...look.R.tools] }),
      M: ask("tools[0]", { tools: [searchTool.M, ...look.M.tools] }),
      G: ask("tools[0].googleSearch", { tools: [searchTool.G, ...look.G.tools] }),
    },
    becomes: {
      C: dropped({ tools: [{ function: { name: "look" } }], web_search_options: absent }, { model: "gpt-5.2" }),
      R: emulated({ tools: holding("web_search", "look") }),
      M: emulated({ tools: holding("web_search", "look") }),
      G: dropped({ tools: [{ functionDeclarations: [{ name: "look" }], googleSearch: absent }] }),
    },
  },
  {
    id: "T7",
    says: "A tool that the client's provider runs and the upstream's does not is left out where it may be used.",
    kind: "request",
    asks: code,
    becomes: { C: dropped(noCode), R: dropped(noCode), M: dropped(noCode), G: dropped(noCode) },
  },
  {
    id: "T7",
    says: "A tool of another provider that has to be used is refused.",
    kind: "request",
    asks: forcedCode,
    becomes: {
      C: refused({ field: "tools[0]" }),
      R: refused(),
      "M->R": refused({ field: "tools[0]" }),
      M: refused(),
      G: refused(),
    },
  },
];
