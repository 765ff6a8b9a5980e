import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { text } from "../testing/arbitraries.ts";
import { CustomInputReader, unwrapCustomInput } from "./custom-input-reader.ts";
import { stripFence, wrapCustomInput } from "./custom-tools.ts";

/** What is given on for each piece, and at the end. */
function read(pieces: readonly string[]): { shown: string[]; text: string; hasMore: boolean } {
  const reader = new CustomInputReader();
  const shown = pieces.map((piece) => reader.push(piece));
  shown.push(reader.end());
  return { shown, text: shown.join(""), hasMore: reader.hasMore };
}

/** The text for every place where the arguments can be cut in two, and for single characters. */
function everyCut(json: string): string[] {
  const whole = unwrapCustomInput(json);
  for (let at = 0; at <= json.length; at += 1) {
    const { shown, text } = read([json.slice(0, at), json.slice(at)]);
    expect(text, `cut at ${at}`).toBe(whole);
    expect(
      shown.every((piece) => piece.isWellFormed()),
      `cut at ${at}`,
    ).toBe(true);
  }
  const { shown, text } = read(json.split(""));
  expect(text).toBe(whole);
  expect(shown.every((piece) => piece.isWellFormed())).toBe(true);
  return shown;
}

describe("S13 the text of a custom tool comes out of the arguments as they come in", () => {
  test("what was wrapped is unwrapped, whatever it holds and wherever it is cut", () => {
    fc.assert(
      fc.property(text(), (raw) => {
        const json = wrapCustomInput(raw);
        expect(unwrapCustomInput(json)).toBe(stripFence(raw).toWellFormed());
        everyCut(json);
      }),
      { numRuns: 300 },
    );
  });

  test("every character as an escape, so that cuts fall into escapes and surrogate pairs", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", "🙂", "é", '"', "\\", "\n", "/", "\u0000") }), (raw) => {
        const escaped = raw.split("").map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
        const json = `{ "input" :\n"${escaped.join("")}" }`;
        expect(unwrapCustomInput(json)).toBe(raw);
        everyCut(json);
      }),
      { numRuns: 200 },
    );
  });

  test("any text at all is read alike whole and in pieces", () => {
    const unit = fc.constantFrom("{", "}", '"', "\\", "u", "d", "8", "3", ":", ",", "`", "\n", " ", "input", "x", "🙂");
    fc.assert(
      fc.property(fc.string({ unit }), fc.boolean(), (raw, inside) => {
        everyCut(inside ? `{"input":"${raw}` : raw);
      }),
      { numRuns: 500 },
    );
  });

  test("most of it goes out before the end", () => {
    const { shown } = read(wrapCustomInput("*** Begin Patch\n+🙂\n*** End Patch").split(""));
    expect(shown.at(-1)).toBe("");
    expect(shown.filter((piece) => piece !== "").length).toBeGreaterThan(25);
    expect(read("*** Begin".split("")).shown.slice(0, -1).join("")).toBe("*** Begin");
  });

  test("a half of a character waits for the other, and alone is the replacement character", () => {
    expect(read(['{"input":"\\ud83d', '\\ude00"}']).shown).toEqual(["", "😀", ""]);
    expect(read(['{"input":"\\ud83d', 'x"}']).shown).toEqual(["", "\ufffdx", ""]);
    expect(read(['{"input":"\\ud83d"}']).text).toBe("\ufffd");
  });
});

describe("T5 the rules of unwrapping", () => {
  test.each([
    ["the right key", '{"input":"*** Begin"}', "*** Begin"],
    ["white space around it", ' {\n"input" : "*** Begin" }\n', "*** Begin"],
    ["a usual wrong key", '{"patch":"*** Begin"}', "*** Begin"],
    ["another key", '{"q":"*** Begin"}', '{"q":"*** Begin"}'],
    ["a text that is no text", '{"input":["*** Begin"]}', '{"input":["*** Begin"]}'],
    ["a bare JSON string", '"*** Begin"', "*** Begin"],
    ["no JSON at all", "*** Begin Patch", "*** Begin Patch"],
    ["an object with other keys is the text itself", '{"q":1,"input":"x"}', '{"q":1,"input":"x"}'],
    ["one fence is stripped", '{"input":"```diff\\n*** Begin\\n```"}', "*** Begin"],
    ["a fence around raw text", "```\nSELECT 1\n```", "SELECT 1"],
    ["a fence that only begins is text", '{"input":"``` a"}', "``` a"],
    ["no arguments", "", ""],
    ["an empty object", "{}", ""],
    ["an empty text", '{"input":""}', ""],
    ["what JSON does not escape is meant as it stands", '{"input":"\\d+ \\u12 \\$"}', "\\d+ \\u12 \\$"],
    ["a quotation mark that ends nothing is a character", '{"input":"say "hi""}', 'say "hi"'],
    ["a text that was cut off", '{"input":"*** Begin\\u00', "*** Begin"],
    ["one that was cut behind its end", '{"input":"*** Begin"', "*** Begin"],
  ])("%s", (_what, json, expected) => {
    expect(unwrapCustomInput(json)).toBe(expected);
    everyCut(json);
    expect(read([json]).hasMore).toBe(false);
  });

  test("keys behind the text are left out, and that can be told", () => {
    const json = '{"input":"SELECT 1", "why":"x"}';
    expect(read(json.split(""))).toMatchObject({ text: "SELECT 1", hasMore: true });
    everyCut(json);
  });
});
