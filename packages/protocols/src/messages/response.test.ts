import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type CanonicalRequest,
  type CanonicalResponse,
  type JsonObject,
  type Notice,
  type Part,
  ProtocolError,
} from "../canonical/index.ts";
import type { AnswerContext } from "../codec.ts";
import { isObject } from "../shared/read.ts";
import { plainVault } from "../shared/vault.ts";
import { proof, reasoningPart, response, usage } from "../testing/arbitraries.ts";
import { describeRecorded, recordings } from "../testing/recordings.ts";
import { decodeResponse } from "./response-decoder.ts";
import { encodeResponse } from "./response-encoder.ts";

const request: CanonicalRequest = {
  model: "claude-sonnet-4-5",
  stream: false,
  turns: [],
  tools: [],
  sampling: {},
  stopSequences: [],
};

function answerContext(notices: Notice[] = []): AnswerContext {
  return {
    request,
    clientBody: {},
    ids: (prefix) => `${prefix}1`,
    now: () => 0,
    vault: plainVault(),
    notice: (notice) => notices.push(notice),
    framing: "sse",
  };
}

function answer(parts: Part[], more: Partial<CanonicalResponse> = {}): CanonicalResponse {
  return { id: "msg_1", model: "m", candidates: [{ index: 0, parts, finish: { reason: "stop" } }], ...more };
}

describe("L1", () => {
  test("decode of encode gives the same answer", () => {
    const answers = response({
      reasoning: fc.oneof(
        reasoningPart({ family: "anthropic", content: "text", proof: "always" }),
        proof("anthropic", "redacted").map((value): Part => ({ type: "reasoning", proof: value })),
      ),
      finishes: ["stop", "length", "stop_sequence", "context", "refusal", "paused"],
      usage: usage({ cacheRead: true, cacheLifetimes: true, reasoning: true }),
    });
    fc.assert(
      fc.property(answers, ({ createdAt: _createdAt, ...drawn }) => {
        const whole = { ...drawn, id: `msg_${drawn.id}` };
        const { extras: _extras, ...back } = decodeResponse(encodeResponse(whole, answerContext()));
        expect(back).toEqual(whole);
      }),
    );
  });
});

/** Keys whose absence and null mean the same to every reader. */
function normal(body: JsonObject): JsonObject {
  const kept: JsonObject = {};
  for (const [key, value] of Object.entries(body)) if (value !== null && value !== undefined) kept[key] = value;
  if (isObject(kept.usage)) kept.usage = normal(kept.usage);
  if (isObject(kept.server_tool_use)) {
    const uses = Object.entries(kept.server_tool_use).filter(([, count]) => count !== 0);
    if (uses.length === 0) delete kept.server_tool_use;
    else kept.server_tool_use = Object.fromEntries(uses);
  }
  if (Array.isArray(kept.content))
    kept.content = kept.content.map((block) => (isObject(block) ? normalBlock(block) : block));
  return kept;
}

function normalBlock(block: JsonObject): JsonObject {
  const { caller, ...rest } = normal(block);
  return isObject(caller) && caller.type === "direct" && block.type === "tool_use"
    ? rest
    : caller === undefined
      ? rest
      : { ...rest, caller };
}

function callsAreOver(body: JsonObject): boolean {
  const hasCall =
    Array.isArray(body.content) && body.content.some((block) => isObject(block) && block.type === "tool_use");
  return hasCall && body.stop_reason === "end_turn";
}

describeRecorded("L2 a recorded answer comes out as it went in", () => {
  const whole = recordings("messages").filter((recording) => recording.status === 200 && isObject(recording.response));
  test("there are some", () => expect(whole.length).toBeGreaterThan(50));
  test.each(whole.map((recording) => [recording.id, recording.response] as const))("%s", (_id, body) => {
    if (!isObject(body)) throw new Error("The recording holds no object.");
    const notices: Notice[] = [];
    const expected = normal(body);
    // A recording joined from several answers holds calls that were run long before its end: a call decides the finish.
    if (callsAreOver(body)) expected.stop_reason = "tool_use";
    expect(normal(encodeResponse(decodeResponse(body), answerContext(notices)))).toEqual(expected);
    expect(notices).toEqual([]);
  });
});

test("an unknown field of a block, of the usage and of the answer survives", () => {
  const body = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "m",
    content: [
      { type: "thinking", thinking: "Hm.", signature: "EqoB", depth: 2 },
      { type: "text", text: "Hi", mood: "glad" },
      { type: "aurora", colour: "green" },
    ],
    stop_reason: "end_turn",
    usage: { input_tokens: 1, output_tokens: 2, photons: 3 },
    weather: "clear",
  };
  expect(encodeResponse(decodeResponse(body), answerContext())).toMatchObject(body);
});

describe("L13 what is no answer", () => {
  test.each([
    [null],
    ["oops"],
    [[]],
    [{}],
    [{ content: "x" }],
    [{ content: [5] }],
    [{ content: [{ type: "tool_use" }] }],
  ])("%j is rejected as upstream_bad", (body) => {
    expect(() => decodeResponse(body)).toThrow(ProtocolError);
    try {
      decodeResponse(body);
    } catch (error) {
      expect(error instanceof ProtocolError && error.error.kind).toBe("upstream_bad");
    }
  });

  test("an error body with status 200 keeps its kind and wording", () => {
    const body = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    expect(() => decodeResponse(body)).toThrow("Overloaded");
  });
});

describe("answers of other families", () => {
  test("43 reasoning without a proof still has a signature, which comes back as no proof", () => {
    const body = encodeResponse(answer([{ type: "reasoning", text: "Hm." }]), answerContext());
    const [block] = Array.isArray(body.content) ? body.content : [];
    if (!isObject(block) || typeof block.signature !== "string") throw new Error("No signature.");
    expect(block).toMatchObject({ type: "thinking", thinking: "Hm." });
    expect(block.signature.length).toBeGreaterThan(0);
    expect(plainVault().open(block.signature)?.family).toBe("unsigned");
  });

  test("L19 a foreign proof is sealed and opens to the same", () => {
    const foreign = { family: "openai", kind: "encrypted", value: "gAAAA", itemId: "rs_1" } as const;
    const body = encodeResponse(
      answer([
        { type: "reasoning", summary: ["First.", "Second."], proof: foreign },
        { type: "reasoning", proof: foreign },
      ]),
      answerContext(),
    );
    expect(body.content).toMatchObject([
      { type: "thinking", thinking: "First.\n\nSecond.", signature: plainVault().seal(foreign) },
      { type: "redacted_thinking", data: plainVault().seal(foreign) },
    ]);
  });

  test("157 the signature of each Gemini call is parked in a block before it", () => {
    const sign = (value: string) => ({ family: "gemini", kind: "signature", value }) as const;
    const call = (callId: string, value?: string): Part => ({
      type: "tool-call",
      callId,
      name: "f",
      toolKind: "function",
      arguments: "{}",
      ...(value ? { proof: sign(value) } : {}),
    });
    const body = encodeResponse(answer([call("a", "AA=="), call("b"), call("c", "CC==")]), answerContext());
    expect(body.stop_reason).toBe("tool_use");
    expect(Array.isArray(body.content) && body.content.map((block) => isObject(block) && block.type)).toEqual([
      "redacted_thinking",
      "tool_use",
      "tool_use",
      "redacted_thinking",
      "tool_use",
    ]);
  });

  test("S33 a refusal is text and stop_reason refusal, never an empty end_turn", () => {
    expect(encodeResponse(answer([{ type: "refusal", text: "No." }]), answerContext())).toMatchObject({
      content: [{ type: "text", text: "No." }],
      stop_reason: "refusal",
    });
  });

  test("48 an illegal call id becomes legal, a legal one is unchanged", () => {
    const call = (callId: string): Part => ({
      type: "tool-call",
      callId,
      name: "f",
      toolKind: "function",
      arguments: "{}",
    });
    const body = encodeResponse(answer([call("functions.Bash:0"), call("call_1")]), answerContext());
    const ids = Array.isArray(body.content) ? body.content.map((block) => isObject(block) && block.id) : [];
    expect(ids[0]).toMatch(/^[a-zA-Z0-9_-]+$/);
    expect(ids[1]).toBe("call_1");
  });

  test("T14 arguments that are no object", () => {
    const call = (text: string): Part => ({
      type: "tool-call",
      callId: "a",
      name: "f",
      toolKind: "function",
      arguments: text,
    });
    const input = (text: string): unknown => {
      const { content } = encodeResponse(answer([call(text)]), answerContext());
      return Array.isArray(content) && isObject(content[0]) ? content[0].input : undefined;
    };
    expect(input("")).toEqual({});
    expect(input("[1]")).toEqual({ value: [1] });
    expect(input("{oops")).toEqual({ _raw: "{oops" });
  });

  test("what has no form here is told: media, provider-run tools, further answers", () => {
    const notices: Notice[] = [];
    const image: Part = { type: "image", source: { type: "base64", mediaType: "image/png", data: "aGk=" } };
    const search: Part = { type: "server-tool", role: "call", tool: "web_search", protocol: "responses", payload: {} };
    const two = answer([image, search]);
    two.candidates.push({ index: 1, parts: [], finish: { reason: "stop" } });
    expect(encodeResponse(two, answerContext(notices)).content).toEqual([]);
    expect(notices.map((notice) => [notice.field, notice.verdict])).toEqual([
      ["candidates", "dropped"],
      ["content", "dropped"],
      ["content", "dropped"],
    ]);
  });

  test("a web source of another family is a citation with its address", () => {
    const text: Part = {
      type: "text",
      text: "Yes.",
      citations: [{ kind: "url", url: "https://a.example", title: "A" }],
    };
    expect(encodeResponse(answer([text]), answerContext()).content).toEqual([
      {
        type: "text",
        text: "Yes.",
        citations: [
          {
            type: "web_search_result_location",
            cited_text: "",
            encrypted_index: "",
            title: "A",
            url: "https://a.example",
          },
        ],
      },
    ]);
  });

  test("an id of another family is replaced by one minted once", () => {
    expect(encodeResponse(answer([], { id: "chatcmpl-1" }), answerContext()).id).toBe("msg_1");
  });
});
