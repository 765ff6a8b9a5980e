import { describe, expect, test } from "vitest";
import type { JsonObject } from "../canonical/index.ts";
import { at, broken, list, streamed, wire } from "../peer-bugs/scene.ts";
import {
  candidate,
  chunk,
  fragment,
  messageStart,
  responseCall,
  responseFrames,
  responseMessage,
  responseObject,
  textBlock,
  toolBlock,
} from "../peer-bugs/wire-frames.ts";
import { type Carried, carry, runStream, utf8 } from "../testing/carrying.ts";
import { type Letter, letters, protocolOf } from "../testing/letters.ts";
import { sides } from "../testing/protocol-sides.ts";
import { pairs, path, textAndCall } from "./streams.ts";

/** Characters of every length. */
const text = "Grüße, 🌍!";
const answers = textAndCall(text, { a: "é" });

function run(client: Letter, upstream: Letter, pieces: readonly Uint8Array[]): Carried {
  const [to, from] = [sides[protocolOf[client]], sides[protocolOf[upstream]]];
  return runStream(carry(to, from, to.body(1, true), { stream: true }).createStream(), pieces);
}

/** The same stream in another spelling. */
const framings: readonly [string, (text: string) => string][] = [
  ["no space behind the colon", (plain) => plain.replaceAll(/^(event|data): /gm, "$1:")],
  ["CRLF", (plain) => plain.replaceAll("\n", "\r\n")],
  ["CR", (plain) => plain.replaceAll("\n", "\r")],
  ["data over two lines", (plain) => plain.replaceAll(/^data: \{/gm, "data: {\ndata: ")],
  ["comments", (plain) => `: OPENROUTER PROCESSING\n\n${plain.replaceAll("\n\n", "\n\n: beat\n\n")}`],
  [
    "a byte order mark and unknown fields",
    (plain) => `\ufeff${plain.replaceAll(/^data: /gm, "id: 1\nretry: 5\ndata: ")}`,
  ],
];

describe.each(pairs)("%s from %s", (client, upstream) => {
  const whole = wire(answers[upstream]).join("");

  test("S21: a cut in any character, line end or escape changes nothing", () => {
    const bytes = utf8(whole);
    const expected = run(client, upstream, [bytes]).text;
    expect(expected).toContain("🌍");
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(run(client, upstream, [bytes.subarray(0, at), bytes.subarray(at)]).text, `cut at ${at}`).toBe(expected);
    }
  });

  test.each(framings)("S22: %s are the same events", (_name, write) => {
    expect(run(client, upstream, [utf8(write(whole))]).text).toBe(run(client, upstream, [utf8(whole)]).text);
  });

  test("S22: what comes behind the end changes nothing", () => {
    const plain = streamed(path(client, upstream), answers[upstream]).text;
    // Gemini has no end mark: what may follow is the mark of another protocol.
    const behind =
      upstream === "G" ? ["[DONE]"] : ["[DONE]", { type: "ping", cost: 0 }, { error: { message: "late" } }];
    expect(streamed(path(client, upstream), [...answers[upstream], ...behind]).text).toBe(plain);
  });

  test("S23: [DONE] is for clients of C alone", () => {
    expect(run(client, upstream, [utf8(whole)]).text.includes("[DONE]")).toBe(client === "C");
  });

  test.each<[string, string[], string]>(errorFrames(upstream))(
    "S24: %s inside a 200 is one error of its own, and never an end",
    (_name, frames, words) => {
      const began = wire(answers[upstream]).slice(0, upstream === "G" ? 1 : 2);
      const got = broken(path(client, upstream), [...began, ...frames, "data: [DONE]\n\n"]);
      expect(got.text.split(words).length - 1, got.text).toBe(1);
      expectErrorShape(client, got);
    },
  );

  test("S25: a cut in the middle of a call's arguments is an error, and the half call is not closed", () => {
    const got = broken(path(client, upstream), wire(halfCalls[upstream]));
    expectErrorShape(client, got);
    expect(got.text).not.toMatch(
      /"finish_reason":"|message_stop|message_delta|response\.(completed|incomplete)|"finishReason"/,
    );
    if (client === "C" || client === "R") expect(got.text).toContain('"code":"stream_incomplete"');
    const ends = got.frames.filter(({ type }) => type === "content_block_stop" || type === "response.output_item.done");
    const calls = ends.filter((frame) => frame.index === 1 || at(frame, "item", "type") === "function_call");
    expect(calls).toEqual([]);
    expect(list(got.frames.at(-1), "response", "output").some(({ type }) => type === "function_call")).toBe(false);
  });
});

/** Answers that stop in the middle of a call: a text is there before it. */
const halfCalls: Readonly<Record<Letter, (JsonObject | string)[]>> = {
  C: [chunk({ role: "assistant", content: text }), fragment(0, "c1", "read", '{"a":')],
  R: [
    ...responseFrames([responseMessage("msg_1", text)]).slice(0, -1),
    { type: "response.output_item.added", output_index: 1, item: responseCall("c1", "read", "") },
    { type: "response.function_call_arguments.delta", item_id: "fc_c1", output_index: 1, delta: '{"a":' },
  ],
  M: [messageStart(), ...textBlock(0, text), ...toolBlock(1, "c1", "read", '{"a":').slice(0, -1)],
  G: [
    candidate([{ text }]),
    candidate([{ functionCall: { name: "read", willContinue: true } }]),
    candidate([
      {
        functionCall: { partialArgs: [{ jsonPath: "$.a", stringValue: "x", willContinue: true }], willContinue: true },
      },
    ]),
  ],
};

function errorFrames(upstream: Letter): [string, string[], string][] {
  const named = (name: string, body: JsonObject) => [`event: ${name}\ndata: ${JSON.stringify(body)}\n\n`];
  const data = (body: JsonObject) => [`data: ${JSON.stringify(body)}\n\n`];
  const openai = { error: { message: "Busy just now.", type: "server_error", param: null, code: null } };
  switch (upstream) {
    case "C":
      return [
        ["an unnamed error", data(openai), "Busy just now."],
        ["a named error", named("error", { message: "Busy just now." }), "Busy just now."],
        ["an error of few words", data({ error: "Busy just now." }), "Busy just now."],
      ];
    case "R": {
      const error = { code: "server_error", message: "Busy just now." };
      return [
        [
          "response.failed",
          named("response.failed", {
            type: "response.failed",
            sequence_number: 9,
            response: responseObject([], "failed", { error }),
          }),
          "Busy just now.",
        ],
        [
          "an error event",
          named("error", { type: "error", sequence_number: 9, param: null, ...error }),
          "Busy just now.",
        ],
        ["an unnamed error", data(openai), "Busy just now."],
      ];
    }
    case "M": {
      const error = { type: "error", error: { type: "overloaded_error", message: "Busy just now." } };
      return [
        ["a named error", named("error", error), "Busy just now."],
        ["an unnamed error", data(error), "Busy just now."],
        [
          "an error without its type",
          data({ error: { type: "overloaded_error", message: "Busy just now." } }),
          "Busy just now.",
        ],
      ];
    }
    case "G": {
      const error = { error: { code: 503, message: "Busy just now.", status: "UNAVAILABLE", details: [] } };
      return [
        ["an error", data(error), "Busy just now."],
        ["an error in a list", [`data: ${JSON.stringify([error])}\n\n`], "Busy just now."],
      ];
    }
  }
}

/** An error as the client's own vendor shows it, and nothing behind it. */
function expectErrorShape(client: Letter, { frames, text: raw }: { frames: JsonObject[]; text: string }): void {
  const last = frames.at(-1);
  switch (client) {
    case "C":
      expect(at(last, "error", "message")).toEqual(expect.any(String));
      expect(raw).not.toContain("[DONE]");
      return;
    case "R":
      expect(last).toMatchObject({
        type: "response.failed",
        response: { status: "failed", error: { code: expect.any(String), message: expect.any(String) } },
      });
      return;
    case "M":
      expect(last).toMatchObject({ type: "error", error: { type: expect.any(String), message: expect.any(String) } });
      return;
    case "G":
      expect(last).toMatchObject({
        error: { code: expect.any(Number), message: expect.any(String), status: expect.any(String) },
      });
  }
}

describe.each(letters)("to a client of %s", (client) => {
  const began = [chunk({ role: "assistant", content: "Hi" }), chunk({}, "stop")];

  test.each([["data: [DONE]\n\n"], ["data:[DONE]\n\n"], ["data:  [DONE] \n\n"], [""]])(
    "S23: C ends well by %j behind a finish",
    (end) => {
      const got = run(client, "C", [...wire(began), end].map(utf8));
      expect(got.ended).toBe("good");
      expect(sides[protocolOf[client]].verdict(got.text, 1)).toBe("good");
    },
  );

  test("S23: C that closes with neither a finish nor its mark has failed", () => {
    broken(path(client, "C"), wire([chunk({ role: "assistant", content: "Hi" })]));
  });

  test("S24: a web page in the place of a stream is an error before anything was shown", () => {
    for (const upstream of letters) {
      const got = run(client, upstream, [utf8("<html><body>502 Bad Gateway</body></html>")]);
      expect(got.ended).toBe("error");
      expect(got.before).toBe("");
      expect(got.text).not.toContain("<html>");
    }
  });

  test("S24: an open message of R ends as incomplete before response.failed", () => {
    if (client !== "R") return;
    const { frames } = broken(
      "R->C",
      wire([chunk({ content: "Hi" }), JSON.stringify({ error: { message: "Busy." } })]),
    );
    const done = frames.find(({ type }) => type === "response.output_item.done");
    expect(at(done, "item", "status")).toBe("incomplete");
    expect(list(frames.at(-1), "response", "output")).toHaveLength(1);
  });
});
