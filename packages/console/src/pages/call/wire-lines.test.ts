import { expect, test } from "vitest";
import { countMatches, piecesOf, wireBody } from "./wire-lines.ts";

test("a document is shown with indents, and each of its values by its kind", () => {
  const { kind, lines } = wireBody('{"a":"x \\" y","n":-1.5e3,"t":true}');
  expect(kind).toBe("json");
  expect(lines.map(({ text }) => text)).toEqual(
    ["{", '  "a": "x \\" y",', '  "n": -1.5e3,', '  "t": true', "}"].map((line) => line.replace("-1.5e3", "-1500")),
  );
  expect(piecesOf('  "a": "x \\" y",', "").map(({ kind: of, text }) => [of, text])).toEqual([
    ["plain", "  "],
    ["key", '"a"'],
    ["plain", ":"],
    ["plain", " "],
    ["string", '"x \\" y"'],
    ["plain", ","],
  ]);
  expect(piecesOf('"n": 12, null', "").map(({ kind: of }) => of)).toEqual([
    "key",
    "plain",
    "plain",
    "number",
    "plain",
    "word",
  ]);
});

test("a stream is shown as its events, whatever its line ends, and what is cut or no JSON as text", () => {
  const stream = 'event: a\r\ndata: {"x":1}\r\n\r\n: keep-alive\r\n\r\ndata: [DONE]\r\n\r\n';
  expect(wireBody(stream)).toEqual({
    kind: "events",
    lines: [
      { number: 1, label: "a", text: '{"x":1}' },
      { number: 2, text: ": keep-alive" },
      { number: 3, text: "[DONE]" },
    ],
  });
  expect(wireBody('{"cut": "in the mid').kind).toBe("text");
  expect(wireBody("Bad gateway").lines).toEqual([{ number: 1, text: "Bad gateway" }]);
});

test("what is searched for is found over the borders of values, and no text is lost by marking it", () => {
  const line = '"model": "Model x", "model"';
  const pieces = piecesOf(line, 'MODEL": "m');
  expect(pieces.map(({ text }) => text).join("")).toBe(line);
  expect(
    pieces
      .filter(({ found }) => found)
      .map(({ text }) => text)
      .join(""),
  ).toBe('model": "M');
  expect(countMatches([{ number: 1, text: line }], "model")).toBe(3);
  expect(countMatches([{ number: 1, text: line }], "")).toBe(0);
  const long = "a".repeat(100_000);
  expect(piecesOf(long, "")[0]?.text.length).toBeLessThan(5000);
});
