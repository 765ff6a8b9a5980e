import fc from "fast-check";
import { expect, test } from "vitest";
import type { Part, ToolResultPart } from "../canonical/index.ts";
import { text } from "../testing/arbitraries.ts";
import { resultText, withErrorPrefix, withoutErrorPrefix } from "./tool-results.ts";

const result = (...content: Part[]): ToolResultPart => ({
  type: "tool-result",
  callId: "a",
  toolKind: "function",
  content,
});

test("T15 the texts of a result are joined, media has no text", () => {
  expect(resultText(result())).toBe("");
  expect(
    resultText(
      result(
        { type: "text", text: "one" },
        { type: "image", source: { type: "url", url: "https://example.com/a.png" } },
        { type: "document", title: "T", source: { type: "text", text: "two", mediaType: "text/plain" } },
      ),
    ),
  ).toBe("one\nT\n\ntwo");
});

test("T16 the error prefix is put once and is undone", () => {
  expect(withErrorPrefix("no file", true)).toBe("Error: no file");
  expect(withErrorPrefix("Error: no file", true)).toBe("Error: no file");
  expect(withErrorPrefix("fine", undefined)).toBe("fine");
  fc.assert(
    fc.property(text(), fc.boolean(), (value, isError) => {
      const written = withErrorPrefix(value, isError);
      const read = withoutErrorPrefix(written);
      expect(withErrorPrefix(read.text, read.isError)).toBe(written);
      if (isError) expect(read.isError).toBe(true);
    }),
  );
});
