import { describe, expect, it } from "vitest";
import { endMarks, findEndMark, frameAround } from "./end-mark.ts";
import { withoutUsageChunk } from "./usage-chunk.ts";

const chat = endMarks["chat-completions"];
const found = (rule: typeof chat, text: string) => {
  const piece = Buffer.from(text);
  const place = findEndMark(rule, piece);
  return place && piece.toString("utf8", place.start, place.end);
};

describe("the end mark of each protocol", () => {
  it.each([
    [chat, 'data: {"a":"[DONE]"}\n\ndata: [DONE]\n\n', "data: [DONE]\n\n"],
    [chat, "data:[DONE] \r\n\r\n", "data:[DONE] \r\n\r\n"],
    [chat, 'data: {"a":"data: [DONE]"}\n\n', undefined],
    [endMarks.messages, 'event: x\ndata: {"type":"x","t":"message_stop"}\n\n', undefined],
    [endMarks.messages, 'data: {"type": "message_stop"}\n\n', 'data: {"type": "message_stop"}\n\n'],
    [endMarks.responses, 'data: {"type":"response.failed"}\n\n', 'data: {"type":"response.failed"}\n\n'],
    [endMarks.responses, 'data: {"type":"response.output_text.delta","delta":"response.completed"}\n\n', undefined],
    [endMarks["generate-content"], 'data: {"candidates":[{"finishReason":null}]}\n\n', undefined],
    [
      endMarks["generate-content"],
      'data: {"candidates":[{"finishReason":"STOP"}]}\n\n',
      'data: {"candidates":[{"finishReason":"STOP"}]}\n\n',
    ],
  ])("%#", (rule, text, expected) => {
    expect(found(rule, text)).toBe(expected);
  });

  it("is found among frames whose lines end by CR alone", () => {
    expect(found(chat, 'data: {"x":1}\r\rdata: [DONE]\r\r')).toBe("data: [DONE]\r\r");
  });

  it("is found behind a burst and before a few late frames", () => {
    const burst = 'data: {"x":1}\n\n'.repeat(300);
    expect(found(chat, `${burst}data: [DONE]\n\n${": late\n\n".repeat(3)}`)).toBe("data: [DONE]\n\n");
  });
});

it("a frame ends at the nearest blank line, however it is spelt", () => {
  const piece = Buffer.from("a\n\nb\r\n\r\nc\n\nd\r\n\r\n");
  const around = (at: number) => {
    const place = frameAround(piece, at);
    return piece.toString("utf8", place.start, place.end);
  };
  expect([0, 3, 8, 11].map(around)).toEqual(["a\n\n", "b\r\n\r\n", "c\n\n", "d\r\n\r\n"]);
});

describe("the usage chunk that the gateway asked for", () => {
  const content = 'data: {"choices":[{"delta":{"content":"\\"choices\\":[]"}}],"usage":null}\n\n';
  const usage = 'data: {"choices": [],"usage":{"total_tokens":3}}\n\n';

  it("is taken out, and nothing else is", () => {
    expect(withoutUsageChunk(Buffer.from(`${content}${usage}data: [DONE]\n\n`)).toString()).toBe(
      `${content}data: [DONE]\n\n`,
    );
    for (const other of [content, 'data: {"choices":[]}\n\n', 'data: {"choices":[],"usage":null}\n\n']) {
      expect(withoutUsageChunk(Buffer.from(other)).toString()).toBe(other);
    }
  });
});
