import {
  type CanonicalRequest,
  type JsonObject,
  type JsonValue,
  type MediaSource,
  type Part,
  type ProtocolName,
  protocolNames,
  type ToolResultPart,
} from "../canonical/index.ts";
import { callsOf } from "./protocol-sides.ts";

/** A concept as it is compared; undefined where the request does not say it. */
type Read = (request: CanonicalRequest) => JsonValue | undefined;

interface Concept {
  read: Read;
  /** Protocols that can say it as it is: it must arrive, notice or not. */
  covered: readonly ProtocolName[];
  /** Fields of notices and refusals that tell of it. */
  told: RegExp;
}

const all: readonly ProtocolName[] = protocolNames;
const openai: readonly ProtocolName[] = ["chat-completions", "responses"];
const inTurns = /^(messages|input|contents|system|instructions)/;

function parts({ turns }: CanonicalRequest, ...roles: string[]): Part[] {
  return turns.flatMap((turn) => (roles.includes(turn.role) ? turn.parts : []));
}

function texts(list: readonly Part[]): string[] {
  return list.flatMap((part) => {
    if (part.type === "text") return [part.text];
    // A document of plain text is text wherever documents are files (M6).
    return part.type === "document" && part.source.type === "text" ? [part.source.text] : [];
  });
}

/** Results of function tools; a custom tool is a function where the protocol has no other. */
function results(asked: CanonicalRequest): ToolResultPart[] {
  return parts(asked, "user").flatMap((part) =>
    part.type === "tool-result" && part.toolKind === "function" ? [part] : [],
  );
}

/** Where results have no flag, the text of a failed one begins with `Error: ` (T16). */
function outcome({ content, isError }: ToolResultPart): JsonObject {
  const text = texts(content).join("\n");
  const isTold = text.startsWith("Error: ");
  return { isError: isTold || (isError ?? false), text: isTold ? text.slice("Error: ".length) : text };
}

function sourceOf(source: MediaSource): JsonObject {
  switch (source.type) {
    case "base64":
      return { data: source.data, mediaType: source.mediaType };
    case "url":
      return { url: source.url };
    case "file":
      return { file: source.id };
    case "text":
      return { text: source.text };
  }
}

function media(type: Part["type"]): Read {
  return (asked) => {
    const found = parts(asked, "user").flatMap((part) =>
      part.type === type && "source" in part && part.source.type !== "text" ? [sourceOf(part.source)] : [],
    );
    return found.length > 0 ? found : undefined;
  };
}

/** A function without a schema takes no arguments. */
const noArguments: JsonObject = { type: "object", properties: {} };

function tool(field: "description" | "parameters"): Read {
  return ({ tools }) =>
    tools.flatMap((one) =>
      one.type === "function"
        ? [{ name: one.name, [field]: one[field] ?? (field === "parameters" ? noArguments : null) }]
        : [],
    );
}

/** A value that is not the default everywhere, which may be left out. */
function besides(usual: number, value: number | undefined): number | undefined {
  return value === usual ? undefined : value;
}

/**
 * A choice that leaves something to choose: all of the tools are no subset, and the model may choose among them anyway;
 * one tool that must be called is named alone.
 */
function choice({ toolChoice, tools }: CanonicalRequest): JsonObject | undefined {
  if (!toolChoice || tools.length === 0 || toolChoice.mode === "auto") return undefined;
  const [only, another] = toolChoice.mode === "subset" && toolChoice.required ? toolChoice.names : [];
  if (only !== undefined && another === undefined && tools.length > 0) return { mode: "tool", name: only };
  if (toolChoice.mode === "required" && tools.length === 1 && tools[0]?.type === "function") {
    return { mode: "tool", name: tools[0].name };
  }
  if (toolChoice.mode !== "subset" || toolChoice.names.length < tools.length) return { ...toolChoice };
  return toolChoice.required ? { mode: "required" } : undefined;
}

function thinks(reasoning: CanonicalRequest["reasoning"]): boolean {
  const { effort, budgetTokens, adaptive } = reasoning ?? {};
  return adaptive === true || (budgetTokens ?? 0) > 0 || (effort !== undefined && effort !== "none");
}

/** Of requests that are compared the concepts, by their names. Roles of system turns are no concept: only some have two. */
export const concepts: Record<string, Concept> = {
  system: { read: (asked) => texts(parts(asked, "system", "developer")), covered: all, told: inTurns },
  "user text": { read: (asked) => texts(parts(asked, "user")), covered: all, told: inTurns },
  "assistant text": { read: (asked) => texts(parts(asked, "assistant")), covered: all, told: inTurns },
  // Ids are not compared: some models take none, and call and result are paired by their places.
  calls: {
    read: (asked) =>
      callsOf(parts(asked, "assistant")).flatMap(({ toolKind, name, arguments: raw }) =>
        toolKind === "function" ? [{ name, input: JSON.parse(raw) }] : [],
      ),
    covered: all,
    told: inTurns,
  },
  results: {
    read: (asked) => {
      const ids = callsOf(parts(asked, "assistant")).map((call) => call.callId);
      return results(asked).map((part) => ({ call: ids.indexOf(part.callId), ...outcome(part) }));
    },
    covered: all,
    told: inTurns,
  },
  "result media": {
    read: (asked) => {
      const found = parts(asked, "user").flatMap((part) =>
        part.type === "tool-result"
          ? part.content.flatMap((inner) => ("source" in inner ? [sourceOf(inner.source)] : []))
          : [],
      );
      return found.length > 0 ? found : undefined;
    },
    covered: ["responses", "messages", "generate-content"],
    told: inTurns,
  },
  image: { read: media("image"), covered: openai, told: inTurns },
  document: { read: media("document"), covered: [], told: inTurns },
  audio: { read: media("audio"), covered: [], told: inTurns },
  video: { read: media("video"), covered: ["generate-content"], told: inTurns },
  "tool parameters": { read: tool("parameters"), covered: all, told: /^tool/ },
  "tool descriptions": { read: tool("description"), covered: all, told: /^tool/ },
  "strict tools": {
    read: ({ tools }) => tools.some((one) => one.type === "function" && one.strict) || undefined,
    covered: [],
    told: /^tool/,
  },
  "custom tools": {
    read: ({ tools }) => {
      const names = tools.flatMap((one) => (one.type === "custom" ? [one.name] : []));
      return names.length > 0 ? names : undefined;
    },
    covered: ["responses"],
    told: /^tool/,
  },
  "tool choice": { read: choice, covered: [], told: /^(tool_?c|tools)/i },
  "one call at a time": {
    read: (asked) =>
      asked.tools.length === 0 || asked.toolChoice?.mode === "none" ? undefined : asked.parallelToolCalls,
    covered: [],
    told: /parallel|tool_choice/i,
  },
  "most calls": { read: ({ maxToolCalls }) => maxToolCalls, covered: ["responses"], told: /max_tool_calls/ },
  limit: { read: ({ maxOutputTokens }) => maxOutputTokens, covered: all, told: /max/i },
  temperature: {
    read: ({ sampling }) => besides(1, sampling.temperature),
    covered: ["chat-completions", "responses", "generate-content"],
    told: /temperature/,
  },
  top_p: {
    read: ({ sampling }) => besides(1, sampling.topP),
    covered: ["chat-completions", "responses", "generate-content"],
    told: /top_?p/i,
  },
  top_k: { read: ({ sampling }) => sampling.topK, covered: ["generate-content"], told: /top_?k/i },
  seed: { read: ({ sampling }) => sampling.seed, covered: ["chat-completions", "generate-content"], told: /seed/ },
  "frequency penalty": {
    read: ({ sampling }) => besides(0, sampling.frequencyPenalty),
    covered: ["chat-completions", "generate-content"],
    told: /frequency_?penalty/i,
  },
  "presence penalty": {
    read: ({ sampling }) => besides(0, sampling.presencePenalty),
    covered: ["chat-completions", "generate-content"],
    told: /presence_?penalty/i,
  },
  "logit bias": { read: ({ sampling }) => sampling.logitBias, covered: ["chat-completions"], told: /logit_bias/ },
  logprobs: {
    read: ({ sampling }) => sampling.logprobs?.top,
    covered: ["chat-completions", "responses", "generate-content"],
    told: /logprobs/i,
  },
  stop: {
    read: ({ stopSequences }) => (stopSequences.length > 0 ? stopSequences : undefined),
    covered: [],
    told: /stop/i,
  },
  format: {
    read: ({ format }) => (format && format.type !== "text" ? format.type : undefined),
    covered: ["chat-completions", "responses", "generate-content"],
    told: /format|mime|schema/i,
  },
  schema: {
    read: ({ format }) => (format?.type === "schema" ? format.schema : undefined),
    covered: ["chat-completions", "responses", "generate-content"],
    told: /format|schema/i,
  },
  verbosity: { read: ({ verbosity }) => verbosity, covered: openai, told: /verbosity/ },
  // An effort, a budget and adaptive thinking stand for each other by the table of conversion.md 2.2.
  thinking: {
    read: ({ reasoning }) => reasoning && thinks(reasoning),
    covered: [],
    told: /reasoning|thinking|effort/i,
  },
  candidates: {
    read: ({ candidates }) => candidates,
    covered: ["chat-completions", "generate-content"],
    told: /^n$|candidate/i,
  },
  user: {
    read: ({ caller }) => caller?.userId,
    covered: ["chat-completions", "responses", "messages"],
    told: /user|identifier/,
  },
  metadata: { read: ({ caller }) => caller?.metadata, covered: ["responses"], told: /metadata/ },
  "cache key": { read: ({ cache }) => cache?.key, covered: openai, told: /cache/ },
  "cache handle": { read: ({ cache }) => cache?.contentHandle, covered: ["generate-content"], told: /cache/i },
  tier: { read: ({ serviceTier }) => serviceTier, covered: [], told: /tier/i },
};

/** What it means that a request says nothing of a concept, where that may be how the wish is said. */
export const whenAbsent: ReadonlyMap<string, JsonValue> = new Map([["thinking", false]]);
