import { codecs } from "@interlingua/protocols";
import { describe, expect, it } from "vitest";
import type { CallTimings } from "../calls/call-record.ts";
import { tokensUsed } from "./token-demand.ts";

const never: CallTimings = { admission: 1, connect: null, firstByte: null, firstToken: null, end: null };
const sent = { ...never, connect: 2 };
const begun = { ...sent, firstByte: 3, firstToken: 4 };
const usage = codecs.messages.decodeResponse({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "m",
  content: [],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 100, cache_creation_input_tokens: 1000 },
}).usage;

describe("what a call is charged", () => {
  it.each([
    ["what the upstream told, cached input included", { usage, timings: begun, gone: false }, 1115],
    ["what the upstream told, also when the caller left", { usage, timings: begun, gone: true }, 1115],
    ["the reserve, when an answer came and no usage", { usage: undefined, timings: begun, gone: false }, 700],
    [
      "the reserve, when the caller left while the upstream worked",
      { usage: undefined, timings: sent, gone: true },
      700,
    ],
    ["nothing, when the call failed without an answer", { usage: undefined, timings: sent, gone: false }, 0],
    ["nothing, when it was never sent", { usage: undefined, timings: never, gone: true }, 0],
    [
      "the reserve, when the usage holds no counter",
      { usage: { input: {}, output: {} }, timings: begun, gone: false },
      700,
    ],
  ])("%s", (_name, course, charged) => {
    expect(tokensUsed(course, 700)).toBe(charged);
  });
});
