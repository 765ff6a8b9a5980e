import { describe, expect, it } from "vitest";
import { type Part, ProtocolError, type Turn } from "../canonical/index.ts";
import {
  call,
  calling,
  encode,
  fields,
  messages,
  refusedParam,
  result,
  user,
} from "../testing/chat-completions-request-fixture.ts";

describe("history", () => {
  it("H13 a turn of calls only has no content", () => {
    expect(messages({ turns: calling([call("a")], [result("a")]) })[1]).toMatchObject({ content: null });
  });

  it("H3 developer is a role of the vendor's models", () => {
    const turns: Turn[] = [{ role: "developer", parts: [{ type: "text", text: "Be brief." }] }, user];
    expect(messages({ turns }, "gpt-5")[0]?.role).toBe("developer");
    expect(messages({ turns }, "llama-3.3-70b")[0]?.role).toBe("system");
  });

  it("T15 pictures of results follow in a user message behind all results of the batch", () => {
    const image: Part = { type: "image", source: { type: "base64", mediaType: "image/png", data: "AAAA" } };
    const turns = calling([call("a"), call("b")], [result("a", [{ type: "text", text: "1" }, image]), result("b")]);
    const written = messages({ turns });
    expect(written.map((message) => message.role)).toEqual(["user", "assistant", "tool", "tool", "user"]);
    expect(JSON.stringify(written[4])).toContain("image_url");
    expect(JSON.stringify(written[4])).toContain("Output of tool call a");
  });

  it("T16 an error is told in words, once", () => {
    const turns = calling(
      [call("a"), call("b")],
      [
        result("a", [{ type: "text", text: "no" }], { isError: true }),
        result("b", [{ type: "text", text: "Error: no" }], { isError: true }),
      ],
    );
    expect(
      messages({ turns })
        .slice(2)
        .map((message) => message.content),
    ).toEqual(["Error: no", "Error: no"]);
  });

  it("M4 a file of another provider is refused by its place", () => {
    const at = "messages[0].content[0]";
    const parts: Part[] = [{ type: "image", source: { type: "file", id: "f", family: "anthropic" }, at }];
    expect(refusedParam({ turns: [{ role: "user", parts }] })).toBe(at);
  });

  it("M2 M8 media that the vendor cannot read is refused by its place, and goes to servers that can", () => {
    const at = "contents[0].parts[1]";
    const video: Part = { type: "video", source: { type: "url", url: "https://x/v.mp4" }, at };
    const stored: Part = { type: "image", source: { type: "url", url: "gs://x/y" }, at };
    const document: Part = { type: "document", source: { type: "url", url: "https://x/y.pdf" }, at };
    for (const part of [video, stored, document]) {
      expect(refusedParam({ turns: [{ role: "user", parts: [part] }] })).toBe(at);
    }
    const sent = messages({ turns: [{ role: "user", parts: [video, document] }] }, "qwen3-vl");
    expect(sent[0]?.content).toMatchObject([{ type: "video_url" }, { type: "file" }]);
  });

  it("H14 a conversation that ends with the assistant is refused", () => {
    expect(() => encode({ turns: [user, { role: "assistant", parts: [{ type: "text", text: "The" }] }] })).toThrow(
      ProtocolError,
    );
  });

  it("P20 a cache mark goes only where it is taken", () => {
    const turns: Turn[] = [{ role: "user", parts: [{ type: "text", text: "a", cache: { ttl: "5m" } }] }];
    const content = (model: string) => messages({ turns }, model)[0]?.content;
    expect(content("gpt-4.1")).toBe("a");
    expect(content("gpt-5.6-sol")).toEqual([
      { type: "text", text: "a", prompt_cache_breakpoint: { mode: "explicit" } },
    ]);
    expect(content("anthropic/claude-sonnet-4.6")).toEqual([
      { type: "text", text: "a", cache_control: { type: "ephemeral", ttl: "5m" } },
    ]);
    expect(fields({ turns })).toEqual([]);
  });

  it("a foreign part with text is shown as text, one without is told as lost", () => {
    const at = "input[0]";
    const parts: Part[] = [
      { type: "text", text: "a" },
      { type: "opaque", protocol: "responses", nativeType: "x", payload: {}, text: "b", at },
      { type: "opaque", protocol: "responses", nativeType: "y", payload: {}, at },
    ];
    const turns: Turn[] = [{ role: "user", parts }];
    expect(messages({ turns })[0]?.content).toEqual([
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ]);
    expect(fields({ turns })).toEqual([
      [at, "approximated"],
      [at, "dropped"],
    ]);
  });
});
