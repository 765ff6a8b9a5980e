import type { JsonObject } from "../canonical/index.ts";
import { absent, type Pattern } from "./pattern.ts";
import { ask, emulated, kept, none, type RequestRow, type Row } from "./rule.ts";

const stopping = (...stops: string[]): RequestRow["asks"] => ({
  C: ask("stop", { stop: stops }),
  R: none("the client's protocol has no stop sequences"),
  M: ask("stop_sequences", { stop_sequences: stops }),
  G: ask("generationConfig.stopSequences", { generationConfig: { stopSequences: stops } }),
});

const inConfig = (stopSequences: Pattern): Pattern => ({ generationConfig: { stopSequences } });

/** A whole answer of the responses protocol with one text. */
const responsesText = (text: string): JsonObject => ({
  id: "resp_1",
  object: "response",
  created_at: 1,
  model: "x",
  status: "completed",
  output: [
    {
      type: "message",
      id: "msg_1",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text, annotations: [] }],
    },
  ],
});
const stopsItself = none("the upstream takes the stop sequence itself");

/** P10 to P12: texts at which the answer ends. */
export const stopRows: readonly Row[] = [
  {
    id: "P10",
    says: "Where the upstream has no stop sequences the gateway watches the text itself.",
    kind: "request",
    asks: stopping("END"),
    becomes: {
      C: kept({ stop: ["END"] }),
      R: emulated({ stop: absent }),
      M: kept({ stop_sequences: ["END"] }),
      G: kept(inConfig(["END"])),
    },
  },
  {
    id: "P10",
    says: "A reasoning model of OpenAI refuses stop sequences on chat completions too; the gateway watches.",
    kind: "request",
    asks: stopping("END"),
    becomes: {
      C: emulated({ stop: absent }, { model: "gpt-5.2" }),
      R: emulated({ stop: absent }, { model: "gpt-5.2" }),
      M: kept({ stop_sequences: ["END"] }),
      G: kept(inConfig(["END"])),
    },
  },
  {
    id: "P10",
    says: "The text is cut at the first match, though it comes in pieces, and the answer ends as by a stop sequence.",
    kind: "answer",
    asks: {
      C: { stop: ["END"] },
      M: { stop_sequences: ["END"] },
      G: { generationConfig: { stopSequences: ["END"] } },
    },
    answers: {
      C: stopsItself,
      R: responsesText("one EN two END three"),
      M: stopsItself,
      G: stopsItself,
    },
    becomes: {
      C: kept({ choices: [{ message: { content: "one EN two " }, finish_reason: "stop" }] }),
      M: kept({
        content: [{ type: "text", text: "one EN two " }],
        stop_reason: "stop_sequence",
        stop_sequence: "END",
      }),
      G: kept({ candidates: [{ content: { parts: [{ text: "one EN two " }] }, finishReason: "STOP" }] }),
    },
  },
  {
    id: "P11",
    says: "Of more stop sequences than the upstream takes the first ones are sent, and the gateway watches for the others.",
    kind: "request",
    asks: {
      ...stopping("a", "b", "c", "d", "e", "f"),
      C: none("the client's protocol takes no more than four"),
      G: ask("generationConfig.stopSequences", { generationConfig: { stopSequences: ["a", "b", "c", "d", "e"] } }),
    },
    becomes: {
      C: emulated({ stop: ["a", "b", "c", "d"] }),
      R: emulated({ stop: absent }),
      G: emulated(inConfig(["a", "b", "c", "d", "e"])),
      "G->M": kept({ stop_sequences: ["a", "b", "c", "d", "e"] }),
    },
  },
  {
    id: "P12",
    says: "The gateway watches for stop sequences of blank space, which the messages protocol refuses.",
    kind: "request",
    asks: { ...stopping("\n\n", "END"), M: none("the client's own protocol refuses them") },
    becomes: {
      C: kept({ stop: ["\n\n", "END"] }),
      R: emulated({ stop: absent }),
      M: emulated({ stop_sequences: ["END"] }),
      G: kept(inConfig(["\n\n", "END"])),
    },
  },
];
