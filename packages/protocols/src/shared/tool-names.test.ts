import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CanonicalRequest, Tool, ToolChoice, Turn } from "../canonical/index.ts";
import { nastyName } from "../testing/arbitraries.ts";
import { mapToolNames, type ToolNameRule } from "./tool-names.ts";

const openai: ToolNameRule = { pattern: /^[a-zA-Z0-9_-]{1,64}$/, maxLength: 64 };
const gemini: ToolNameRule = { pattern: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/, maxLength: 64 };

function offering(names: string[], more: { toolChoice?: ToolChoice; turns?: Turn[] } = {}): CanonicalRequest {
  const tools = names.map((name): Tool => ({ type: "function", name }));
  return { model: "m", stream: false, turns: [], tools, sampling: {}, stopSequences: [], ...more };
}

describe("L17", () => {
  test("legal names pass unchanged and need no way back", () => {
    const names = mapToolNames(offering(["read_file", "mcp__a__b"]), openai);
    expect(names.wire("read_file")).toBe("read_file");
    expect(names.toClient.size).toBe(0);
  });

  test("T1 an alias keeps a readable start, and the answer finds the client's name", () => {
    const names = mapToolNames(offering(["files.read"]), openai);
    const alias = names.wire("files.read");
    expect(alias).toMatch(/^files_read_[0-9a-f]{8}$/);
    expect(names.toClient.get(alias)).toBe("files.read");
  });

  test("names of the choice and of the history are mapped too", () => {
    const call = { type: "tool-call", callId: "1", name: "old tool", toolKind: "function", arguments: "{}" } as const;
    const names = mapToolNames(
      offering(["a"], {
        toolChoice: { mode: "subset", names: ["b b"], required: false },
        turns: [{ role: "assistant", parts: [call] }],
      }),
      openai,
    );
    expect([...names.toClient.values()].sort()).toEqual(["b b", "old tool"]);
  });

  test("a family that wants a letter first gets one", () => {
    expect(mapToolNames(offering(["1st tool"]), gemini).wire("1st tool")).toMatch(gemini.pattern);
    expect(mapToolNames(offering(["-x"]), gemini).wire("-x")).toMatch(gemini.pattern);
  });

  test("a client that names a tool after another one's alias still has two tools", () => {
    const alias = mapToolNames(offering(["a.b"]), openai).wire("a.b");
    const names = mapToolNames(offering(["a.b", alias]), openai);
    expect(names.wire(alias)).toBe(alias);
    expect(names.wire("a.b")).not.toBe(alias);
    expect(names.toClient.get(names.wire("a.b"))).toBe("a.b");
  });

  test("a name that the wire gives to a tool of its own is no name for one of the client", () => {
    const names = mapToolNames(offering(["web_search", "other"]), openai, new Set(["web_search"]));
    const alias = names.wire("web_search");
    expect(alias).toMatch(/^web_search_[0-9a-f]{8}$/);
    expect(names.toClient.get(alias)).toBe("web_search");
    expect(names.wire("other")).toBe("other");
  });

  test("any names: legal, injective, there and back, independent of the order", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(nastyName(), { maxLength: 8 }),
        fc.constantFrom(openai, gemini),
        (clientNames, rule) => {
          const names = mapToolNames(offering(clientNames), rule);
          const reversed = mapToolNames(offering([...clientNames].reverse()), rule);
          const wires = clientNames.map((name) => names.wire(name));
          expect(new Set(wires).size).toBe(clientNames.length);
          for (const [at, wire] of wires.entries()) {
            expect(wire).toMatch(rule.pattern);
            expect(names.toClient.get(wire) ?? wire).toBe(clientNames[at]);
            expect(reversed.wire(clientNames[at] ?? "")).toBe(wire);
          }
        },
      ),
    );
  });
});
