import { describe, expect, test } from "vitest";
import { framesOf, streamed, wire } from "../peer-bugs/scene.ts";
import { responseObject } from "../peer-bugs/wire-frames.ts";
import { carry, utf8 } from "../testing/carrying.ts";
import { type Letter, letters, protocolOf } from "../testing/letters.ts";
import { sides } from "../testing/protocol-sides.ts";
import { seenOf } from "./seen.ts";
import { path, textAndCall } from "./streams.ts";

/** Characters of every length. */
const text = "Grüße, 🌍!";
const answers = textAndCall(text, { a: "é" });

describe.each(letters)("to a client of %s", (client) => {
  test("S28: a keep-alive is lawful at every moment, and says that the stream lives in the client's own way", () => {
    const side = sides[protocolOf[client]];
    for (const upstream of letters) {
      const from = sides[protocolOf[upstream]];
      const stream = carry(side, from, side.body(1, true), { stream: true }).createStream();
      const before = stream.ping();
      expect(before).toMatch(/^(:[^\n]*\n\n)?$/);
      let out = before;
      const beats: string[] = [];
      for (const frame of wire(answers[upstream])) {
        const step = stream.push(utf8(frame));
        out += step.text;
        if (step.final) {
          out += step.final.text;
          break;
        }
        beats.push(stream.ping());
        out += beats.at(-1) ?? "";
      }
      const last = stream.close();
      out += last.text + (last.final?.text ?? "");
      expect(side.verdict(out, 1), out).toBe("good");
      expect(beats.at(-1)).toMatch(aliveForms[client]);
    }
  });

  test("S28: the beats of an upstream end nothing and change nothing", () => {
    const frames = answers.R;
    const plain = streamed(path(client, "R"), frames).text;
    for (let place = 1; place < frames.length; place += 1) {
      const beats = [
        { type: "keepalive", sequence_number: place },
        { type: "response.in_progress", response: responseObject([], "in_progress") },
      ];
      const beaten = [...frames.slice(0, place), ...beats, ...frames.slice(place)];
      expect(streamed(path(client, "R"), beaten).text).toBe(plain);
    }
    const pinged = answers.M.flatMap((frame) => [frame, { type: "ping" }]);
    expect(seenOf(client, streamed(path(client, "M"), pinged))).toMatchObject({ text });
  });
});

/** Claude Code and most clients count any byte as life, Codex parsed events only. */
const aliveForms: Readonly<Record<Letter, RegExp>> = {
  C: /^:[^\n]*\n\n$/,
  R: /^event: response\.in_progress\ndata: \{.*"response":\{.*\}\}\n\n$/,
  M: /^event: ping\ndata: \{"type": ?"ping"\}\n\n$/,
  G: /^:[^\n]*\n\n$/,
};

test("S28: a beat between the events of R has the next number and the whole response", () => {
  const side = sides.responses;
  const stream = carry(side, sides.messages, side.body(1, true), { stream: true }).createStream();
  const start = wire(answers.M)
    .slice(0, 3)
    .map((frame) => stream.push(utf8(frame)).text)
    .join("");
  const numbers = framesOf(start + stream.ping()).map(({ sequence_number }) => sequence_number);
  expect(numbers).toEqual(numbers.map((_, index) => index));
  expect(framesOf(stream.ping())[0]).toMatchObject({
    type: "response.in_progress",
    response: { status: "in_progress" },
  });
});
