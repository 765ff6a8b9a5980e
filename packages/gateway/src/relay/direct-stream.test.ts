import { codecs, type ProtocolName } from "@interlingua/protocols";
import { describe, expect, it } from "vitest";
import { createDirectArrayStream } from "./direct-array-stream.ts";
import { createDirectStream } from "./direct-stream.ts";

const open = (name: ProtocolName, eventBytes = 1_000_000) =>
  createDirectStream({ codec: codecs[name], callId: "call_1", eventBytes });

/** What goes out for each read, and at the close. */
function handOn(name: ProtocolName, ...reads: string[]) {
  const stream = open(name);
  const steps = [...reads.map((read) => stream.push(Buffer.from(read))), stream.close()];
  const final = steps.find((step) => step.final)?.final;
  return { texts: steps.map(({ text }) => String(text)), last: String(final?.text), error: final?.error, stream };
}

const frame = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
const said = (content: string) => frame({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
const stopped = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };

describe("S10 the usage that a stream told last", () => {
  const start = (usage: object) => frame({ type: "message_start", message: { id: "m", usage } });
  const end = (usage: object) =>
    frame({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage }) + frame({ type: "message_stop" });
  const split = {
    input_tokens: 3,
    cache_creation_input_tokens: 1000,
    cache_creation: { ephemeral_5m_input_tokens: 1000, ephemeral_1h_input_tokens: 0 },
    output_tokens: 1,
  };
  const sum = { cache_creation_input_tokens: 1000, output_tokens: 9 };
  const once = { input: { uncached: 3, cacheWrite5m: 1000, cacheWrite1h: 0 }, output: { total: 9 } };

  it("counts cache writes once, whose split stands in the first report and whose sum in the last", () => {
    expect(handOn("messages", start(split), end(sum)).stream.usage).toEqual(once);
  });

  it("knows the first report behind comments too", () => {
    expect(handOn("messages", `: PROCESSING\n\n${start(split)}`, end(sum)).stream.usage).toEqual(once);
  });

  it("reads the last event without its blank line", () => {
    const last = { ...stopped, usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 } };
    const { stream, last: text, error } = handOn("chat-completions", said("x"), `data: ${JSON.stringify(last)}`);
    expect(stream.usage).toMatchObject({ input: { uncached: 5 }, output: { total: 2 } });
    expect(error).toBeUndefined();
    expect(text).toBe(frame(last));
  });
});

describe("L12 who fails is told so", () => {
  it("a stream that is cut inside a frame", () => {
    const { error, last } = handOn("chat-completions", `${said("x")}data: {"choi`);
    expect(error).toBeDefined();
    expect(last).toContain('"error"');
  });

  it("an error in the last event, which lacks its blank line", () => {
    const failure = JSON.stringify({ error: { message: "Out of memory.", type: "rate_limit_error" } });
    const { error, last } = handOn("chat-completions", `${said("x")}data: ${failure}`);
    expect(error).toMatchObject({ message: "Out of memory." });
    expect(last).toContain("Out of memory.");
  });

  it("an error behind a comment is no content", () => {
    const stream = open("chat-completions");
    const step = stream.push(Buffer.from(`: PROCESSING\n\n${frame({ error: { message: "No.", code: 429 } })}`));
    expect(step.final?.error).toMatchObject({ message: "No." });
    expect(stream.hasContent).toBe(false);
  });

  it.each([
    ["blank lines", "\n".repeat(40)],
    ["comments", ": PROCESSING\n\n".repeat(40)],
  ])("an error that only %s part from the end mark", (_what, between) => {
    const failure = frame({ error: { message: "Token limit reached", code: 400 } });
    const { error } = handOn("chat-completions", `${said("x")}${failure}${between}data: [DONE]\n\n`);
    expect(error).toMatchObject({ message: "Token limit reached" });
  });

  it("JSON without the frames of an event stream", () => {
    const whole = { candidates: [{ content: { parts: [{ text: "x" }] }, finishReason: "STOP", index: 0 }] };
    expect(handOn("generate-content", `${JSON.stringify(whole)}\n\n`).error).toBeDefined();
  });
});

describe("generateContent, where any finish may be the last", () => {
  const chunk = (index: number, text: string, finishReason?: string) =>
    frame({ candidates: [{ index, content: { parts: [{ text }] }, ...(finishReason ? { finishReason } : {}) }] });

  it("a finish in each chunk holds back one chunk and no more", () => {
    const { texts, last } = handOn("generate-content", chunk(0, "a", "STOP"), chunk(0, "b", "STOP"));
    expect(texts).toEqual(["", chunk(0, "a", "STOP"), ""]);
    expect(last).toBe(chunk(0, "b", "STOP"));
  });

  it("another candidate goes on behind the finish of the first", () => {
    const first = chunk(1, "x") + chunk(0, "a", "STOP");
    const { texts } = handOn("generate-content", first, chunk(1, "y"), chunk(1, "z", "STOP"));
    expect(texts).toEqual([chunk(1, "x"), chunk(0, "a", "STOP"), chunk(1, "y"), ""]);
  });

  it("an answer is not finished while another candidate is open", () => {
    const stream = open("generate-content");
    stream.push(Buffer.from(chunk(1, "x") + chunk(0, "a", "STOP")));
    expect(stream.isFinished).toBe(false);
    stream.push(Buffer.from(chunk(1, "z", "STOP")));
    expect(stream.isFinished).toBe(true);
  });

  it("the usage behind the finish waits with it", () => {
    const usage = frame({ usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 } });
    const { texts, last } = handOn("generate-content", chunk(0, "a", "STOP"), usage);
    expect(texts).toEqual(["", "", ""]);
    expect(last).toBe(chunk(0, "a", "STOP") + usage);
  });

  it("frames without end behind the finish are not held", () => {
    const stream = open("generate-content");
    stream.push(Buffer.from(chunk(0, "a", "STOP")));
    const comment = Buffer.from(`:${" ".repeat(1000)}\n\n`);
    let sent = 0;
    for (let turn = 0; turn < 100; turn++) sent += stream.push(comment).text.length;
    expect(sent).toBeGreaterThan(80_000);
  });
});

describe("S20 generateContent as an array", () => {
  const element = JSON.stringify({ candidates: [{ index: 0, content: { parts: [] }, finishReason: "STOP" }] });
  const close = (text: string) => {
    const stream = createDirectArrayStream(codecs["generate-content"]);
    const { text: sent } = stream.push(Buffer.from(text));
    const { final } = stream.close();
    return { sent: `${sent}${final?.text}`, error: final?.error };
  };

  it("gets the bracket that a whole answer has lost", () => {
    expect(close(`[${element}`)).toEqual({ sent: `[${element}]`, error: undefined });
    expect(close(`[${element}\n]\n`)).toEqual({ sent: `[${element}\n]\n`, error: undefined });
  });

  it("is incomplete behind a comma", () => {
    expect(close(`[${element},\n`)).toMatchObject({ sent: `[${element},\n`, error: { kind: "upstream_incomplete" } });
  });
});
