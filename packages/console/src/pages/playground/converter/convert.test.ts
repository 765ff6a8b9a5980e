import { type JsonObject, protocolNames } from "@interlingua/protocols";
import { expect, test } from "vitest";
import { convertRequest, readPasted } from "./convert.ts";
import { detectProtocol } from "./detect.ts";

const requests: Record<string, [(typeof protocolNames)[number], JsonObject]> = {
  chat: ["chat-completions", { model: "m", messages: [{ role: "user", content: "Hi" }] }],
  "chat with a system message": [
    "chat-completions",
    { model: "m", max_tokens: 5, messages: [{ role: "system", content: "Be short" }] },
  ],
  "chat with tools": [
    "chat-completions",
    { model: "m", messages: [{ role: "user", content: "Hi" }], tools: [{ type: "function", function: { name: "f" } }] },
  ],
  responses: ["responses", { model: "m", input: "Hi" }],
  messages: [
    "messages",
    { model: "m", max_tokens: 5, system: "Be short", messages: [{ role: "user", content: "Hi" }] },
  ],
  "messages with tools": [
    "messages",
    {
      model: "m",
      max_tokens: 5,
      messages: [{ role: "user", content: "Hi" }],
      tools: [{ name: "f", input_schema: { type: "object" } }],
    },
  ],
  "messages with a result": [
    "messages",
    {
      model: "m",
      max_tokens: 5,
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", content: [{ type: "tool_use", id: "t", name: "f", input: {} }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "x" }] },
      ],
    },
  ],
  Gemini: ["generate-content", { contents: [{ role: "user", parts: [{ text: "Hi" }] }] }],
};

test.each(Object.entries(requests))("a request of %s is recognised", (_name, [protocol, body]) => {
  expect(detectProtocol(body)).toBe(protocol);
});

test("what is no request is recognised as nothing", () => {
  expect(detectProtocol({ model: "m" })).toBeUndefined();
  expect(readPasted("", undefined, "m")).toEqual({ kind: "empty" });
  expect(readPasted("[1]", undefined, "m")).toEqual({ kind: "unknown" });
  expect(readPasted("{", undefined, "m")).toMatchObject({ kind: "unreadable" });
});

test.each(Object.entries(requests))(
  "a request of %s is written in all four, unchanged in its own",
  (_name, [protocol, body]) => {
    const pasted = readPasted(JSON.stringify(body), undefined, "m");
    if (pasted.kind !== "request") throw new Error("It is a request");
    for (const to of protocolNames) {
      const converted = convertRequest(pasted, to);
      if (!converted.ok) throw new Error(converted.message);
      if (to === protocol) expect(converted).toEqual({ ok: true, body, notices: [] });
      else expect(detectProtocol(converted.body)).toBe(to);
    }
  },
);

test("losses are told by their fields, and what is malformed is refused by its field", () => {
  const pasted = readPasted(
    JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hi" }], logit_bias: { "50256": -100 } }),
    undefined,
    "m",
  );
  if (pasted.kind !== "request") throw new Error("It is a request");
  const converted = convertRequest(pasted, "messages");
  expect(converted).toMatchObject({
    ok: true,
    notices: expect.arrayContaining([expect.objectContaining({ field: "logit_bias" })]),
  });
  const wrong = readPasted(JSON.stringify({ model: "m", messages: [{ role: "user", content: 7 }] }), undefined, "m");
  if (wrong.kind !== "request") throw new Error("It is a request");
  expect(convertRequest(wrong, "messages")).toMatchObject({ ok: false, field: expect.stringContaining("messages[0]") });
});
