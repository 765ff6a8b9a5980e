import { describe, expect, test } from "vitest";
import type { JsonObject } from "../canonical/index.ts";
import { wire } from "../peer-bugs/scene.ts";
import {
  candidate,
  chunk,
  messageEnd,
  messageStart,
  responseFrames,
  responseMessage,
  responseObject,
  textBlock,
} from "../peer-bugs/wire-frames.ts";
import { carry, runStream, utf8 } from "../testing/carrying.ts";
import { type Letter, letters, protocolOf } from "../testing/letters.ts";
import { sides } from "../testing/protocol-sides.ts";
import type { Frames } from "./streams.ts";

type End = readonly [name: string, frames: Frames, verdict: "good" | "error"];

const items = responseFrames([responseMessage("msg_1", "Hi")]);
const began = items.slice(0, -1);
const broke = { code: "server_error", message: "Broke." };
const terminal = (status: string, more: JsonObject = {}) => ({
  type: `response.${status}`,
  response: responseObject([responseMessage("msg_1", "Hi")], status, more),
});
const said = chunk({ role: "assistant", content: "Hi" });
const spoken = [messageStart(), ...textBlock(0, "Hi")];
const [messageDelta = {}, messageStop = {}] = messageEnd("end_turn");
const noReason = { ...messageDelta, delta: { stop_reason: null, stop_sequence: null } };
const two = (...finishes: (string | undefined)[]) => ({
  candidates: finishes.map((finishReason, index) => ({
    index,
    content: { role: "model", parts: [{ text: "Hi" }] },
    ...(finishReason ? { finishReason } : {}),
  })),
  responseId: "g",
  modelVersion: "m",
});

/** Every way in which an upstream can stop, with what section 3.3 says of it. */
const ends: Readonly<Record<Letter, readonly End[]>> = {
  C: [
    ["[DONE] behind the finish", [said, chunk({}, "stop"), "[DONE]"], "good"],
    ["[DONE] without a finish", [said, "[DONE]"], "good"],
    ["a close behind the finish", [said, chunk({}, "stop")], "good"],
    ["a close without a finish", [said], "error"],
    ["a close before anything", [], "error"],
    ["[DONE] alone", ["[DONE]"], "error"],
    ["an error frame", [said, JSON.stringify({ error: { message: "Broke." } }), "[DONE]"], "error"],
    ["a finish that says error", [said, chunk({}, "error"), "[DONE]"], "error"],
    ["a frame that is not JSON", [said, "{broken", chunk({}, "stop"), "[DONE]"], "error"],
  ],
  R: [
    ["response.completed", items, "good"],
    [
      "response.incomplete",
      [...began, terminal("incomplete", { incomplete_details: { reason: "max_output_tokens" } })],
      "good",
    ],
    ["response.failed", [...began, terminal("failed", { error: broke })], "error"],
    ["response.cancelled", [...began, terminal("cancelled")], "error"],
    ["an error event", [...began, { type: "error", ...broke, param: null }], "error"],
    ["a close", began, "error"],
    ["a close before anything", [], "error"],
    ["[DONE] in the place of its own end", [...began, "[DONE]"], "error"],
    ["a frame that is not JSON", [...began, "{broken", terminal("completed")], "error"],
  ],
  M: [
    ["message_stop", [...spoken, messageDelta, messageStop], "good"],
    ["a close behind the stop reason", [...spoken, messageDelta], "good"],
    ["a close behind a message_delta without a reason", [...spoken, noReason], "error"],
    ["a close behind the blocks", spoken, "error"],
    ["a close inside a block", spoken.slice(0, -1), "error"],
    ["a close inside a block, behind the stop reason", [...spoken.slice(0, -1), messageDelta], "error"],
    ["a close before anything", [], "error"],
    ["an error event", [...spoken, { type: "error", error: { type: "api_error", message: "Broke." } }], "error"],
    ["[DONE] in the place of its own end", [...spoken, "[DONE]"], "error"],
    ["a frame that is not JSON", [...spoken, "{broken", messageDelta, messageStop], "error"],
  ],
  G: [
    ["a close behind the finish reason", [candidate([{ text: "Hi" }], "STOP")], "good"],
    [
      "a close behind a blocked prompt",
      [{ promptFeedback: { blockReason: "SAFETY" }, responseId: "g", modelVersion: "m" }],
      "good",
    ],
    [
      "usage behind the finish reason",
      [
        candidate([{ text: "Hi" }], "STOP"),
        { usageMetadata: { promptTokenCount: 1, totalTokenCount: 1 }, responseId: "g", modelVersion: "m" },
      ],
      "good",
    ],
    ["a close without a finish reason", [candidate([{ text: "Hi" }])], "error"],
    ["a close before anything", [], "error"],
    [
      "an error object",
      [candidate([{ text: "Hi" }]), { error: { code: 503, message: "Broke.", status: "UNAVAILABLE" } }],
      "error",
    ],
    [
      "an error object behind the finish reason",
      [candidate([{ text: "Hi" }], "STOP"), { error: { code: 503, message: "Broke.", status: "UNAVAILABLE" } }],
      "error",
    ],
    ["[DONE] in the place of a finish reason", [candidate([{ text: "Hi" }]), "[DONE]"], "error"],
    ["a frame that is not JSON", [candidate([{ text: "Hi" }]), "{broken", candidate([], "STOP")], "error"],
  ],
};

const goodEnds: Readonly<Record<Letter, RegExp>> = {
  C: /data: \[DONE\]|"finish_reason":"/,
  R: /event: response\.(completed|incomplete)\n/,
  M: /event: message_(delta|stop)\n/,
  G: /"finishReason":|"promptFeedback":/,
};

const cases = letters.flatMap((upstream) =>
  letters.flatMap((client) =>
    ends[upstream].map(([name, frames, verdict]) => ({ upstream, client, name, frames, verdict })),
  ),
);

test.each(cases)(
  "3.3: $upstream that ends by $name is $verdict for $client",
  ({ upstream, client, frames, verdict }) => {
    const [to, from] = [sides[protocolOf[client]], sides[protocolOf[upstream]]];
    const stream = carry(to, from, to.body(1, true), { stream: true }).createStream();
    const { text, ended } = runStream(stream, wire(frames).map(utf8));
    expect(ended).toBe(verdict);
    expect(to.verdict(text, 1)).toBe(verdict);
    expect(goodEnds[client].test(text)).toBe(verdict === "good");
  },
);

describe("3.3: several answers are over when each of them is", () => {
  const half: Readonly<Record<"C" | "G", [Frames, Frames]>> = {
    C: [
      [chunk({ content: "a" }, null, 0), chunk({ content: "b" }, null, 1), chunk({}, "stop", 0)],
      [chunk({ content: "a" }, null, 0), chunk({ content: "b" }, null, 1), chunk({}, "stop", 0), chunk({}, "stop", 1)],
    ],
    G: [[two("STOP", undefined)], [two("STOP", "STOP")]],
  };
  test.each(["C", "G"] as const)("3.3: of %s", (upstream) => {
    for (const client of ["C", "G"] as const) {
      const [to, from] = [sides[protocolOf[client]], sides[protocolOf[upstream]]];
      half[upstream].forEach((frames, index) => {
        const stream = carry(to, from, to.body(2, true), { stream: true }).createStream();
        expect(runStream(stream, wire(frames).map(utf8)).ended).toBe(index === 0 ? "error" : "good");
      });
    }
  });
});
