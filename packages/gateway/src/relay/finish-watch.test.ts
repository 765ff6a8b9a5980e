import { codecs, type ProtocolName } from "@interlingua/protocols";
import { describe, expect, it } from "vitest";
import { createDirectStream } from "./direct-stream.ts";

const open = (name: ProtocolName, answers = 1) =>
  createDirectStream({ codec: codecs[name], callId: "call_1", eventBytes: 1_000_000, answers });
const frame = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
const chunk = (delta: object, finish_reason: string | null = null, index = 0) =>
  frame({ choices: [{ index, delta, finish_reason }] });
const message = { id: "m", type: "message", role: "assistant", model: "m", content: [], stop_reason: null, usage: {} };
const begin = frame({ type: "message_start", message });
const ended = frame({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } });

describe("S10 a direct stream is finished", () => {
  type Row = [name: string, protocol: ProtocolName, answers: number, before: string, last: string];
  it.each<Row>([
    ["by its finish", "chat-completions", 1, chunk({ content: "x" }), chunk({}, "stop")],
    ["beside its last text", "chat-completions", 1, chunk({ content: "x" }), chunk({ content: "y" }, "length")],
    [
      "as Python writes it",
      "chat-completions",
      1,
      chunk({ content: "x" }),
      'data: {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}\n\n',
    ],
    [
      "by the last of several",
      "chat-completions",
      2,
      chunk({}, null, 1) + chunk({}, "stop") + chunk({}, "stop"),
      chunk({}, "length", 1),
    ],
    ["by its stop reason", "messages", 1, begin, ended],
  ])("%s", (_name, protocol, answers, before, last) => {
    const stream = open(protocol, answers);
    stream.push(Buffer.from(before));
    expect(stream.isFinished).toBe(false);
    stream.push(Buffer.from(last));
    expect(stream.isFinished).toBe(true);
    const { final } = stream.close();
    expect(final?.error).toBeUndefined();
    expect(String(final?.text)).toBe("");
  });

  it("not by what its text says of a finish, nor by a reason of nothing", () => {
    const stream = open("chat-completions");
    const content = '"finish_reason":"stop", "finish_reason": "stop"';
    stream.push(Buffer.from(chunk({ content }) + chunk({}, "")));
    expect(stream.isFinished).toBe(false);
  });

  it("by a reason that stands for a failure, and has failed", () => {
    const stream = open("chat-completions");
    stream.push(Buffer.from(chunk({ content: "x" }) + chunk({}, "insufficient_system_resource")));
    expect(stream.isFinished).toBe(true);
    expect(stream.close().final?.error?.kind).toBe("upstream_bad");
  });

  it("though its long call began before all that is still known of it", () => {
    const calling = (call: object) => chunk({ tool_calls: [{ index: 0, ...call }] });
    const stream = open("chat-completions");
    stream.push(Buffer.from(chunk({ role: "assistant" })));
    stream.push(Buffer.from(calling({ id: "a", function: { name: "f", arguments: '{"a":"' } })));
    for (let count = 0; count < 40; count += 1) {
      stream.push(Buffer.from(calling({ function: { arguments: "x".repeat(1_000) } })));
    }
    stream.push(Buffer.from(calling({ function: { arguments: '"}' } })));
    expect(stream.isFinished).toBe(false);
    stream.push(Buffer.from(chunk({}, "tool_calls")));
    expect(stream.isFinished).toBe(true);
    expect(stream.close().final?.error).toBeUndefined();
  });

  it("but an error behind its finish is one, in a long answer too", () => {
    for (const length of [1, 40_000]) {
      const stream = open("chat-completions");
      stream.push(Buffer.from(chunk({ role: "assistant" })));
      stream.push(Buffer.from(chunk({ content: "x".repeat(length) })));
      stream.push(Buffer.from(chunk({}, "stop")));
      stream.push(Buffer.from(frame({ error: { message: "Out of memory.", type: "server_error" } })));
      expect(stream.close().final?.error?.message).toBe("Out of memory.");
    }
  });
});
