import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ProtocolError } from "../canonical/index.ts";
import { decodeBase64, encodeBase64 } from "./base64.ts";
import { audioFormat, audioMediaType, parseDataUrl, requireBase64, toDataUrl } from "./data-url.ts";

function paramOf(work: () => unknown): string | undefined {
  try {
    work();
  } catch (cause) {
    if (cause instanceof ProtocolError) return cause.error.param;
    throw cause;
  }
  throw new Error("Nothing was refused.");
}

describe("M3 data URLs", () => {
  test.each([
    ["data:image/png;base64,AAAA", "image/png", "AAAA"],
    ["DATA:IMAGE/JPG;BASE64,AAAA", "image/jpeg", "AAAA"],
    ["data:text/plain;charset=utf-8;base64,AAAA", "text/plain", "AAAA"],
    ["data:;base64,AAAA", "text/plain", "AAAA"],
    ["data:image/png;base64,AA", "image/png", "AA=="],
    ["data:image/png;base64,-_A=", "image/png", "+/A="],
    ["data:image/png;base64,AA\nAA", "image/png", "AAAA"],
  ])("%j is read", (url, mediaType, data) => {
    expect(parseDataUrl(url, "f")).toEqual({ mediaType, data });
  });

  test("another URL is none", () => {
    expect(parseDataUrl("https://example.com/data:x", "f")).toBeUndefined();
  });

  test.each([
    "data:image/png;base64",
    "data:text/plain,hello",
    "data:image/png;base64,",
    "data:image/png;base64,A",
    "data:image/png;base64,AA*A",
    "data:image/png;base64,A=AA",
    "data:image/png;base64,AAA==",
  ])("%j is refused by the field's name", (url) => {
    expect(paramOf(() => parseDataUrl(url, "messages[0].content[1].image_url.url"))).toBe(
      "messages[0].content[1].image_url.url",
    );
  });

  test("a long image is checked in linear time", () => {
    const data = "A".repeat(20 * 1024 * 1024);
    const started = performance.now();
    expect(requireBase64(data, "f")).toBe(data);
    expect(performance.now() - started).toBeLessThan(2000);
  });

  test("there and back", () => {
    fc.assert(
      fc.property(fc.base64String({ minLength: 4 }), (data) => {
        expect(parseDataUrl(toDataUrl("image/png", data), "f")).toEqual({ mediaType: "image/png", data });
      }),
    );
  });
});

test("base64 of any bytes, both ways, like the run time's own", () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const encoded = encodeBase64(bytes);
      expect(encoded).toBe(Buffer.from(bytes).toString("base64"));
      expect(decodeBase64(encoded)).toEqual(bytes);
      expect(decodeBase64(Buffer.from(bytes).toString("base64url"))).toEqual(bytes);
    }),
  );
  expect(decodeBase64("A")).toBeUndefined();
  expect(decodeBase64("A A=")).toBeUndefined();
});

test("M7 audio formats and media types map to each other", () => {
  for (const format of ["wav", "mp3", "flac", "ogg", "opus", "aac", "aiff", "m4a", "webm", "pcm16"]) {
    expect(audioFormat(audioMediaType(format))).toBe(format);
  }
  expect(audioFormat("Audio/X-WAV; rate=8000")).toBe("wav");
  expect(audioFormat("video/mp4")).toBeUndefined();
  expect(audioFormat("constructor")).toBeUndefined();
});
