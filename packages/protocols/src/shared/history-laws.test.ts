import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Part, ProtocolError, type Turn } from "../canonical/index.ts";
import { brokenConversation, conversation, imagePart } from "../testing/arbitraries.ts";
import { type HistoryRules, type RepairedHistory, repairHistory } from "./history.ts";
import { Report } from "./report.ts";

/** Demands all that can be demanded. */
const strict: HistoryRules = {
  midSystem: "user-text",
  consecutiveSameRole: false,
  userFirst: true,
  prefill: "refuse",
  emptyTextAllowed: false,
  assistantMedia: false,
  toolResultMedia: "following-user-turn",
  participantNames: false,
  phases: false,
};

function say(role: "user" | "assistant", text: string): Turn {
  return { role, parts: [{ type: "text", text }] };
}

/** What every protocol takes, whatever the client sent. */
function checkPairing(turns: readonly Turn[]): void {
  let waiting: string[] = [];
  const seen = new Set<string>();
  for (const turn of turns) {
    const results = turn.parts.flatMap((part) => (part.type === "tool-result" ? [part.callId] : []));
    expect(results).toEqual(waiting);
    expect(turn.parts.slice(0, results.length).every((part) => part.type === "tool-result")).toBe(true);
    waiting = turn.parts.flatMap((part) => (part.type === "tool-call" ? [part.callId] : []));
    for (const id of waiting) {
      expect(id === "" || seen.has(id)).toBe(false);
      seen.add(id);
    }
  }
  expect(waiting).toEqual([]);
}

/** The repaired history, or undefined where it was refused. */
function tried(turns: Turn[], rules: HistoryRules): RepairedHistory | undefined {
  try {
    return repairHistory(turns, rules, new Report());
  } catch (cause) {
    if (cause instanceof ProtocolError) return undefined;
    throw cause;
  }
}

/** `toEqual` would not see the difference between the one and the other. */
function sameObjects(one: readonly Turn[], other: readonly Turn[]): boolean {
  return one.length === other.length && one.every((turn, at) => turn === other[at]);
}

const anyRules: fc.Arbitrary<HistoryRules> = fc.record({
  midSystem: fc.constantFrom("keep", "user-text", "where-lawful"),
  consecutiveSameRole: fc.boolean(),
  userFirst: fc.boolean(),
  prefill: fc.constantFrom("keep", "refuse"),
  emptyTextAllowed: fc.boolean(),
  assistantMedia: fc.boolean(),
  toolResultMedia: fc.constantFrom("keep", "following-user-turn"),
  participantNames: fc.boolean(),
  phases: fc.boolean(),
});

describe("laws", () => {
  test("L18 after the repair every call is answered in its place and every id is used once", () => {
    fc.assert(
      fc.property(brokenConversation(), anyRules, (turns, rules) => {
        const repaired = tried(turns, rules);
        if (repaired) checkPairing(repaired.turns);
      }),
      { numRuns: 500 },
    );
  });

  test("L18 a well-formed history comes out as the same objects, without a notice", () => {
    const options = { user: imagePart(["base64"], "openai"), resultErrors: true, system: ["system"] as const };
    fc.assert(
      fc.property(conversation(options), (turns) => {
        const report = new Report();
        const { system: head, turns: rest } = repairHistory(turns, strict, report);
        expect(sameObjects([...head, ...rest], turns)).toBe(true);
        expect(report.notices).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test("L5 repaired twice is repaired once", () => {
    fc.assert(
      fc.property(brokenConversation(), anyRules, (turns, rules) => {
        const once = tried(turns, rules);
        if (!once) return;
        const twice = tried([...once.system, ...once.turns], rules);
        expect(twice).toEqual(once);
      }),
      { numRuns: 1000 },
    );
  });

  test("L6 the same history is repaired alike, and is not changed itself", () => {
    fc.assert(
      fc.property(brokenConversation(), anyRules, (turns, rules) => {
        const before = structuredClone(turns);
        expect(tried(turns, rules)).toEqual(tried(structuredClone(turns), rules));
        expect(turns).toEqual(before);
      }),
    );
  });

  test("L7 what was repaired stays as it was when the conversation goes on", () => {
    // Names look at the whole conversation (H17), and an open end is judged as an end (H8, H14).
    const rules = { ...strict, participantNames: true };
    const ended = brokenConversation().map((turns) => [...turns, say("user", "go on")]);
    fc.assert(
      fc.property(ended, (turns) => {
        const short = tried(turns, rules);
        const long = tried([...turns, say("assistant", "yes"), say("user", "next")], rules);
        if (!short || !long) return;
        expect(long.turns.slice(0, short.turns.length)).toEqual(short.turns);
      }),
      { numRuns: 500 },
    );
  });

  test("no text of the client is lost", () => {
    fc.assert(
      fc.property(brokenConversation(), (turns) => {
        const repaired = tried(turns, { ...strict, prefill: "keep" });
        if (!repaired) return;
        const all = JSON.stringify(repaired);
        for (const { parts } of turns) {
          for (const part of parts) {
            const text = part.type === "text" ? part.text.trim() : "";
            if (text !== "") expect(all).toContain(JSON.stringify(text).slice(1, -1));
          }
        }
      }),
    );
  });
});

test("performance: 200 well-formed turns are checked without a copy", () => {
  const turns: Turn[] = [say("user", "q")];
  for (let i = 0; i < 100; i += 1) {
    const callId = `c${i}`;
    const call: Part = { type: "tool-call", callId, name: "read", toolKind: "function", arguments: "{}" };
    const result: Part = { type: "tool-result", callId, toolKind: "function", content: [{ type: "text", text: "ok" }] };
    turns.push({ role: "assistant", parts: [{ type: "text", text: "a" }, call] }, { role: "user", parts: [result] });
  }
  const report = new Report();
  expect(sameObjects(repairHistory(turns, strict, report).turns, turns)).toBe(true);
  expect(report.notices).toEqual([]);
});
