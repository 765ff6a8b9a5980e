import { expect, test } from "vitest";
import { ProtocolError } from "../canonical/index.ts";
import { documentAsText, isTextDocument } from "./media-text.ts";

test("M6 a text document is text headed by its title and context, and keeps its cache mark", () => {
  expect(
    documentAsText({
      type: "document",
      title: "Report",
      context: "From 2024",
      source: { type: "text", text: "All is well.", mediaType: "text/plain" },
      cache: { ttl: "1h" },
      at: "messages[0].content[1]",
    }),
  ).toEqual({
    type: "text",
    text: "Report\n\nFrom 2024\n\nAll is well.",
    cache: { ttl: "1h" },
    at: "messages[0].content[1]",
  });
});

test("M6 text that came as base64 is read as UTF-8", () => {
  const data = Buffer.from("Grüße 🙂").toString("base64");
  const source = { type: "base64", mediaType: "text/markdown", data } as const;
  expect(documentAsText({ type: "document", filename: "a.md", source }).text).toBe("a.md\n\nGrüße 🙂");
});

test("M5 any other document is refused by its place", () => {
  const pdf = {
    type: "document",
    source: { type: "base64", mediaType: "application/pdf", data: "AAAA" },
    at: "x",
  } as const;
  expect(isTextDocument(pdf)).toBe(false);
  expect(() => documentAsText(pdf)).toThrow(ProtocolError);
});
