import { describe, expect, test } from "vitest";
import { type JsonObject, ProtocolError } from "../canonical/index.ts";
import { answered, at, list, streamed, wire } from "../peer-bugs/scene.ts";
import {
  callPart,
  candidate,
  chunk,
  completion,
  fragment,
  message,
  messageEnd,
  messageStart,
  responseCall,
  responseFrames,
  responseMessage,
  responseObject,
  textBlock,
  toolBlock,
  toolCall,
} from "../peer-bugs/wire-frames.ts";
import { carry, json, runStream, utf8 } from "../testing/carrying.ts";
import { type Letter, letters, protocolOf } from "../testing/letters.ts";
import { sides } from "../testing/protocol-sides.ts";
import { endWords, seen, seenOf } from "./seen.ts";
import { pairs, path, textAndCall } from "./streams.ts";

const streams = textAndCall("Hi", { a: 1 });
const wholes: Readonly<Record<Letter, JsonObject>> = {
  C: completion({ content: "Hi", tool_calls: [toolCall("c1", "read", '{"a":1}')] }, "tool_calls"),
  R: responseObject([responseMessage("msg_1", "Hi"), responseCall("c1", "read", '{"a":1}')]),
  M: message(
    [
      { type: "text", text: "Hi" },
      { type: "tool_use", id: "c1", name: "read", input: { a: 1 } },
    ],
    "tool_use",
  ),
  G: candidate([{ text: "Hi" }, callPart("read", { a: 1 })], "STOP"),
};

test.each(pairs)("S31: %s from %s has one id everywhere, of the client's own kind", (client, upstream) => {
  const { frames } = streamed(path(client, upstream), streams[upstream]);
  const idOf = (frame: JsonObject) =>
    at(frame, "response", "id") ??
    at(frame, "message", "id") ??
    frame.responseId ??
    (client === "C" ? frame.id : undefined);
  const ids = new Set(frames.map(idOf).filter((id) => id !== undefined));
  expect(ids.size).toBe(1);
  const prefix = { C: /^chatcmpl-/, R: /^resp_/, M: /^msg_/, G: /^.+$/ };
  expect([...ids][0]).toMatch(prefix[client]);
});

const several: Readonly<Record<"C" | "G", (JsonObject | string)[]>> = {
  C: [
    chunk({ role: "assistant", content: "a0" }, null, 0),
    chunk({ role: "assistant", content: "b0" }, null, 1),
    chunk({ content: "a1" }, null, 0),
    chunk({}, "length", 1),
    chunk({}, "stop", 0),
    "[DONE]",
  ],
  G: [0, 1].flatMap((round) => [
    {
      candidates: ["a", "b"].map((mark, index) => ({
        index,
        content: { role: "model", parts: [{ text: index === 1 && round === 1 ? "" : `${mark}${round}` }] },
        ...(round === 1 ? { finishReason: index === 1 ? "MAX_TOKENS" : "STOP" } : {}),
      })),
      responseId: "g",
      modelVersion: "m",
    },
  ]),
};
test.each(["C", "G"].flatMap((client) => ["C", "G"].map((upstream) => [client, upstream] as ["C" | "G", "C" | "G"])))(
  "S32: %s from %s, several answers keep their own state and finish, and the end is behind all of them",
  (client, upstream) => {
    const wish: JsonObject = client === "C" ? { n: 2 } : { generationConfig: { candidateCount: 2 } };
    const side = sides[protocolOf[client]];
    const conversion = carry(side, sides[protocolOf[upstream]], { ...side.body(2, true), ...wish }, { stream: true });
    const { text, ended } = runStream(conversion.createStream(), wire(several[upstream]).map(utf8));
    expect(ended).toBe("good");
    expect(side.verdict(text, 2)).toBe("good");
    const whole = side.whole(text, 2);
    const answers = list(whole, client === "C" ? "choices" : "candidates");
    const [one, two] = answers.map((answer) =>
      seen(client, client === "C" ? { choices: [answer] } : { candidates: [answer] }),
    );
    expect([one?.text, two?.text]).toEqual(["a0a1", "b0"]);
    expect([one?.end, two?.end]).toEqual([endWords[client].stop, endWords[client].length]);
  },
);

const refusals: Readonly<Record<"C" | "R" | "M", (JsonObject | string)[]>> = {
  C: [chunk({ role: "assistant", refusal: "No." }), chunk({}, "stop"), "[DONE]"],
  R: [
    { type: "response.created", response: responseObject([], "in_progress") },
    { type: "response.output_item.added", output_index: 0, item: { ...responseMessage("msg_1", ""), content: [] } },
    { type: "response.refusal.delta", item_id: "msg_1", output_index: 0, content_index: 0, delta: "No." },
    {
      type: "response.completed",
      response: responseObject([{ ...responseMessage("msg_1", ""), content: [{ type: "refusal", refusal: "No." }] }]),
    },
  ],
  M: [
    messageStart(),
    ...textBlock(0, "No."),
    {
      type: "message_delta",
      delta: {
        stop_reason: "refusal",
        stop_sequence: null,
        stop_details: { type: "refusal", category: null, explanation: null },
      },
      usage: { output_tokens: 1 },
    },
    { type: "message_stop" },
  ],
};
describe.each(letters)("to a client of %s", (client) => {
  test.each(["C", "R", "M"] as const)("S33: a refusal of %s is shown in words, and is no ordinary end", (upstream) => {
    const got = seenOf(client, streamed(path(client, upstream), refusals[upstream]));
    expect(upstream === "M" || client === "M" ? got.text : got.text + got.refusal).toBe("No.");
    if (client === "M") expect(got.end).toBe("refusal");
    if (client === "G") expect(got.end).toBe("SAFETY");
    if (upstream === "M") return;
    if (client === "C" || client === "R") expect(got.refusal).toBe("No.");
  });

  test("S33: a prompt that Gemini blocked is never an empty good answer", () => {
    const frames = [{ promptFeedback: { blockReason: "SAFETY" }, responseId: "g", modelVersion: "m" }];
    const got = streamed(path(client, "G"), frames);
    if (client === "G") expect(got.whole.promptFeedback).toMatchObject({ blockReason: "SAFETY" });
    else expect(seenOf(client, got).end).toBe(endWords[client].filter);
  });

  test.each(letters)(
    "S34: a whole answer of %s in the place of a stream is streamed by the whole grammar",
    (upstream) => {
      const side = sides[protocolOf[client]];
      for (const pretty of [undefined, 2]) {
        const stream = carry(side, sides[protocolOf[upstream]], side.body(1, true), { stream: true }).createStream();
        const { text, ended } = runStream(stream, [utf8(JSON.stringify(wholes[upstream], null, pretty))]);
        expect(ended).toBe("good");
        expect(side.verdict(text, 1)).toBe("good");
        const got = seen(client, side.whole(text, 1));
        expect(got).toEqual(seen(client, answered(path(client, upstream), wholes[upstream] ?? {})));
        expect(got).toMatchObject({ text: "Hi", calls: [["read", { a: 1 }]] });
      }
    },
  );

  test.each(letters)("S34: a stream of %s in the place of a whole answer is that answer", (upstream) => {
    const side = sides[protocolOf[client]];
    const read = (frames: readonly (JsonObject | string)[]) => {
      const conversion = carry(side, sides[protocolOf[upstream]], side.body(1, false));
      return seen(client, json(conversion.convertStreamed(utf8(wire(frames).join(""))).body));
    };
    expect(read(streams[upstream])).toEqual(seen(client, answered(path(client, upstream), wholes[upstream] ?? {})));
    expect(() => read(streams[upstream].slice(0, 1))).toThrow(ProtocolError);
    if (upstream !== "C") return;
    const mixed = [
      fragment(0, "c0", "a", '{"a"'),
      fragment(1, "c1", "b", '{"b"'),
      fragment(0, undefined, undefined, ":1}"),
      fragment(1, undefined, undefined, ":2}"),
    ];
    const { calls } = read([...mixed, chunk({}, "stop"), chunk({}, "tool_calls"), "[DONE]"]);
    expect(calls).toEqual([
      ["a", { a: 1 }],
      ["b", { b: 2 }],
    ]);
  });

  const exact = '{"b":1.0,"a":12345678901234567890,"b":2e0}';
  test.each([
    ["C", [fragment(0, "c1", "read", exact), chunk({}, "tool_calls"), "[DONE]"]],
    ["R", responseFrames([responseCall("c1", "read", exact)])],
    ["M", [messageStart(), ...toolBlock(0, "c1", "read", exact), ...messageEnd("tool_use")]],
  ] as const)("S35: from %s, the text of arguments is not written again where it need not be", (upstream, frames) => {
    const { text, frames: got } = streamed(path(client, upstream), frames);
    if (client === "G") return;
    const pieces = got.map(
      (frame) =>
        at(frame, "choices", 0, "delta", "tool_calls", 0, "function", "arguments") ??
        at(frame, "delta", "partial_json") ??
        (frame.type === "response.function_call_arguments.delta" ? frame.delta : ""),
    );
    expect(pieces.filter((piece) => typeof piece === "string").join(""), text).toBe(exact);
  });

  test("S35: a call of M without any delta is {}", () => {
    const frames = [
      messageStart(),
      ...toolBlock(0, "c1", "read", "").filter(({ type }) => type !== "content_block_delta"),
      ...messageEnd("tool_use"),
    ];
    const got = streamed(path(client, "M"), frames);
    expect(seenOf(client, got).calls).toEqual([["read", {}]]);
    if (client === "C" || client === "R") expect(got.text.split('"{}"').length - 1).toBeGreaterThanOrEqual(1);
  });
});
