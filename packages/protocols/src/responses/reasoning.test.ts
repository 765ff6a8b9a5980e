import { describe, expect, test } from "vitest";
import type { CanonicalRequest, Part, Turn } from "../canonical/index.ts";
import { encode, input } from "../testing/responses-request-fixture.ts";
import { assistant, call, result, text, user } from "../testing/turns-fixture.ts";

describe("responses reasoning of a request", () => {
  test("a model that does not reason is not asked for reasoning, unless the client asked itself", () => {
    expect(encode({}, "gpt-4.1").body.include).toBeUndefined();
    expect(encode({ includeEncryptedReasoning: true }, "gpt-4.1").body.include).toEqual([
      "reasoning.encrypted_content",
    ]);
    const { body, notices } = encode({ reasoning: { effort: "high" } }, "gpt-4o");
    expect(body.reasoning).toBeUndefined();
    expect(notices).toMatchObject([{ field: "reasoning_effort", verdict: "dropped" }]);
  });

  test("2.2 budgets and efforts become the nearest effort the model has", () => {
    const effort = (reasoning: CanonicalRequest["reasoning"], model = "gpt-5.6") =>
      encode(reasoning ? { reasoning } : {}, model);
    expect(effort({ budgetTokens: 16384 }).body.reasoning).toEqual({ effort: "high", summary: "auto" });
    expect(effort({ budgetTokens: 0 }).body.reasoning).toEqual({ effort: "none" });
    expect(effort({ adaptive: true }).body.reasoning).toEqual({ summary: "auto" });
    expect(effort({ effort: "low", budgetTokens: 30000 }).body.reasoning).toMatchObject({ effort: "low" });
    expect(effort({ effort: "high" }).body.reasoning).toEqual({ effort: "high" });
    expect(effort({ effort: "none", show: "none" }, "gpt-5").body.reasoning).toEqual({ effort: "minimal" });
    expect(effort({ effort: "max" }, "o3").notices).toMatchObject([
      { field: "reasoning_effort", verdict: "approximated" },
    ]);
    expect(effort({ effort: "high", show: "summary", summaryStyle: "detailed" }).body.reasoning).toEqual({
      effort: "high",
      summary: "detailed",
    });
  });

  test("pair 8 own reasoning goes back before its item with its id; without a follower it is dropped", () => {
    const own: Part = {
      type: "reasoning",
      text: "Thought.",
      proof: { family: "openai", kind: "encrypted", value: "enc", itemId: "rs_1" },
    };
    expect(input(user(text("a")), assistant(own, call("1")), user(result("1", text("x"))))).toMatchObject([
      {},
      {
        type: "reasoning",
        id: "rs_1",
        summary: [{ type: "summary_text", text: "Thought." }],
        encrypted_content: "enc",
      },
      { type: "function_call" },
      {},
    ]);
    const { body, notices } = encode({ turns: [user(text("a")), assistant(text("b"), own), user(text("c"))] });
    expect(JSON.stringify(body)).not.toContain('enc"');
    expect(notices).toMatchObject([{ verdict: "dropped" }]);
  });

  test("L20 a foreign proof never leaves in the clear", () => {
    const canary = "CANARY-SIGNATURE";
    const proofs = (["anthropic", "gemini", "deepseek"] as const).map((family) => ({
      family,
      kind: "signature" as const,
      value: canary,
    }));
    const turns = proofs.flatMap((proof, index): Turn[] => [
      user({ type: "text", text: "a", proof }),
      assistant(
        { type: "reasoning", text: "t", proof },
        { type: "text", text: "b", proof },
        { type: "tool-call", callId: `c${index}`, name: "f", toolKind: "function", arguments: "{}", proof },
      ),
      user(result(`c${index}`, text("x"))),
    ]);
    expect(JSON.stringify(encode({ turns }))).not.toContain(canary);
  });
});
