import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { StopScanner } from "./stop-scanner.ts";

function scan(chunks: readonly string[], stops: readonly string[]): { text: string; matched: string | undefined } {
  const scanner = new StopScanner(stops);
  let text = "";
  for (const chunk of chunks) text += scanner.push(chunk);
  return { text: text + scanner.flush(), matched: scanner.matched };
}

describe("P10", () => {
  test("a stop that spans deltas is found, and nothing of it was shown before", () => {
    const scanner = new StopScanner(["</end>"]);
    expect(scanner.push("text </e")).toBe("tex");
    expect(scanner.push("nd> more")).toBe("t ");
    expect(scanner.matched).toBe("</end>");
    expect(scanner.push("more")).toBe("");
    expect(scanner.flush()).toBe("");
  });

  test("holds back one unit less than the longest stop", () => {
    expect(new StopScanner(["ab", "x"]).push("12345")).toBe("1234");
    expect(new StopScanner(["x"]).push("12345")).toBe("12345");
  });

  test("an empty stop sequence stops nothing", () => {
    expect(scan(["abc"], [""])).toEqual({ text: "abc", matched: undefined });
  });

  test("the stop that completes first wins, of two at once the longer", () => {
    expect(scan(["abc"], ["abc", "b"])).toEqual({ text: "a", matched: "b" });
    expect(scan(["abc"], ["bc", "abc"])).toEqual({ text: "", matched: "abc" });
  });
});

test("L30 the text ends before the first stop, holds none, and does not depend on the cuts", () => {
  const alphabet = fc.constantFrom("a", "b", "c", "🙂");
  const word = fc.string({ unit: alphabet, minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: alphabet, maxLength: 4 }), { maxLength: 12 }),
      fc.array(word, { minLength: 1, maxLength: 3 }),
      (chunks, stops) => {
        const whole = chunks.join("");
        const { text, matched } = scan(chunks, stops);
        expect(scan([whole], stops)).toEqual({ text, matched });
        expect(scan([...whole], stops)).toEqual({ text, matched });
        expect(stops.some((stop) => text.includes(stop))).toBe(false);
        if (matched === undefined) expect(text).toBe(whole);
        else expect(whole.startsWith(text + matched)).toBe(true);
      },
    ),
    { numRuns: 1000 },
  );
});
