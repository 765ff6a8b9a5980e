import { type JsonObject, type JsonValue, type Notice, ProtocolError, type ProtocolName } from "./canonical/index.ts";
import { isObject } from "./shared/read.ts";

/** Where a client says what an encoder names by its own word; the first place that the body has counts, else the first. */
type Places = readonly string[];

const geminiFormat: Places = [
  "generationConfig.responseJsonSchema",
  "generationConfig.responseSchema",
  "generationConfig.responseMimeType",
];

const spellings: Readonly<Record<ProtocolName, Readonly<Record<string, Places>>>> = {
  "chat-completions": {
    max_tokens: ["max_completion_tokens", "max_tokens"],
    strict: ["response_format.json_schema.strict"],
    user: ["safety_identifier", "user"],
    tool_choice: ["tool_choice", "function_call"],
    "tools[].parameters": ["function.parameters", "parameters"],
    "tools[].strict": ["function.strict", "strict"],
    tools: ["tools", "functions"],
  },
  responses: {
    reasoning_effort: ["reasoning.effort"],
    "thinking.display": ["reasoning.summary", "reasoning.generate_summary"],
    max_tokens: ["max_output_tokens"],
    response_format: ["text.format"],
    "response_format.json_schema.strict": ["text.format.strict"],
    "response_format.json_schema.description": ["text.format.description"],
    strict: ["text.format.strict"],
    verbosity: ["text.verbosity"],
    cache_control: ["prompt_cache_breakpoint"],
    logprobs: ["top_logprobs", "include"],
    user: ["safety_identifier", "user"],
    messages: ["input"],
  },
  messages: {
    reasoning_effort: ["output_config.effort", "thinking.type"],
    "thinking.budget_tokens": ["thinking.budget_tokens", "thinking.type"],
    stop: ["stop_sequences"],
    response_format: ["output_config.format", "output_format"],
    parallel_tool_calls: ["tool_choice.disable_parallel_tool_use"],
    user: ["metadata.user_id"],
    "tools[].parameters": ["input_schema"],
  },
  "generate-content": {
    reasoning_effort: ["generationConfig.thinkingConfig.thinkingLevel"],
    "thinking.budget_tokens": ["generationConfig.thinkingConfig.thinkingBudget"],
    "thinking.display": ["generationConfig.thinkingConfig.includeThoughts"],
    n: ["generationConfig.candidateCount"],
    temperature: ["generationConfig.temperature"],
    top_p: ["generationConfig.topP"],
    top_k: ["generationConfig.topK"],
    seed: ["generationConfig.seed"],
    frequency_penalty: ["generationConfig.frequencyPenalty"],
    presence_penalty: ["generationConfig.presencePenalty"],
    logprobs: ["generationConfig.responseLogprobs"],
    top_logprobs: ["generationConfig.logprobs"],
    stop: ["generationConfig.stopSequences"],
    max_tokens: ["generationConfig.maxOutputTokens"],
    response_format: geminiFormat,
    "response_format.json_schema.strict": geminiFormat,
    strict: geminiFormat,
    modalities: ["generationConfig.responseModalities"],
    tool_choice: ["toolConfig.functionCallingConfig"],
    service_tier: ["serviceTier"],
    "tools[].parameters": ["parametersJsonSchema", "parameters"],
    messages: ["contents"],
    system: ["systemInstruction"],
  },
};

/** A setting of one tool: `tools[2].strict`. */
const memberOfTool = /^(tools\[.*\])\.(\w+)$/;

/**
 * Names settings as the client does. Encoders know no client: what they tell of a setting (not of a place in the
 * conversation, which has its path) they name by one word, mostly that of chat completions.
 */
export class ClientFields {
  readonly #words: Readonly<Record<string, Places>>;
  readonly #body: JsonObject;

  /** `body`: the client's request as it was sent. */
  constructor(client: ProtocolName, body: JsonObject) {
    this.#words = spellings[client];
    this.#body = body;
  }

  /** The client's own path of a setting; a path in the conversation as it is. */
  of(word: string): string {
    const [, tool, member] = memberOfTool.exec(word) ?? [];
    const places = this.#placesOf(tool ? `tools[].${member}` : word).map((place) =>
      tool ? `${tool}.${place}` : place,
    );
    return places.find((place) => this.#has(place)) ?? places[0] ?? word;
  }

  #placesOf(word: string): Places {
    return Object.hasOwn(this.#words, word) ? (this.#words[word] ?? []) : [];
  }

  /** The same notice with the client's own path. */
  notice(notice: Notice): Notice {
    const field = this.of(notice.field);
    return field === notice.field ? notice : { ...notice, field };
  }

  /** Runs `encode`; what it refuses is refused by the client's own path. */
  refusing<T>(encode: () => T): T {
    try {
      return encode();
    } catch (cause) {
      if (!(cause instanceof ProtocolError) || cause.error.param === undefined) throw cause;
      const { param, message } = cause.error;
      const field = this.of(param);
      throw new ProtocolError({
        ...cause.error,
        param: field,
        message: message.replaceAll(`'${param}'`, `'${field}'`),
      });
    }
  }

  #has(place: string): boolean {
    let here: JsonValue | undefined = this.#body;
    for (const key of place.split(/[.[\]]+/)) {
      if (Array.isArray(here)) here = here[Number(key)];
      else here = isObject(here) && Object.hasOwn(here, key) ? here[key] : undefined;
    }
    return here !== undefined && here !== null;
  }
}

/** The client's own path of a setting that stands at `path` in an upstream's body. */
export function clientField(client: ProtocolName, body: JsonObject, upstream: ProtocolName, path: string): string {
  const spelt = Object.entries(spellings[upstream]).find(([, places]) => places.includes(path));
  return new ClientFields(client, body).of(spelt?.[0] ?? path);
}
