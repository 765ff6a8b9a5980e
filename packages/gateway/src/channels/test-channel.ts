import {
  type CanonicalRequest,
  codecs,
  type JsonValue,
  ProtocolError,
  type ProtocolName,
} from "@interlingua/protocols";
import { redact } from "../telemetry/redact.ts";
import { type AskParts, askUpstream, jsonOrText } from "./ask-upstream.ts";
import type { Channel } from "./channel.ts";
import { wayThrough } from "./route-plan.ts";

/** What a test of a channel has shown. */
export interface TestResult {
  upstreamModel: string;
  protocol: ProtocolName;
  succeeded: boolean;
  /** HTTP; null where no answer came. */
  status: number | null;
  /** Milliseconds. */
  firstByteMs: number | null;
  totalMs: number;
  /** What the model said, as far as it is kept. */
  text: string;
  /** What went wrong: a fault of the connection, or the kind of the upstream's error. */
  problem: string | null;
  /** The upstream's own words for it. */
  message: string | null;
}

const timeoutMs = 10_000;
const maximumBytes = 262_144;
const longestText = 500;

/**
 * Sends a small call through one channel, past routing, limits and money, and tells what came of it. `protocol`: one that
 * the channel speaks; its preferred one unless told otherwise. Undefined where the channel does not offer the model.
 */
export async function testChannel(
  parts: AskParts,
  channel: Channel,
  model: string,
  protocol?: ProtocolName,
): Promise<TestResult | undefined> {
  const way = wayThrough(channel, model, protocol);
  if (!way) return undefined;
  const { upstreamModel } = way;
  const codec = codecs[way.protocol];
  const begun = parts.platform.monotonic();
  const result = (more: Partial<TestResult>): TestResult => ({
    upstreamModel,
    protocol: way.protocol,
    succeeded: false,
    status: null,
    firstByteMs: null,
    totalMs: parts.platform.monotonic() - begun,
    text: "",
    problem: null,
    message: null,
    ...more,
  });

  let body: string;
  try {
    const traits = channel.traits(way.protocol, upstreamModel);
    const { body: sent } = codec.encodeRequest(greeting(model), { model: upstreamModel, stream: true, ...traits });
    body = JSON.stringify(sent);
  } catch (cause) {
    if (cause instanceof ProtocolError) return result({ problem: cause.error.kind, message: cause.error.message });
    throw cause;
  }
  const reply = await askUpstream(
    {
      channel,
      protocol: way.protocol,
      method: "POST",
      path: codec.path(upstreamModel, true),
      body,
      timeoutMs,
      maximumBytes,
    },
    parts,
  );
  if (reply.kind === "fault") return result({ status: reply.status, problem: reply.fault });
  const { status, firstByteMs } = reply;
  if (status < 200 || status >= 300) {
    // What a provider sends is JSON or text.
    const failure = { status, headers: reply.headers, body: jsonOrText(reply.body) as JsonValue | undefined };
    const { kind, message } = codec.decodeError(failure);
    return result({ status, firstByteMs, problem: kind, message: shortened(message) });
  }
  const decoder = codec.createStreamDecoder();
  let text = "";
  let ended = false;
  for (const event of [...decoder.push(reply.body), ...decoder.close()]) {
    switch (event.type) {
      case "part-delta":
        if (event.delta.type === "text") text += event.delta.text;
        break;
      case "end":
        ended = true;
        break;
      case "error":
        if (ended) break;
        return result({
          status,
          firstByteMs,
          text: text.slice(0, longestText),
          problem: event.error.kind,
          message: shortened(event.error.message),
        });
      default:
        break;
    }
  }
  return result({ succeeded: true, status, firstByteMs, text: text.slice(0, longestText) });
}

/** Small enough to cost next to nothing, with room for models that think before they speak. */
function greeting(model: string): CanonicalRequest {
  return {
    model,
    stream: true,
    turns: [{ role: "user", parts: [{ type: "text", text: "Reply with the one word: ready" }] }],
    tools: [],
    maxOutputTokens: 256,
    sampling: {},
    stopSequences: [],
    includeUsage: true,
  };
}

/** Providers repeat credentials in errors. */
function shortened(message: string): string {
  return redact(message).slice(0, longestText);
}
