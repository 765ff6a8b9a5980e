import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nastyName } from "../testing/arbitraries.ts";
import { type CallIdRule, positionalCallId, wireCallId } from "./tool-call-ids.ts";

const messages: CallIdRule = { pattern: /^[a-zA-Z0-9_-]+$/, maxLength: 512, prefix: "toolu_" };
const openai: CallIdRule = { pattern: /^[\s\S]+$/, maxLength: 64, prefix: "call_" };
const rules = [messages, openai];

describe("L16", () => {
  test("a legal id passes byte for byte", () => {
    expect(wireCallId("call_abc-123", messages)).toBe("call_abc-123");
    expect(wireCallId("functions.Bash:0", openai)).toBe("functions.Bash:0");
  });

  test.each([
    ["a composite id", "call_1|fc_2"],
    ["a line feed", "call_1\nfc_2"],
    ["dots and colons", "functions.Bash:0"],
    ["116 characters", "x".repeat(116)],
    ["no character at all", ""],
    ["an emoji", "🙂"],
  ])("%s becomes legal everywhere and keeps its hash", (_what, id) => {
    for (const rule of rules) {
      const mapped = wireCallId(id, rule);
      expect(mapped).toMatch(rule.pattern);
      expect(mapped.length).toBeLessThanOrEqual(rule.maxLength);
    }
  });

  test("any id: legal in charset and length, a fixed point", () => {
    fc.assert(
      fc.property(nastyName(), fc.constantFrom(...rules), (id, rule) => {
        const mapped = wireCallId(id, rule);
        expect(mapped).toMatch(rule.pattern);
        expect(mapped.length).toBeLessThanOrEqual(rule.maxLength);
        expect(wireCallId(mapped, rule)).toBe(mapped);
      }),
    );
  });

  test("two ids never meet, not even when they differ behind the cut or only in illegal characters", () => {
    const long = "x".repeat(70);
    expect(wireCallId(`${long}1`, openai)).not.toBe(wireCallId(`${long}2`, openai));
    expect(wireCallId("a.b", messages)).not.toBe(wireCallId("a:b", messages));
    fc.assert(
      fc.property(nastyName(), nastyName(), fc.constantFrom(...rules), (one, other, rule) => {
        expect(wireCallId(one, rule) === wireCallId(other, rule)).toBe(one === other);
      }),
      { numRuns: 500 },
    );
  });
});

test("L6 an id made from a place is the same on every replay and another at every place", () => {
  expect(positionalCallId(3, 0, "read")).toBe(positionalCallId(3, 0, "read"));
  const ids = new Set<string>();
  for (let turn = 0; turn < 12; turn += 1)
    for (let part = 0; part < 12; part += 1) ids.add(positionalCallId(turn, part, "1"));
  expect(ids.size).toBe(144);
  expect(wireCallId(positionalCallId(1, 1, "\n"), messages)).toMatch(/^call_[0-9a-f]{22}$/);
});
