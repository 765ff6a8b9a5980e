import { describe, expect, it } from "vitest";
import {
  type CanonicalRequest,
  type JsonObject,
  type Part,
  type Proof,
  ProtocolError,
  type ToolChoice,
  type Turn,
} from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";
import { minimalRequest } from "../testing/chat-completions-fixture.ts";
import { encodeRequest } from "./request-encoder.ts";

function encode(more: Partial<CanonicalRequest>, model = "gpt-4.1") {
  const wanted = minimalRequest({ stream: false, ...more });
  return encodeRequest(wanted, { model, stream: wanted.stream });
}

function body(more: Partial<CanonicalRequest>, model?: string): JsonObject {
  return encode(more, model).body;
}

function fields(more: Partial<CanonicalRequest>, model?: string) {
  return encode(more, model).notices.map((notice) => [notice.field, notice.verdict]);
}

function refusedParam(more: Partial<CanonicalRequest>, model?: string): string | undefined {
  try {
    encode(more, model);
  } catch (cause) {
    if (cause instanceof ProtocolError) return cause.error.param;
    throw cause;
  }
  throw new Error("The request was not refused.");
}

const user: Turn = { role: "user", parts: [{ type: "text", text: "Hi" }] };

function calling(parts: Part[], results: Part[] = []): Turn[] {
  return [user, { role: "assistant", parts }, { role: "user", parts: results }];
}

function call(callId: string, more: Partial<Extract<Part, { type: "tool-call" }>> = {}): Part {
  return { type: "tool-call", callId, name: "f", toolKind: "function", arguments: "{}", ...more };
}

function result(callId: string, content: Part[] = [{ type: "text", text: "4" }], more: JsonObject = {}): Part {
  return { type: "tool-result", callId, toolKind: "function", content, ...more };
}

function messages(more: Partial<CanonicalRequest>, model?: string): JsonObject[] {
  const list = body(more, model).messages;
  return Array.isArray(list) ? list.filter(isObject) : [];
}

describe("limits and sampling", () => {
  it.each([
    ["gpt-5", "max_completion_tokens"],
    ["gpt-5.6-sol", "max_completion_tokens"],
    ["o3-mini", "max_completion_tokens"],
    ["gpt-4.1", "max_tokens"],
    ["openai/gpt-5", "max_tokens"],
    ["deepseek-chat", "max_tokens"],
    ["something-new", "max_tokens"],
  ])("P4 the limit for %s is %s", (model, field) => {
    const written = body({ maxOutputTokens: 9 }, model);
    expect(written[field]).toBe(9);
    expect(Object.keys(written).filter((key) => key.startsWith("max_"))).toEqual([field]);
  });

  it("P6 a reasoning model gets no sampling, and the loss is told", () => {
    const sampling = { temperature: 0.3, presencePenalty: 1, logitBias: { "1": 2 } };
    expect(body({ sampling }, "gpt-5")).not.toHaveProperty("temperature");
    expect(fields({ sampling }, "gpt-5")).toEqual([
      ["temperature", "dropped"],
      ["presence_penalty", "dropped"],
      ["logit_bias", "dropped"],
    ]);
    expect(fields({ sampling: { temperature: 1 } }, "gpt-5")).toEqual([]);
    expect(body({ sampling }, "gpt-4.1").temperature).toBe(0.3);
  });

  it("P8 top_k is told", () => {
    expect(fields({ sampling: { topK: 3 } })).toEqual([["top_k", "dropped"]]);
  });

  it("P10 P11 stop sequences that the upstream cannot take are watched for", () => {
    const stopSequences = ["a", "b", "c", "d", "e"];
    const split = encode({ stopSequences });
    expect(split.body.stop).toEqual(["a", "b", "c", "d"]);
    expect(split.plan.stopSequences).toEqual(["e"]);
    const none = encode({ stopSequences: ["a"] }, "o3");
    expect(none.body).not.toHaveProperty("stop");
    expect(none.plan.stopSequences).toEqual(["a"]);
    expect(none.notices).toMatchObject([{ field: "stop", verdict: "emulated" }]);
  });

  it("P13 n is kept", () => {
    expect(body({ candidates: 3 }).n).toBe(3);
  });

  it("P18 metadata goes only together with store", () => {
    const caller = { metadata: { a: "b" } };
    expect(fields({ caller })).toEqual([["metadata", "dropped"]]);
    expect(body({ caller, state: { store: true } })).toMatchObject({ store: true, metadata: { a: "b" } });
  });

  it("P18 a long user id is hashed, and the field is the upstream's", () => {
    expect(body({ caller: { userId: "u" } }).safety_identifier).toBe("u");
    expect(body({ caller: { userId: "u" } }, "new-model").user).toBe("u");
    expect(body({ caller: { userId: "u".repeat(65) } }).safety_identifier).toMatch(/^[0-9a-f]{64}$/);
    expect(fields({ caller: { userId: "u" } }, "mistral-large")).toEqual([["user", "dropped"]]);
  });

  it("P21 P17 R1 what would change the answer is refused", () => {
    expect(refusedParam({ cache: { contentHandle: "cachedContents/1" } })).toBe("cachedContent");
    expect(refusedParam({ modalities: ["video"] })).toBe("modalities");
    expect(refusedParam({ modalities: ["audio"] })).toBe("modalities");
    expect(refusedParam({ state: { previousResponseId: "resp_1" } })).toBe("previous_response_id");
    expect(refusedParam({ state: { background: true } })).toBe("background");
  });

  it("always asks for usage on a stream", () => {
    expect(body({ stream: true })).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    expect(body({ stream: false })).not.toHaveProperty("stream");
  });

  it("own extras go back to their levels", () => {
    const own: CanonicalRequest["extras"] = { "chat-completions": { top_k: 2 }, messages: { top_k: 3 } };
    expect(body({ extras: own }).top_k).toBe(2);
  });
});

describe("structured output", () => {
  const loose = { type: "object", properties: { a: { type: "string" } } };
  it("J4 J5 a name is there and strict only where the schema is strict", () => {
    const format = { type: "schema", schema: loose, strict: true } as const;
    expect(body({ format }).response_format).toEqual({
      type: "json_schema",
      json_schema: { name: "response", schema: loose, strict: false },
    });
    expect(fields({ format })).toEqual([["response_format.json_schema.strict", "approximated"]]);
  });

  it("J1 JSON mode gets the word that the vendor wants, and only then", () => {
    expect(messages({ format: { type: "json" } })[0]).toMatchObject({ role: "system" });
    const asked: Turn = { role: "user", parts: [{ type: "text", text: "As json." }] };
    expect(messages({ format: { type: "json" }, turns: [asked] })).toHaveLength(1);
    expect(messages({ format: { type: "json" } }, "deepseek-chat")).toHaveLength(1);
  });
});

describe("reasoning effort (2.2)", () => {
  it.each([
    ["gpt-5", "none", "minimal"],
    ["gpt-5.1", "minimal", "low"],
    ["gpt-5.2", "max", "xhigh"],
    ["gpt-5.6-sol", "max", "max"],
    ["o3", "xhigh", "high"],
    ["gpt-oss-120b", "none", "low"],
    ["unknown", "medium", "medium"],
  ] as const)("%s takes %s as %s", (model, effort, sent) => {
    expect(body({ reasoning: { effort } }, model).reasoning_effort).toBe(sent);
    expect(fields({ reasoning: { effort } }, model)).toHaveLength(effort === sent ? 0 : 1);
  });

  it("a budget becomes an effort; adaptive leaves the model's own", () => {
    expect(body({ reasoning: { budgetTokens: 8192 } }, "gpt-5").reasoning_effort).toBe("medium");
    expect(body({ reasoning: { adaptive: true } }, "gpt-5")).not.toHaveProperty("reasoning_effort");
  });

  it("a model without reasoning is not asked for any", () => {
    expect(body({ reasoning: { effort: "high" } }, "gpt-4.1")).not.toHaveProperty("reasoning_effort");
    expect(fields({ reasoning: { effort: "high" } }, "gpt-4.1")).toHaveLength(1);
  });

  it("E8 off is said by the dialect's own switch", () => {
    expect(body({ reasoning: { effort: "none" } }, "deepseek-v4").thinking).toEqual({ type: "disabled" });
    expect(body({ reasoning: { budgetTokens: 0 } }, "qwen3-max").enable_thinking).toBe(false);
  });
});

describe("tools", () => {
  const tool = { type: "function", name: "f", at: "tools[0]" } as const;
  const custom = { type: "custom", name: "patch", at: "tools[0]" } as const;

  it("T1 an illegal name is replaced everywhere, and the plan undoes it", () => {
    const name = "mcp__server.tool/with:everything";
    const written = encode({
      tools: [{ ...tool, name }],
      toolChoice: { mode: "tool", name },
      turns: calling([call("a", { name })], [result("a")]),
    });
    const [wire] = [...written.plan.toolNames.keys()];
    expect(wire).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(written.plan.toolNames.get(wire ?? "")).toBe(name);
    expect(JSON.stringify(written.body).split(`"${wire}"`)).toHaveLength(4);
    expect(JSON.stringify(written.body)).not.toContain(name);
  });

  it("2.4 long ids are cut with a hash, on call and result alike", () => {
    const id = `toolu_${"x".repeat(60)}`;
    const [, assistant, answer] = messages({ turns: calling([call(id)], [result(id)]) });
    const calls = assistant?.tool_calls;
    const written = Array.isArray(calls) && isObject(calls[0]) ? calls[0].id : undefined;
    expect(written).toMatch(/^call_.{1,35}$/);
    expect(answer?.tool_call_id).toBe(written);
  });

  it("2.4 Mistral gets ids of nine letters and digits", () => {
    const [, , answer] = messages({ turns: calling([call("call_1")], [result("call_1")]) }, "mistral-large-latest");
    expect(answer?.tool_call_id).toMatch(/^[a-zA-Z0-9]{9}$/);
  });

  it("T5 a custom tool goes as a function where the model takes none, in the history too", () => {
    const turns = calling([call("a", { name: "patch", toolKind: "custom", arguments: "x\ny" })], [result("a")]);
    const written = encode({ tools: [custom], turns }, "gpt-4.1");
    expect(written.plan.customTools).toEqual(new Set(["patch"]));
    expect(written.body.tools).toMatchObject([{ type: "function", function: { name: "patch" } }]);
    expect(JSON.stringify(written.body.messages)).toContain(JSON.stringify('{"input":"x\\ny"}'));
    const kept = encode({ tools: [custom], turns }, "gpt-5");
    expect(kept.plan.customTools.size).toBe(0);
    expect(kept.body.tools).toEqual([{ type: "custom", custom: { name: "patch" } }]);
  });

  it("T7 a provider's tool is dropped, refused when forced, and kept by meaning where the model searches", () => {
    const search = { type: "server", tool: "web_search", protocol: "messages", payload: {}, at: "tools[0]" } as const;
    expect(fields({ tools: [search] })).toEqual([["tools[0]", "dropped"]]);
    const toolChoice = { mode: "server", protocol: "messages", payload: {} } as const;
    expect(refusedParam({ tools: [search], toolChoice })).toBe("tools[0]");
    expect(body({ tools: [search] }, "gpt-4o-search-preview").web_search_options).toEqual({});
  });

  it("T9 a subset is named to the vendor and cut down elsewhere", () => {
    const tools = [tool, { ...tool, name: "g" }];
    const toolChoice: ToolChoice = { mode: "subset", names: ["g"], required: true };
    expect(body({ tools, toolChoice }).tool_choice).toEqual({
      type: "allowed_tools",
      allowed_tools: { mode: "required", tools: [{ type: "function", function: { name: "g" } }] },
    });
    const cut = body({ tools, toolChoice }, "llama-3.3-70b");
    expect(cut.tools).toHaveLength(1);
    expect(cut.tool_choice).toBe("required");
  });

  it("T10 parallel off needs tools, and the o-series does not know it", () => {
    expect(body({ parallelToolCalls: false })).not.toHaveProperty("parallel_tool_calls");
    expect(body({ parallelToolCalls: false, tools: [tool] }).parallel_tool_calls).toBe(false);
    expect(fields({ parallelToolCalls: false, tools: [tool] }, "o3")).toEqual([["parallel_tool_calls", "dropped"]]);
  });

  it("T19 more tools than the vendor takes are refused", () => {
    const tools = Array.from({ length: 129 }, (_, at) => ({ ...tool, name: `f${at}` }));
    expect(refusedParam({ tools })).toBe("tools");
  });

  it("a choice without tools is not sent", () => {
    expect(body({ toolChoice: { mode: "required" } })).not.toHaveProperty("tool_choice");
    expect(fields({ toolChoice: { mode: "required" } })).toEqual([["tool_choice", "dropped"]]);
  });
});

describe("history", () => {
  it("H13 a turn of calls only has no content", () => {
    expect(messages({ turns: calling([call("a")], [result("a")]) })[1]).toMatchObject({ content: null });
  });

  it("H3 developer is a role of the vendor's models", () => {
    const turns: Turn[] = [{ role: "developer", parts: [{ type: "text", text: "Be brief." }] }, user];
    expect(messages({ turns }, "gpt-5")[0]?.role).toBe("developer");
    expect(messages({ turns }, "llama-3.3-70b")[0]?.role).toBe("system");
  });

  it("T15 pictures of results follow in a user message behind all results of the batch", () => {
    const image: Part = { type: "image", source: { type: "base64", mediaType: "image/png", data: "AAAA" } };
    const turns = calling([call("a"), call("b")], [result("a", [{ type: "text", text: "1" }, image]), result("b")]);
    const written = messages({ turns });
    expect(written.map((message) => message.role)).toEqual(["user", "assistant", "tool", "tool", "user"]);
    expect(JSON.stringify(written[4])).toContain("image_url");
    expect(JSON.stringify(written[4])).toContain("Output of tool call a");
  });

  it("T16 an error is told in words, once", () => {
    const turns = calling(
      [call("a"), call("b")],
      [
        result("a", [{ type: "text", text: "no" }], { isError: true }),
        result("b", [{ type: "text", text: "Error: no" }], { isError: true }),
      ],
    );
    expect(
      messages({ turns })
        .slice(2)
        .map((message) => message.content),
    ).toEqual(["Error: no", "Error: no"]);
  });

  it("M4 a file of another provider is refused by its place", () => {
    const at = "messages[0].content[0]";
    const parts: Part[] = [{ type: "image", source: { type: "file", id: "f", family: "anthropic" }, at }];
    expect(refusedParam({ turns: [{ role: "user", parts }] })).toBe(at);
  });

  it("M2 M8 media that the vendor cannot read is refused by its place, and goes to servers that can", () => {
    const at = "contents[0].parts[1]";
    const video: Part = { type: "video", source: { type: "url", url: "https://x/v.mp4" }, at };
    const stored: Part = { type: "image", source: { type: "url", url: "gs://x/y" }, at };
    const document: Part = { type: "document", source: { type: "url", url: "https://x/y.pdf" }, at };
    for (const part of [video, stored, document]) {
      expect(refusedParam({ turns: [{ role: "user", parts: [part] }] })).toBe(at);
    }
    const sent = messages({ turns: [{ role: "user", parts: [video, document] }] }, "qwen3-vl");
    expect(sent[0]?.content).toMatchObject([{ type: "video_url" }, { type: "file" }]);
  });

  it("H14 a conversation that ends with the assistant is refused", () => {
    expect(() => encode({ turns: [user, { role: "assistant", parts: [{ type: "text", text: "The" }] }] })).toThrow(
      ProtocolError,
    );
  });

  it("P20 a cache mark goes only where it is taken", () => {
    const turns: Turn[] = [{ role: "user", parts: [{ type: "text", text: "a", cache: { ttl: "5m" } }] }];
    const content = (model: string) => messages({ turns }, model)[0]?.content;
    expect(content("gpt-4.1")).toBe("a");
    expect(content("gpt-5.6-sol")).toEqual([
      { type: "text", text: "a", prompt_cache_breakpoint: { mode: "explicit" } },
    ]);
    expect(content("anthropic/claude-sonnet-4.6")).toEqual([
      { type: "text", text: "a", cache_control: { type: "ephemeral", ttl: "5m" } },
    ]);
    expect(fields({ turns })).toEqual([]);
  });

  it("a foreign part with text is shown as text, one without is told as lost", () => {
    const at = "input[0]";
    const parts: Part[] = [
      { type: "text", text: "a" },
      { type: "opaque", protocol: "responses", nativeType: "x", payload: {}, text: "b", at },
      { type: "opaque", protocol: "responses", nativeType: "y", payload: {}, at },
    ];
    const turns: Turn[] = [{ role: "user", parts }];
    expect(messages({ turns })[0]?.content).toEqual([
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ]);
    expect(fields({ turns })).toEqual([
      [at, "approximated"],
      [at, "dropped"],
    ]);
  });
});

describe("reasoning and proofs of earlier turns", () => {
  const canary = "c2VjcmV0LXByb29m";
  const families: Proof[] = ["anthropic", "openai", "gemini", "chat-completions"].map((family) => ({
    family,
    kind: "signature",
    value:
      family === "chat-completions" ? JSON.stringify({ type: "reasoning.text", signature: canary, index: 0 }) : canary,
  }));

  function history(proof: Proof): Turn[] {
    return calling(
      [{ type: "reasoning", text: "think", proof }, { type: "text", text: "x", proof }, call("a", { proof })],
      [result("a")],
    );
  }

  it.each(families)("L20 a proof of $family never leaves for another family", (proof) => {
    for (const model of ["gpt-5", "o3", "deepseek-chat", "unknown", "anthropic/claude-sonnet-4.6"]) {
      const own = proof.family === "chat-completions" && !model.startsWith("gpt") && !model.startsWith("o3");
      expect(JSON.stringify(body({ turns: history(proof) }, model)).includes(canary)).toBe(own);
    }
  });

  it("2.5 Gemini behind this protocol gets its signature back, also from a reasoning part in front of the call", () => {
    const proof: Proof = { family: "gemini", kind: "signature", value: canary };
    const turns = calling([{ type: "reasoning", text: "think", proof }, call("a")], [result("a")]);
    expect(JSON.stringify(messages({ turns }, "gemini-3-pro"))).toContain(
      `{"google":{"thought_signature":"${canary}"}}`,
    );
  });

  it("a server's own details go back unchanged with their text", () => {
    const [proof] = families.filter(({ family }) => family === "chat-completions");
    const turns = calling(
      [{ type: "reasoning", text: "think", ...(proof ? { proof } : {}) }, call("a")],
      [result("a")],
    );
    expect(messages({ turns }, "anthropic/claude-sonnet-4.6")[1]?.reasoning_details).toEqual([
      { type: "reasoning.text", signature: canary, index: 0, text: "think" },
    ]);
  });

  it("E5 text goes back to dialects, and its loss at the vendor is told once", () => {
    const parts: Part[] = [{ type: "reasoning", text: "think", at: "messages[1].content[0]" }, call("a")];
    const turns = calling(parts, [result("a")]);
    expect(messages({ turns }, "deepseek-chat")[1]?.reasoning_content).toBe("think");
    expect(messages({ turns }, "gpt-5")[1]).not.toHaveProperty("reasoning_content");
    expect(fields({ turns }, "gpt-5")).toEqual([["messages[1].content[0]", "dropped"]]);
  });
});

it("L6 L7 the same request gives the same bytes, and a longer history extends them", () => {
  const first = calling([call("a")], [result("a")]);
  const once = JSON.stringify(body({ turns: first }));
  for (let run = 0; run < 20; run += 1) expect(JSON.stringify(body({ turns: first }))).toBe(once);
  const longer = messages({ turns: [...first, { role: "assistant", parts: [{ type: "text", text: "4" }] }, user] });
  expect(longer.slice(0, 3)).toEqual(messages({ turns: first }));
});
