import fc from "fast-check";
import type {
  CanonicalRequest,
  OutputFormat,
  ReasoningControl,
  Sampling,
  Tool,
  ToolChoice,
  Turn,
} from "../canonical/index.ts";
import { type ConversationOptions, conversation } from "./arbitrary-conversation.ts";
import { parametersSchema, toolName, visibleText } from "./arbitrary-text.ts";

/** What of a request a protocol can say. Absent or false: the generated requests never say it. */
export interface RequestOptions {
  conversation?: ConversationOptions;
  sampling?: readonly (keyof Sampling)[];
  /** The longest list of stop sequences. */
  stopSequences?: number;
  formats?: readonly OutputFormat["type"][];
  reasoning?: fc.Arbitrary<ReasoningControl>;
  customTools?: boolean;
  toolChoices?: readonly Exclude<ToolChoice["mode"], "server">[];
  strict?: boolean;
  candidates?: boolean;
  parallelToolCalls?: boolean;
  verbosity?: boolean;
  /** The protocol always sends a limit (messages). */
  maxOutputTokensRequired?: boolean;
  /** Anything else, as arbitraries of whole fields. */
  more?: fc.Arbitrary<Partial<CanonicalRequest>>;
}

/** Requests within the options. Two fields of one request agree with each other: a choice names a tool that is there. */
export function request(options: RequestOptions = {}): fc.Arbitrary<CanonicalRequest> {
  const head = fc.record(
    {
      model: fc.stringMatching(/^[a-z][a-z0-9.-]{2,15}$/),
      stream: fc.boolean(),
      turns: conversation({ ...options.conversation, ...(options.customTools ? { customTools: true } : {}) }),
      sampling: sampling(options.sampling ?? []),
      stopSequences: fc.array(visibleText(), { maxLength: options.stopSequences ?? 0 }),
      maxOutputTokens: fc.integer({ min: 16, max: 100_000 }),
    },
    {
      requiredKeys: options.maxOutputTokensRequired
        ? ["model", "stream", "turns", "sampling", "stopSequences", "maxOutputTokens"]
        : ["model", "stream", "turns", "sampling", "stopSequences"],
      noNullPrototype: true,
    },
  );
  return fc
    .tuple(head, knobs(options), options.more ?? fc.constant<Partial<CanonicalRequest>>({}))
    .chain(([known, knob, more]) =>
      toolUse(options, known.turns).map(
        (use): CanonicalRequest => ({ ...known, ...knob, ...use, ...more, tools: more.tools ?? use.tools }),
      ),
    );
}

type Knobs = Pick<CanonicalRequest, "format" | "reasoning" | "candidates" | "parallelToolCalls" | "verbosity">;

/** Each knob that the protocol has is sometimes there. */
function knobs(options: RequestOptions): fc.Arbitrary<Knobs> {
  const list: fc.Arbitrary<Knobs>[] = [];
  if (options.formats) list.push(format(options.formats).map((value) => ({ format: value })));
  if (options.reasoning) list.push(options.reasoning.map((value) => ({ reasoning: value })));
  if (options.candidates) list.push(fc.integer({ min: 2, max: 4 }).map((value) => ({ candidates: value })));
  if (options.parallelToolCalls) list.push(fc.constant({ parallelToolCalls: false }));
  if (options.verbosity) list.push(fc.constantFrom<Knobs>({ verbosity: "low" }, { verbosity: "high" }));
  if (list.length === 0) return fc.constant({});
  return fc
    .tuple(...list.map((knob) => fc.option(knob, { nil: {} })))
    .map((values): Knobs => Object.assign({}, ...values));
}

function sampling(knobs: readonly (keyof Sampling)[]): fc.Arbitrary<Sampling> {
  const tenth = (max: number, min = 0) => fc.integer({ min: min * 10, max: max * 10 }).map((value) => value / 10);
  const all: { [K in keyof Required<Sampling>]: fc.Arbitrary<Required<Sampling>[K]> } = {
    temperature: tenth(2),
    topP: tenth(1),
    topK: fc.integer({ min: 1, max: 100 }),
    seed: fc.integer({ min: 0, max: 1_000_000 }),
    frequencyPenalty: tenth(2, -1),
    presencePenalty: tenth(2, -1),
    logitBias: fc.dictionary(fc.stringMatching(/^[1-9][0-9]{0,4}$/), fc.integer({ min: -100, max: 100 }), {
      minKeys: 1,
      maxKeys: 2,
      noNullPrototype: true,
    }),
    logprobs: fc.record({ top: fc.integer({ min: 1, max: 5 }) }),
  };
  return fc.record(all, { requiredKeys: [], noNullPrototype: true }).map((drawn) => {
    const wanted: Sampling = {};
    for (const knob of knobs) Object.assign(wanted, drawn[knob] === undefined ? {} : { [knob]: drawn[knob] });
    return wanted;
  });
}

function format(types: readonly OutputFormat["type"][]): fc.Arbitrary<OutputFormat> {
  const byType: Record<OutputFormat["type"], fc.Arbitrary<OutputFormat>> = {
    text: fc.constant({ type: "text" }),
    json: fc.constant({ type: "json" }),
    schema: fc.record({ type: fc.constant("schema"), schema: parametersSchema() }),
  };
  return fc.oneof(...types.map((type) => byType[type]));
}

interface ToolUse {
  tools: Tool[];
  toolChoice?: ToolChoice;
}

/** The tools of the conversation's calls and some more, and a choice among them. */
function toolUse(options: RequestOptions, turns: Turn[]): fc.Arbitrary<ToolUse> {
  const called = new Map<string, "function" | "custom">();
  for (const turn of turns) {
    for (const part of turn.parts) if (part.type === "tool-call") called.set(part.name, part.toolKind);
  }
  const known = [...called].map(([name, kind]) => tool(fc.constant(name), kind, options));
  const others = fc.uniqueArray(toolName(), { maxLength: 2 }).chain((names) => {
    const fresh = names.filter((name) => !called.has(name));
    return fc.tuple(...fresh.map((name) => tool(fc.constant(name), "function", options)));
  });
  return fc.tuple(fc.tuple(...known), others).chain(([first, more]) => {
    const tools: Tool[] = [...first, ...more];
    const choices = options.toolChoices ?? [];
    if (tools.length === 0 || choices.length === 0) return fc.constant({ tools });
    return fc.option(toolChoice(choices, tools), { nil: undefined }).map((choice) => ({
      tools,
      ...(choice ? { toolChoice: choice } : {}),
    }));
  });
}

function tool(name: fc.Arbitrary<string>, kind: "function" | "custom", options: RequestOptions): fc.Arbitrary<Tool> {
  if (kind === "custom") {
    return fc.record(
      { type: fc.constant("custom"), name, description: visibleText() },
      { requiredKeys: ["type", "name"], noNullPrototype: true },
    );
  }
  return fc.record(
    {
      type: fc.constant("function"),
      name,
      parameters: parametersSchema(),
      description: visibleText(),
      ...(options.strict ? { strict: fc.constant(true) } : {}),
    },
    { requiredKeys: ["type", "name", "parameters"], noNullPrototype: true },
  );
}

function toolChoice(modes: NonNullable<RequestOptions["toolChoices"]>, tools: Tool[]): fc.Arbitrary<ToolChoice> {
  const names = tools.map((known) => (known.type === "server" ? known.tool : known.name));
  const byMode: Record<(typeof modes)[number], fc.Arbitrary<ToolChoice>> = {
    auto: fc.constant({ mode: "auto" }),
    none: fc.constant({ mode: "none" }),
    required: fc.constant({ mode: "required" }),
    tool: fc.constantFrom(...names).map((name) => ({ mode: "tool", name })),
    subset: fc
      .tuple(fc.subarray(names, { minLength: 1 }), fc.boolean())
      .map(([subset, required]) => ({ mode: "subset", names: subset, required })),
  };
  return fc.oneof(...modes.map((mode) => byMode[mode]));
}
