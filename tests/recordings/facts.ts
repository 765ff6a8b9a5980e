import type { JsonObject, JsonValue, ProtocolName } from "@interlingua/protocols";

/**
 * What must survive any conversion of an answer, read from a protocol's own JSON by code that shares nothing with the
 * product: the judge of the recordings.
 */
export interface Facts {
  /** Visible text, white space removed: protocols differ in how they join paragraphs. A refusal's words count as text. */
  text: string;
  calls: { name: string; arguments: unknown }[];
  finish: FinishClass;
  usage: { input?: number; cacheRead?: number; output?: number };
}

/** A refusal is `filter` in every protocol: messages and generateContent have one word for both. `none`: not recorded. */
export type FinishClass = "stop" | "tool" | "length" | "filter" | "paused" | "malformed" | "error" | "none";

type Read = (answer: JsonObject) => Facts;

export const factsOf: Record<ProtocolName, Read> = {
  "chat-completions": chatFacts,
  responses: responsesFacts,
  messages: messagesFacts,
  "generate-content": generateContentFacts,
};

/** Stands for arguments that the recording holds in pieces: they are not put together here. */
export const inPieces = "(in pieces)";

const object = (value: unknown): JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
const list = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.map(object) : []);
const string = (value: unknown): string => (typeof value === "string" ? value : "");
const number = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

export function squeeze(text: string): string {
  return text.replace(/\s+/g, "");
}

/** Arguments as a value; text that is no JSON object as the text itself. */
function argumentsOf(value: JsonValue | undefined): unknown {
  if (typeof value !== "string") return value ?? {};
  if (value.trim() === "") return {};
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function chatFacts(answer: JsonObject): Facts {
  const choice = list(answer.choices)[0] ?? {};
  const message = object(choice.message);
  const content = message.content;
  const text =
    typeof content === "string"
      ? content
      : list(content)
          .map((part) => string(part.text))
          .join("");
  const calls = list(message.tool_calls)
    .map((call) => object(call.function ?? call.custom))
    // Some servers fill the list with entries that name nothing.
    .filter((body) => string(body.name) !== "")
    .map((body) => ({ name: string(body.name), arguments: argumentsOf(body.arguments ?? body.input) }));
  const legacy = message.function_call ? object(message.function_call) : undefined;
  if (legacy?.name) calls.push({ name: string(legacy.name), arguments: argumentsOf(legacy.arguments) });
  const usage = object(answer.usage);
  const [prompt, completion, total] = [usage.prompt_tokens, usage.completion_tokens, usage.total_tokens].map(number);
  const reasoning = number(object(usage.completion_tokens_details).reasoning_tokens);
  const besides = total === (prompt ?? 0) + (completion ?? 0) + (reasoning ?? 0);
  const reason = string(choice.finish_reason);
  return {
    text: squeeze(text + string(message.refusal)),
    calls,
    finish: message.refusal
      ? "filter"
      : finishClass(
          { tool_calls: "tool", function_call: "tool", length: "length", content_filter: "filter", error: "error" },
          reason,
          calls.length > 0,
        ),
    usage: compact({
      input: prompt,
      cacheRead: number(object(usage.prompt_tokens_details).cached_tokens),
      // Some servers count reasoning beside the completion: their total tells.
      output: completion !== undefined && besides ? completion + (reasoning ?? 0) : completion,
    }),
  };
}

function responsesFacts(answer: JsonObject): Facts {
  const output = list(answer.output);
  const parts = output.filter((item) => item.type === "message").flatMap((item) => list(item.content));
  const calls = output.flatMap(clientCall);
  const usage = object(answer.usage);
  const reason = string(object(answer.incomplete_details).reason);
  const status = string(answer.status);
  return {
    text: squeeze(parts.map((part) => string(part.text) + string(part.refusal)).join("")),
    calls,
    finish:
      status === "incomplete"
        ? reason === "content_filter"
          ? "filter"
          : "length"
        : status === "completed"
          ? parts.some((part) => part.type === "refusal")
            ? "filter"
            : calls.length > 0
              ? "tool"
              : "stop"
          : status === "queued" || status === "in_progress"
            ? "paused"
            : "error",
    usage: compact({
      input: number(usage.input_tokens),
      cacheRead: number(object(usage.input_tokens_details).cached_tokens),
      output: number(usage.output_tokens),
    }),
  };
}

/** The items that ask the client to run something. */
function clientCall(item: JsonObject): Facts["calls"] {
  switch (item.type) {
    case "function_call":
    case "custom_tool_call":
      return [{ name: string(item.name), arguments: argumentsOf(item.arguments ?? item.input) }];
    case "apply_patch_call":
      return [{ name: "apply_patch", arguments: item.operation }];
    case "local_shell_call": {
      // An empty environment says the same as none.
      const { type: _, env, ...action } = object(item.action);
      const set = Object.keys(object(env)).length > 0 ? { env } : {};
      return [{ name: "local_shell", arguments: { ...action, ...set } }];
    }
    default:
      return [];
  }
}

function messagesFacts(answer: JsonObject): Facts {
  const blocks = list(answer.content);
  const calls = blocks
    .filter((block) => block.type === "tool_use")
    .map((block) => ({ name: string(block.name), arguments: argumentsOf(block.input) }));
  const usage = object(answer.usage);
  const read = number(usage.cache_read_input_tokens);
  const written = number(usage.cache_creation_input_tokens);
  const uncached = number(usage.input_tokens);
  return {
    text: squeeze(
      blocks
        .filter((block) => block.type === "text")
        .map((block) => string(block.text))
        .join(""),
    ),
    calls,
    finish: finishClass(
      {
        tool_use: "tool",
        max_tokens: "length",
        model_context_window_exceeded: "length",
        refusal: "filter",
        pause_turn: "paused",
      },
      string(answer.stop_reason),
      calls.length > 0,
    ),
    usage: compact({
      input: uncached === undefined ? undefined : uncached + (read ?? 0) + (written ?? 0),
      cacheRead: read,
      output: number(usage.output_tokens),
    }),
  };
}

const geminiFinish: Record<string, FinishClass> = {
  MAX_TOKENS: "length",
  SAFETY: "filter",
  BLOCKLIST: "filter",
  PROHIBITED_CONTENT: "filter",
  SPII: "filter",
  MODEL_ARMOR: "filter",
  RECITATION: "filter",
  IMAGE_SAFETY: "filter",
  MALFORMED_FUNCTION_CALL: "malformed",
  UNEXPECTED_TOOL_CALL: "malformed",
};

function generateContentFacts(answer: JsonObject): Facts {
  const candidate = list(answer.candidates)[0];
  const parts = list(object(candidate?.content).parts);
  const calls = parts
    .filter((part) => part.functionCall)
    .map((part) => object(part.functionCall))
    // Arguments that come in pieces (`partialArgs`) follow their head in entries without a name.
    .filter((call) => string(call.name) !== "")
    .map((call) => ({
      name: string(call.name),
      arguments: call.willContinue || call.partialArgs ? inPieces : argumentsOf(call.args),
    }));
  const usage = object(answer.usageMetadata);
  const prompt = number(usage.promptTokenCount);
  const visible = number(usage.candidatesTokenCount);
  const thoughts = number(usage.thoughtsTokenCount);
  return {
    text: squeeze(
      parts
        .filter((part) => part.thought !== true)
        .map((part) => string(part.text))
        .join(""),
    ),
    calls,
    finish: candidate
      ? finishClass(geminiFinish, string(candidate.finishReason), calls.length > 0)
      : object(answer.promptFeedback).blockReason
        ? "filter"
        : "none",
    usage: compact({
      input: prompt === undefined ? undefined : prompt + (number(usage.toolUsePromptTokenCount) ?? 0),
      cacheRead: number(usage.cachedContentTokenCount),
      output: visible === undefined && thoughts === undefined ? undefined : (visible ?? 0) + (thoughts ?? 0),
    }),
  };
}

/** The native reason's class; a plain end with calls is the tool class in every protocol. */
function finishClass(table: Record<string, FinishClass>, native: string, hasCalls: boolean): FinishClass {
  if (native === "") return "none";
  const known = table[native] ?? "stop";
  return known === "stop" && hasCalls ? "tool" : known;
}

function compact(usage: { [key in keyof Facts["usage"]]: number | undefined }): Facts["usage"] {
  return Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== undefined));
}
