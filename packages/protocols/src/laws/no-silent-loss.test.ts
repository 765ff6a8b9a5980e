import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type CanonicalRequest,
  type JsonObject,
  type JsonValue,
  type MediaSource,
  type Notice,
  type Part,
  ProtocolError,
  type ProtocolName,
  type ToolResultPart,
} from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";
import { plainVault } from "../shared/vault.ts";
import { audioPart, documentPart, imagePart, reasoningPart, request, videoPart } from "../testing/arbitraries.ts";
import { carry } from "../testing/carrying.ts";
import { callsOf, pairs, type Side } from "../testing/protocol-sides.ts";

const seed = 4;
const vault = plainVault();

type Reasoning = NonNullable<CanonicalRequest["reasoning"]>;

/** Requests that a client of each protocol can write (covers(X) of conversion.md 6). */
const requests: Record<ProtocolName, fc.Arbitrary<CanonicalRequest>> = {
  "chat-completions": request({
    conversation: {
      user: fc.oneof(
        imagePart(["base64", "url"], "openai"),
        documentPart(["base64"], "openai"),
        audioPart(["base64"], "openai"),
      ),
      system: ["system", "developer"],
      resultErrors: true,
    },
    customTools: true,
    sampling: ["temperature", "topP", "seed", "frequencyPenalty", "presencePenalty", "logitBias", "logprobs"],
    stopSequences: 4,
    formats: ["json", "schema"],
    reasoning: fc.constantFrom<Reasoning>({ effort: "low" }, { effort: "high" }, { effort: "none" }),
    toolChoices: ["auto", "none", "required", "tool", "subset"],
    candidates: true,
    parallelToolCalls: true,
    strict: true,
    verbosity: true,
    more: fc.constantFrom<Partial<CanonicalRequest>>(
      {},
      { caller: { userId: "user-1" } },
      { cache: { key: "k" } },
      { serviceTier: "flex" },
    ),
  }),
  responses: request({
    conversation: {
      user: fc.oneof(imagePart(["base64", "url"], "openai"), documentPart(["base64", "url"], "openai")),
      reasoning: reasoningPart({ family: "openai", content: "summary", proof: "always", kind: "encrypted" }),
      resultMedia: imagePart(["base64"], "openai"),
      resultErrors: true,
      system: ["system", "developer"],
    },
    sampling: ["temperature", "topP", "logprobs"],
    formats: ["json", "schema"],
    reasoning: fc.constantFrom<Reasoning>({ effort: "low" }, { effort: "max", show: "summary", summaryStyle: "auto" }),
    customTools: true,
    toolChoices: ["auto", "none", "required", "tool", "subset"],
    parallelToolCalls: true,
    verbosity: true,
    more: fc.constantFrom<Partial<CanonicalRequest>>(
      {},
      { maxToolCalls: 3 },
      { caller: { metadata: { a: "b" } } },
      { serviceTier: "priority" },
    ),
  }),
  messages: request({
    conversation: {
      user: fc.oneof(imagePart(["base64", "url"], "anthropic"), documentPart(["base64", "url", "text"], "anthropic")),
      reasoning: reasoningPart({ family: "anthropic", content: "text", proof: "always" }),
      resultMedia: imagePart(["base64"], "anthropic"),
      resultErrors: true,
      system: ["system"],
    },
    sampling: ["topP", "topK"],
    stopSequences: 6,
    reasoning: fc.constantFrom<Reasoning>({ adaptive: true, effort: "low" }, { budgetTokens: 2048 }),
    toolChoices: ["auto", "none", "required", "tool"],
    parallelToolCalls: true,
    maxOutputTokensRequired: true,
    more: fc.constantFrom<Partial<CanonicalRequest>>({}, { caller: { userId: "user-1" } }),
  }),
  "generate-content": request({
    conversation: {
      user: fc.oneof<fc.Arbitrary<Part>[]>(
        imagePart(["base64"], "gemini"),
        audioPart(["base64"], "gemini"),
        videoPart(["base64"], "gemini"),
        documentPart(["base64"], "gemini"),
      ),
      resultMedia: imagePart(["base64"], "gemini"),
      resultErrors: true,
      resultNames: true,
      system: ["system"],
    },
    sampling: ["temperature", "topP", "topK", "seed", "frequencyPenalty", "presencePenalty", "logprobs"],
    stopSequences: 5,
    formats: ["json", "schema"],
    reasoning: fc.constantFrom<Reasoning>(
      { effort: "low" },
      { effort: "high", show: "summary" },
      { budgetTokens: 512 },
    ),
    toolChoices: ["none", "required", "tool"],
    candidates: true,
    more: fc.constantFrom<Partial<CanonicalRequest>>(
      {},
      { serviceTier: "flex" },
      { cache: { contentHandle: "cachedContents/a" } },
    ),
  }),
};

/** A concept as it is compared; undefined where the request does not say it. */
type Read = (request: CanonicalRequest) => JsonValue | undefined;

interface Concept {
  read: Read;
  /** Protocols that can say it as it is: it must arrive, notice or not. */
  covered: readonly ProtocolName[];
  /** Fields of notices and refusals that tell of it. */
  told: RegExp;
}

const all: readonly ProtocolName[] = ["chat-completions", "responses", "messages", "generate-content"];
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
const concepts: Record<string, Concept> = {
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
const whenAbsent: ReadonlyMap<string, JsonValue> = new Map([["thinking", false]]);

/** The client's request, by way of its own protocol; undefined where a drawn request is none that it can write. */
function written(client: Side, drawn: CanonicalRequest): { body: JsonObject; asked: CanonicalRequest } | undefined {
  const { model, stream } = drawn;
  try {
    const { body } = client.codec.encodeRequest(drawn, { model: client.model, stream });
    return { body, asked: client.codec.decodeRequest(body, { model, stream }, { vault }) };
  } catch (cause) {
    if (cause instanceof ProtocolError) return undefined;
    throw cause;
  }
}

/** Lists may grow by what the gateway adds, and texts may be joined; nothing may be missing or change its order. */
function isKept(wanted: JsonValue, arrived: JsonValue | undefined): boolean {
  if (!Array.isArray(wanted)) return JSON.stringify(arrived) === JSON.stringify(wanted);
  if (!Array.isArray(arrived)) return wanted.length === 0;
  if (wanted.every((value) => typeof value === "string")) return holdsTexts(wanted, arrived.join("\n"));
  let from = 0;
  return wanted.every((value) => {
    const at = arrived.findIndex((other, index) => index >= from && isSame(value, other));
    from = at + 1;
    return at !== -1;
  });
}

function holdsTexts(wanted: readonly string[], arrived: string): boolean {
  let from = 0;
  return wanted.every((text) => {
    const at = arrived.indexOf(text, from);
    from = at + text.length;
    return at !== -1;
  });
}

/** A result without text of its own may say where its media went. */
function isSame(wanted: JsonValue, arrived: JsonValue): boolean {
  const isSilent = isObject(wanted) && wanted.text === "" && isObject(arrived);
  return JSON.stringify(wanted) === JSON.stringify(isSilent ? { ...arrived, text: "" } : arrived);
}

/** What of the request is neither there nor told. */
function silentlyLost(
  asked: CanonicalRequest,
  arrived: CanonicalRequest,
  notices: readonly Notice[],
  upstream: ProtocolName,
  takesAll: boolean,
): string[] {
  return Object.entries(concepts).flatMap(([name, { read, covered, told }]) => {
    const wanted = read(asked);
    if (wanted === undefined || isKept(wanted, read(arrived) ?? whenAbsent.get(name))) return [];
    const isTold = notices.some(({ field }) => told.test(field));
    // A choice of a few tools is made by leaving out the others where it cannot be said (T9).
    const isNarrowed = asked.toolChoice?.mode === "subset" && name.startsWith("tool ");
    if (isTold && !(takesAll && covered.includes(upstream) && !isNarrowed)) return [];
    return [
      `${name}${isTold ? " (told)" : ""}: ${JSON.stringify(wanted)} became ${JSON.stringify(read(arrived))}; told: ${notices.map(({ field }) => field).join(", ")}`,
    ];
  });
}

/** Undefined where the request was refused. */
function lossesOf(client: Side, upstream: Side, drawn: CanonicalRequest, model: string): string[] | undefined {
  const sent = written(client, drawn);
  if (!sent) return undefined;
  const { body, asked } = sent;
  try {
    const conversion = carry({ ...client, envelope: { model: "m", stream: drawn.stream } }, upstream, body, { model });
    const arrived = upstream.codec.decodeRequest(
      conversion.upstreamBody,
      { model: "m", stream: drawn.stream },
      { vault },
    );
    return silentlyLost(asked, arrived, conversion.notices, upstream.name, model === upstream.model);
  } catch (cause) {
    if (!(cause instanceof ProtocolError)) throw cause;
    expect(cause.error.status).toBe(400);
    expect(cause.error.param ?? "").not.toBe("");
    return undefined;
  }
}

/** The request without what is mostly refused, which would hide all the rest of it. */
function milder({ candidates: _candidates, cache: _cache, ...rest }: CanonicalRequest): CanonicalRequest {
  const { logprobs: _logprobs, ...sampling } = rest.sampling;
  const isHeavy = (part: Part) =>
    part.type === "audio" || part.type === "video" || ("source" in part && part.source.type === "url");
  const turns = rest.turns.map((turn) => ({
    ...turn,
    parts: turn.parts.map((part): Part => (isHeavy(part) ? { type: "text", text: "In words." } : part)),
  }));
  return { ...rest, sampling, turns };
}

/** Checks drawn requests; enough of them must get through, or the law would be true of nothing. */
function holds(client: Side, upstream: Side, models: readonly string[]): void {
  let arrived = 0;
  fc.assert(
    fc.property(requests[client.name], fc.constantFrom(...models), fc.nat({ max: 3 }), (drawn, model, odds) => {
      const losses = lossesOf(client, upstream, odds === 0 ? drawn : milder(drawn), model);
      if (losses) arrived += 1;
      expect(losses ?? []).toEqual([]);
    }),
    { numRuns: 150, seed },
  );
  expect(arrived).toBeGreaterThan(40);
}

describe("L4 what the upstream's protocol can say arrives; everything else is told or refused by its field", () => {
  for (const { name, client, upstream } of pairs("crossing")) {
    test(name, () => {
      holds(client, upstream, [upstream.model]);
    });

    test(`${name}, models that take less`, () => {
      holds(client, upstream, upstream.models);
    });
  }
});
