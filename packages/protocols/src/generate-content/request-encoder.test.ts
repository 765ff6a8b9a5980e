import { describe, expect, it } from "vitest";
import type {
  CanonicalRequest,
  JsonObject,
  Part,
  Proof,
  ToolCallPart,
  ToolResultPart,
  Turn,
} from "../canonical/index.ts";
import { ProtocolError } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";
import { decode, showing } from "../testing/generate-content-fixture.ts";
import { generateContent } from "./codec.ts";
import { absentSignature } from "./wire.ts";

const user: Turn = { role: "user", parts: [{ type: "text", text: "Hi" }] };
const { reasoning: _, ...plain } = showing;

function encode(more: Partial<CanonicalRequest>, model = "gemini-3-flash") {
  const { body, notices, plan } = generateContent.encodeRequest({ ...plain, ...more }, { model, stream: false });
  return { body, plan, notices: notices.map(({ field, verdict }) => `${field} ${verdict}`) };
}

function refused(more: Partial<CanonicalRequest>): string | undefined {
  try {
    encode(more);
  } catch (cause) {
    if (cause instanceof ProtocolError && cause.error.status === 400) return cause.error.param;
    throw cause;
  }
  throw new Error("The request was taken.");
}

const gemini = (value: string): Proof => ({ family: "gemini", kind: "signature", value });
const foreign: Proof = { family: "anthropic", kind: "signature", value: "CANARY" };
const call = (callId: string, proof?: Proof): ToolCallPart => ({
  type: "tool-call",
  callId,
  name: "f",
  toolKind: "function",
  arguments: "{}",
  ...(proof ? { proof } : {}),
});
const result = (callId: string, text = "ok"): ToolResultPart => ({
  type: "tool-result",
  callId,
  toolKind: "function",
  content: [{ type: "text", text }],
});

function modelParts(parts: Part[], model = "gemini-3-flash"): JsonObject[] {
  const results = parts.flatMap((part) => (part.type === "tool-call" ? [result(part.callId)] : []));
  const after: Turn = { role: "user", parts: results.length > 0 ? results : user.parts };
  const { body } = encode({ turns: [user, { role: "assistant", parts }, after] }, model);
  const second = Array.isArray(body.contents) ? body.contents[1] : undefined;
  if (!isObject(second) || !Array.isArray(second.parts)) throw new Error("no model content");
  return second.parts.filter(isObject);
}

const signatures = (parts: JsonObject[]) => parts.map((part) => part.thoughtSignature);

describe("2.5 signatures", () => {
  it("stand where they stood; the stand-in never replaces one", () => {
    expect(signatures(modelParts([call("a", gemini("S1")), call("b")]))).toEqual(["S1", undefined]);
  });
  it("the stand-in goes onto the first call only, and only where models demand it", () => {
    expect(signatures(modelParts([{ type: "text", text: "x" }, call("a"), call("b")]))).toEqual([
      undefined,
      absentSignature,
      undefined,
    ]);
    expect(signatures(modelParts([call("a"), call("b")], "gemini-2.5-flash"))).toEqual([undefined, undefined]);
  });
  it("one parked on reasoning goes back onto the call behind it", () => {
    const parts = modelParts([{ type: "reasoning", text: "t", proof: gemini("S1") }, call("a"), call("b")]);
    expect(parts[0]).toEqual({ text: "t", thought: true });
    expect(signatures(parts)).toEqual([undefined, "S1", undefined]);
  });
  it("several find each their own part", () => {
    const parked = (value: string): Part => ({ type: "reasoning", proof: gemini(value) });
    expect(
      signatures(
        modelParts([parked("S1"), { type: "text", text: "x" }, parked("S2"), call("a"), parked("S3"), call("b")]),
      ),
    ).toEqual(["S1", "S2", "S3"]);
    expect(signatures(modelParts([{ type: "text", text: "x" }, parked("S1")]))).toEqual(["S1"]);
  });
  it("L20 a foreign proof never leaves; its text stays as a thought", () => {
    const parts = modelParts([
      { type: "reasoning", text: "why", proof: foreign },
      { type: "text", text: "x" },
    ]);
    expect(parts).toEqual([{ text: "why", thought: true }, { text: "x" }]);
    expect(JSON.stringify(modelParts([{ ...call("a"), proof: foreign }]))).not.toContain("CANARY");
  });
  it("L7 a turn keeps its bytes when the conversation goes on", () => {
    const history: Turn[] = [user, { role: "assistant", parts: [call("a")] }, { role: "user", parts: [result("a")] }];
    const longer: Turn[] = [...history, { role: "assistant", parts: [{ type: "text", text: "x" }] }, user];
    const short = JSON.stringify(encode({ turns: history }).body.contents).slice(0, -1);
    expect(JSON.stringify(encode({ turns: longer }).body.contents).startsWith(short)).toBe(true);
  });
});

describe("results (H5, T4, T15, T16, T17)", () => {
  it("all of a batch in one content, in the order of the calls, with names, apart from other parts", () => {
    const turns: Turn[] = [
      user,
      { role: "assistant", parts: [call("a", gemini("S")), { ...call("b"), name: "g" }] },
      {
        role: "user",
        parts: [{ type: "text", text: "and?" }, result("b", '{"x":1}'), { ...result("a", "bad"), isError: true }],
      },
    ];
    const { body } = encode({ turns });
    expect(body.contents).toMatchObject([
      {},
      {},
      {
        role: "user",
        parts: [
          { functionResponse: { id: "a", name: "f", response: { error: "bad" } } },
          { functionResponse: { id: "b", name: "g", response: { x: 1 } } },
        ],
      },
      { role: "user", parts: [{ text: "and?" }] },
    ]);
  });
  it("numbers that JSON would change stay text", () => {
    const turns: Turn[] = [
      user,
      { role: "assistant", parts: [call("a")] },
      { role: "user", parts: [result("a", '{"id":12345678901234567890}')] },
    ];
    expect(JSON.stringify(encode({ turns }).body)).toContain('{"output":"{\\"id\\":12345678901234567890}"}');
  });
  it("media stands inside on the newest models, behind the results on older ones", () => {
    const image: Part = { type: "image", source: { type: "base64", mediaType: "image/png", data: "AAAA" } };
    const shown: Part = {
      type: "tool-result",
      callId: "a",
      toolKind: "function",
      content: [{ type: "text", text: "see" }, image],
    };
    const turns: Turn[] = [user, { role: "assistant", parts: [call("a")] }, { role: "user", parts: [shown] }];
    const inlineData = { mimeType: "image/png", data: "AAAA" };
    expect(encode({ turns }).body.contents).toMatchObject([
      {},
      {},
      { parts: [{ functionResponse: { parts: [{ inlineData }] } }] },
    ]);
    const old = encode({ turns }, "gemini-2.5-flash");
    expect(old.body.contents).toMatchObject([
      {},
      {},
      { parts: [{ functionResponse: { name: "f" } }] },
      { parts: [{ text: "Output of tool call a:" }, { inlineData }] },
    ]);
    expect(JSON.stringify(old.body)).not.toContain('"id"');
  });
});

describe("media (M2, M4, M6)", () => {
  const media = (source: Extract<Part, { type: "image" }>["source"], at?: string): Partial<CanonicalRequest> => ({
    turns: [{ role: "user", parts: [{ type: "image", source, ...(at ? { at } : {}) }] }],
  });
  it("an address from another protocol is refused, never fetched", () => {
    expect(refused(media({ type: "url", url: "https://example.com/a.png" }, "messages[0].content[1]"))).toBe(
      "messages[0].content[1]",
    );
    expect(refused(media({ type: "url", url: "http://169.254.169.254/" }, "input[0].content[0]"))).toBe(
      "input[0].content[0]",
    );
  });
  it("buckets, YouTube, data URLs and this protocol's own addresses pass", () => {
    const sent = (url: string, at?: string) => encode(media({ type: "url", url }, at)).body.contents;
    expect(sent("gs://bucket/a.png")).toMatchObject([{ parts: [{ fileData: { fileUri: "gs://bucket/a.png" } }] }]);
    expect(sent("https://www.youtube.com/watch?v=1")).toMatchObject([{ parts: [{ fileData: {} }] }]);
    expect(sent("data:image/jpg;base64,AAAA")).toMatchObject([
      { parts: [{ inlineData: { mimeType: "image/jpeg", data: "AAAA" } }] },
    ]);
    expect(sent("https://example.com/a.png", "contents[0].parts[0]")).toMatchObject([{ parts: [{ fileData: {} }] }]);
  });
  it("another provider's file is refused", () => {
    expect(refused(media({ type: "file", id: "file-1", family: "openai" }, "messages[0].content[0]"))).toBe(
      "messages[0].content[0]",
    );
  });
  it("a text document becomes text with its title", () => {
    const turns: Turn[] = [
      {
        role: "user",
        parts: [{ type: "document", title: "Notes", source: { type: "text", text: "abc", mediaType: "text/plain" } }],
      },
    ];
    expect(encode({ turns }).body.contents).toEqual([{ role: "user", parts: [{ text: "Notes\n\nabc" }] }]);
  });
});

describe("tools", () => {
  const tool = (name: string, more: JsonObject = {}) => ({
    type: "function" as const,
    name,
    parameters: { type: "object", properties: { a: { type: "string" } } },
    ...more,
  });
  it("T1 an illegal name gets an alias that the answer undoes", () => {
    const name = `mcp__${"x".repeat(130)}`;
    const { body, plan } = encode({ tools: [tool(name), tool("ok")], toolChoice: { mode: "tool", name } });
    const [alias] = [...plan.toolNames.keys()];
    expect(plan.toolNames.get(alias ?? "")).toBe(name);
    expect(body.toolConfig).toEqual({ functionCallingConfig: { mode: "ANY", allowedFunctionNames: [alias] } });
  });
  it("a function that is offered twice is declared once", () => {
    const { body, notices } = encode({
      tools: [tool("a"), tool("a"), tool("a", { description: "other", at: "tools[2]" })],
    });
    expect(JSON.stringify(body.tools).match(/"name":"a"/g)).toHaveLength(1);
    expect(notices).toEqual(["tools[2] dropped"]);
  });
  it("T9 a subset that must be called keeps its form; one that may be called cuts the list", () => {
    const tools = [tool("a"), tool("b"), tool("c")];
    expect(
      encode({ tools, toolChoice: { mode: "subset", names: ["a", "b"], required: true } }).body.toolConfig,
    ).toEqual({ functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["a", "b"] } });
    const cut = encode({ tools, toolChoice: { mode: "subset", names: ["a"], required: false } });
    expect(JSON.stringify(cut.body.tools)).not.toContain('"b"');
    expect(cut.notices).toEqual(["tool_choice emulated"]);
  });
  it("T12 strict for all is the mode VALIDATED; for some it is a notice", () => {
    expect(encode({ tools: [tool("a", { strict: true })] }).body.toolConfig).toEqual({
      functionCallingConfig: { mode: "VALIDATED" },
    });
    const some = encode({ tools: [tool("a", { strict: true, at: "tools[0]" }), tool("b")] });
    expect(some.body.toolConfig).toBeUndefined();
    expect(some.notices).toEqual(["tools[0].strict dropped"]);
  });
  it("T5 a custom tool is a function with one text, in history too", () => {
    const turns: Turn[] = [
      user,
      {
        role: "assistant",
        parts: [{ type: "tool-call", callId: "a", name: "patch", toolKind: "custom", arguments: "*** Begin" }],
      },
      { role: "user", parts: [result("a")] },
    ];
    const { body, plan } = encode({ turns, tools: [{ type: "custom", name: "patch" }] });
    expect(plan.customTools).toEqual(new Set(["patch"]));
    expect(body.contents).toMatchObject([
      {},
      { parts: [{ functionCall: { name: "patch", args: { input: "*** Begin" } } }] },
      {},
    ]);
  });
  it("T7 web search maps by meaning when it stands alone; a forced foreign tool is refused", () => {
    const search = {
      type: "server" as const,
      tool: "web_search",
      protocol: "messages" as const,
      payload: {},
      at: "tools[0]",
    };
    expect(encode({ tools: [search] }).body.tools).toEqual([{ googleSearch: {} }]);
    const both = encode({ tools: [search, tool("a")] });
    expect(both.notices).toEqual(["tools[0] dropped"]);
    expect(refused({ tools: [search], toolChoice: { mode: "server", protocol: "messages", payload: {} } })).toBe(
      "tool_choice",
    );
  });
  it("older models get the OpenAPI subset, and no parameters for none", () => {
    const tools = [tool("a"), { type: "function" as const, name: "b", parameters: { type: "object", properties: {} } }];
    expect(encode({ tools }, "gemini-2.0-flash").body.tools).toEqual([
      {
        functionDeclarations: [
          { name: "a", parameters: { type: "OBJECT", properties: { a: { type: "STRING" } } } },
          { name: "b" },
        ],
      },
    ]);
  });
});

describe("knobs", () => {
  it.each<[string, Partial<CanonicalRequest>, string[]]>([
    ["P9 logit bias", { sampling: { logitBias: { "1": 1 } } }, ["logit_bias dropped"]],
    ["P16 verbosity", { verbosity: "low" }, ["verbosity dropped"]],
    ["T10 one call at a time", { parallelToolCalls: false }, ["parallel_tool_calls dropped"]],
    ["max_tool_calls", { maxToolCalls: 2 }, ["max_tool_calls dropped"]],
    ["P19 cache key", { cache: { key: "k" } }, ["prompt_cache_key dropped"]],
    ["P18 user and metadata", { caller: { userId: "u", metadata: { a: "b" } } }, ["user dropped", "metadata dropped"]],
    ["R2 store", { state: { store: true } }, ["store dropped"]],
    ["P15 an unknown tier", { serviceTier: "scale" }, ["service_tier dropped"]],
    ["P11 stops beyond five", { stopSequences: ["1", "2", "3", "4", "5", "6"] }, ["stop emulated"]],
    ["seed", { sampling: { seed: 2 ** 40 } }, ["seed approximated"]],
  ])("%s is told", (_name, more, notices) => {
    expect(encode(more).notices).toEqual(notices);
  });
  it("P11 the stops beyond five are left to the gateway", () => {
    const { body, plan } = encode({ stopSequences: ["1", "2", "3", "4", "5", "6"] });
    expect(body.generationConfig).toEqual({ stopSequences: ["1", "2", "3", "4", "5"] });
    expect(plan.stopSequences).toEqual(["6"]);
  });
  it.each<[string, Partial<CanonicalRequest>]>([
    ["previous_response_id", { state: { previousResponseId: "r" } }],
    ["conversation", { state: { conversation: "c" } }],
    ["background", { state: { background: true } }],
    ["truncation", { state: { truncation: "auto" } }],
    ["audio", { audioOutput: { voice: "a" }, modalities: ["text", "audio"] }],
  ])("%s is refused", (field, more) => {
    expect(refused(more)).toBe(field);
  });
  it("H14 an unfinished model turn is refused, and counted all the same", () => {
    const turns: Turn[] = [user, { role: "assistant", at: "messages[1]", parts: [{ type: "text", text: "{" }] }];
    expect(refused({ turns })).toBe("messages[1]");
    const count = generateContent.tokenCounting.upstream?.encodeRequest(
      { ...plain, turns },
      { model: "gemini-3-flash", stream: false },
    );
    expect(count).toMatchObject({
      generateContentRequest: { model: "models/gemini-3-flash", contents: [{}, { role: "model" }] },
    });
  });
  it("J3 a format that older models refuse beside functions is asked for in words", () => {
    const more: Partial<CanonicalRequest> = { format: { type: "json" }, tools: [{ type: "function", name: "f" }] };
    const { body, plan, notices } = encode(more, "gemini-2.5-flash");
    expect(body.generationConfig).toBeUndefined();
    expect(JSON.stringify(body.systemInstruction)).toContain("JSON");
    expect(plan.unfenceJson).toBe(true);
    expect(notices).toEqual(["response_format emulated"]);
    expect(encode(more).body.generationConfig).toEqual({ responseMimeType: "application/json" });
  });
});

describe("2.2 reasoning by level, by budget, or not at all (L22)", () => {
  const thinking = (reasoning: CanonicalRequest["reasoning"], model: string) => {
    const { body, notices } = encode({ ...(reasoning ? { reasoning } : {}) }, model);
    return [isObject(body.generationConfig) ? body.generationConfig.thinkingConfig : undefined, notices.length];
  };
  it.each([
    [{ effort: "none" }, "gemini-3-flash", { thinkingLevel: "MINIMAL" }, 1],
    [{ effort: "medium" }, "gemini-3-pro-preview", { thinkingLevel: "HIGH" }, 1],
    [{ effort: "max" }, "gemini-3-flash", { thinkingLevel: "HIGH" }, 1],
    [{ effort: "low", show: "summary" }, "gemini-3-flash", { thinkingLevel: "LOW", includeThoughts: true }, 0],
    [{ budgetTokens: 8000 }, "gemini-3-flash", { thinkingLevel: "MEDIUM" }, 1],
    [{ adaptive: true }, "gemini-3-flash", undefined, 0],
    [{ effort: "none" }, "gemini-2.5-flash", { thinkingBudget: 0 }, 0],
    [{ effort: "none" }, "gemini-2.5-pro", { thinkingBudget: 128 }, 1],
    [{ effort: "high" }, "gemini-2.5-flash", { thinkingBudget: 24576 }, 0],
    [{ effort: "max" }, "gemini-2.5-pro", { thinkingBudget: 32768 }, 0],
    [{ adaptive: true }, "gemini-2.5-flash", { thinkingBudget: -1 }, 0],
    [{ budgetTokens: 100 }, "gemini-2.5-flash-lite", { thinkingBudget: 512 }, 1],
    [{ effort: "high" }, "gemini-2.0-flash", undefined, 1],
    [{ effort: "none" }, "gemini-2.0-flash", undefined, 0],
  ] as const)("%o on %s", (reasoning, model, expected, notices) => {
    expect(thinking(reasoning, model)).toEqual([expected, notices]);
  });
});

describe("token counting", () => {
  const counting = generateContent.tokenCounting;
  it("reads both forms of the body", () => {
    const contents = [{ parts: [{ text: "a" }] }];
    const read = (body: JsonObject) =>
      counting.decodeRequest(body, { model: "m" }, { vault: { seal: () => "", open: () => undefined } });
    expect(read({ contents }).turns).toHaveLength(1);
    expect(
      read({ generateContentRequest: { contents, systemInstruction: { parts: [{ text: "s" }] } } }).turns,
    ).toHaveLength(2);
    expect(() => read({})).toThrow("contents");
  });
  it("answers and reads answers", () => {
    expect(counting.encodeAnswer(7)).toEqual({ totalTokens: 7 });
    expect(counting.upstream?.decodeAnswer({ totalTokens: 7 })).toBe(7);
    expect(counting.upstream?.path("gemini-3-flash")).toBe("/v1beta/models/gemini-3-flash:countTokens");
    expect(() => counting.upstream?.decodeAnswer([])).toThrow();
  });
  it("paths are the SDK's", () => {
    expect(generateContent.path("gemini-3-flash", true)).toBe(
      "/v1beta/models/gemini-3-flash:streamGenerateContent?alt=sse",
    );
    expect(generateContent.path("tunedModels/a b", false)).toBe("/v1beta/tunedModels/a%20b:generateContent");
    expect(decode({ contents: [{ parts: [{ text: "a" }] }] }).model).toBe("gemini-test");
  });
});
