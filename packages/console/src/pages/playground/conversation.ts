import type {
  CanonicalRequest,
  Effort,
  FunctionTool,
  JsonObject,
  JsonValue,
  Notice,
  Part,
  ProtocolName,
  Turn,
} from "@interlingua/protocols";
import type { AnswerFacts } from "./answer.ts";

/** One turn of the conversation as the page keeps it: in the form between the protocols, so that any of them can go on. */
export interface Entry {
  id: number;
  turn: Turn;
  /** What is known of an assistant's turn beside its parts. */
  facts?: AnswerFacts;
}

/** What is set beside the conversation. */
export interface Settings {
  protocol: ProtocolName;
  model: string;
  stream: boolean;
  system: string;
  temperature: number | null;
  maxTokens: number | null;
  effort: Effort | null;
  /** JSON as it was written. */
  tools: string;
  schema: string;
}

export const efforts = [
  "none",
  "minimal",
  "low",
  "medium",
  "high",
  "xhigh",
  "max",
] as const satisfies readonly Effort[];

export const newSettings: Omit<Settings, "protocol" | "model"> = {
  stream: true,
  system: "",
  temperature: null,
  maxTokens: null,
  effort: null,
  tools: "",
  schema: "",
};

export const exampleTools = JSON.stringify(
  [
    {
      name: "get_weather",
      description: "The weather in a city at this moment.",
      parameters: {
        type: "object",
        properties: { city: { type: "string" } },
        required: ["city"],
        additionalProperties: false,
      },
    },
  ],
  null,
  2,
);

export const exampleSchema = JSON.stringify(
  {
    type: "object",
    properties: { answer: { type: "string" }, confidence: { type: "number" } },
    required: ["answer", "confidence"],
    additionalProperties: false,
  },
  null,
  2,
);

/** A field of the settings that cannot be read. */
export class UnreadableSetting extends Error {
  readonly field: "tools" | "schema";

  constructor(field: "tools" | "schema", message: string) {
    super(message);
    this.name = "UnreadableSetting";
    this.field = field;
  }
}

/** The request that the conversation and its settings make. Throws an UnreadableSetting. */
export function canonicalRequest(settings: Settings, turns: readonly Turn[]): CanonicalRequest {
  const { model, stream, system, temperature, maxTokens, effort } = settings;
  const schema = objectOf("schema", settings.schema);
  const head: Turn[] = system.trim() === "" ? [] : [{ role: "system", parts: [{ type: "text", text: system }] }];
  return {
    model,
    stream,
    turns: [...head, ...turns],
    tools: toolsOf(settings.tools),
    sampling: temperature === null ? {} : { temperature },
    stopSequences: [],
    includeUsage: stream,
    ...(maxTokens === null ? {} : { maxOutputTokens: maxTokens }),
    ...(effort === null ? {} : { reasoning: { effort, ...(effort === "none" ? {} : { show: "summary" }) } }),
    ...(schema === undefined ? {} : { format: { type: "schema", name: "answer", schema, strict: true } }),
  };
}

function parsed(field: UnreadableSetting["field"], text: string): JsonValue | undefined {
  if (text.trim() === "") return undefined;
  try {
    // Whatever JSON there is.
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    throw new UnreadableSetting(field, error instanceof Error ? error.message : String(error));
  }
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function objectOf(field: UnreadableSetting["field"], text: string): JsonObject | undefined {
  const value = parsed(field, text);
  if (value === undefined || isObject(value)) return value;
  throw new UnreadableSetting(field, "{ … }");
}

/** Tools as a list of name, description and parameters; the spellings of the protocols are understood, too. */
function toolsOf(text: string): FunctionTool[] {
  const value = parsed("tools", text);
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new UnreadableSetting("tools", "[ { … } ]");
  return value.map((entry, index) => {
    const outer = isObject(entry) ? entry : {};
    const inner = isObject(outer.function) ? outer.function : outer;
    const { name, description } = inner;
    const parameters = inner.parameters ?? inner.input_schema;
    if (typeof name !== "string" || name === "") throw new UnreadableSetting("tools", `[${index}].name`);
    return {
      type: "function",
      name,
      ...(typeof description === "string" ? { description } : {}),
      ...(isObject(parameters) ? { parameters } : {}),
    };
  });
}

/** The tools of a request as the settings hold them. */
function toolsText(request: CanonicalRequest): string {
  const tools = request.tools.flatMap((tool) =>
    tool.type === "function" ? [{ name: tool.name, description: tool.description, parameters: tool.parameters }] : [],
  );
  return tools.length === 0 ? "" : JSON.stringify(tools, null, 2);
}

/** Calls of the last turn that wait for their results. */
export function openCalls(entries: readonly Entry[]): Extract<Part, { type: "tool-call" }>[] {
  const last = entries.at(-1)?.turn;
  return last?.role === "assistant" ? last.parts.filter((part) => part.type === "tool-call") : [];
}

/** What the page takes over from another one: a request of any protocol. */
export interface Handover {
  settings: Settings;
  turns: Turn[];
  notices: readonly Notice[];
}

/** A decoded request as settings and turns: what stands at its begin for the system goes into the field for it. */
export function handoverOf(protocol: ProtocolName, request: CanonicalRequest): Handover {
  const { turns, format, reasoning } = request;
  const first = turns.findIndex(({ role }) => role === "user" || role === "assistant");
  const cut = first === -1 ? turns.length : first;
  const system = turns
    .slice(0, cut)
    .flatMap(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : [])));
  return {
    settings: {
      ...newSettings,
      protocol,
      model: request.model,
      stream: request.stream,
      system: system.join("\n\n"),
      temperature: request.sampling.temperature ?? null,
      maxTokens: request.maxOutputTokens ?? null,
      effort: reasoning?.effort ?? null,
      tools: toolsText(request),
      schema: format?.type === "schema" ? JSON.stringify(format.schema, null, 2) : "",
    },
    turns: turns.slice(cut),
    notices: [],
  };
}
