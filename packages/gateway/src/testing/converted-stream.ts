import { codecs, createConversion } from "@interlingua/protocols";
import type { AnswerStream } from "../relay/answer-stream.ts";

/** What an upstream of chat completions becomes for a client of Messages. */
export function convertedStream(): AnswerStream {
  const body = { model: "m", max_tokens: 100, stream: true, messages: [{ role: "user", content: "Hi" }] };
  const vault = { seal: () => "", open: () => undefined };
  return createConversion({
    client: codecs.messages,
    upstream: codecs["chat-completions"],
    request: codecs.messages.decodeRequest(body, {}, { vault }),
    clientBody: body,
    upstreamModel: "m",
    lossy: "allow",
    ids: (prefix) => `${prefix}1`,
    now: () => 0,
    vault,
  }).createStream();
}
