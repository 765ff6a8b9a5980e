import { describe, expect, it } from "vitest";
import { goesWith, sniffMediaType } from "./media-type.ts";

const box = (brand: string) => `\0\0\0\x20ftyp${brand}\0\0\x02\0`;

describe("M2 what bytes are, by their beginning", () => {
  it.each([
    ["\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "image/png"],
    ["\xff\xd8\xff\xe0\0\x10JFIF", "image/jpeg"],
    ["GIF87a\x01\0", "image/gif"],
    ["GIF89a\x01\0", "image/gif"],
    ["RIFF\x24\0\0\0WEBPVP8 ", "image/webp"],
    [box("heic"), "image/heic"],
    [box("mif1"), "image/heif"],
    [box("avif"), "image/avif"],
    ["%PDF-1.7\n", "application/pdf"],
    ["RIFF\x24\0\0\0WAVEfmt ", "audio/wav"],
    ["FORM\0\0\0\x24AIFFCOMM", "audio/aiff"],
    ["ID3\x04\0", "audio/mpeg"],
    ["\xff\xfb\x90\x64", "audio/mpeg"],
    ["\xff\xf1\x50\x80", "audio/aac"],
    ["fLaC\0\0\0\x22", "audio/flac"],
    ["OggS\0\x02", "audio/ogg"],
    [box("M4A "), "audio/mp4"],
    [box("isom"), "video/mp4"],
    [box("qt  "), "video/quicktime"],
    ["\x1a\x45\xdf\xa3\x01", "video/webm"],
    ["\0\0\x01\xba\x44", "video/mpeg"],
  ])("%j is %s", (beginning, mediaType) => {
    expect(sniffMediaType(Buffer.from(beginning, "latin1"))).toBe(mediaType);
  });

  it.each([
    "",
    "<!DOCTYPE html><html>",
    "<svg xmlns=",
    "{}",
    "plain text",
    "MZ\x90\0",
    "PK\x03\x04",
    "\x7fELF",
    "RIFF",
  ])("%j is nothing that is sent on", (beginning) =>
    expect(sniffMediaType(Buffer.from(beginning, "latin1"))).toBeUndefined(),
  );
});

describe("M2 what a server says of them", () => {
  it.each([
    ["image/png", "image/png"],
    ["image/jpg; charset=binary", "image/jpeg"],
    ["IMAGE/WEBP", "image/png"],
    ["application/octet-stream", "application/pdf"],
    [undefined, "image/png"],
    ["audio/webm", "video/webm"],
    ["application/ogg", "audio/ogg"],
    ["video/mp4", "audio/mp4"],
  ])("%s goes with %s", (told, mediaType) => expect(goesWith(told, mediaType)).toBe(true));
  it.each([
    ["text/html", "image/png"],
    ["text/html; charset=utf-8", "application/pdf"],
    ["image/png", "application/pdf"],
    ["application/pdf", "image/png"],
    ["application/json", "image/png"],
    ["audio/wav", "image/png"],
  ])("%s does not go with %s", (told, mediaType) => expect(goesWith(told, mediaType)).toBe(false));
});
