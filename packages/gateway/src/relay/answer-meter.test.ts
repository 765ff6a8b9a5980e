import { type ProtocolName, protocolNames } from "@interlingua/protocols";
import { describe, expect, it } from "vitest";
import { createAnswerMeter } from "./answer-meter.ts";

const frame: Record<ProtocolName, (text: string) => string> = {
  "chat-completions": (text) =>
    `data: ${JSON.stringify({ id: "x", choices: [{ index: 0, delta: { content: text }, finish_reason: null }] })}\n\n`,
  responses: (text) =>
    `event: response.output_text.delta\ndata: ${JSON.stringify({ type: "response.output_text.delta", delta: text })}\n\n`,
  messages: (text) =>
    `event: content_block_delta\ndata: ${JSON.stringify({ type: "content_block_delta", delta: { type: "text_delta", text } })}\n\n`,
  "generate-content": (text) => `data: ${JSON.stringify({ candidates: [{ content: { parts: [{ text }] } }] })}\r\n\r\n`,
};

const words = ["The ", 'quick "brown" ', "fox\n", "jumps — ", "über ", "den \\ Zaun. ", "中文字符", "🙂"];

describe.each(protocolNames)("I8 %s", (protocol) => {
  const wire = Buffer.from(words.map(frame[protocol]).join(""));

  it("what was produced is counted the same, however the network cuts it", async () => {
    const whole = createAnswerMeter(protocol);
    whole.push(wire);
    const expected = await whole.countTokens();
    const { countTokens } = await import("gpt-tokenizer");
    expect(expected).toBe(countTokens(words.join("")));
    for (const size of [1, 7, 64, 1000]) {
      const meter = createAnswerMeter(protocol);
      for (let at = 0; at < wire.length; at += size) meter.push(wire.subarray(at, at + size));
      expect(await meter.countTokens()).toBe(expected);
    }
  });

  it("a stream that breaks off inside a string counts what came", async () => {
    const meter = createAnswerMeter(protocol);
    meter.push(wire.subarray(0, wire.indexOf("Zaun") + 2));
    expect(await meter.countTokens()).toBeGreaterThan(10);
  });

  it("without content nothing is counted", async () => {
    const meter = createAnswerMeter(protocol);
    meter.push(Buffer.from(': ping\n\ndata: {"usage":{"total_tokens":12},"content":null,"text":7}\n\n'));
    expect(meter.roughTokens).toBe(0);
    expect(await meter.countTokens()).toBe(0);
  });
});
