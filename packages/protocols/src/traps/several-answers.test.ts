import { expect, test } from "vitest";
import { answered, at, refused, streamed } from "../peer-bugs/scene.ts";
import { chunk, completion, responseMessage, responseObject } from "../peer-bugs/wire-frames.ts";
import { path } from "./streams.ts";

const wishes = { C: { n: 2 }, G: { generationConfig: { candidateCount: 2 } } };
const fields = { C: "n", G: "generationConfig.candidateCount" };

test.each([
  ["C", "R"],
  ["C", "M"],
  ["G", "R"],
  ["G", "M"],
] as const)(
  "L29: several answers that %s asks of %s are refused by their field, never silently one",
  (client, upstream) => {
    expect(refused(path(client, upstream), wishes[client])).toMatchObject({ status: 400, param: fields[client] });
  },
);

test("L29: an answer that nobody asked for is left out, and the first one is whole", () => {
  const extra = { index: 1, message: { role: "assistant", content: "other" }, finish_reason: "stop" };
  const body = completion({ content: "Hi" });
  const both = { ...body, choices: [...(Array.isArray(body.choices) ? body.choices : []), extra] };
  expect(answered("R->C", both)).toMatchObject({ status: "completed" });
  expect(JSON.stringify(answered("R->C", both))).not.toContain("other");
  const frames = [
    chunk({ content: "Hi" }),
    chunk({ content: "other" }, null, 1),
    chunk({}, "stop"),
    chunk({}, "stop", 1),
    "[DONE]",
  ];
  expect(streamed("M->C", frames).text).not.toContain("other");
  expect(
    at(answered("C->R", responseObject([responseMessage("msg_1", "Hi")])), "choices", 0, "message", "content"),
  ).toBe("Hi");
});
