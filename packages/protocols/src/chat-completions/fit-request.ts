import { type JsonObject, type JsonValue, refuse } from "../canonical/index.ts";
import type { EncodeRequestContext, FittedRequest } from "../codec.ts";
import { isObject, path } from "../shared/read.ts";
import { Report } from "../shared/report.ts";
import { shortCallId } from "./call-ids.ts";
import { type ChatCapabilities, capabilitiesOf, isOptionalField, takes } from "./capabilities.ts";
import { serverFacts } from "./server-facts.ts";

/** Fields of single makes of servers, which strict servers of another make refuse. */
const dialectFields = new Set([
  "chat_template_kwargs",
  "enable_thinking",
  "extra_body",
  "guided_json",
  "include_reasoning",
  "min_p",
  "models",
  "plugins",
  "provider",
  "random_seed",
  "reasoning",
  "reasoning_effort",
  "reasoning_format",
  "repetition_penalty",
  "safe_prompt",
  "structured_outputs",
  "thinking",
  "top_a",
  "top_k",
  "transforms",
  "usage",
  "web_search_options",
]);

/** What a caller says by leaving the field out: taking it away changes nothing. */
const defaults: Readonly<Record<string, JsonValue>> = {
  n: 1,
  logprobs: false,
  top_logprobs: 0,
  parallel_tool_calls: true,
  store: false,
  verbosity: "medium",
  service_tier: "auto",
  frequency_penalty: 0,
  presence_penalty: 0,
};

/** Fields without which the answer is another one; a caller must not find them missing (P13, P14). */
const essential = new Set(["n", "logprobs", "top_logprobs"]);

/** Fields of an assistant's message that the vendor answers with, and clients send back, beside what all servers know. */
const answerFields = new Set([
  "refusal",
  "annotations",
  "audio",
  "function_call",
  "reasoning",
  "reasoning_content",
  "reasoning_details",
]);

/** See `ProtocolCodec.fitRequest`. Looks at the fields of the body, and at those of messages only for strict servers. */
export function fitRequest(body: JsonObject, context: EncodeRequestContext): FittedRequest | undefined {
  // Most servers are told by this alone; no model is looked up for them.
  if (context.capabilities === undefined && !(context.dialect && needsFitting(serverFacts[context.dialect]))) {
    return undefined;
  }
  const capabilities = capabilitiesOf(context);
  if (!needsFitting(capabilities)) return undefined;
  const report = new Report();
  const fitter = new Fitter(capabilities, report);
  const fitted = fitter.body(body);
  return fitter.changed ? { body: fitted, notices: report.notices } : undefined;
}

function needsFitting(server: Pick<ChatCapabilities, "bothLimitFields" | "strictFields">): boolean {
  return server.strictFields || !server.bothLimitFields;
}

class Fitter {
  changed = false;
  readonly #capabilities: ChatCapabilities;
  readonly #report: Report;

  constructor(capabilities: ChatCapabilities, report: Report) {
    this.#capabilities = capabilities;
    this.#report = report;
  }

  body(body: JsonObject): JsonObject {
    const fitted: JsonObject = {};
    for (const [key, value] of Object.entries(body)) {
      const name = this.#spelling(key);
      if (name !== key) this.changed = true;
      if (this.#isRefused(key)) this.#leaveOut(key, value);
      else if (key === "messages" && Array.isArray(value) && this.#capabilities.strictFields) {
        fitted.messages = value.map((message, index) => this.#message(message, index));
      } else if (name === this.#capabilities.limitField && !this.#capabilities.bothLimitFields) {
        // Where both spellings are given the newer one counts.
        fitted[name] = body.max_completion_tokens ?? body.max_tokens;
      } else fitted[name] = value;
    }
    return fitted;
  }

  #spelling(key: string): string {
    const { bothLimitFields, limitField, seedField, strictFields } = this.#capabilities;
    if (key === "seed" && strictFields) return seedField;
    return !bothLimitFields && (key === "max_tokens" || key === "max_completion_tokens") ? limitField : key;
  }

  #isRefused(key: string): boolean {
    const capabilities = this.#capabilities;
    if (!capabilities.strictFields) return false;
    if (key === "top_logprobs") return !takes(capabilities, "logprobs");
    if (key === "top_k") return !capabilities.topK;
    if (key === "reasoning_effort") return capabilities.efforts.length === 0;
    return isOptionalField(key)
      ? !takes(capabilities, key)
      : dialectFields.has(key) && !capabilities.ownFields.some((own) => own === key);
  }

  #leaveOut(field: string, value: JsonValue | undefined): void {
    this.changed = true;
    if (value === null || value === undefined || value === defaults[field]) return;
    if (essential.has(field)) refuse(field, `The upstream does not take '${field}'.`, "unsupported_parameter");
    // It tells the usage unasked.
    if (field !== "stream_options") this.#report.dropped(field, `The upstream does not take '${field}'.`);
  }

  #message(message: JsonValue, index: number): JsonValue {
    if (!isObject(message)) return message;
    const { names, developerRole } = this.#capabilities;
    const at = path("messages", index);
    const fitted: JsonObject = {};
    for (const [key, value] of Object.entries(message)) {
      if (key === "role" && value === "developer" && !developerRole) fitted.role = "system";
      else if (key === "name" && !names && message.role !== "tool") {
        this.#report.dropped(path(at, key), "The upstream takes no names in messages.");
      } else if (message.role === "assistant" && answerFields.has(key))
        this.#answerField(key, value, fitted, message, at);
      else if (key === "tool_calls" && Array.isArray(value))
        fitted.tool_calls = value.map((call) => this.#withId(call, "id"));
      else fitted[key] = value;
    }
    const whole = this.#withId(fitted, "tool_call_id");
    if (JSON.stringify(whole) === JSON.stringify(message)) return message;
    this.changed = true;
    return whole;
  }

  /** A refusal says what the model said; the rest tells of the answer and is not needed to go on. */
  #answerField(key: string, value: JsonValue | undefined, fitted: JsonObject, message: JsonObject, at: string): void {
    if (value === null || (Array.isArray(value) && value.length === 0)) return;
    if (key === "function_call") fitted[key] = value;
    else if (key === "refusal" && !message.content) fitted.content = value;
    else this.#report.dropped(path(at, key), `The upstream does not take '${key}' back.`);
  }

  #withId(holder: JsonValue, field: string): JsonValue {
    if (this.#capabilities.callIds !== "nine" || !isObject(holder) || typeof holder[field] !== "string") return holder;
    return { ...holder, [field]: shortCallId(holder[field]) };
  }
}
