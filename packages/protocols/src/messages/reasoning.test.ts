import { describe, expect, test } from "vitest";
import type { ReasoningControl } from "../canonical/index.ts";
import { reportForeignFields } from "../foreign-fields.ts";
import { isObject } from "../shared/read.ts";
import { Report } from "../shared/report.ts";
import { plainVault } from "../shared/vault.ts";
import { encode, signed, told, tool } from "../testing/messages-request-fixture.ts";
import { assistant, call, result, text, user } from "../testing/turns-fixture.ts";
import { messages } from "./codec.ts";
import { decodeReasoning } from "./reasoning.ts";

describe("2.2 reasoning by what the model takes", () => {
  const cases: [string, ReasoningControl, object | undefined, string | undefined, string[]][] = [
    ["claude-sonnet-4-5", { effort: "medium" }, { type: "enabled", budget_tokens: 8192 }, undefined, []],
    ["claude-sonnet-4-5", { effort: "none" }, undefined, undefined, []],
    [
      "claude-sonnet-4-5",
      { adaptive: true },
      { type: "enabled", budget_tokens: 16384 },
      undefined,
      ["approximated thinking.budget_tokens"],
    ],
    [
      "claude-opus-4-5",
      { effort: "xhigh" },
      { type: "enabled", budget_tokens: 24576 },
      "high",
      ["approximated reasoning_effort"],
    ],
    ["claude-opus-4-6", { effort: "xhigh" }, { type: "adaptive" }, "max", ["approximated reasoning_effort"]],
    ["claude-opus-4-6", { budgetTokens: 2000 }, { type: "enabled", budget_tokens: 2000 }, undefined, []],
    [
      "claude-opus-4-7",
      { budgetTokens: 8192 },
      { type: "adaptive" },
      "medium",
      ["approximated thinking.budget_tokens"],
    ],
    ["claude-opus-4-7", { effort: "minimal" }, { type: "adaptive" }, "low", ["approximated reasoning_effort"]],
    ["claude-opus-4-7", { effort: "none" }, undefined, undefined, []],
    ["claude-opus-5", { effort: "high" }, undefined, "high", []],
    ["claude-opus-5", { effort: "high", show: "summary" }, { type: "adaptive", display: "summarized" }, "high", []],
    ["claude-opus-5", { effort: "none" }, { type: "disabled" }, undefined, []],
    ["claude-opus-5", { budgetTokens: 0 }, { type: "disabled" }, undefined, []],
    ["claude-opus-5-5", { effort: "none" }, { type: "adaptive" }, "low", ["approximated reasoning_effort"]],
    ["claude-sonnet-5-5", { effort: "none" }, { type: "between_tools" }, undefined, []],
    [
      "claude-3-5-haiku-latest",
      { effort: "high" },
      undefined,
      undefined,
      ["approximated max_tokens", "dropped reasoning_effort"],
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
    expect(told(forced)).toEqual(["dropped thinking.budget_tokens"]);
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
    expect(told(encoded)).toEqual(["dropped reasoning_effort"]);
  });
});

describe("what of the thinking is shown", () => {
  const wishes: [string, ReasoningControl, object | undefined, string[]][] = [
    // A wish to see does not turn thinking on; that it came to nothing is told.
    ["claude-opus-4-6", { show: "summary" }, undefined, ["dropped thinking.display"]],
    ["claude-3-5-haiku-latest", { show: "summary" }, undefined, ["dropped thinking.display"]],
    ["claude-opus-5", { show: "summary" }, { type: "adaptive", display: "summarized" }, []],
    ["claude-opus-5-5", { show: "full" }, { type: "adaptive", display: "summarized" }, []],
    ["claude-opus-4-6", { show: "none" }, undefined, []],
    ["claude-opus-5", { show: "none" }, { type: "adaptive", display: "omitted" }, []],
    ["claude-opus-5", { show: "summary", effort: "none" }, { type: "disabled" }, []],
  ];
  test.each(wishes)("%s %j", (model, reasoning, thinking, notices) => {
    const encoded = encode({ reasoning, maxOutputTokens: 4000 }, model);
    expect(encoded.body.thinking).toEqual(thinking);
    expect(told(encoded)).toEqual(notices);
  });

  test("a form of it that another protocol does not have is named by its own field", () => {
    const vault = plainVault();
    const body = {
      model: "m",
      max_tokens: 4000,
      messages: [{ role: "user", content: "Hi" }],
      thinking: { type: "adaptive", display: "updates" },
      output_config: { task_budget: 5 },
    };
    const request = messages.decodeRequest(body, {}, { vault });
    const report = new Report();
    reportForeignFields(request, "responses", report);
    expect(report.notices.map(({ field }) => field)).toEqual(["thinking.display", "output_config.task_budget"]);
  });

  test.each([
    ["summarized", "summary", undefined],
    ["omitted", "none", undefined],
    // Claude Code's: kept as it came for its own family, and a wish for the summary elsewhere.
    ["updates", "summary", { display: "updates" }],
    ["a form of tomorrow", undefined, { display: "a form of tomorrow" }],
  ])("display %s", (display, show, rest) => {
    const decoded = decodeReasoning({ thinking: { type: "adaptive", display } });
    expect(decoded.reasoning?.show).toBe(show);
    expect(decoded.thinkingRest).toEqual(rest);
  });
});
