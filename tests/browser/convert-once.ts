import { codecs, createConversion, type JsonObject, plainVault } from "@interlingua/protocols";

/** One streaming call of a messages client to a chat-completions upstream, from request to last frame. */
export function convertOnce(): { upstreamBody: JsonObject; notices: readonly object[]; frames: string } {
  const client = codecs.messages;
  const clientBody: JsonObject = {
    model: "any",
    max_tokens: 100,
    stream: true,
    top_k: 5,
    system: "Be brief.",
    messages: [{ role: "user", content: "Grüß dich, 世界" }],
  };
  const vault = plainVault();
  const conversion = createConversion({
    client,
    upstream: codecs["chat-completions"],
    request: client.decodeRequest(clientBody, {}, { vault }),
    clientBody,
    upstreamModel: "gpt-5.2",
    lossy: "allow",
    ids: (prefix) => `${prefix}1`,
    now: () => 0,
    vault,
  });
  const stream = conversion.createStream();
  const chunk = (delta: JsonObject, finish: string | null) =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const bytes = new TextEncoder().encode(
    `${chunk({ role: "assistant", content: "" }, null)}${chunk({ content: "Hallo 世界" }, null)}${chunk({}, "stop")}data: [DONE]\n\n`,
  );
  const steps = [stream.push(bytes.subarray(0, 170)), stream.push(bytes.subarray(170)), stream.close()];
  const frames = steps.map((step) => step.text + (step.final?.text ?? "")).join("");
  return { upstreamBody: conversion.upstreamBody, notices: conversion.notices, frames };
}
