import { describe, expect, it } from "vitest";
import type { CanonicalRequest } from "../canonical/index.ts";
import {
  body,
  call,
  calling,
  encode,
  fields,
  messages,
  refusedParam,
  result,
  user,
} from "../testing/chat-completions-request-fixture.ts";

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

it("L6 L7 the same request gives the same bytes, and a longer history extends them", () => {
  const first = calling([call("a")], [result("a")]);
  const once = JSON.stringify(body({ turns: first }));
  for (let run = 0; run < 20; run += 1) expect(JSON.stringify(body({ turns: first }))).toBe(once);
  const longer = messages({ turns: [...first, { role: "assistant", parts: [{ type: "text", text: "4" }] }, user] });
  expect(longer.slice(0, 3)).toEqual(messages({ turns: first }));
});
