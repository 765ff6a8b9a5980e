import { describe, expect, test } from "vitest";
import {
  type CacheMark,
  type CanonicalRequest,
  type Part,
  ProtocolError,
  type ReasoningControl,
  type Tool,
  type Turn,
} from "../canonical/index.ts";
import type { EncodedRequest } from "../codec.ts";
import { isObject } from "../shared/read.ts";
import { sha256Hex } from "../shared/sha256.ts";
import { encodeRequest } from "./request-encoder.ts";

const newest = "claude-sonnet-5";

function user(...parts: Part[]): Turn {
  return { role: "user", parts };
}

function assistant(...parts: Part[]): Turn {
  return { role: "assistant", parts };
}

function system(value: string): Turn {
  return { role: "system", parts: [text(value)] };
}

function text(value: string, cache?: CacheMark): Part {
  return cache ? { type: "text", text: value, cache } : { type: "text", text: value };
}

function call(callId: string, more: Partial<Extract<Part, { type: "tool-call" }>> = {}): Part {
  return { type: "tool-call", callId, name: "f", toolKind: "function", arguments: "{}", ...more };
}

function result(callId: string, ...content: Part[]): Part {
  return { type: "tool-result", callId, toolKind: "function", content };
}

function signed(value: string, thought?: string): Part {
  return {
    type: "reasoning",
    ...(thought === undefined ? {} : { text: thought }),
    proof: { family: "anthropic", kind: "signature", value },
  };
}

const tool: Tool = { type: "function", name: "f", parameters: { type: "object", properties: {} } };

function encode(more: Partial<CanonicalRequest> = {}, model = newest): EncodedRequest {
  const base: CanonicalRequest = {
    model: "m",
    stream: false,
    turns: [user(text("Hello"))],
    tools: [],
    sampling: {},
    stopSequences: [],
    maxOutputTokens: 4000,
  };
  return encodeRequest({ ...base, ...more }, { model, stream: more.stream ?? false });
}

function refusal(more: Partial<CanonicalRequest>, model = newest): ProtocolError["error"] {
  try {
    encode(more, model);
  } catch (error) {
    if (error instanceof ProtocolError) return error.error;
    throw error;
  }
  throw new Error("The request was taken.");
}

function told({ notices }: EncodedRequest): string[] {
  return notices.map((notice) => `${notice.verdict} ${notice.field}`);
}

describe("output limit", () => {
  test("P1, 84 a missing limit is the model's own, at most 32000; only an unknown model gets 8192 and a notice", () => {
    const { maxOutputTokens: _none, ...rest } = { maxOutputTokens: undefined };
    const limit = (model: string) => {
      const { body, notices } = encodeRequest(
        { model: "m", stream: false, turns: [user(text("x"))], tools: [], sampling: {}, stopSequences: [], ...rest },
        { model, stream: false },
      );
      return [body.max_tokens, notices.length];
    };
    expect(limit("claude-3-haiku-20240307")).toEqual([4096, 0]);
    expect(limit("claude-sonnet-4-5")).toEqual([32_000, 0]);
    expect(limit("glm-4.6")).toEqual([8192, 1]);
  });

  test("P3 a limit above the model's is its own, with a notice", () => {
    const encoded = encode({ maxOutputTokens: 9000 }, "claude-3-haiku-20240307");
    expect(encoded.body.max_tokens).toBe(4096);
    expect(told(encoded)).toEqual(["approximated max_tokens"]);
  });
});

describe("sampling", () => {
  test("P5, 82 temperature above 1 is 1 with a notice, and is never rescaled", () => {
    const at = (temperature: number) => encode({ sampling: { temperature } }, "claude-sonnet-4-5");
    expect([0, 0.7, 1, 1.2, 2].map((value) => at(value).body.temperature)).toEqual([0, 0.7, 1, 1, 1]);
    expect([0.7, 1.2].map((value) => told(at(value)))).toEqual([[], ["approximated temperature"]]);
  });

  test("P6 newest models take none, both of them old ones do not take together", () => {
    const knobs = { temperature: 0.5, topP: 0.5, topK: 5 };
    const none = encode({ sampling: knobs });
    expect(none.body).not.toHaveProperty("temperature");
    expect(told(none)).toEqual(["dropped temperature", "dropped top_p", "dropped top_k"]);
    const one = encode({ sampling: knobs }, "claude-sonnet-4-5");
    expect(one.body).toMatchObject({ temperature: 0.5, top_k: 5 });
    expect(told(one)).toEqual(["dropped top_p"]);
    expect(told(encode({ sampling: { temperature: 1 } }))).toEqual([]);
  });

  test("P7 a model that thinks takes temperature 1 only", () => {
    const encoded = encode({ sampling: { temperature: 0.2 }, reasoning: { budgetTokens: 2000 } }, "claude-sonnet-4-5");
    expect(encoded.body).toMatchObject({ thinking: { type: "enabled", budget_tokens: 2000 } });
    expect(encoded.body).not.toHaveProperty("temperature");
    expect(told(encoded)).toEqual(["dropped temperature"]);
  });

  test("P9 knobs that the family has not are told by the caller's own names", () => {
    const sampling = { seed: 1, frequencyPenalty: 1, presencePenalty: 1, logitBias: { "5": 1 } };
    expect(told(encode({ sampling }))).toEqual([
      "dropped seed",
      "dropped frequency_penalty",
      "dropped presence_penalty",
      "dropped logit_bias",
    ]);
  });

  test("P12, 22 a blank stop sequence is watched for by the gateway", () => {
    const encoded = encode({ stopSequences: ["END", "\n"] });
    expect(encoded.body.stop_sequences).toEqual(["END"]);
    expect(encoded.plan.stopSequences).toEqual(["\n"]);
    expect(told(encoded)).toEqual(["emulated stop"]);
  });
});

describe("what is refused before any call", () => {
  const image: Part = {
    type: "image",
    source: { type: "file", id: "file-1", family: "openai" },
    at: "messages[0].content[0]",
  };
  const cases: [string, Partial<CanonicalRequest>][] = [
    ["n", { candidates: 2 }],
    ["logprobs", { sampling: { logprobs: { top: 2 } } }],
    ["modalities", { modalities: ["text", "audio"] }],
    ["cachedContent", { cache: { contentHandle: "cachedContents/1" } }],
    ["previous_response_id", { state: { previousResponseId: "resp_1" } }],
    ["messages[0].content[0]", { turns: [user(image)] }],
    ["audio", { turns: [user({ type: "audio", source: { type: "base64", mediaType: "audio/wav", data: "aGk=" } })] }],
    ["video", { turns: [user({ type: "video", source: { type: "url", url: "https://a.example/v.mp4" } })] }],
    [
      "document",
      { turns: [user({ type: "document", source: { type: "base64", mediaType: "application/zip", data: "aGk=" } })] },
    ],
    ["tool_choice", { toolChoice: { mode: "required" } }],
  ];
  test.each(cases)("%s", (param, more) => {
    expect(refusal(more)).toMatchObject({ kind: "bad_request", status: 400, param });
  });

  test("H14 a prefill is kept by models up to 4.5 and refused by later ones", () => {
    const turns = [user(text("Count")), assistant(text("One, "))];
    expect(encode({ turns }, "claude-haiku-4-5").body.messages).toMatchObject([
      { role: "user" },
      { role: "assistant", content: [{ type: "text", text: "One," }] },
    ]);
    expect(refusal({ turns }).kind).toBe("bad_request");
  });

  test("a paused answer goes back on every model (76)", () => {
    const search: Part = {
      type: "server-tool",
      role: "call",
      tool: "web_search",
      protocol: "messages",
      payload: { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} },
    };
    expect(encode({ turns: [user(text("Search")), assistant(search)] }).body.messages).toHaveLength(2);
  });
});

describe("conversation", () => {
  test("H1 system blocks keep their borders and marks", () => {
    const turns: Turn[] = [
      { role: "system", parts: [text("A"), text("B", { ttl: "1h" })] },
      { role: "developer", parts: [text("C")] },
      user(text("x")),
    ];
    expect(encode({ turns }).body.system).toEqual([
      { type: "text", text: "A" },
      { type: "text", text: "B", cache_control: { type: "ephemeral", ttl: "1h" } },
      { type: "text", text: "C" },
    ]);
  });

  test("107 the attribution block goes back first, and only here", () => {
    const block = { type: "text", text: "x-anthropic-billing-header: v" };
    const encoded = encode({ turns: [system("A"), user(text("x"))], extras: { messages: { $attribution: block } } });
    expect(encoded.body.system).toEqual([block, { type: "text", text: "A" }]);
    expect(encoded.body).not.toHaveProperty("$attribution");
  });

  test("H2, 52 a system turn stays where the model takes it, else it is tagged text in place and never on top", () => {
    const turns = [user(text("a")), system("S"), assistant(text("b")), user(text("c"))];
    const roles = (model: string) => {
      const { messages, system: top } = encode({ turns }, model).body;
      expect(top).toBeUndefined();
      return Array.isArray(messages) ? messages.map((turn) => isObject(turn) && turn.role) : [];
    };
    expect(roles("claude-opus-4-8")).toEqual(["user", "system", "assistant", "user"]);
    expect(roles("claude-sonnet-4-5")).toEqual(["user", "assistant", "user"]);
    const misplaced = encode({ turns: [user(text("a")), assistant(text("b")), system("S"), user(text("c"))] });
    expect(misplaced.body.messages).toMatchObject([
      { role: "user" },
      { role: "assistant" },
      { role: "user", content: [{ text: "<system-reminder>\nS\n</system-reminder>" }, { text: "c" }] },
    ]);
    expect(told(misplaced)).toHaveLength(1);
  });

  test("H5, 50, 75 the results of a batch and the text behind them are one user turn, results first", () => {
    const turns = [
      user(text("go")),
      assistant(call("a"), call("b")),
      user(result("a")),
      user(text("and")),
      user(result("b")),
    ];
    expect(encode({ turns, tools: [tool] }).body.messages).toMatchObject([
      { role: "user" },
      { role: "assistant" },
      { role: "user", content: [{ tool_use_id: "a" }, { tool_use_id: "b" }, { text: "and" }] },
    ]);
  });

  test("H12, 83 text behind a call moves in front of it", () => {
    const turns = [user(text("go")), assistant(call("a"), text("calling")), user(result("a"))];
    expect(encode({ turns, tools: [tool] }).body.messages).toMatchObject([
      {},
      { content: [{ type: "text" }, { type: "tool_use" }] },
      {},
    ]);
  });

  test("H13, 24, 58, 132 no empty text block leaves", () => {
    const turns = [user(text(""), text("a")), assistant(text("")), user(text("b"))];
    expect(JSON.stringify(encode({ turns }).body)).not.toContain('"text":""');
  });

  test("48, 89 a call id of another family is made legal, alike for call and result", () => {
    const turns = [user(text("go")), assistant(call("functions.Bash:0")), user(result("functions.Bash:0", text("ok")))];
    const { messages } = encode({ turns, tools: [tool] }).body;
    const [id] = /"id":"([^"]+)"/.exec(JSON.stringify(messages))?.slice(1) ?? [];
    expect(id).toMatch(/^[a-zA-Z0-9_-]+$/);
    expect(JSON.stringify(messages)).toContain(`"tool_use_id":"${id}"`);
  });

  test("T14, 143 arguments of a call are always an object", () => {
    const input = (raw: string) => {
      const turns = [user(text("go")), assistant(call("a", { arguments: raw })), user(result("a", text("ok")))];
      const { messages } = encode({ turns, tools: [tool] }).body;
      return Array.isArray(messages) ? messages[1] : undefined;
    };
    expect(input("")).toMatchObject({ content: [{ input: {} }] });
    expect(input("{}")).toMatchObject({ content: [{ input: {} }] });
    expect(input("7")).toMatchObject({ content: [{ input: { value: 7 } }] });
  });

  test("T15, 138 media stays inside a tool result", () => {
    const image: Part = { type: "image", source: { type: "base64", mediaType: "image/jpg", data: "aGk=" } };
    const pdf: Part = { type: "document", source: { type: "base64", mediaType: "application/pdf", data: "aGk=" } };
    const turns = [user(text("go")), assistant(call("a")), user(result("a", image, pdf))];
    expect(encode({ turns, tools: [tool] }).body.messages).toMatchObject([
      {},
      {},
      { content: [{ content: [{ type: "image", source: { media_type: "image/jpeg" } }, { type: "document" }] }] },
    ]);
  });

  test("M1, 28 an address stays an address", () => {
    const image: Part = { type: "image", source: { type: "url", url: "https://a.example/i.png" } };
    expect(encode({ turns: [user(image)] }).body.messages).toEqual([
      { role: "user", content: [{ type: "image", source: { type: "url", url: "https://a.example/i.png" } }] },
    ]);
  });
});

describe("proofs", () => {
  const foreign: Part = {
    type: "reasoning",
    text: "CANARY-TEXT",
    proof: { family: "openai", kind: "encrypted", value: "CANARY" },
  };

  test("L20 a foreign proof never leaves, and the loss of its text is told once", () => {
    const turns = [
      user(text("a")),
      assistant(foreign, text("b")),
      user(text("c")),
      assistant(foreign, text("d")),
      user(text("e")),
    ];
    const encoded = encode({ turns });
    expect(JSON.stringify(encoded.body)).not.toContain("CANARY");
    expect(told(encoded)).toEqual(["dropped reasoning"]);
  });

  test("62, L19 signed turns go back byte for byte", () => {
    const turns = [user(text("a")), assistant(signed("EqoB", " Hm.\n"), signed("Esec"), text("b")), user(text("c"))];
    expect(encode({ turns }).body.messages).toMatchObject([
      {},
      {
        content: [
          { type: "thinking", thinking: " Hm.\n", signature: "EqoB" },
          { type: "thinking", thinking: "", signature: "Esec" },
          { type: "text", text: "b" },
        ],
      },
      {},
    ]);
  });

  test("pair 12: a proof that a client brought back on the part behind its thought returns to the thought", () => {
    const proof = { family: "anthropic", kind: "signature", value: "EqoB" } as const;
    const turns = [
      user(text("a")),
      assistant({ type: "reasoning", summary: ["Hm."] }, call("t", { proof })),
      user(result("t", text("ok"))),
    ];
    expect(encode({ turns, tools: [tool] }).body.messages).toMatchObject([
      {},
      { content: [{ type: "thinking", thinking: "Hm.", signature: "EqoB" }, { type: "tool_use" }] },
      {},
    ]);
  });

  test("87 thinking whose proof never came is not replayed as signed", () => {
    const turns = [user(text("a")), assistant({ type: "reasoning", text: "Hm." }, text("b")), user(text("c"))];
    expect(JSON.stringify(encode({ turns }).body)).not.toContain("thinking");
  });
});

describe("2.2 reasoning by what the model takes", () => {
  const cases: [string, ReasoningControl, object | undefined, string | undefined, string[]][] = [
    ["claude-sonnet-4-5", { effort: "medium" }, { type: "enabled", budget_tokens: 8192 }, undefined, []],
    ["claude-sonnet-4-5", { effort: "none" }, undefined, undefined, []],
    [
      "claude-sonnet-4-5",
      { adaptive: true },
      { type: "enabled", budget_tokens: 16384 },
      undefined,
      ["approximated thinking"],
    ],
    [
      "claude-opus-4-5",
      { effort: "xhigh" },
      { type: "enabled", budget_tokens: 24576 },
      "high",
      ["approximated reasoning.effort"],
    ],
    ["claude-opus-4-6", { effort: "xhigh" }, { type: "adaptive" }, "max", ["approximated reasoning.effort"]],
    ["claude-opus-4-6", { budgetTokens: 2000 }, { type: "enabled", budget_tokens: 2000 }, undefined, []],
    ["claude-opus-4-7", { budgetTokens: 8192 }, { type: "adaptive" }, "medium", ["approximated reasoning"]],
    ["claude-opus-4-7", { effort: "minimal" }, { type: "adaptive" }, "low", ["approximated reasoning.effort"]],
    ["claude-opus-4-7", { effort: "none" }, undefined, undefined, []],
    ["claude-opus-5", { effort: "high" }, undefined, "high", []],
    ["claude-opus-5", { effort: "high", show: "summary" }, { type: "adaptive", display: "summarized" }, "high", []],
    ["claude-opus-5", { effort: "none" }, { type: "disabled" }, undefined, []],
    ["claude-opus-5", { budgetTokens: 0 }, { type: "disabled" }, undefined, []],
    ["claude-opus-5-5", { effort: "none" }, { type: "adaptive" }, "low", ["approximated reasoning"]],
    ["claude-sonnet-5-5", { effort: "none" }, { type: "between_tools" }, undefined, []],
    [
      "claude-3-5-haiku-latest",
      { effort: "high" },
      undefined,
      undefined,
      ["approximated max_tokens", "dropped reasoning"],
    ],
    ["claude-opus-4-8", { adaptive: true, show: "none" }, { type: "adaptive", display: "omitted" }, undefined, []],
  ];
  test.each(cases)("%s %j", (model, reasoning, thinking, effort, notices) => {
    const encoded = encode({ reasoning, maxOutputTokens: 30_000 }, model);
    expect(encoded.body.thinking).toEqual(thinking);
    expect(encoded.body.output_config).toEqual(effort ? { effort } : undefined);
    expect(told(encoded)).toEqual(notices);
  });

  test("a request that asks for no reasoning gets none", () => {
    expect(encode({}, "claude-opus-4-6").body).not.toHaveProperty("thinking");
  });

  test.each([1, 1024, 2047, 2048, 4096, 20_000, 64_000])(
    "134, 147, L22 a budget stays within a limit of %i",
    (limit) => {
      for (const effort of ["minimal", "low", "medium", "high", "xhigh", "max"] as const) {
        const { body } = encode({ reasoning: { effort }, maxOutputTokens: limit }, "claude-sonnet-4-5");
        expect(body.max_tokens).toBe(limit);
        const budget = isObject(body.thinking) ? body.thinking.budget_tokens : undefined;
        if (budget === undefined) expect(limit).toBeLessThan(2048);
        else {
          expect(budget).toBeGreaterThanOrEqual(1024);
          expect(budget).toBeLessThan(limit);
        }
      }
    },
  );

  test("T11, 23 a forced call turns thinking off, except inside a signed tool loop", () => {
    const forced = encode(
      { tools: [tool], toolChoice: { mode: "required" }, reasoning: { budgetTokens: 1024 } },
      "claude-sonnet-4-5",
    );
    expect(forced.body).toMatchObject({ tool_choice: { type: "any" } });
    expect(forced.body).not.toHaveProperty("thinking");
    expect(told(forced)).toEqual(["dropped reasoning"]);
    const loop = encode(
      {
        turns: [user(text("a")), assistant(signed("EqoB", "Hm."), call("t")), user(result("t", text("ok")))],
        tools: [tool],
        toolChoice: { mode: "required" },
        reasoning: { budgetTokens: 1024 },
      },
      "claude-sonnet-4-5",
    );
    expect(loop.body).toMatchObject({ thinking: { type: "enabled" } });
    expect(loop.body).not.toHaveProperty("tool_choice");
    expect(told(loop)).toEqual(["approximated tool_choice"]);
  });

  test("a foreign tool loop goes on without fixed-budget thinking", () => {
    const turns = [user(text("a")), assistant(call("t")), user(result("t", text("ok")))];
    const encoded = encode({ turns, tools: [tool], reasoning: { effort: "low" } }, "claude-sonnet-4-5");
    expect(encoded.body).not.toHaveProperty("thinking");
    expect(told(encoded)).toEqual(["dropped reasoning"]);
  });
});

describe("tools", () => {
  const choose = (more: Partial<CanonicalRequest>, model = newest) => encode({ tools: [tool], ...more }, model);

  test("T10, 93 serial calls need a choice object", () => {
    expect(choose({ parallelToolCalls: false }).body.tool_choice).toEqual({
      type: "auto",
      disable_parallel_tool_use: true,
    });
    expect(choose({ parallelToolCalls: false, toolChoice: { mode: "required" } }).body.tool_choice).toEqual({
      type: "any",
      disable_parallel_tool_use: true,
    });
    expect(choose({ parallelToolCalls: false, toolChoice: { mode: "none" } }).body.tool_choice).toEqual({
      type: "none",
    });
  });

  test("T9, 49 a subset is cut out of the list and never widened", () => {
    const tools: Tool[] = [tool, { ...tool, name: "g" }];
    const { body } = encode({ tools, toolChoice: { mode: "subset", names: ["g"], required: true } });
    expect(body).toMatchObject({ tools: [{ name: "g" }], tool_choice: { type: "any" } });
    expect(body.tools).toHaveLength(1);
  });

  test("a model that takes no force decides by itself, with a notice", () => {
    const encoded = choose({ toolChoice: { mode: "tool", name: "f" } }, "claude-opus-5-5");
    expect(encoded.body).not.toHaveProperty("tool_choice");
    expect(told(encoded)).toEqual(["approximated tool_choice"]);
  });

  test("T1 an illegal name is aliased alike everywhere and mapped back", () => {
    const name = "mcp.server/tool";
    const { body, plan } = encode({
      tools: [{ ...tool, name }],
      toolChoice: { mode: "tool", name },
      turns: [user(text("a")), assistant(call("t", { name })), user(result("t", text("ok")))],
    });
    const [alias] = [...plan.toolNames.keys()];
    expect(alias).toMatch(/^[a-zA-Z0-9_-]{1,128}$/);
    expect(plan.toolNames.get(alias ?? "")).toBe(name);
    expect(body).toMatchObject({ tools: [{ name: alias }], tool_choice: { name: alias } });
    expect(JSON.stringify(body.messages)).toContain(`"name":"${alias}"`);
  });

  test("T5, 19 a custom tool is a function with one text, in history too", () => {
    const custom: Tool = { type: "custom", name: "patch", description: "Applies." };
    const { body, plan, notices } = encode({
      tools: [custom],
      turns: [
        user(text("a")),
        assistant(call("t", { name: "patch", toolKind: "custom", arguments: "*** Begin" })),
        user(result("t", text("ok"))),
      ],
    });
    expect(body).toMatchObject({ tools: [{ name: "patch", input_schema: { required: ["input"] } }] });
    expect(body.messages).toMatchObject([{}, { content: [{ input: { input: "*** Begin" } }] }, {}]);
    expect(plan.customTools).toEqual(new Set(["patch"]));
    expect(notices).toMatchObject([{ verdict: "emulated" }]);
  });

  test("T7 web search maps by meaning, other provider-run tools are told or refused", () => {
    const search: Tool = {
      type: "server",
      tool: "web_search",
      protocol: "responses",
      payload: {
        type: "web_search",
        user_location: { type: "approximate", city: "Oslo" },
        filters: { allowed_domains: ["a.no"] },
      },
    };
    expect(encode({ tools: [search] }).body.tools).toEqual([
      {
        type: "web_search_20250305",
        name: "web_search",
        allowed_domains: ["a.no"],
        user_location: { type: "approximate", city: "Oslo" },
      },
    ]);
    const files: Tool = {
      type: "server",
      tool: "file_search",
      protocol: "responses",
      payload: { type: "file_search" },
      at: "tools[0]",
    };
    expect(told(encode({ tools: [files] }))).toEqual(["dropped tools[0]"]);
    const force = { mode: "server", protocol: "responses", payload: { type: "file_search" } } as const;
    expect(refusal({ tools: [files, tool], toolChoice: force }).param).toBe("tool_choice");
  });

  test("T12, 72 strict stays where the schema allows it, else it is told", () => {
    const closed = {
      type: "object",
      properties: { a: { type: "string" } },
      required: ["a"],
      additionalProperties: false,
    };
    expect(encode({ tools: [{ ...tool, strict: true, parameters: closed }] }).body.tools).toMatchObject([
      { strict: true },
    ]);
    const loose = encode({ tools: [{ ...tool, strict: true, at: "tools[0]" }] });
    expect(loose.body.tools).not.toMatchObject([{ strict: true }]);
    expect(told(loose)).toEqual(["dropped tools[0].strict"]);
  });

  test("131 an absent description is an absent key; a missing schema is an empty object's", () => {
    expect(encode({ tools: [{ type: "function", name: "f" }] }).body.tools).toEqual([
      { name: "f", input_schema: { type: "object", properties: {} } },
    ]);
  });

  test("alternatives at the top of a schema become one object", () => {
    const parameters = {
      anyOf: [
        { type: "object", properties: { a: { type: "string" }, c: { type: "string" } }, required: ["a", "c"] },
        { type: "object", properties: { b: { type: "number" }, c: { type: "string" } }, required: ["b", "c"] },
      ],
    };
    const encoded = encode({ tools: [{ ...tool, parameters }] });
    expect(encoded.body.tools).toMatchObject([
      { input_schema: { type: "object", properties: { a: {}, b: {}, c: {} }, required: ["c"] } },
    ]);
    expect(told(encoded)).toEqual(["approximated tools"]);
  });
});

describe("structured output", () => {
  const closed = {
    type: "object",
    properties: { a: { type: "string" } },
    required: ["a"],
    additionalProperties: false,
  };

  test("J2, 139 a schema is output_config.format", () => {
    expect(encode({ format: { type: "schema", schema: closed, name: "x" } }).body.output_config).toEqual({
      format: { type: "json_schema", schema: closed },
    });
  });

  test("a loose schema is closed and what cannot be held moves into descriptions, with a notice", () => {
    const schema = { type: "object", properties: { n: { type: "integer", minimum: 3 } } };
    const encoded = encode({ format: { type: "schema", schema } });
    expect(encoded.body.output_config).toEqual({
      format: {
        type: "json_schema",
        schema: {
          type: "object",
          properties: { n: { type: "integer", description: "(minimum: 3)" } },
          additionalProperties: false,
        },
      },
    });
    expect(told(encoded)).toEqual(["approximated response_format"]);
    expect(schema).toEqual({ type: "object", properties: { n: { type: "integer", minimum: 3 } } });
  });

  test("J2 an old model answers through a hidden tool, or in words beside the caller's tools", () => {
    const format = { type: "schema", schema: closed } as const;
    const hidden = encode({ format }, "claude-sonnet-4-0");
    expect(hidden.body).toMatchObject({
      tools: [{ name: "structured_output", input_schema: closed }],
      tool_choice: { type: "tool", name: "structured_output" },
    });
    expect(hidden.plan.structuredOutputTool).toBe("structured_output");
    const words = encode({ format, tools: [tool] }, "claude-sonnet-4-0");
    expect(words.body).not.toHaveProperty("tool_choice");
    expect(words.plan.unfenceJson).toBe(true);
    expect(JSON.stringify(words.body.system)).toContain("JSON Schema");
  });

  test("J1 JSON without a schema is asked for in words at the end of the system text", () => {
    const encoded = encode({ format: { type: "json" }, turns: [system("A"), user(text("x"))] });
    expect(encoded.body.system).toMatchObject([
      { text: "A" },
      { text: "Answer with one JSON object and nothing else." },
    ]);
    expect(encoded.plan.unfenceJson).toBe(true);
    expect(told(encoded)).toEqual(["emulated response_format"]);
  });
});

describe("P20 cache marks", () => {
  test("54 of six marks the four latest stay", () => {
    const turns = [
      { role: "system", parts: [text("s1", {}), text("s2", {})] } as const,
      user(text("u1", {}), text("u2", {}), text("u3", {}), text("u4", {})),
    ].map((turn): Turn => ({ role: turn.role, parts: [...turn.parts] }));
    const encoded = encode({ turns });
    expect(JSON.stringify(encoded.body).match(/cache_control/g)).toHaveLength(4);
    expect(JSON.stringify(encoded.body.system)).not.toContain("cache_control");
    expect(told(encoded)).toEqual(["dropped cache_control"]);
  });

  test("136 a mark of one hour behind one of five minutes becomes one of five minutes", () => {
    const turns: Turn[] = [{ role: "system", parts: [text("s", {})] }, user(text("u", { ttl: "1h" }))];
    const encoded = encode({ turns });
    expect(encoded.body.messages).toMatchObject([{ content: [{ cache_control: { ttl: "5m" } }] }]);
    expect(told(encoded)).toEqual(["approximated cache_control"]);
  });

  test("77 a mark on any of several merged results stays", () => {
    const marked: Part = { type: "tool-result", callId: "b", toolKind: "function", content: [], cache: {} };
    const turns = [user(text("go")), assistant(call("a"), call("b")), user(result("a")), user(marked)];
    expect(JSON.stringify(encode({ turns, tools: [tool] }).body.messages)).toContain("cache_control");
  });
});

describe("caller", () => {
  const id = (userId: string) => encode({ caller: { userId } }).body.metadata;

  test("P18, 34 an id that looks like a contact or is too long is hashed", () => {
    expect(id("user_1")).toEqual({ user_id: "user_1" });
    expect(id("ann@example.com")).toEqual({ user_id: sha256Hex("ann@example.com") });
    expect(id("+47 22 33 44 55")).toEqual({ user_id: sha256Hex("+47 22 33 44 55") });
    expect(id("x".repeat(300))).toEqual({ user_id: sha256Hex("x".repeat(300)) });
  });

  test("96 an id that is JSON is opaque", () => {
    const json = '{"device_id":"a","session_id":"b"}';
    expect(id(json)).toEqual({ user_id: json });
  });

  test("metadata, cache keys and tool-call limits are told", () => {
    const encoded = encode({
      caller: { metadata: { a: "b" } },
      cache: { key: "k" },
      maxToolCalls: 3,
      verbosity: "low",
    });
    expect(told(encoded)).toEqual([
      "dropped verbosity",
      "dropped max_tool_calls",
      "dropped prompt_cache_key",
      "dropped metadata",
    ]);
  });
});

test("L7 a longer conversation extends the body of the shorter one", () => {
  const first = [system("S"), user(text("a"))];
  const second = [...first, assistant(signed("EqoB", "Hm."), call("t")), user(result("t", text("ok")))];
  const short = JSON.stringify(encode({ turns: first, tools: [tool] }).body.messages);
  const long = JSON.stringify(encode({ turns: second, tools: [tool] }).body.messages);
  expect(long.startsWith(short.slice(0, -1))).toBe(true);
});
