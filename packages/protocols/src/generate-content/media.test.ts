import { describe, expect, it } from "vitest";
import type { CanonicalRequest, Part, Turn } from "../canonical/index.ts";
import { encode, refused } from "../testing/generate-content-request-fixture.ts";

describe("media (M2, M4, M6)", () => {
  const media = (source: Extract<Part, { type: "image" }>["source"], at?: string): Partial<CanonicalRequest> => ({
    turns: [{ role: "user", parts: [{ type: "image", source, ...(at ? { at } : {}) }] }],
  });
  it("an address from another protocol is refused, never fetched", () => {
    expect(refused(media({ type: "url", url: "https://example.com/a.png" }, "messages[0].content[1]"))).toBe(
      "messages[0].content[1]",
    );
    expect(refused(media({ type: "url", url: "http://169.254.169.254/" }, "input[0].content[0]"))).toBe(
      "input[0].content[0]",
    );
  });
  it("buckets, YouTube, data URLs and this protocol's own addresses pass", () => {
    const sent = (url: string, at?: string) => encode(media({ type: "url", url }, at)).body.contents;
    expect(sent("gs://bucket/a.png")).toMatchObject([{ parts: [{ fileData: { fileUri: "gs://bucket/a.png" } }] }]);
    expect(sent("https://www.youtube.com/watch?v=1")).toMatchObject([{ parts: [{ fileData: {} }] }]);
    expect(sent("data:image/jpg;base64,AAAA")).toMatchObject([
      { parts: [{ inlineData: { mimeType: "image/jpeg", data: "AAAA" } }] },
    ]);
    expect(sent("https://example.com/a.png", "contents[0].parts[0]")).toMatchObject([{ parts: [{ fileData: {} }] }]);
  });
  it("another provider's file is refused", () => {
    expect(refused(media({ type: "file", id: "file-1", family: "openai" }, "messages[0].content[0]"))).toBe(
      "messages[0].content[0]",
    );
  });
  it("a text document becomes text with its title", () => {
    const turns: Turn[] = [
      {
        role: "user",
        parts: [{ type: "document", title: "Notes", source: { type: "text", text: "abc", mediaType: "text/plain" } }],
      },
    ];
    expect(encode({ turns }).body.contents).toEqual([{ role: "user", parts: [{ text: "Notes\n\nabc" }] }]);
  });
});
