import type { ProtocolName } from "@interlingua/protocols";
import type { Platform } from "../platform.ts";
import type { TimerWheel } from "../timer-wheel.ts";
import { codingOf, createAnswerDecoding } from "./answer-decoding.ts";
import type { Channel } from "./channel.ts";
import type { UpstreamExchange, UpstreamFault } from "./upstream-client.ts";

/** A request of the operator's, not of a caller's: bounded in time and size, and never tried again. */
interface OperatorRequest {
  channel: Channel;
  protocol: ProtocolName;
  method: "GET" | "POST";
  /** Behind the channel's base address. */
  path: string;
  body: string | null;
  /** For all of it, milliseconds. */
  timeoutMs: number;
  maximumBytes: number;
}

/** What became of it. `late`: not whole in time. `large`: more than is read of it. */
export type UpstreamReply =
  | { kind: "answer"; status: number; headers: Record<string, string | undefined>; body: Buffer; firstByteMs: number }
  | { kind: "fault"; fault: UpstreamFault["kind"] | "late" | "large" | "broken"; status: number | null };

export interface AskParts {
  timers: Pick<TimerWheel, "after">;
  platform: Pick<Platform, "monotonic">;
}

/** Sends one request through a channel. Never rejects. */
export function askUpstream(request: OperatorRequest, { timers, platform }: AskParts): Promise<UpstreamReply> {
  const { channel, protocol, method, path, body, timeoutMs, maximumBytes } = request;
  const begun = platform.monotonic();
  return new Promise((resolve) => {
    let exchange: UpstreamExchange | undefined;
    let ended = false;
    let head: { status: number; headers: Record<string, string | undefined>; firstByteMs: number } | undefined;
    let decoding: { data(chunk: Buffer): void; end(): void; destroy(): void } | undefined;
    let length = 0;
    const chunks: Buffer[] = [];
    const finish = (reply: UpstreamReply) => {
      if (ended) return;
      ended = true;
      limit.cancel();
      decoding?.destroy();
      resolve(reply);
      exchange?.abort();
    };
    const fail = (fault: Extract<UpstreamReply, { kind: "fault" }>["fault"]) =>
      finish({ kind: "fault", fault, status: head?.status ?? null });
    const limit = timers.after(timeoutMs, () => fail("late"));
    const sink = {
      data(chunk: Buffer) {
        if (ended) return;
        length += chunk.length;
        if (length > maximumBytes) return fail("large");
        chunks.push(chunk);
      },
      end() {
        if (head) finish({ kind: "answer", ...head, body: Buffer.concat(chunks, length) });
        else fail("protocol");
      },
      fail: (reason: "broken" | "too-large") => fail(reason === "broken" ? "broken" : "large"),
    };
    channel.client.send(
      {
        method,
        path: channel.basePath + path,
        headers: {
          accept: "application/json, text/event-stream",
          "accept-encoding": "identity",
          ...(body === null ? {} : { "content-type": "application/json" }),
          "user-agent": "interlingua",
          ...channel.headers(protocol),
        },
        body,
        headersTimeoutMs: timeoutMs,
        bodyTimeoutMs: timeoutMs,
      },
      {
        connected(running) {
          exchange = running;
          if (ended) running.abort();
        },
        start(status, headers) {
          head = { status, headers, firstByteMs: platform.monotonic() - begun };
          const coding = codingOf(headers["content-encoding"]);
          if (coding === "unknown") fail("broken");
          else if (coding !== "identity") decoding = createAnswerDecoding(coding, maximumBytes, sink);
        },
        data: (chunk) => (decoding ?? sink).data(chunk),
        end: () => (decoding ?? sink).end(),
        error: (fault) => fail(fault.kind),
      },
    );
  });
}

/** An error answer's body as codecs take it: JSON, or the text as it came. */
export function jsonOrText(bytes: Buffer): unknown {
  const text = bytes.toString("utf8");
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    // An error page is a body, too.
    return text;
  }
}
