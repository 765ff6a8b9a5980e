import { describe, expect, test } from "vitest";
import { type CanonicalRequest, type Dialect, type JsonObject, ProtocolError } from "../canonical/index.ts";
import { minimalRequest } from "../testing/chat-completions-fixture.ts";
import { capabilitiesOf } from "./capabilities.ts";
import { encodeRequest } from "./request-encoder.ts";

function encode(dialect: Dialect, more: Partial<CanonicalRequest>, model = "some-model") {
  const { body, notices } = encodeRequest(minimalRequest({ stream: false, ...more }), {
    model,
    stream: false,
    dialect,
  });
  const { model: _model, messages, ...fields } = body;
  return { fields, messages, told: notices.map(({ field, verdict }) => `${verdict} ${field}`) };
}

const tools: CanonicalRequest["tools"] = [
  { type: "function", name: "find", parameters: { type: "object" }, at: "tools[0]" },
  { type: "function", name: "send", parameters: { type: "object" }, at: "tools[1]" },
];
const find = { type: "function", function: { name: "find", parameters: { type: "object" } } };
const send = { type: "function", function: { name: "send", parameters: { type: "object" } } };
const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"], additionalProperties: false };
const format = { type: "schema", schema } as const;

type Row = [server: Dialect, trait: string, wish: Partial<CanonicalRequest>, fields: JsonObject, told: string[]];

const rows: Row[] = [
  ["openai", "the newer limit, also for older models", { maxOutputTokens: 9 }, { max_completion_tokens: 9 }, []],
  [
    "openai",
    "a model that is younger than the tables is the newest",
    { sampling: { temperature: 0.5 } },
    {},
    ["dropped temperature"],
  ],
  ["deepseek", "only max_tokens", { maxOutputTokens: 9 }, { max_tokens: 9 }, []],
  [
    "deepseek",
    "json_object without a schema",
    { format },
    { response_format: { type: "json_object" } },
    ["emulated response_format"],
  ],
  ["groq", "no bias", { sampling: { logitBias: { "5": 1 } } }, {}, ["dropped logit_bias"]],
  ["groq", "service_tier is its own", { serviceTier: "on_demand" }, { service_tier: "on_demand" }, []],
  ["groq", "one answer is no wish", { candidates: 1 }, {}, []],
  [
    "mistral",
    "max_tokens, random_seed",
    { maxOutputTokens: 9, sampling: { seed: 7 } },
    { max_tokens: 9, random_seed: 7 },
    [],
  ],
  [
    "mistral",
    "tool_choice any",
    { tools, toolChoice: { mode: "required" } },
    { tools: [find, send], tool_choice: "any" },
    [],
  ],
  [
    "mistral",
    "no unknown field",
    { extras: { "chat-completions": { safe_prompt: true, min_p: 1 } } },
    { safe_prompt: true },
    ["dropped min_p"],
  ],
  [
    "mistral",
    "no bookkeeping of the vendor",
    { cache: { key: "k" }, caller: { userId: "u" }, verbosity: "low", serviceTier: "flex" },
    {},
    ["dropped verbosity", "dropped prompt_cache_key", "dropped user", "dropped service_tier"],
  ],
  [
    "ollama",
    "no user, no bias",
    { caller: { userId: "u" }, sampling: { logitBias: { "5": 1 } } },
    {},
    ["dropped logit_bias", "dropped user"],
  ],
  [
    "ollama",
    "a demand for some call is not read",
    { tools, toolChoice: { mode: "required" } },
    { tools: [find, send] },
    ["dropped tool_choice"],
  ],
  [
    "ollama",
    "no call is wanted: no tool is shown",
    { tools, toolChoice: { mode: "none" } },
    {},
    ["emulated tool_choice"],
  ],
  [
    "ollama",
    "strict is not held",
    { tools: [{ type: "function", name: "find", strict: true, parameters: schema, at: "tools[0]" }] },
    { tools: [{ type: "function", function: { name: "find", parameters: schema } }] },
    ["dropped tools[0].strict"],
  ],
  [
    "llama.cpp",
    "an object tool_choice would be read as auto",
    { tools, toolChoice: { mode: "tool", name: "find" } },
    { tools: [find], tool_choice: "required" },
    ["emulated tool_choice"],
  ],
  ["llama.cpp", "top_k", { sampling: { topK: 5 } }, { top_k: 5 }, []],
  ["vllm", "top_k", { sampling: { topK: 5 } }, { top_k: 5 }, []],
  [
    "vllm",
    "no subset of tools",
    { tools, toolChoice: { mode: "subset", names: ["send"], required: false } },
    { tools: [send], tool_choice: "auto" },
    ["emulated tool_choice"],
  ],
  [
    "vllm",
    "no custom tools",
    { tools: [{ type: "custom", name: "run", at: "tools[0]" }] },
    { tools: [expect.objectContaining({ type: "function" })] },
    ["emulated tools[0]"],
  ],
  [
    "xai",
    "user is taken, metadata is not",
    { caller: { userId: "u" }, state: { store: true } },
    { user: "u" },
    ["dropped store"],
  ],
  [
    "openrouter",
    "a budget stays a budget",
    { reasoning: { budgetTokens: 3000 } },
    { reasoning: { max_tokens: 3000 } },
    [],
  ],
  [
    "openrouter",
    "an effort has its place in an object",
    { reasoning: { effort: "low" } },
    { reasoning: { effort: "low" } },
    [],
  ],
  [
    "gemini",
    "parallel_tool_calls is unknown",
    { tools, parallelToolCalls: false },
    { tools: [find, send] },
    ["dropped parallel_tool_calls"],
  ],
  [
    "compatible",
    "the common fields alone",
    { caller: { userId: "u" }, sampling: { topP: 0.5 } },
    { top_p: 0.5 },
    ["dropped user"],
  ],
  [
    "permissive",
    "is told everything",
    { caller: { userId: "u" }, verbosity: "low" },
    { user: "u", verbosity: "low" },
    [],
  ],
];

describe("rule 8: what each make of server is sent", () => {
  test.each(rows)("%s: %s", (dialect, _trait, wish, fields, told) => {
    const encoded = encode(dialect, wish);
    expect(encoded.fields).toEqual(fields);
    expect(encoded.told).toEqual(told);
  });

  test.each<[Dialect, Partial<CanonicalRequest>, string]>([
    ["groq", { candidates: 2 }, "n"],
    ["groq", { sampling: { logprobs: { top: 1 } } }, "logprobs"],
    ["ollama", { candidates: 2 }, "n"],
    ["mistral", { sampling: { logprobs: { top: 0 } } }, "logprobs"],
  ])("%s: what would be missed in the answer is refused: %j", (dialect, wish, field) => {
    expect(() => encode(dialect, wish)).toThrow(ProtocolError);
    try {
      encode(dialect, wish);
    } catch (cause) {
      expect(cause).toMatchObject({ error: { kind: "bad_request", param: field } });
    }
  });

  test.each<[Dialect, boolean]>([
    ["mistral", false],
    ["groq", true],
    ["ollama", true],
  ])("%s: a stream asks for its usage: %s", (dialect, asks) => {
    const { body } = encodeRequest(minimalRequest(), { model: "m", stream: true, dialect });
    expect(body.stream_options).toEqual(asks ? { include_usage: true } : undefined);
  });
});

describe("what goes back into messages", () => {
  const turns: CanonicalRequest["turns"] = [
    { role: "developer", parts: [{ type: "text", text: "Be brief." }] },
    { role: "user", name: "ann", parts: [{ type: "text", text: "Hi" }], at: "messages[1]" },
    {
      role: "assistant",
      parts: [
        { type: "reasoning", text: "Hm.", at: "messages[2].reasoning_content" },
        { type: "tool-call", callId: "call_0123456789abcdef", name: "find", arguments: "{}", toolKind: "function" },
      ],
    },
    {
      role: "user",
      parts: [
        {
          type: "tool-result",
          callId: "call_0123456789abcdef",
          toolKind: "function",
          content: [{ type: "text", text: "x" }],
        },
      ],
    },
  ];
  const written = (dialect: Dialect, model?: string) => encode(dialect, { turns, tools }, model);

  test.each<[Dialect, string | undefined]>([
    ["deepseek", "reasoning_content"],
    ["xai", "reasoning_content"],
    ["vllm", "reasoning"],
    ["ollama", "reasoning"],
    ["openrouter", "reasoning"],
    ["mistral", undefined],
    ["groq", undefined],
    ["gemini", undefined],
    ["openai", undefined],
  ])("E5 %s gets earlier reasoning back in %s", (dialect, field) => {
    const { messages, told } = written(dialect);
    const text = JSON.stringify(messages);
    expect(text.includes('"Hm."')).toBe(field !== undefined);
    if (field === undefined) expect(told).toContain("dropped messages[2].reasoning_content");
    else expect(text).toContain(`"${field}":"Hm."`);
  });

  test("E5 deepseek: a message with calls bears the field also where nothing was thought", () => {
    const [call] = turns[2]?.parts.slice(1) ?? [];
    const silent = turns.map((turn) => (turn.role === "assistant" && call ? { ...turn, parts: [call] } : turn));
    const { messages } = encode("deepseek", { turns: silent, tools });
    expect(messages).toContainEqual(expect.objectContaining({ role: "assistant", reasoning_content: "" }));
    const { messages: elsewhere } = encode("vllm", { turns: silent, tools });
    expect(JSON.stringify(elsewhere)).not.toContain("reasoning");
  });

  test("mistral: ids of nine letters, no names, the system's role", () => {
    const { messages, told } = written("mistral");
    expect(messages).toMatchObject([{ role: "system" }, { role: "user" }, {}, { role: "tool" }]);
    const ids = [...JSON.stringify(messages).matchAll(/"(?:id|tool_call_id)":"([^"]*)"/g)].map(([, id]) => id);
    expect(ids).toEqual([expect.stringMatching(/^[a-z0-9]{9}$/i), ids[0]]);
    expect(JSON.stringify(messages)).not.toContain("ann");
    expect(told).toContain("dropped messages[1].name");
  });

  test("other servers keep names and ids", () => {
    const text = JSON.stringify(written("vllm").messages);
    expect(text).toContain('"name":"ann"');
    expect(text).toContain("call_0123456789abcdef");
  });
});

test("deepseek: the schema is told in words, and a fence around the answer is taken off", () => {
  const { body, plan } = encodeRequest(minimalRequest({ format }), { model: "m", stream: false, dialect: "deepseek" });
  expect(JSON.stringify(body.messages)).toContain("JSON Schema");
  expect(plan.unfenceJson).toBe(true);
});

test.each<[Dialect, string[]]>([
  ["llama.cpp", ["END", "###"]],
  ["vllm", ["END", "###"]],
  ["openrouter", ["END", "###"]],
  ["compatible", ["END", "###"]],
  ["permissive", ["END", "###"]],
  ["groq", []],
  ["mistral", []],
])("rule 9: %s may leave the stop sequence in the text, so that the gateway watches for %j", (dialect, watched) => {
  const request = minimalRequest({ stopSequences: ["END", "###"] });
  const { body, plan, notices } = encodeRequest(request, { model: "m", stream: false, dialect });
  expect(body.stop).toEqual(["END", "###"]);
  expect(plan.stopSequences).toEqual(watched);
  expect(notices).toEqual([]);
});

test("rule 9: who asks vLLM for the stop sequence in the text gets it", () => {
  const extras = { "chat-completions": { include_stop_str_in_output: true } };
  const request = minimalRequest({ stopSequences: ["END"], extras });
  expect(encodeRequest(request, { model: "m", stream: false, dialect: "vllm" }).plan.stopSequences).toEqual([]);
});

test.each<[Dialect, JsonObject]>([
  ["vllm", { chat_template_kwargs: { enable_thinking: false } }],
  ["compatible", { enable_thinking: false }],
])("no thinking, at a Qwen model behind %s", (dialect, fields) => {
  const { fields: written } = encode(dialect, { reasoning: { effort: "none" } }, "qwen3-32b");
  expect(written).toEqual(fields);
});

test("a model of the vendor behind another server loses what only the vendor's service has", () => {
  const at = (dialect: Dialect | undefined) => capabilitiesOf({ model: "openai/gpt-5", stream: false, dialect });
  expect(at("openai")).toMatchObject({
    limitField: "max_completion_tokens",
    customTools: true,
    userField: "safety_identifier",
  });
  expect(at("openrouter")).toMatchObject({ limitField: "max_tokens", customTools: false, userField: "user" });
  expect(at("openrouter").efforts).toEqual(at("openai").efforts);
});
