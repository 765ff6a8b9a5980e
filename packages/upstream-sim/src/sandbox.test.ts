import { describe, expect, it } from "vitest";
import type { Ask } from "./ask.ts";
import { sandboxScript } from "./sandbox.ts";

function ask(change: Partial<Ask> = {}): Ask {
  return {
    protocol: "messages",
    model: "sandbox",
    lastTurn: { kind: "user", text: "please get_weather and GET_TIME" },
    tools: ["get_weather", "get_time", "other"].map((name) => ({ name, schema: undefined, custom: false })),
    toolChoice: { kind: "auto" },
    parallel: true,
    format: { kind: "text" },
    reasoning: { on: false, visible: false },
    maxOutput: undefined,
    stops: [],
    inputTokens: 1,
    candidates: 1,
    ...change,
  };
}

function called(change: Partial<Ask>): string[] {
  return (sandboxScript(ask(change)).steps ?? []).flatMap((step) => (step.kind === "tool-call" ? [step.name] : []));
}

describe("the sandbox", () => {
  it("calls every tool that the text mentions, whatever its case", () => {
    expect(called({})).toEqual(["get_weather", "get_time"]);
  });

  it("calls one tool where parallel calls are off, and none where calls are forbidden", () => {
    expect(called({ parallel: false })).toEqual(["get_weather"]);
    expect(called({ toolChoice: { kind: "none" } })).toEqual([]);
  });

  it("calls the forced tool though the text mentions another", () => {
    expect(called({ toolChoice: { kind: "required", names: ["other"] } })).toEqual(["other"]);
    expect(called({ toolChoice: { kind: "required", names: [] }, lastTurn: { kind: "user", text: "x" } })).toEqual([
      "get_weather",
    ]);
  });

  it("answers tool results instead of calling again", () => {
    const lastTurn = { kind: "tool-results" as const, results: [{ name: "get_weather", text: "4 C" }] };
    expect(sandboxScript(ask({ lastTurn })).steps).toMatchObject([
      { kind: "text", text: expect.stringContaining("tool get_weather returned 4 C") },
    ]);
  });

  it("cuts a call that does not fit, and leaves it out where half a call cannot be said", () => {
    const tools = [{ name: "f", schema: { type: "object", properties: { a: { type: "string" } } }, custom: false }];
    const short = { tools, maxOutput: 2, toolChoice: { kind: "required" as const, names: [] } };
    expect(sandboxScript(ask(short))).toMatchObject({ finish: "length", steps: [{ arguments: '{"a"' }] });
    expect(sandboxScript(ask({ ...short, protocol: "generate-content" }))).toEqual({ finish: "length", steps: [] });
  });

  it("never ends a cut text with half a character", () => {
    const lastTurn = { kind: "user" as const, text: "🌍".repeat(100) };
    for (let maxOutput = 30; maxOutput < 60; maxOutput++) {
      const [step] = sandboxScript(ask({ lastTurn, tools: [], maxOutput })).steps ?? [];
      expect(step?.kind === "text" && step.text.isWellFormed()).toBe(true);
    }
  });

  it("gives the same answer to the same request", () => {
    expect(sandboxScript(ask())).toEqual(sandboxScript(ask()));
  });
});
