import { describe, expect, it } from "vitest";
import type { Part, Proof, Turn } from "../canonical/index.ts";
import { body, call, calling, fields, messages, result } from "../testing/chat-completions-request-fixture.ts";

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
